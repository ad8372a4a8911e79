"""Run every system on data/questions.jsonl with the default model.

usage: systems.py [SYSTEM ...] [--model NAME] [--out FOLDER] [--limit N] [--rounds N]
Systems are asked every fourth question; deepread, search_o1 and oracle, by which reading is judged, are asked all. The
two agents of DeepRead's paper are also asked all questions without the second look.
Each finished question is kept at once, and the same command continues where it stopped; `deepread report FOLDER` makes
the table. If the prompts of a system changed, choose another folder or remove its lines from results.jsonl.
"""

import argparse
from pathlib import Path

from deepread_nb.agent.loop import Budget
from deepread_nb.bench.jobs import SystemSpec
from deepread_nb.bench.runner import run
from deepread_nb.llm.models import DEFAULT_MODEL
from deepread_nb.metrics.predictions import Question
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
    parser.add_argument('--limit', type=int, help='questions for each system; all by default')
    parser.add_argument('--rounds', type=int, default=8)
    args = parser.parse_args()
    questions = load_questions(DATA / 'questions.jsonl')
    every_fourth = questions[1::4]  # at least one of every kind

    def run_one(name: str, system: SystemSpec, asked: list[Question]) -> None:
        outcome = run([system], asked[: args.limit], args.model, args.out, DATA, Budget(rounds=args.rounds))
        print(f'{name}: {outcome}', flush=True)

    for name in args.systems:
        run_one(name, name, questions if name in JUDGED else every_fourth)
    for name in AGENTS:
        if name in args.systems:
            run_one(f'{name}, plain', make_system(name, **PLAIN), questions)


if __name__ == '__main__':
    main()
