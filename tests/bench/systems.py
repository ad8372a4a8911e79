"""Puts data/questions.jsonl to every system with the default model: every fourth question, and to those that reading is judged by, all.

usage: systems.py [SYSTEM ...] [--model NAME] [--out FOLDER]
Each finished question is kept at once, and the same command goes on where it ended; `deepread report FOLDER` makes the table.
A system whose prompts changed must be asked anew: take another folder, or remove its lines from results.jsonl.
"""
import argparse
from pathlib import Path

from deepread_nb.agent import Budget
from deepread_nb.bench.runner import run
from deepread_nb.metrics.predictions import load_questions
from deepread_nb.models import DEFAULT_MODEL
from deepread_nb.systems import systems

DATA = Path(__file__).parents[2]/'data'
JUDGED = ('deepread', 'search_o1', 'oracle') # tutorials/reading_pays compares these


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('systems', nargs='*', default=list(systems()))
    parser.add_argument('--model', default=DEFAULT_MODEL)
    parser.add_argument('--out', type=Path, default=Path('runs/systems'))
    args = parser.parse_args()
    questions = load_questions(DATA/'questions.jsonl')
    some = questions[1::4] # of every kind at least one
    for name in args.systems: print(f'{name}: {run(name, questions if name in JUDGED else some, args.model, args.out, DATA, Budget(rounds=8))}', flush=True)


if __name__ == '__main__': main()
