"""Write data/simulated_bench: results of three simulated systems on sixty questions, to try figures without a model.

usage: make_simulated_bench.py [FOLDER]
A careful system stops when it has found the page, a stubborn one searches on when it is lost, and a lucky one answers
at once.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from deepread_nb.metrics.predictions import Move, PageRef, Prediction, Question
from deepread_nb.metrics.questions import save_questions
from deepread_nb.metrics.results import BenchFolder, add_predictions

N = 60


def make_questions() -> list[Question]:
    "Questions of rising difficulty, each with one gold page."
    return [
        Question(
            f'q{i:02d}',
            f'What is the height of mast {i}?',
            ((f'{i} m',),),
            (PageRef('masts.pdf', i + 1),),
            domain=('harbour', 'hill')[i % 2],
            dataset='made up',
        )
        for i in range(N)
    ]


def simulate(
    system: str,
    questions: list[Question],
    steps: Callable[[float], float],  # steps taken, by difficulty from 0 to 1
    right: Callable[[float], float],  # probability of a right answer, by difficulty
    rng: np.random.Generator,
) -> list[Prediction]:
    "The predictions of a system, one for each question."
    made = []
    for i, question in enumerate(questions):
        hard = i / len(questions)
        n = max(1, round(steps(hard)))
        ok = rng.random() < right(hard)
        page = PageRef('masts.pdf', i + 1) if ok or rng.random() < 0.4 else PageRef('ropes.pdf', 3)
        searches = [
            Move('Retrieve', f'mast {i} height {"again " * k}'.strip(), (page,), 900 + 300 * k, 40, 1.0)
            for k in range(n)
        ]
        moves = (*searches, Move('answer', '', (), 900 + 300 * n, 12, 0.5))
        if ok:
            answer = f'{i} m'
        else:
            answer = 'Not answerable' if rng.random() < 0.2 else '12 m'
        made.append(
            Prediction(question.id, (answer,), (page,), system=system, model='simulated', moves=moves, stop='answered')
        )
    return made


def make_bench(folder: Path) -> Path:
    "Write questions and results; the same bytes each time."
    rng, questions, bench = np.random.default_rng(4), make_questions(), BenchFolder(folder).make()
    save_questions(bench.questions, questions)
    bench.results.unlink(missing_ok=True)
    for system, steps, right in [
        ('careful', lambda hard: 2 + 2 * rng.random(), lambda hard: 0.8),
        ('stubborn', lambda hard: 1 + 9 * hard, lambda hard: 0.95 - 0.6 * hard),
        ('lucky', lambda hard: 1, lambda hard: 0.45),
    ]:
        add_predictions(folder, simulate(system, questions, steps, right, rng), questions)
    lines = [json.loads(line) | dict(finished='2026-01-01T00:00:00+00:00') for line in bench.results.open()]
    bench.results.write_text(''.join(json.dumps(line, ensure_ascii=False) + '\n' for line in lines), encoding='utf-8')
    bench.runs.rmdir()
    return folder


if __name__ == '__main__':
    make_bench(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / 'simulated_bench'))
