"""How well search finds the pages with the answer, compared with other engines; the last line is a JSON object.

usage: retrieval.py --questions FILE --documents DIR [--sets NAME ...] [--engines NAME ...] [--model DIR]
                    [--ablation] [--misses] [--errors] [--speed]
The question file has one JSON object per line, with id, question, dataset, documents (the scope) and evidence
(document, 1-based page). Where evidence is missing but evidence_text has quotations, the gold pages are those that
contain them; questions with neither are skipped. DIR has the documents, or a folder for each dataset.
All engines search the same page texts, those of our parser. Rivals that are not installed are listed as missing:
pip install bm25s whoosh

doc_rK     mean share of the gold pages among the first K, searching only the question's documents
corpus_rK  the same, searching all documents of the set
ms_median  milliseconds per search of the whole set
peak_mb    memory an engine took to build and search, beyond the corpus itself (each engine runs in its own process)

The JSON object: for each set and engine the shares, and under "engines" for each engine the cost over all sets.
"""

import argparse
import json
import multiprocessing
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from deepread_nb.core.corpus import Corpus
from deepread_nb.core.text import terms
from deepread_nb.parse.folder import parse_folder
from deepread_nb.search.dense import DenseIndex
from deepread_nb.search.encoders import Embedder
from deepread_nb.search.features import FEATURES, content_words
from deepread_nb.search.fusion import fuse_ranks, fuse_scores
from deepread_nb.search.hybrid import HybridIndex
from deepread_nb.search.index import Index
from deepread_nb.search.store import Store
from deepread_nb.search.store_hybrid import StoreHybrid
from deepread_nb.search.units import iter_units

# question, k, doc_ids -> (doc_id, page), best first
Search = Callable[[str, int, set[int] | None], list[tuple[int, int]]]
KS = (1, 5, 10)


def ours(corpus: Corpus, **options) -> Search:
    "HybridIndex over pages."
    index = HybridIndex(corpus, 'page', **options)
    return lambda question, k, scope: [(h.doc_id, h.page) for h in index.search(question, k, scope)]


def plain(corpus: Corpus) -> Search:
    "Our in-memory Index: rank-bm25 with our terms and titles as context."
    index = Index(corpus, 'page')
    return lambda question, k, scope: [(h.doc_id, h.page) for h in index.search(question, k, scope)]


def store(corpus: Corpus) -> Search:
    "Our Store: LanceDB over the same terms, in a folder that is deleted when this process ends."
    folder = tempfile.TemporaryDirectory()
    kept = Store.create(f'{folder.name}/store', corpus, progress=False)

    def search(question, k, scope, keep=folder):
        return [(h.doc_id, h.page) for h in kept.search(question, k, scope, unit='page')]

    return search


def stored(corpus: Corpus) -> Search:
    "StoreHybrid over pages: the features on candidates from the store."
    folder = tempfile.TemporaryDirectory()
    index = StoreHybrid(Store.create(f'{folder.name}/store', corpus, progress=False), 'page')

    def search(question, k, scope, keep=folder):
        return [(h.doc_id, h.page) for h in index.search(question, k, scope)]

    return search


def dense(corpus: Corpus, model: Path, kept: str) -> Search:
    "Vectors of pages alone, from an embedding model in a folder; the vectors are kept for the next engine."
    index = DenseIndex(corpus, Embedder(model), 'page', store=kept)
    return lambda question, k, scope: [(h.doc_id, h.page) for h in index.search(question, k, scope)]


def voting(corpus: Corpus, model: Path, kept: str, fuse: Callable = fuse_ranks) -> Search:
    "HybridIndex with the vectors as a second vote."
    return ours(corpus, engines=[DenseIndex(corpus, Embedder(model), 'page', store=kept)], fuse=fuse)


def pages(corpus: Corpus) -> tuple[list[tuple[int, int]], list[str]]:
    "The (doc_id, page) and the text of every page."
    rows = list(iter_units(corpus, 'page'))
    return [(h.doc_id, h.page) for h, _, _ in rows], [text for _, _, text in rows]


def by_scores(
    keys: list[tuple[int, int]], scores: Iterable[float], k: int, scope: set[int] | None
) -> list[tuple[int, int]]:
    "The best keys by score; those with score 0 are not found."
    best = sorted((-s, i) for i, s in enumerate(scores) if s > 0 and (not scope or keys[i][0] in scope))
    return [keys[i] for _, i in best[:k]]


def words(text: str) -> list[str]:
    return terms(text, stem=False)


def rank_bm25(corpus: Corpus) -> Search:
    from rank_bm25 import BM25Okapi

    keys, texts = pages(corpus)
    bm25 = BM25Okapi([words(t) for t in texts])
    return lambda question, k, scope: by_scores(keys, bm25.get_scores(words(question)), k, scope)


def bm25s(corpus: Corpus) -> Search:
    import bm25s

    keys, texts = pages(corpus)
    bm25 = bm25s.BM25()
    bm25.index([words(t) for t in texts], show_progress=False)
    return lambda question, k, scope: by_scores(
        keys, bm25.get_scores([w for w in words(question) if w in bm25.vocab_dict]), k, scope
    )


def fts5(corpus: Corpus) -> Search:
    "SQLite's full-text index with its Porter stemmer."
    keys, texts = pages(corpus)
    db = sqlite3.connect(':memory:')
    db.execute("create virtual table page using fts5(text, doc unindexed, tokenize='porter')")
    db.executemany(
        'insert into page(rowid, text, doc) values (?, ?, ?)', ((i, t, keys[i][0]) for i, t in enumerate(texts))
    )

    def search(question, k, scope):
        asked = ' OR '.join(f'"{w}"' for w in dict.fromkeys(words(question)))
        within = f'and doc in ({",".join(map(str, scope))})' if scope else ''
        return [
            keys[i]
            for (i,) in db.execute(
                f'select rowid from page where page match ? {within} order by rank limit ?', (asked, k)
            )
        ]

    return search


def whoosh(corpus: Corpus) -> Search:
    from whoosh import fields, filedb, qparser, query
    from whoosh.analysis import StemmingAnalyzer

    keys, texts = pages(corpus)
    schema = fields.Schema(at=fields.STORED, doc=fields.ID, text=fields.TEXT(analyzer=StemmingAnalyzer()))
    index = filedb.filestore.RamStorage().create_index(schema)
    writer = index.writer()
    for key, text in zip(keys, texts):
        writer.add_document(at=key, doc=str(key[0]), text=text)
    writer.commit()
    searcher, parser = index.searcher(), qparser.QueryParser('text', schema, group=qparser.OrGroup)

    def search(question, k, scope):
        within = query.Or([query.Term('doc', str(d)) for d in scope]) if scope else None
        return [
            tuple(h['at']) for h in searcher.search(parser.parse(' '.join(words(question))), limit=k, filter=within)
        ]

    return search


ENGINES = dict(
    ours=ours, plain=plain, store=store, stored=stored, bm25s=bm25s, rank_bm25=rank_bm25, fts5=fts5, whoosh=whoosh
)


def recall(found: list[tuple[int, int]], gold: set[tuple[int, int]], k: int) -> float:
    return len(gold & set(found[:k])) / len(gold)


def measure(corpus: Corpus, questions: list[dict], build: Callable[[Corpus], Search]) -> dict:
    "The recalls of every question, and what it cost."
    ids = {d.name: d.doc_id for d in corpus}
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    search = build(corpus)
    search(questions[0]['question'], 10, None)  # some engines finish building in their first search
    seconds = time.perf_counter() - start
    rows, ms = [], []
    for q in questions:
        gold = {(ids.get(e['document'], 0), int(e['page'])) for e in q['evidence']}
        scope = {ids[d] for d in q['documents'] if d in ids}
        inside = search(q['question'], 10, scope) if scope else []
        start = time.perf_counter()
        across = search(q['question'], 10, None)
        ms.append(1000 * (time.perf_counter() - start))
        rows.append([recall(inside, gold, k) for k in KS] + [recall(across, gold, k) for k in KS])
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return dict(rows=rows, ms=ms, seconds=seconds, mb=(after - before) / 1024)


def measure_in_process(corpus: Corpus, questions: list[dict], build: Callable[[Corpus], Search]) -> dict | str:
    "`measure` in its own process, so that memory is counted by engine; a reason if the engine is not installed."
    ours_end, child_end = multiprocessing.get_context('fork').Pipe(duplex=False)

    def work():
        try:
            child_end.send(measure(corpus, questions, build))
        except ImportError as e:
            child_end.send(f'not installed ({e.name})')

    child = multiprocessing.get_context('fork').Process(target=work)
    child.start()
    result = ours_end.recv()
    child.join()
    return result


NAMES = [f'{where}_r{k}' for where in ('doc', 'corpus') for k in KS]


def shares(rows: list[list[float]]) -> dict[str, float]:
    return {name: round(statistics.fmean(r[i] for r in rows), 4) for i, name in enumerate(NAMES)}


def line(name: str, row: dict[str, float]) -> str:
    return f'{name:28s}' + ''.join(f'{row[n]:11.3f}' for n in NAMES)


def triples(text: str) -> set[tuple[str, ...]]:
    "Each three consecutive terms, or all of them if there are fewer."
    said = words(text)
    return {tuple(said[i : i + 3]) for i in range(max(1, len(said) - 2))} if said else set()


def quoted_pages(corpus: Corpus, q: dict) -> list[dict]:
    "The pages with a question's quotations: for each the first page that has most of it."
    candidates = [
        (doc.name, unit.hit.page, triples(unit.text))
        for doc in corpus
        if doc.name in q['documents']
        for unit in iter_units(Corpus([doc]), 'page')
    ]
    found = []
    for quote in q['evidence_text']:
        asked = triples(quote)
        best = max(candidates, key=lambda candidate: len(asked & candidate[2]), default=None)
        if best and asked and len(asked & best[2]) >= 0.8 * len(asked):
            found.append(dict(document=best[0], page=best[1]))
    return found


def read_sets(questions: Path, documents: Path, only: list[str] | None) -> dict[str, tuple[Corpus, list[dict]]]:
    "For each dataset its corpus, and the questions that have gold pages in it."
    asked: dict[str, list[dict]] = defaultdict(list)
    for text in questions.read_text(encoding='utf-8').splitlines():
        q = json.loads(text)
        if q.get('evidence') or q.get('evidence_text'):
            asked[q.get('dataset', 'questions')].append(q)
    sets = {}
    for name, qs in asked.items():
        folder = documents / name if (documents / name).is_dir() else documents
        if only and name not in only:
            continue
        if not any((folder / d).exists() for q in qs for d in q['documents']):
            continue
        corpus = parse_folder(folder, progress=False)
        known = [q if q.get('evidence') else q | dict(evidence=quoted_pages(corpus, q)) for q in qs]
        sets[name] = corpus, [q for q in known if q['evidence']]
    return sets


def ablation(name: str, corpus: Corpus, questions: list[dict]) -> None:
    "A table of recall at 5 with each feature switched off (or on), on all, even and odd questions."
    print(f'\n{name}: with one feature changed, recall at 5 (all, even half, odd half)')
    whole = HybridIndex(corpus, 'page')
    default = whole.features
    for changed in [None, *sorted(FEATURES)]:
        on = default ^ {changed} if changed else default
        index = whole if changed != 'context' else HybridIndex(corpus, 'page', features=on)
        index.features = on

        def search(question, k, scope, index=index):
            return [(h.doc_id, h.page) for h in index.search(question, k, scope)]

        rows = measure(corpus, questions, lambda corpus, search=search: search)['rows']
        cells = [statistics.fmean(r[i] for r in half) for i in (1, 4) for half in (rows, rows[::2], rows[1::2])]
        what = f'{"without" if changed in default else "with"} {changed}' if changed else 'default'
        doc, across = (' '.join(f'{share:.3f}' for share in part) for part in (cells[:3], cells[3:]))
        print(f'{what:28s}  doc {doc}  corpus {across}', flush=True)


def error_kind(
    found: list[tuple[int, int]],
    gold: set[tuple[int, int]],
    there: set[str],  # terms on the gold pages
    asked: set[str],  # terms of the question
) -> str:
    "Why no gold page was found, in MADQA's categories; neighbouring pages and missing words are checked first."
    if not there:
        return 'page without text'
    if not {d for d, _ in gold} & {d for d, _ in found}:
        return 'wrong document'
    if any((d, p + step) in gold for d, p in found for step in (-1, 1)):
        return 'a neighbouring page'
    if len(asked & there) < 0.5 * len(asked):
        return 'wrong page, less than half of the words on the right one'
    return 'wrong page'


def errors(corpus: Corpus, questions: list[dict], top: int = 5) -> None:
    "How many questions have a gold page among the first five, and what went wrong with the rest."
    ids, search, texts = {d.name: d.doc_id for d in corpus}, ours(corpus), dict(zip(*pages(corpus)))
    for what in ('all documents', 'its documents'):
        kinds: dict[str, int] = defaultdict(int)
        for q in questions:
            gold = {(ids.get(e['document'], 0), int(e['page'])) for e in q['evidence']}
            scope = None if what == 'all documents' else {ids[d] for d in q['documents'] if d in ids}
            found = search(q['question'], top, scope)
            there, asked = {w for g in gold for w in terms(texts.get(g, ''))}, set(content_words(q['question']))
            kinds['found' if gold & set(found) else error_kind(found, gold, there, asked)] += 1
        most_frequent = sorted(kinds.items(), key=lambda item: -item[1])
        said = ', '.join(f'{kind} {n} ({n / len(questions):.0%})' for kind, n in most_frequent)
        print(f'searching {what}: {said}', flush=True)


def misses(corpus: Corpus, questions: list[dict]) -> None:
    "The questions whose gold pages are not among the first five of their document, and a likely reason."
    ids, search = {d.name: d.doc_id for d in corpus}, ours(corpus)
    texts = dict(zip(*pages(corpus)))
    for q in questions:
        scope = {ids[d] for d in q['documents'] if d in ids}
        gold = {(ids.get(e['document'], 0), int(e['page'])) for e in q['evidence']}
        found = search(q['question'], 10_000, scope) if scope else []
        if gold & set(found[:5]):
            continue
        words_there = set(terms(' '.join(texts.get(g, '') for g in gold)))
        asked = set(terms(q['question']))
        why = f'{len(asked & words_there)} of {len(asked)} terms on the gold pages'
        if not scope:
            why = 'document without text'
        elif not words_there:
            why = 'page without text'
        places = [found.index(g) + 1 if g in found else None for g in sorted(gold)][:5]
        print(f'{q["id"]}: {why}; gold at places {places}')


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--questions', type=Path, required=True)
    parser.add_argument('--documents', type=Path, required=True)
    parser.add_argument('--sets', nargs='+', help='datasets to measure; all by default')
    parser.add_argument('--engines', nargs='+', choices=list(ENGINES), default=list(ENGINES))
    parser.add_argument('--ablation', action='store_true', help='also ours without each feature')
    parser.add_argument('--misses', action='store_true', help='also the questions that ours misses')
    parser.add_argument(
        '--errors',
        action='store_true',
        help='also what went wrong where no gold page is among the first five: document, page, a neighbouring page',
    )
    parser.add_argument(
        '--model',
        type=Path,
        help='folder of an embedding model, such as all-MiniLM-L6-v2: also vectors alone, and as a vote beside ours',
    )
    parser.add_argument('--speed', action='store_true', help='also retrieval_speed.py, with a million paragraphs')
    return parser.parse_args()


def main() -> None:
    args = arguments()
    sets, out, cost = read_sets(args.questions, args.documents, args.sets), {}, defaultdict(list)
    engines, kept = {name: ENGINES[name] for name in args.engines}, tempfile.TemporaryDirectory()
    if args.model:
        read = dict(model=args.model, kept=f'{kept.name}/vectors')
        engines |= dict(
            vectors=partial(dense, **read),
            with_vectors_rrf=partial(voting, **read),
            with_vectors_weighted=partial(voting, fuse=partial(fuse_scores, weights=[1, 0.3]), **read),
        )
    for name, (corpus, questions) in sets.items():
        print(
            f'\n{name}: {len(corpus)} documents, {sum(len(d.pages) for d in corpus)} pages, {len(questions)} questions'
        )
        print(f'{"":28s}' + ''.join(f'{n:>11s}' for n in NAMES))
        out[name] = {}
        for engine, build in engines.items():
            result = measure_in_process(corpus, questions, build)
            if isinstance(result, str):
                print(f'{engine:28s}  {result}')
                continue
            out[name][engine] = shares(result['rows'])
            cost[engine].append(result | dict(pages=sum(len(d.pages) for d in corpus)))
            print(line(engine, out[name][engine]), flush=True)
        if args.ablation:
            ablation(name, corpus, questions)
        if args.errors:
            errors(corpus, questions)
        if args.misses:
            misses(corpus, questions)
    costs = {
        e: dict(
            ms_median=round(statistics.median(ms for r in runs for ms in r['ms']), 3),
            build_pages_per_s=round(sum(r['pages'] for r in runs) / sum(r['seconds'] for r in runs), 1),
            peak_mb=round(max(r['mb'] for r in runs), 1),
        )
        for e, runs in cost.items()
    }
    print()
    for e, c in costs.items():
        print(f'{e:28s} {c["ms_median"]:9.2f} ms  {c["build_pages_per_s"]:9.1f} pages/s  {c["peak_mb"]:8.1f} MB')
    if args.speed:
        subprocess.run([sys.executable, Path(__file__).with_name('retrieval_speed.py')], check=True)
    print(json.dumps(out | dict(engines=costs)))


if __name__ == '__main__':
    main()
