"""Records what the default model says in the notebooks, into data/recordings/MODEL.jsonl.

usage: record.py [--model NAME] [--afresh]
The recording is made anew, so it holds nothing that no notebook asks. A run that goes as it went before is taken from the old
recording, so that after a change only what it touched is asked again, but always the whole run: how much of a prompt a model found
in its cache is part of the record, and a model that is asked in the middle of a run finds nothing. --afresh asks for everything.
"""

import argparse
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from deepread_nb.agent.loop import Budget
from deepread_nb.agent.library import Library
from deepread_nb.llm.chat import Chat, LlamaCpp, Recorded
from deepread_nb.llm.models import DEFAULT_MODEL, ModelError
from deepread_nb.metrics.predictions import load_questions
from deepread_nb.parse.parse import parse_folder
from deepread_nb.systems.registry import ask, make_system

DATA = Path(__file__).parents[2] / 'data'
ASKED = [
    ('Who founded the observatory on Skarrow Fell?', 'deepread'),  # systems/500_deepread, quickstart, index
    ('Who founded the observatory on Skarrow Fell?', 'search_o1'),  # systems/510_search_o1
    ('What is the name of the cat that lives at the observatory?', 'deepread'),
]  # quickstart
COMPARED = [
    'deepread',
    'search_o1',
    'docdancer',
    'sleuth',
    'madqa_bm25',
    'docv',
    'oracle',
    'single_pass',
]  # tutorials/side_by_side


def replays(old: Path, run: Callable[[Chat], object]) -> bool:
    "Whether all that a run asks is in the old recording."
    try:
        run(Recorded(old))
    except ModelError:
        return False
    return True


def record(path: Path, old: Path) -> None:
    "Ask everything that the notebooks ask."
    model, library = LlamaCpp(path.stem), Library(parse_folder(DATA))
    first = load_questions(DATA / 'questions.jsonl')[0]
    for question, system in dict.fromkeys([*ASKED, *((first.question, name) for name in COMPARED)]):

        def run(chat: Chat):
            return ask(
                question, library, chat, make_system(system).with_gold_pages(first.evidence), Budget(rounds=8), folder=None
            )

        done = run(Recorded(path, Recorded(old) if replays(old, run) else model))
        print(
            f'{system}: {question} -> {done.answer!r} ({done.stop}, {len(done.steps)} rounds, {done.outcome.seconds:.0f} s)',
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--model', default=DEFAULT_MODEL)
    parser.add_argument('--afresh', action='store_true', help='ask the model for everything')
    args = parser.parse_args()
    path = DATA / 'recordings' / f'{args.model}.jsonl'
    path.parent.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        old = Path(folder) / path.name
        if path.exists():
            shutil.move(path, old) if not args.afresh else path.unlink()
        record(path, old)


if __name__ == '__main__':
    main()
