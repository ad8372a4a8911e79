"""DeepRead's ablations with a real model, or all systems, in one table.

usage: ablations.py --out FOLDER [--questions FILE] [--documents DIR] [--model NAME] [--limit N] [--rounds N]
                    [--systems]
The same command continues where it was interrupted, and shows the table of what is done. --model perfect takes the
perfect reader, which needs no model; --systems runs every system with its default options instead of the ablations.

accuracy            by the rule of the dataset, with a bootstrap interval (low, high)
shown               share of questions with gold pages whose gold pages were all shown
search_then_read    S_{s->r}: share of questions whose first call is a search, with reading later
searches_per_read   C_s/C_r
calls, prompt       mean tool calls and prompt tokens of a question, for right and for wrong answers
"""

import argparse
from pathlib import Path

from deepread_nb.agent.library import Library
from deepread_nb.agent.loop import Budget
from deepread_nb.bench.ablations import ABLATIONS, behaviour_table, perfect_reader
from deepread_nb.bench.runner import run
from deepread_nb.llm.models import DEFAULT_MODEL
from deepread_nb.metrics.frames import score_bench
from deepread_nb.metrics.questions import load_questions
from deepread_nb.parse.folder import parse_folder
from deepread_nb.systems.registry import systems

DATA = Path(__file__).parents[2] / 'data'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--questions', type=Path, default=DATA / 'questions.jsonl')
    parser.add_argument('--documents', type=Path, default=DATA)
    parser.add_argument('--model', default=DEFAULT_MODEL)
    parser.add_argument('--limit', type=int)
    parser.add_argument('--rounds', type=int, default=8)
    parser.add_argument('--systems', action='store_true')
    args = parser.parse_args()
    questions = load_questions(args.questions)[: args.limit]
    library = Library(parse_folder(args.documents))
    model = perfect_reader(questions, library.corpus) if args.model == 'perfect' else args.model
    asked = list(systems()) if args.systems else ABLATIONS
    print(run(asked, questions, model, args.out, library, Budget(rounds=args.rounds)))
    print(behaviour_table(score_bench(args.out)).round(3).to_string(index=False))


if __name__ == '__main__':
    main()
