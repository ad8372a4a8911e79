"""Does reading pay? Compare deepread, search_o1 and oracle on the same questions; the last line is a JSON object.

usage: reading.py --questions FILE [FILE ...] --documents DIR --out FOLDER [--model NAME] [--rounds N] [--chunk N]
                  [--score-only]
DIR has the documents, or a folder named after each file of questions. Each finished question is kept at once; the same
command continues where it stopped. The systems take turns, a few questions each, so that they can be compared at any
time; only questions that all three have answered are counted. Files may also be asked one by one, each in its own
process, and counted together.

An answer is right if it contains every string of a gold variant or every item of a gold list. A number must be the same
quantity, or the same figure if the question names the unit. If the gold is yes or no, or begins with it, the answer
must take the same side. If the gold is a text of several words, the answer must state the same numbers, or state them
among others and share half of the words (token F1). If such a gold has no numbers, the answer must share half of its
content words, not counting those of the question.

shown        share of questions with a gold page among the pages that the system put before its model
recall       share of the gold pages among them, mean over the questions (both over questions with gold pages)
right        share of questions answered right
..._more     deepread's value minus that of search_o1, with the 95 % bootstrap interval over the questions
of_oracle    right answers of deepread divided by those of the oracle, with its interval
"""

import argparse
import json
import re
from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from deepread_nb.agent.loop import Budget
from deepread_nb.bench.runner import run
from deepread_nb.llm.models import DEFAULT_MODEL
from deepread_nb.metrics.answers import (
    answer_tokens,
    bag_f1,
    contains_answer,
    count_pairs,
    refuses,
    split_items,
    token_f1,
)
from deepread_nb.metrics.predictions import Prediction, Question
from deepread_nb.metrics.quantities import find_quantities, is_quantity, same_quantity
from deepread_nb.metrics.questions import load_questions
from deepread_nb.metrics.results import predictions
from deepread_nb.metrics.statistics import bootstrap, ratio_of_means
from deepread_nb.search.features import content_words

SYSTEMS = ('deepread', 'search_o1', 'oracle')


class Row(NamedTuple):
    "The result of one question."

    shown: float  # 1 if any gold page was shown, else 0; NaN without gold pages
    recall: float  # share of the gold pages that were shown; NaN without gold pages
    right: bool


def stance(text: str) -> str:
    "'yes' or 'no', whichever comes first in a text; without either, 'no' if it contains a negation, otherwise 'yes'."
    first = re.search(r'\b(yes|no)\b', text, re.I)
    if first:
        return first[1].lower()
    negated = re.search(r"\b(?:not|never|cannot|can't|\w+n't)\b", text, re.I)
    return 'no' if negated else 'yes'


def numbers_agree(answer: str, gold: str, exactly: bool = True) -> bool:
    "Whether an answer states all quantities of the gold, of which there is at least one; with `exactly`, no others."
    ours, theirs = find_quantities(answer), find_quantities(gold)
    if not theirs or count_pairs(ours, theirs, same_quantity) < len(theirs):
        return False
    return len(ours) == len(theirs) or not exactly


def figures(text: str) -> set[float]:
    "The numbers as they are written, without their units."
    return {float(m.replace(',', '')) for m in re.findall(r'\d[\d,]*(?:\.\d+)?', text)}


def shared_words(answer: str, gold: str, question: str) -> float:
    "F1 over the content words, without those of the question unless the gold has no others."
    asked = set(content_words(question))
    if set(content_words(gold)) <= asked:
        asked = set()
    ours, theirs = ([w for w in content_words(text) if w not in asked] for text in (answer, gold))
    return bag_f1(ours, theirs)


def same_text(answer: str, gold: str, question: str) -> bool:
    "Whether an answer agrees with a gold of several words: in its numbers, or in at least half of its words."
    if not find_quantities(gold):
        return shared_words(answer, gold, question) >= 0.5
    if numbers_agree(answer, gold):
        return True
    return numbers_agree(answer, gold, exactly=False) and token_f1((answer,), (gold,)) >= 0.5


def same_figure(answer: str, gold: str, question: str) -> bool:
    "Whether an answer has the figures of a gold number, if the question names the unit (which both then leave out)."
    return (
        is_quantity(gold)
        and bool(re.search(r'\bin (?:thousand|million|billion)s\b', question, re.I))
        and figures(gold) <= figures(answer)
    )


def says(answer: tuple[str, ...], variant: tuple[str, ...], question: str) -> bool:
    "Whether an answer agrees with a gold variant: its strings, items, side (yes or no), number or words."
    gold, said = ' '.join(variant), ' '.join(answer)
    if contains_answer(answer, variant) or same_figure(said, gold, question):
        return True
    if gold.startswith('['):
        return contains_answer(answer, split_items(variant))
    verdict = re.match(r'(yes|no)(?=[,.]|$)', gold, re.I)
    if verdict:
        return stance(said) == verdict[1].lower()
    return len(answer_tokens(gold)) > 2 and not is_quantity(gold) and same_text(said, gold, question)


def is_right(question: Question, answer: tuple[str, ...]) -> bool:
    "Whether an answer agrees with any gold variant; for an unanswerable question, whether it refuses."
    if not question.answerable or refuses(answer):
        return not question.answerable and refuses(answer)
    return any(says(answer, v, question.question) for v in question.answer_variants)


def row_of(question: Question, p: Prediction) -> Row:
    "Score one answer and the pages that were shown for it."
    right = is_right(question, p.answer)
    gold, seen = set(question.evidence), {page for m in p.moves for page in m.pages}
    if not gold:
        return Row(nan, nan, right)
    return Row(bool(gold & seen), len(gold & seen) / len(gold), right)


def ask_all(args: argparse.Namespace, files: dict[str, list[Question]]) -> None:
    "Ask all questions, a few of each file at a time."
    for start in range(0, max(map(len, files.values())), args.chunk):
        for name, questions in files.items():
            folder = args.documents / name if (args.documents / name).is_dir() else args.documents
            part = questions[start : start + args.chunk]
            if part:
                print(run(SYSTEMS, part, args.model, args.out / name, folder, Budget(rounds=args.rounds)), flush=True)


def rows_of(out: Path, files: dict[str, list[Question]]) -> dict[str, list[Row]]:
    "For each system, the questions that all systems have answered, in the order of the files."
    rows: dict[str, list[Row]] = {name: [] for name in SYSTEMS}
    for name, questions in files.items():
        found: dict[str, dict[str, Prediction]] = {}
        if (out / name).is_dir():
            for label, theirs in predictions(out / name).items():
                found[label] = {p.question_id: p for p in theirs}
        done = [q for q in questions if all(q.id in found.get(s, {}) for s in SYSTEMS)]
        for s in SYSTEMS:
            rows[s] += [row_of(q, found[s][q.id]) for q in done]
    return rows


def summary(rows: dict[str, list[Row]]) -> dict:
    "The last line: means by system, and differences with intervals."

    def known(field: str) -> dict[str, np.ndarray]:
        "The values of a field by system, without the questions that have none."
        values = {name: np.array([getattr(r, field) for r in rows[name]], float) for name in SYSTEMS}
        return {name: v[~np.isnan(values['oracle'])] for name, v in values.items()}

    def rounded(interval: Sequence[float]) -> list[float]:
        return [round(v, 3) for v in interval[:3]]

    def difference(ours: np.ndarray, theirs: np.ndarray) -> list[float]:
        return rounded(bootstrap(lambda i: (ours[i] - theirs[i]).mean(), len(ours)))

    total = len(rows['oracle'])
    fields = {field: known(field) for field in Row._fields}
    counted = {field: values for field, values in fields.items() if len(values['oracle'])}
    out: dict[str, Any] = dict(questions=total)
    for field, values in counted.items():
        out[field] = {name: round(float(v.mean()), 3) for name, v in values.items()}
    for field, values in counted.items():
        out[f'{field}_more'] = difference(values['deepread'], values['search_o1'])
    right = fields['right']
    share = bootstrap(lambda i: ratio_of_means(right['deepread'][i], right['oracle'][i]), total)
    return out | dict(of_oracle=rounded(share))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--questions', type=Path, nargs='+', required=True)
    parser.add_argument('--documents', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--model', default=DEFAULT_MODEL)
    parser.add_argument('--rounds', type=int, default=8)
    parser.add_argument('--chunk', type=int, default=5, help='questions of a file before the next file takes its turn')
    parser.add_argument('--score-only', action='store_true', help='score the answers that are there')
    args = parser.parse_args()
    if len({f.stem for f in args.questions}) < len(args.questions):
        names = ', '.join(map(str, args.questions))
        raise SystemExit(f'two of these files have the same name, which also names their results: {names}')
    files = {f.stem: load_questions(f) for f in args.questions}
    if not args.score_only:
        ask_all(args, files)
    for name, questions in files.items():
        rows = rows_of(args.out, {name: questions})
        if rows['deepread']:
            print(json.dumps(dict(file=name) | summary(rows)))
    found = rows_of(args.out, files)
    if not found['deepread']:
        raise SystemExit('no question has been answered by all three systems yet: run without --score-only')
    print(json.dumps(summary(found)))


if __name__ == '__main__':
    main()
