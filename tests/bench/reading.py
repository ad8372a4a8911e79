"""Does reading pay? deepread, search_o1 and oracle on the same questions: pages shown, answers right, and how sure that is.

usage: reading.py --questions FILE [FILE ...] --documents DIR --out FOLDER [--model NAME] [--rounds N] [--chunk N] [--score-only]
Each finished question is kept at once; the same command goes on where it ended. The systems take turns, a few questions each, so that
whatever is done at any hour can be compared; only questions that all three have answered are counted.

An answer is right if it says every string of a gold variant (a number as the same quantity, yes or no as the first of the two that is
said), or, where the gold is a text of several words, if it shares at least half of the words (token F1).

shown        share of questions with a gold page among the pages that the system put before its model
right        share of questions answered right
shown_more   deepread's share of pages shown less that of search_o1 (points), with the 95 % interval of a bootstrap over the questions
right_more   the same of right answers
of_oracle    right answers of deepread over those of the oracle, with its interval
"""
import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from deepread_nb.agent import Budget
from deepread_nb.bench import predictions
from deepread_nb.bench.runner import run
from deepread_nb.metrics.answers import is_quantity, mark, refuses, words
from deepread_nb.metrics.effort import bootstrap, ratio
from deepread_nb.metrics.predictions import Prediction, Question, load_questions
from deepread_nb.models import DEFAULT_MODEL

SYSTEMS = ('deepread', 'search_o1', 'oracle')


class Row(NamedTuple):
    "What one question came to."
    shown: bool
    right: bool


def is_right(question: Question, answer: tuple[str, ...]) -> bool:
    "By the strings of the gold, or by half of its words where it is a text."
    if mark(answer, question, 'holds') == 1: return True
    texts = [v for v in question.answer_variants if not any(is_quantity(s) for s in v) and len(words(' '.join(v))) > 2]
    return bool(texts) and not refuses(answer) and mark(answer, question, 'token_f1') >= .5


def row_of(question: Question, p: Prediction) -> Row:
    return Row(bool(set(question.evidence) & {page for m in p.moves for page in m.pages}), is_right(question, p.answer))


def ask_all(args: argparse.Namespace, files: list[list[Question]]) -> None:
    "All questions, a few of each file at a time."
    for start in range(0, max(map(len, files)), args.chunk):
        for n, questions in enumerate(files):
            if part := questions[start:start + args.chunk]: print(run(SYSTEMS, part, args.model, args.out/str(n), args.documents, Budget(rounds=args.rounds)), flush=True)


def rows_of(out: Path, files: list[list[Question]]) -> dict[str, list[Row]]:
    "By system, the questions that all have answered, in the order of the files."
    rows: dict[str, list[Row]] = {name: [] for name in SYSTEMS}
    for n, questions in enumerate(files):
        found = {label: {p.question_id: p for p in theirs} for label, theirs in predictions(out/str(n)).items()}
        done = [q for q in questions if all(q.id in found.get(name, {}) for name in SYSTEMS)]
        for name in SYSTEMS: rows[name] += [row_of(q, found[name][q.id]) for q in done]
    return rows


def summary(rows: dict[str, list[Row]]) -> dict:
    "The last line."
    shown, right = ({name: np.array([getattr(r, field) for r in rows[name]], float) for name in SYSTEMS} for field in Row._fields)
    n = len(rows['deepread'])
    rounded = lambda interval: [round(v, 3) for v in interval[:3]]
    more = lambda of: rounded(bootstrap(lambda i: (of['deepread'][i] - of['search_o1'][i]).mean(), n))
    return dict(questions=n, shown={name: round(v.mean(), 3) for name, v in shown.items()}, right={name: round(v.mean(), 3) for name, v in right.items()},
                shown_more=more(shown), right_more=more(right), of_oracle=rounded(bootstrap(lambda i: ratio(right['deepread'][i], right['oracle'][i]), n)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--questions', type=Path, nargs='+', required=True)
    parser.add_argument('--documents', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--model', default=DEFAULT_MODEL)
    parser.add_argument('--rounds', type=int, default=8)
    parser.add_argument('--chunk', type=int, default=5, help='questions of a file before the next file has its turn')
    parser.add_argument('--score-only', action='store_true', help='count what is there')
    args = parser.parse_args()
    files = [load_questions(f) for f in args.questions]
    if not args.score_only: ask_all(args, files)
    found = rows_of(args.out, files)
    if not found['deepread']: raise SystemExit('no question has been answered by all three yet: run it without --score-only')
    for n, questions in enumerate(files):
        if (of_one := rows_of(args.out, [[]]*n + [questions]))['deepread']: print(json.dumps(dict(file=args.questions[n].name) | summary(of_one)))
    print(json.dumps(summary(found)))


if __name__ == '__main__': main()
