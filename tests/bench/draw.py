"""Draw questions for reading.py from a set with real documents; the same seed draws the same questions.

usage: draw.py --questions FILE --documents DIR --out FOLDER [--sets NAME ...] [--number N] [--seed N]
               [--without WORD ...]
FILE and DIR are as retrieval.py reads them. Only questions with known gold pages, or whose quotations were found on
pages, are drawn. Questions whose kind or answer contains one of the words are left out (by default those about
pictures, and those without an answer). FOLDER gets a file of questions for each set, NAME.jsonl.
"""

import argparse
import json
import random
from pathlib import Path

from retrieval import read_sets

from deepread_nb.core.files import write_whole

NEEDS_EYES = ('Figure', 'Chart', 'Layout', 'no answer', 'Not answerable')


def draw_questions(questions: list[dict], number: int, seed: int, without: list[str]) -> list[dict]:
    """Draw questions, independent of the order of the file.

    Questions of one document stay together, so that a model reads its table of contents once.
    """
    known = [
        q
        for q in sorted(questions, key=lambda q: q['id'])
        if not any(w in q['kind'] + str(q['answer_variants']) for w in without)
    ]
    return sorted(random.Random(seed).sample(known, min(number, len(known))), key=lambda q: q['documents'])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--questions', type=Path, required=True)
    parser.add_argument('--documents', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--sets', nargs='+', help='only these')
    parser.add_argument('--number', type=int, default=30, help='questions of each set')
    parser.add_argument('--seed', type=int, default=6)
    parser.add_argument('--without', nargs='*', default=NEEDS_EYES)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for name, (_, questions) in read_sets(args.questions, args.documents, args.sets).items():
        chosen = draw_questions(questions, args.number, args.seed, args.without)
        write_whole(args.out / f'{name}.jsonl', ''.join(json.dumps(q, ensure_ascii=False) + '\n' for q in chosen))
        print(f'{name}: {len(chosen)} of {len(questions)} questions with gold pages')


if __name__ == '__main__':
    main()
