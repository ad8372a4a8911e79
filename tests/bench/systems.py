"""Puts data/questions.jsonl to every system with the default model: every fourth question, and to those that reading is judged by, all.

The two agents of DeepRead's paper are asked with and without the second look, all questions.

usage: systems.py [SYSTEM ...] [--model NAME] [--out FOLDER]
Each finished question is kept at once, and the same command goes on where it ended; `deepread report FOLDER` makes the table.
A system whose prompts changed must be asked anew: take another folder, or remove its lines from results.jsonl.
"""

import argparse
from pathlib import Path

from deepread_nb.agent.loop import Budget
from deepread_nb.bench.runner import run
from deepread_nb.llm.models import DEFAULT_MODEL
from deepread_nb.metrics.questions import load_questions
from deepread_nb.systems.deepread import PLAIN
from deepread_nb.systems.registry import make_system, systems

DATA = Path(__file__).parents[2] / 'data'
JUDGED = ('deepread', 'search_o1', 'oracle')  # tutorials/reading_pays compares these
AGENTS = JUDGED[:2]  # asked without the second look as well


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('systems', nargs='*', default=list(systems()))
    parser.add_argument('--model', default=DEFAULT_MODEL)
    parser.add_argument('--out', type=Path, default=Path('runs/systems'))
    args = parser.parse_args()
    questions = load_questions(DATA / 'questions.jsonl')
    some = questions[1::4]  # of every kind at least one

    def put(system, asked) -> None:
        print(f'{system}: {run([system], asked, args.model, args.out, DATA, Budget(rounds=8))}', flush=True)

    for name in args.systems:
        put(name, questions if name in JUDGED else some)
    for name in AGENTS:
        if name in args.systems:
            put(make_system(name, **PLAIN), questions)


if __name__ == '__main__':
    main()
