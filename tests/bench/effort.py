"""How long the metrics of effort, behaviour, errors and items take: one line a metric, and last one JSON object.

usage: effort.py [--systems 20] [--questions 500] [--pages 2000]
The runs are made up (seeded), with one to ten searches each. Seconds are for all systems together.
"""

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from deepread_nb.metrics import agreement, behaviour, effort, embeddings, errors, items, kuiper
from deepread_nb.metrics.predictions import Move, PageRef, Prediction, Question, Scored


def random_page(rng: np.random.Generator) -> PageRef:
    "A page of one of twenty documents."
    return PageRef(f'd{rng.integers(20)}.pdf', int(rng.integers(1, 30)))


def made_up(seed: int, n: int) -> list[Scored]:
    "Rows of one system."
    rng, rows = np.random.default_rng(seed), []
    for i in range(n):
        moves = tuple(
            Move(
                'Retrieve',
                f'query {rng.integers(900)} of {i}',
                (random_page(rng), random_page(rng)),
                int(rng.integers(500, 9000)),
                int(rng.integers(20, 300)),
                float(rng.random()),
            )
            for _ in range(rng.integers(1, 11))
        )
        rows.append(
            Scored(
                Question(
                    str(i), f'What is thing {i} of place {i % 90}?', (('x',),), (PageRef(f'd{i % 20}.pdf', i % 30 + 1),)
                ),
                Prediction(str(i), ('x',), moves=moves, model='m'),
                float(rng.random() < 0.7),
            )
        )
    return rows


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (('systems', 20), ('questions', 500), ('pages', 2000)):
        ask.add_argument(f'--{name}', type=int, default=value)
    args, rng, taken = ask.parse_args(), np.random.default_rng(0), {}
    groups = {f's{k}': made_up(k, args.questions) for k in range(args.systems)}
    texts = {
        PageRef(f'd{i // 30}.pdf', i % 30 + 1): ' '.join(f'word{w}' for w in rng.integers(0, 5000, 300))
        for i in range(args.pages)
    }

    def each(metric: Callable[[list[Scored]], object]) -> Callable[[], object]:
        return lambda: [metric(rows) for rows in groups.values()]

    jobs: dict[str, Callable[[], object]] = dict(
        calibration_by_steps=each(kuiper.calibration),
        calibration_by_all=each(kuiper.calibration_by_measure),
        correlations=each(kuiper.effort_correlations),
        wasted_effort=each(effort.wasted_effort),
        step_limits=each(effort.accuracy_by_limit),
        cost=lambda: effort.accuracy_cost(groups, dict(m=effort.Price(1, 2))),
        drift=each(lambda rows: behaviour.query_drift(rows, embeddings.NgramEmbed())),
        first_query=each(behaviour.first_query),
        recovery=each(behaviour.recovery),
        evidence_by_iteration=each(behaviour.found_by_iteration),
        locate_read=each(behaviour.locate_read),
        right_and_wrong=each(behaviour.right_and_wrong),
        cascade=each(errors.cascade),
        kappa=lambda: agreement.kappa_matrix(groups),
        items=lambda: items.select_split(items.item_statistics(groups), args.questions // 5),
        lexical=lambda: items.lexical_solvability([r.question for r in groups['s0']], texts),
    )
    for name, job in jobs.items():
        started = time.perf_counter()
        job()
        taken[name] = round(time.perf_counter() - started, 3)
        print(f'{name:24}{taken[name]:8.3f} s', flush=True)
    print(json.dumps(taken | dict(systems=args.systems, questions=args.questions, pages=args.pages)))


if __name__ == '__main__':
    main()
