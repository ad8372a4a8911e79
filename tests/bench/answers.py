"""How well a model answers: a line for each question; the last line is a JSON object.

usage: answers.py --questions FILE --documents DIR [--system NAME] [--model NAME] [--limit N] [--runs FOLDER]
                  [--rounds N] [--kind KIND] [--rule NAME] [--option NAME=VALUE ...]
The question file has one JSON object per line, with id, question, answer_variants, evidence and documents. --runs keeps
the trajectories in a folder, for the rest of this package to read.

correct            answers that are right by the rule; by default an answer must contain every string of one variant
                   (words and numbers, ignoring case and punctuation), and an unanswerable question must be refused
correct_and_cited  of these, answers with a citation verified on a gold page
verified_citations share of all citations whose words were found on the cited page
reused_share       prompt tokens found in the model's cache, after the first call of each run
own_time_share     wall time not spent in the model
"""

import argparse
import json
from pathlib import Path

from deepread_nb.agent.library import Library
from deepread_nb.agent.loop import Budget
from deepread_nb.agent.record import Trajectory
from deepread_nb.bench.jobs import Scopes
from deepread_nb.core.messages import sum_usage
from deepread_nb.llm.by_name import open_chat
from deepread_nb.llm.models import DEFAULT_MODEL
from deepread_nb.metrics.predictions import Question, prediction_of
from deepread_nb.metrics.questions import load_questions
from deepread_nb.metrics.rules import PUBLISHED_RULES, RULES
from deepread_nb.metrics.scoring import mark_prediction
from deepread_nb.parse.folder import parse_folder
from deepread_nb.systems.registry import ask, make_system


def measures(run: Trajectory, question: Question, rule: str) -> dict:
    "What one run contributes to the summary."
    later = sum_usage(c.usage for c in run.calls[1:])
    right = mark_prediction(question, prediction_of(run, question.id), rule=rule)[0] == 1
    cited = any(c.verified and (c.document, c.page) in question.evidence for c in run.citations)
    return dict(
        right=right,
        cited=right and (cited or not question.answerable),
        citations=len(run.citations),
        verified=sum(bool(c.verified) for c in run.citations),
        rounds=len(run.steps),
        later=later,
        own=run.outcome.seconds - run.usage.seconds,
        seconds=run.outcome.seconds,
    )


def summary(rows: list[dict]) -> dict:
    "The last line: totals, means and shares."
    later = sum_usage(r['later'] for r in rows)

    def column(name: str) -> float:
        return sum(r[name] for r in rows)

    def share(part: float, whole: float) -> float | None:
        return round(part / whole, 4) if whole else None

    return dict(
        correct=column('right'),
        total=len(rows),
        correct_and_cited=column('cited'),
        verified_citations=share(column('verified'), column('citations')),
        mean_rounds=share(column('rounds'), len(rows)),
        reused_share=share(later.reused, later.prompt),
        own_time_share=share(column('own'), column('seconds')),
        seconds_per_question=share(column('seconds'), len(rows)),
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--questions', type=Path, required=True)
    parser.add_argument('--documents', type=Path, required=True)
    parser.add_argument('--system', default='deepread')
    parser.add_argument('--model', default=DEFAULT_MODEL)
    parser.add_argument('--limit', type=int)
    parser.add_argument('--kind', help='only questions of this kind')
    parser.add_argument('--rounds', type=int, default=8)
    parser.add_argument('--n-ctx', type=int, default=8192)
    parser.add_argument('--runs', type=Path)
    parser.add_argument(
        '--rule', default='holds', choices=[*RULES, *PUBLISHED_RULES], help='that decides whether an answer is right'
    )
    parser.add_argument('--option', action='append', default=[], help='of the system, as NAME=VALUE in JSON')
    return parser.parse_args()


def main() -> None:
    args = arguments()
    asked = load_questions(args.questions)
    questions = [q for q in asked if args.kind in (None, q.kind)][: args.limit]
    if not questions:
        raise SystemExit(f'no question of kind {args.kind!r}: there are {", ".join(sorted({q.kind for q in asked}))}')
    options = {name: json.loads(value) for name, _, value in (o.partition('=') for o in args.option)}
    scopes = Scopes(Library(parse_folder(args.documents)))
    chat, rows = open_chat(args.model, args.n_ctx), []
    for q in questions:
        system = make_system(args.system, **options).with_gold_pages(q.evidence)
        run = ask(q.question, scopes.select(q.documents), chat, system, Budget(rounds=args.rounds), args.runs)
        if run.stop == 'interrupted':
            break
        row = measures(run, q, args.rule)
        rows.append(row)
        marks = f'{"right" if row["right"] else "WRONG"} {"cited" if row["cited"] else "-----"}'
        effort = f'{row["rounds"]} rounds {row["seconds"]:5.1f} s'
        gold = ', '.join(q.answer_variants[0])
        print(f'{marks} {effort}  {q.question} -> {run.answer!r} (gold {gold})', flush=True)
    print(json.dumps(dict(system=args.system, model=chat.name) | summary(rows)))


if __name__ == '__main__':
    main()
