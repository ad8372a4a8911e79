"""How long it takes to score many systems without a judge: a line for each rule, and last one JSON object.

usage: scoring.py --questions FILE [--n 500] [--systems 20] [--seed 0]
The questions of the file are repeated until there are n. Each system answers most of them: in the gold's words, in a
sentence around them, almost right, or with something else; it cites some pages and reports its steps. The submissions
are written as files first. The time covers reading them, scoring every question, and the summary with its bootstrap
intervals. cpu is the processor time of this process, which means more than the clock on a busy machine.
"""

import argparse
import json
import random
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from deepread_nb.metrics.predictions import Move, PageRef, Prediction, Question
from deepread_nb.metrics.questions import load_questions
from deepread_nb.metrics.rules import PUBLISHED_RULES, RULES
from deepread_nb.metrics.scoring import score, summary
from deepread_nb.metrics.submissions import load_submission, save_submission

OTHER = [
    'Not answerable.',
    'in 1931',
    'The table on this page lists four of them, but only for the years after the war.',
    '$1,577 million',
]


def repeated(questions: list[Question], n: int) -> list[Question]:
    "n questions with ids of their own."
    return [replace(questions[i % len(questions)], id=f'q{i}') for i in range(n)]


def answer(question: Question, rng: random.Random) -> tuple[str, ...]:
    "One of several ways in which systems answer."
    gold = rng.choice(question.answer_variants)
    ways = [
        gold,
        (f'According to the documents it is {" and ".join(gold)}, as the page says.',),
        tuple(g[:-1] + 'x' for g in gold),
        (rng.choice(OTHER),),
    ]
    return rng.choice(ways)


def predicted(question: Question, rng: random.Random, system: str) -> Prediction:
    pages = [*question.evidence, *(PageRef(d, rng.randint(1, 20)) for d in question.documents)]
    moves = tuple(
        Move('search', 'some words', tuple(rng.sample(pages, min(3, len(pages)))), 900, 30, 1.0)
        for _ in range(rng.randint(1, 8))
    )
    return Prediction(
        question.id,
        answer(question, rng),
        tuple(rng.sample(pages, min(2, len(pages)))),
        system=system,
        moves=(*moves, Move('answer')),
    )


def timed(paths: list[Path], questions: list[Question], rule: str) -> tuple[float, float, float]:
    "Seconds to read the files, seconds to score all systems, and their mean accuracy."
    start = time.perf_counter()
    systems = [load_submission(p, questions) for p in paths]
    read = time.perf_counter()
    found = [summary(score(questions, predictions, rule=rule)) for predictions in systems]
    return read - start, time.perf_counter() - read, sum(s.accuracy.mean for s in found) / len(found)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--questions', type=Path, required=True)
    parser.add_argument('--n', type=int, default=500)
    parser.add_argument('--systems', type=int, default=20)
    parser.add_argument('--seed', type=int, default=0)
    return parser.parse_args()


def main() -> None:
    args = arguments()
    questions, rng, seconds, cpu = repeated(load_questions(args.questions), args.n), random.Random(args.seed), {}, {}
    with TemporaryDirectory() as folder:
        paths = [
            save_submission(
                Path(folder) / f'system_{k}.jsonl',
                [predicted(q, rng, f'system_{k}') for q in questions if rng.random() < 0.95],
            )
            for k in range(args.systems)
        ]
        for rule in [*RULES, *PUBLISHED_RULES]:
            start = time.process_time()
            reading, scoring, accuracy = timed(paths, questions, rule)
            seconds[rule], cpu[rule] = reading + scoring, time.process_time() - start
            print(
                f'{rule:12} reading {reading:5.2f} s, scoring {scoring:5.2f} s, cpu {cpu[rule]:5.2f} s   '
                f'mean accuracy {accuracy:.3f}',
                flush=True,
            )
    print(
        json.dumps(
            dict(
                questions=args.n,
                systems=args.systems,
                slowest=round(max(seconds.values()), 2),
                slowest_cpu=round(max(cpu.values()), 2),
                seconds={r: round(s, 2) for r, s in seconds.items()},
            )
        )
    )


if __name__ == '__main__':
    main()
