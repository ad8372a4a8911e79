"""Does reading pay? deepread, search_o1 and oracle on the same questions: pages shown, answers right, and how sure that is.

usage: reading.py --questions FILE [FILE ...] --documents DIR --out FOLDER [--model NAME] [--rounds N] [--chunk N] [--score-only]
DIR holds the documents, or a folder for each file of questions, of its name. Each finished question is kept at once; the same command
goes on where it ended. The systems take turns, a few questions each, so that whatever is done at any hour can be compared; only questions
that all three have answered are counted. Files may also be asked one by one, each in a process of its own, and counted together.

An answer is right if it says every string of a gold variant or every item of a gold list, a number as the same quantity (or the same
figure, where the question says what to count in); if it takes the same side where the gold is, or begins with, yes or no; and where the
gold is a text of several words, if it states the same numbers, or has them among others and half of the words in common (token F1), or in
a gold without numbers shares half of the words that carry meaning and are not the question's.

shown        share of questions with a gold page among the pages that the system put before its model
recall       share of the gold pages among them, mean of the questions (both over questions with gold pages)
right        share of questions answered right
..._more     deepread's value less that of search_o1, with the 95 % interval of a bootstrap over the questions
of_oracle    right answers of deepread over those of the oracle, with its interval
"""

import argparse
import json
import re
from math import nan
from pathlib import Path
from typing import NamedTuple

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
    "What one question came to."

    shown: float  # nan where there is no gold page
    recall: float  # the same
    right: bool


def stance(text: str) -> str:
    "Yes or no, whichever is said first; where neither is said, no for a sentence that denies something and yes for one that does not."
    first = re.search(r'\b(yes|no)\b', text, re.I)
    return (
        first[1].lower()
        if first
        else 'no'
        if re.search(r"\b(?:not|never|cannot|can't|\w+n't)\b", text, re.I)
        else 'yes'
    )


def numbers_agree(answer: str, gold: str, exactly: bool = True) -> bool:
    "Whether an answer states the quantities of a gold that has some; and, if exactly, no others."
    ours, theirs = find_quantities(answer), find_quantities(gold)
    return (
        bool(theirs)
        and len(theirs) == count_pairs(ours, theirs, same_quantity)
        and (len(ours) == len(theirs) or not exactly)
    )


def figures(text: str) -> set[float]:
    "The numbers as they are written, whatever they are counted in."
    return {float(m.replace(',', '')) for m in re.findall(r'\d[\d,]*(?:\.\d+)?', text)}


def shared_words(answer: str, gold: str, question: str) -> float:
    "F1 over the words that carry meaning and do not stand in the question, unless all of the gold's do."
    asked = set(content_words(question))
    if set(content_words(gold)) <= asked:
        asked = set()
    return bag_f1(*([w for w in content_words(text) if w not in asked] for text in (answer, gold)))


def same_text(answer: str, gold: str, question: str) -> bool:
    "Whether an answer says what a gold of several words says: its numbers, or at least half of its words."
    if not find_quantities(gold):
        return shared_words(answer, gold, question) >= 0.5
    return (
        numbers_agree(answer, gold)
        or numbers_agree(answer, gold, exactly=False)
        and token_f1((answer,), (gold,)) >= 0.5
    )


def same_figure(answer: str, gold: str, question: str) -> bool:
    "Whether an answer has the figures of a gold number, where the question says what to count in: both leave it out then."
    return (
        is_quantity(gold)
        and bool(re.search(r'\bin (?:thousand|million|billion)s\b', question, re.I))
        and figures(gold) <= figures(answer)
    )


def says(answer: tuple[str, ...], variant: tuple[str, ...], question: str) -> bool:
    "Whether an answer says one gold variant: its strings, its items, its side, its number or its words, whichever it has."
    gold, said = ' '.join(variant), ' '.join(answer)
    if contains_answer(answer, variant) or same_figure(said, gold, question):
        return True
    if gold.startswith('['):
        return contains_answer(answer, split_items(variant))
    if verdict := re.match(r'(yes|no)(?=[,.]|$)', gold, re.I):
        return stance(said) == verdict[1].lower()
    return len(answer_tokens(gold)) > 2 and not is_quantity(gold) and same_text(said, gold, question)


def is_right(question: Question, answer: tuple[str, ...]) -> bool:
    "Whether an answer says any gold variant; or refuses, where there is none."
    if not question.answerable or refuses(answer):
        return not question.answerable and refuses(answer)
    return any(says(answer, v, question.question) for v in question.answer_variants)


def row_of(question: Question, p: Prediction) -> Row:
    gold, seen = set(question.evidence), {page for m in p.moves for page in m.pages}
    return Row(
        bool(gold & seen) if gold else nan, len(gold & seen) / len(gold) if gold else nan, is_right(question, p.answer)
    )


def ask_all(args: argparse.Namespace, files: dict[str, list[Question]]) -> None:
    "All questions, a few of each file at a time."
    for start in range(0, max(map(len, files.values())), args.chunk):
        for name, questions in files.items():
            folder = args.documents / name if (args.documents / name).is_dir() else args.documents
            if part := questions[start : start + args.chunk]:
                print(run(SYSTEMS, part, args.model, args.out / name, folder, Budget(rounds=args.rounds)), flush=True)


def rows_of(out: Path, files: dict[str, list[Question]]) -> dict[str, list[Row]]:
    "By system, the questions that all have answered, in the order of the files."
    rows: dict[str, list[Row]] = {name: [] for name in SYSTEMS}
    for name, questions in files.items():
        found = (
            {label: {p.question_id: p for p in theirs} for label, theirs in predictions(out / name).items()}
            if (out / name).is_dir()
            else {}
        )
        done = [q for q in questions if all(q.id in found.get(s, {}) for s in SYSTEMS)]
        for s in SYSTEMS:
            rows[s] += [row_of(q, found[s][q.id]) for q in done]
    return rows


def summary(rows: dict[str, list[Row]]) -> dict:
    "The last line."

    def known(field: str) -> dict[str, np.ndarray]:
        by = {name: np.array([getattr(r, field) for r in rows[name]], float) for name in SYSTEMS}
        return {name: v[~np.isnan(by['oracle'])] for name, v in by.items()}

    of = {field: known(field) for field in Row._fields}
    rounded = lambda interval: [round(v, 3) for v in interval[:3]]
    more = {
        f'{field}_more': rounded(bootstrap(lambda i: (v['deepread'][i] - v['search_o1'][i]).mean(), len(v['oracle'])))
        for field, v in of.items()
        if len(v['oracle'])
    }
    means = {
        field: {name: round(float(v.mean()), 3) for name, v in by.items()}
        for field, by in of.items()
        if len(by['oracle'])
    }
    share = bootstrap(
        lambda i: ratio_of_means(of['right']['deepread'][i], of['right']['oracle'][i]), len(rows['oracle'])
    )
    return dict(questions=len(rows['oracle'])) | means | more | dict(of_oracle=rounded(share))


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
    if len({f.stem for f in args.questions}) < len(args.questions):
        raise SystemExit(
            f'two of these files have the same name, which would also be the name of their folder: {", ".join(map(str, args.questions))}'
        )
    files = {f.stem: load_questions(f) for f in args.questions}
    if not args.score_only:
        ask_all(args, files)
    for name, questions in files.items():
        if (of_one := rows_of(args.out, {name: questions}))['deepread']:
            print(json.dumps(dict(file=name) | summary(of_one)))
    found = rows_of(args.out, files)
    if not found['deepread']:
        raise SystemExit('no question has been answered by all three yet: run it without --score-only')
    print(json.dumps(summary(found)))


if __name__ == '__main__':
    main()
