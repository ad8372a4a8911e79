"""Simulated systems, for figures without a model: what they search, how often they are right, and how much they spend.

Three systems answer made-up questions about the heights of masts that become harder and harder. A *careful* one changes
its words when it finds nothing, a *stubborn* one repeats its query with one more word, and a *lucky* one searches once
and answers whatever comes. The same seed gives the same rows on every machine.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from deepread_nb.metrics.predictions import Move, PageRef, Prediction, Question, Scored
from deepread_nb.metrics.scoring import score


class Habit(NamedTuple):
    "How a simulated system treats a question; hardness runs from 0 to 1."

    rounds: Callable[[float, np.random.Generator], float]  # searches that it makes
    right: Callable[[float], float]  # probability of a right answer
    words: Sequence[str]  # what its queries begin with, one after the other


HABITS = {
    'careful': Habit(
        lambda hardness, rng: 1 + 3 * hardness * rng.random() + 2 * rng.random(),
        lambda hardness: 0.9 - 0.2 * hardness,
        ('height of mast', 'tallest pole metres', 'survey table', 'how high rigging', 'mast dimensions'),
    ),
    'stubborn': Habit(
        lambda hardness, rng: 1 + 9 * hardness,
        lambda hardness: 0.98 - 0.8 * hardness,
        ('mast height',),
    ),
    'lucky': Habit(lambda hardness, rng: 1, lambda hardness: 0.5, ('mast',)),
}


def simulated_moves(habit: Habit, i: int, n: int, gold: PageRef, found_at: int, rounds: int, rng) -> list[Move]:
    "The searches on question `i` of `n`; the gold page comes up in search `found_at`, if there are so many."
    moves = []
    for k in range(rounds):
        if k == found_at:
            page = gold
        else:
            document = 'masts.pdf' if rng.random() < 0.5 else 'ropes.pdf'
            page = PageRef(document, n + int(rng.integers(1, 50)))
        more = 'again ' * k if len(habit.words) == 1 else ''
        query = f'{habit.words[k % len(habit.words)]} {i} {more}'.strip()
        moves.append(Move('Retrieve', query, (page,), 900 + 300 * k, 40, 1.5))
    return moves


def simulated_row(system: str, habit: Habit, i: int, n: int, rng: np.random.Generator) -> Scored:
    "Question `i` of `n`, answered by one simulated system and marked."
    hardness, gold = i / n, PageRef('masts.pdf', i + 1)
    rounds = max(1, round(habit.rounds(hardness, rng)))
    right = rng.random() < habit.right(hardness)
    finds = right or rng.random() < 0.4
    found_at = rng.integers(0, rounds) if finds else rounds
    moves = simulated_moves(habit, i, n, gold, found_at, rounds, rng)
    if right:
        answer = f'{i} m'
    else:
        answer = 'Not answerable' if rng.random() < 0.2 else '12 m'
    question = Question(
        f'q{i:03d}',
        f'What is the height of mast {i}?',
        ((f'{i} m',),),
        (gold,),
        domain=('harbour', 'hill')[i % 2],
        dataset='made up',
    )
    prediction = Prediction(
        question.id,
        (answer,),
        (gold,) if found_at < rounds else moves[-1].pages,
        system=system,
        model='simulated',
        moves=(*moves, Move('answer', '', (), 900, 12, 0.5)),
    )
    return score([question], [prediction])[0]


def simulated_rows(
    n: int = 60,  # questions
    habits: Mapping[str, Habit] = HABITS,
    seed: int = 4,
) -> dict[str, list[Scored]]:  # by system
    "Marked answers of simulated systems."
    rng = np.random.default_rng(seed)
    return {system: [simulated_row(system, habit, i, n, rng) for i in range(n)] for system, habit in habits.items()}
