"""How well a model answers: one line a question, and last one JSON object.

usage: answers.py --questions FILE --documents DIR [--system NAME] [--model NAME] [--limit N] [--runs FOLDER]
                  [--rounds N] [--kind KIND] [--option NAME=VALUE ...]
The question file is one JSON object a line, with question, answer_variants, evidence and documents. The file of
trajectories that --runs keeps can be read again by everything else in this package.

correct            answers that hold every string of one variant (words and numbers compared, case and marks aside)
correct_and_cited  of these, answers with a citation verified on a gold page
verified_citations share of all citations whose words were found on the page itself
reused_share       prompt tokens found in the model's cache, after the first call of each run
own_time_share     wall time not spent in the model
"""
import argparse
import json
import re
from pathlib import Path

from deepread_nb.agent import Budget, Library, Trajectory, is_refusal
from deepread_nb.core import Corpus
from deepread_nb.index import fold
from deepread_nb.llm import open_chat, total
from deepread_nb.models import DEFAULT_MODEL
from deepread_nb.parse import parse_folder
from deepread_nb.systems import ask


def words(text: str) -> str:
    "Text as words and numbers with single spaces around, so that one can look for a phrase in it."
    return ' ' + ' '.join(re.findall(r'[^\W_]+(?:[.,][^\W_]+)*|%', fold(text))) + ' '


def is_right(answer: str, variants: list[list[str]], answerable: bool) -> bool:
    "Whether the answer holds every string of one variant; for an unanswerable question, whether it refuses."
    if not answerable: return is_refusal(answer)
    said = words(answer)
    return any(all(words(s) in said for s in variant) for variant in variants)


def scoped(library: Library, names: list[str], kept: dict) -> Library:
    "The library of the documents that a question is about; the whole one if it names none or all."
    key = frozenset(names) & {d.name for d in library.corpus}
    if not key or len(key) == len(library.corpus): return library
    if key not in kept: kept[key] = Library(Corpus(d for d in library.corpus if d.name in key))
    return kept[key]


def measures(run: Trajectory, question: dict) -> dict:
    "What one run counts for in the summary."
    answerable = bool(question['evidence'])
    gold = {(e['document'], int(e['page'])) for e in question['evidence']}
    later = total(c.usage for c in run.calls[1:])
    right = is_right(run.answer, question['answer_variants'], answerable)
    cited = any(c.verified and (c.document, c.page) in gold for c in run.citations)
    return dict(right=right, cited=right and (cited or not answerable), citations=len(run.citations), verified=sum(bool(c.verified) for c in run.citations),
                rounds=len(run.steps), later=later, own=run.outcome.seconds - run.usage.seconds, seconds=run.outcome.seconds)


def summary(rows: list[dict]) -> dict:
    "The last line."
    share = lambda a, b: round(a/b, 4) if b else None
    later = total(r['later'] for r in rows)
    column = lambda name: sum(r[name] for r in rows)
    return dict(correct=column('right'), total=len(rows), correct_and_cited=column('cited'), verified_citations=share(column('verified'), column('citations')),
                mean_rounds=share(column('rounds'), len(rows)), reused_share=share(later.reused, later.prompt), own_time_share=share(column('own'), column('seconds')),
                seconds_per_question=share(column('seconds'), len(rows)))


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
    parser.add_argument('--option', action='append', default=[], help='of the system, as NAME=VALUE in JSON')
    return parser.parse_args()


def main() -> None:
    args = arguments()
    questions = [json.loads(line) for line in args.questions.read_text(encoding='utf-8').splitlines() if line.strip()]
    questions = [q for q in questions if args.kind in (None, q['kind'])][:args.limit]
    options = {name: json.loads(value) for name, _, value in (o.partition('=') for o in args.option)}
    library, chat, kept, rows = Library(parse_folder(args.documents)), open_chat(args.model, args.n_ctx), {}, []
    for q in questions:
        run = ask(q['question'], scoped(library, q['documents'], kept), chat, args.system, Budget(rounds=args.rounds), args.runs, **options)
        if run.stop == 'interrupted': break
        rows.append(measures(run, q))
        print(f"{'right' if rows[-1]['right'] else 'WRONG'} {'cited' if rows[-1]['cited'] else '-----'} {len(run.steps)} rounds {run.outcome.seconds:5.1f} s  "
              f"{q['question']} -> {run.answer!r} (gold {q['answer_variants'][0]})", flush=True)
    print(json.dumps(dict(system=args.system, model=chat.name) | summary(rows)))


if __name__ == '__main__': main()
