"""Record what the default model says in the notebooks, into data/recordings/MODEL.jsonl.

usage: record.py [--model NAME] [--afresh]

The recording is made from scratch, so it contains nothing that no notebook asks. A run that can be replayed from the
old recording is taken from there, so only the runs that a change affects call the model. Such a run is always repeated
as a whole: the tokens that a model reuses from its prefix cache are part of the recording, and a model called in
the middle of a run reuses none. With --afresh every run calls the model.
"""

import argparse
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from deepread_nb.agent.library import Library
from deepread_nb.agent.loop import Budget
from deepread_nb.core.errors import ModelError
from deepread_nb.llm.chat import Chat
from deepread_nb.llm.local import LlamaCpp
from deepread_nb.llm.models import DEFAULT_MODEL
from deepread_nb.llm.scripted import Recorded
from deepread_nb.metrics.questions import load_questions
from deepread_nb.parse.folder import parse_folder
from deepread_nb.systems.registry import ask, make_system

DATA = Path(__file__).parents[2] / 'data'
FOUNDER = 'Who founded the observatory on Skarrow Fell?'
# question and system, with the notebooks that replay them
ASKED = [
    (FOUNDER, 'deepread'),  # systems/500_deepread, quickstart, index
    (FOUNDER, 'search_o1'),  # systems/510_search_o1
    ('What is the name of the cat that lives at the observatory?', 'deepread'),  # quickstart
]
# systems that tutorials/side_by_side compares
COMPARED = ['deepread', 'search_o1', 'docdancer', 'sleuth', 'madqa_bm25', 'docv', 'oracle', 'single_pass']


def can_replay(old: Path, run: Callable[[Chat], object]) -> bool:
    "Whether the old recording contains everything that a run asks."
    try:
        run(Recorded(old))
    except ModelError:
        return False
    return True


def record(path: Path, old: Path) -> None:
    "Run everything that the notebooks show, and record the replies."
    model, library = LlamaCpp(path.stem), Library(parse_folder(DATA))
    first = load_questions(DATA / 'questions.jsonl')[0]
    compared = [(first.question, name) for name in COMPARED]
    for question, name in dict.fromkeys([*ASKED, *compared]):

        def run(chat: Chat, question=question, name=name):
            system = make_system(name).with_gold_pages(first.evidence)
            return ask(question, library, chat, system, Budget(rounds=8), folder=None)

        source = Recorded(old) if can_replay(old, run) else model
        done = run(Recorded(path, source))
        effort = f'{done.stop}, {len(done.steps)} rounds, {done.outcome.seconds:.0f} s'
        print(f'{name}: {question} -> {done.answer!r} ({effort})', flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--model', default=DEFAULT_MODEL)
    parser.add_argument('--afresh', action='store_true', help='call the model in every run')
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
