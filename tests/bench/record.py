"""Records what the default model says in the notebooks, into data/recordings/MODEL.jsonl.

usage: record.py [--model NAME]
The recording is made anew, so it holds nothing that no notebook asks.
"""
import argparse
from pathlib import Path

from deepread_nb.agent import Budget, Library
from deepread_nb.llm import LlamaCpp, Recorded
from deepread_nb.models import DEFAULT_MODEL
from deepread_nb.metrics.predictions import load_questions
from deepread_nb.parse import parse_folder
from deepread_nb.systems import ask, make_system, systems

DATA = Path(__file__).parents[2]/'data'
ASKED = [('Who founded the observatory on Skarrow Fell?', 'deepread'),                     # 30_deepread, quickstart, index
         ('Who founded the observatory on Skarrow Fell?', 'search_o1'),                    # 31_search_o1
         ('What is the name of the cat that lives at the observatory?', 'deepread')]       # quickstart


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--model', default=DEFAULT_MODEL)
    path = DATA/'recordings'/f'{parser.parse_args().model}.jsonl'
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    chat = Recorded(path, LlamaCpp(path.stem))
    library = Library(parse_folder(DATA))
    first = load_questions(DATA/'questions.jsonl')[0]
    side_by_side = [(first.question, name) for name in systems()] # tutorials/side_by_side
    for question, system in dict.fromkeys([*ASKED, *side_by_side]):
        run = ask(question, library, chat, make_system(system).knowing(first.evidence), Budget(rounds=8), folder=None)
        print(f'{system}: {question} -> {run.answer!r} ({run.stop}, {len(run.steps)} rounds)')


if __name__ == '__main__': main()
