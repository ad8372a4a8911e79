"""Does reading pay? deepread, search_o1 and oracle on the same questions: pages shown, answers right, and how sure that is.

usage: reading.py --questions FILE [FILE ...] --documents DIR --out FOLDER [--model NAME] [--rounds N] [--chunk N] [--score-only]
DIR holds the documents, or a folder for each file of questions, of its name. Each finished question is kept at once; the same command
goes on where it ended. The systems take turns, a few questions each, so that whatever is done at any hour can be compared; only questions
that all three have answered are counted. Files may also be asked one by one, each in a process of its own, and counted together.

An answer is right if it says every string of a gold variant (a number as the same quantity, yes or no as the first of the two that is
said), or, where the gold is a text of several words, if it shares at least half of the words (token F1).

shown        share of questions with a gold page among the pages that the system put before its model
recall       share of the gold pages among them, mean of the questions (both over questions with gold pages)
right        share of questions answered right
..._more     deepread's value less that of search_o1, with the 95 % interval of a bootstrap over the questions
of_oracle    right answers of deepread over those of the oracle, with its interval
"""
import argparse
import json
from math import nan
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
    shown: float  # nan where there is no gold page
    recall: float # the same
    right: bool


def is_right(question: Question, answer: tuple[str, ...]) -> bool:
    "By the strings of the gold, or by half of its words where it is a text."
    if mark(answer, question, 'holds') == 1: return True
    texts = [v for v in question.answer_variants if not any(is_quantity(s) for s in v) and len(words(' '.join(v))) > 2]
    return bool(texts) and not refuses(answer) and mark(answer, question, 'token_f1') >= .5


def row_of(question: Question, p: Prediction) -> Row:
    gold, seen = set(question.evidence), {page for m in p.moves for page in m.pages}
    return Row(bool(gold & seen) if gold else nan, len(gold & seen)/len(gold) if gold else nan, is_right(question, p.answer))


def ask_all(args: argparse.Namespace, files: dict[str, list[Question]]) -> None:
    "All questions, a few of each file at a time."
    for start in range(0, max(map(len, files.values())), args.chunk):
        for name, questions in files.items():
            folder = args.documents/name if (args.documents/name).is_dir() else args.documents
            if part := questions[start:start + args.chunk]: print(run(SYSTEMS, part, args.model, args.out/name, folder, Budget(rounds=args.rounds)), flush=True)


def rows_of(out: Path, files: dict[str, list[Question]]) -> dict[str, list[Row]]:
    "By system, the questions that all have answered, in the order of the files."
    rows: dict[str, list[Row]] = {name: [] for name in SYSTEMS}
    for name, questions in files.items():
        found = {label: {p.question_id: p for p in theirs} for label, theirs in predictions(out/name).items()} if (out/name).is_dir() else {}
        done = [q for q in questions if all(q.id in found.get(s, {}) for s in SYSTEMS)]
        for s in SYSTEMS: rows[s] += [row_of(q, found[s][q.id]) for q in done]
    return rows


def summary(rows: dict[str, list[Row]]) -> dict:
    "The last line."
    of = {field: {name: np.array([getattr(r, field) for r in rows[name]], float) for name in SYSTEMS} for field in Row._fields}
    n = len(rows['deepread'])
    rounded = lambda interval: [round(v, 3) for v in interval[:3]]
    more = {f'{field}_more': rounded(bootstrap(lambda i: np.nanmean(v['deepread'][i] - v['search_o1'][i]), n)) for field, v in of.items()}
    return (dict(questions=n) | {field: {name: round(float(np.nanmean(v)), 3) for name, v in by.items()} for field, by in of.items()} | more |
            dict(of_oracle=rounded(bootstrap(lambda i: ratio(of['right']['deepread'][i], of['right']['oracle'][i]), n))))


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
    files = {f.stem: load_questions(f) for f in args.questions}
    if not args.score_only: ask_all(args, files)
    for name, questions in files.items():
        if (of_one := rows_of(args.out, {name: questions}))['deepread']: print(json.dumps(dict(file=name) | summary(of_one)))
    found = rows_of(args.out, files)
    if not found['deepread']: raise SystemExit('no question has been answered by all three yet: run it without --score-only')
    print(json.dumps(summary(found)))


if __name__ == '__main__': main()
