"""The searches over data/ rank as they did: hits and scores of every ranker, held in tests/searches.json.

`python tests/test_searches.py` writes the file anew.
"""

import json
from pathlib import Path

from deepread_nb.metrics.questions import load_questions
from deepread_nb.parse.folder import parse_folder
from deepread_nb.search.hybrid import HybridIndex
from deepread_nb.search.index import Index
from deepread_nb.search.store import Store
from deepread_nb.search.store_hybrid import StoreHybrid

ROOT = Path(__file__).parent.parent
HELD = ROOT / 'tests' / 'searches.json'


def hits(ranker, query: str) -> list[str]:
    "The first six hits as 'place score'."
    return [f'{h.coord or f"{h.doc_id} p. {h.page}"} {h.score:.5f}' for h in ranker.search(query, 6)]


def searches(folder: Path) -> dict[str, dict[str, list[str]]]:
    "For each question what each ranker finds; `folder` gets a store."
    corpus = parse_folder(ROOT / 'data', progress=False)
    store = Store.create(folder / 'store')
    store.add(corpus)
    rankers = {
        f'{kind.__name__} {unit}': kind(corpus, unit) for kind in (Index, HybridIndex) for unit in ('paragraph', 'page')
    }
    rankers |= {f'StoreHybrid {unit}': StoreHybrid(store, unit) for unit in ('paragraph', 'page')}
    return {
        q.question: {name: hits(ranker, q.question) for name, ranker in rankers.items()}
        for q in load_questions(ROOT / 'data' / 'questions.jsonl')
    }


def test_searches_are_those_held(tmp_path):
    assert searches(tmp_path) == json.loads(HELD.read_text(encoding='utf-8'))


if __name__ == '__main__':
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        HELD.write_text(json.dumps(searches(Path(folder)), ensure_ascii=False, indent=1) + '\n', encoding='utf-8')
