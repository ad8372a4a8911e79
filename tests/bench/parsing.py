"""How well and how fast files are parsed, on a folder of documents whose truth is known.

usage: python tests/bench/parsing.py FOLDER [--outline] [--tables FILE [FOLDER]] [--only NAME ...]
       python tests/bench/parsing.py --against-outline FOLDER [--only NAME ...]

FOLDER holds `pdfs/` and `truth/`, and may hold `scans/` and `nasty/`:
  truth/headings.json   {document: {"h": [[level, title, page or null], ..], "neutral": [patterns that count neither way]}}
  truth/order.json      {document: its text in true reading order}
  truth/tables.json     optional, {document: [{"page": 1-based page, "rows": [[cell, ..], ..]}]}: rows that are looked for among the
                        tables of that page. A cell is its text as printed; white space, currency signs, asterisks and case do not
                        count, nor do empty cells. --tables names another such file, and where its documents are if not in pdfs/
Documents go by their file name without .pdf. Headings are found without the outline of the file; --outline uses it.

With --against-outline FOLDER is any folder of PDFs: of those whose outline tells the truth (ten titles or more, nine in ten of
which stand alone on their lines on the pages they name), the headings are found without it and scored against it. This is the measure on
documents nobody has looked at. Headings deeper than all that the outline lists count neither way.

Prints a line for each file, and one JSON object last:
  heading_f1, level, parent   mean over documents: F1 of titles; levels right up to a constant shift; headings under the right parent
  order_recall, order         mean: share of the true runs of five words that are found; share of found neighbours in true order
  heading_f1_outline          F1 of titles with the outline used, over the documents whose outline tells the truth (see below)
  table_cells                 share of rows all whose cells are right; null without truth/tables.json or --tables
  pages_per_s, peak_mb        over all files of pdfs/: pages in a second of processor time, greatest memory of a process that reads one
  nasty_ok, nasty_total       files of nasty/ that end as a document with content or as one clear error, within 20 s of processor
                              time and 1 GB; a process that still runs or waits after 120 s is ended and counts as lost
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from difflib import SequenceMatcher
from pathlib import Path

SECONDS, BYTES, PATIENCE = 20, 10**9, 120  # what a hostile file may take; seconds by the clock, on a busy machine


# --- headings ------------------------------------------------------------------------------------------

_NUMBER = re.compile(
    r'^(?:(?i:chapter|section|appendix|part|note)\s+(?=[0-9IVXivx]+\b)|(?i:appendix)\s+(?=[A-Z]\b))?(?:\d{1,2}(?:\s?\.\s?\d{1,2})*|[A-Z](?:\.\d{1,2})+|[IVXivx]{1,5}(?:-[A-Z])?|[A-Z])\s?[.):—–-]?\s+(?=\S)'
)
_LIGATURES = str.maketrans({'ﬁ': 'fi', 'ﬂ': 'fl', 'ﬀ': 'ff', 'ﬃ': 'ffi'})


def squeezed(text):
    "Letters and digits alone, in lowercase."
    return re.sub(r'[^a-z0-9]', '', text.lower().translate(_LIGATURES))


def forms(title):
    "A title without and with its number."
    return squeezed(_NUMBER.sub('', title.strip(), count=1)), squeezed(title)


def same(found, true, fuzzy):
    "Whether two titles (as `forms`) are the same, with or without their numbers."
    if found[0] == true[0] or found[1] == true[1]:
        return bool(true[0])
    near = fuzzy and len(true[0]) > 8 and abs(len(found[0]) - len(true[0])) <= 0.25 * len(true[0])
    return near and SequenceMatcher(None, found[0], true[0], autojunk=False).ratio() >= 0.9


def matched(truth, found):
    "For each true heading the index of the found one that is it, or None: exact matches first, in document order where possible."
    names, match, used = [forms(h[1]) for h in found], [None] * len(truth), set()
    for fuzzy in (False, True):
        at = 0
        for i, (_, title, page) in enumerate(truth):
            if match[i] is None:
                fits = lambda j: (
                    j not in used
                    and same(names[j], forms(title), fuzzy)
                    and (page is None or found[j][2] is None or abs(page - found[j][2]) <= 1)
                )
                match[i] = next(filter(fits, [*range(at, len(found)), *range(at)]), None)
            if match[i] is not None:
                used.add(match[i])
                at = match[i]
    return match


def parents(levels):
    "Position of the parent of each heading, -1 at the top."
    out, above = [], []
    for i, level in enumerate(levels):
        while above and above[-1][1] >= level:
            above.pop()
        out.append(above[-1][0] if above else -1)
        above.append((i, level))
    return out


def level_share(true, found):
    "Share of levels that are right, each numbered by rank, up to the best constant shift."
    rank = lambda levels: [sorted(set(levels)).index(v) for v in levels]
    pairs = list(zip(rank(true), rank(found)))
    return max(sum(a == b + shift for a, b in pairs) for shift in range(-5, 6)) / len(pairs)


def score_headings(truth, found):
    "Scores of `found` [[level, title, page]] against one document of headings.json."
    match = matched(truth['h'], found)
    pairs = [(h[0], found[j][0]) for h, j in zip(truth['h'], match) if j is not None]
    neutral = [re.compile(p, re.I) for p in truth['neutral']]
    spared = lambda title: any(n.search(title) or n.search(re.sub(r'^[0-9.]+\s+', '', title)) for n in neutral)
    false = [h[1] for j, h in enumerate(found) if j not in match and not spared(h[1].strip())]
    missed = [h[1] for h, j in zip(truth['h'], match) if j is None]
    precision, recall = len(pairs) / max(1, len(pairs) + len(false)), len(pairs) / max(1, len(truth['h']))
    above = zip(parents([a for a, _ in pairs]), parents([b for _, b in pairs]))
    return dict(
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall or 1),
        level=level_share(*zip(*pairs)) if pairs else 0.0,
        parent=sum(a == b for a, b in above) / max(1, len(pairs)),
        false=false,
        missed=missed,
    )


# --- reading order and tables --------------------------------------------------------------------------


def words_of(text):
    "Words in lowercase, those that were cut at line ends made whole."
    text = re.sub(r'(\w)[-\u00ad\x02]\s*\n\s*(?=[a-z])', r'\1', text.translate(_LIGATURES))
    return re.findall(r'[^\W_]+', text.lower().replace('-', ''))


def score_order(truth, found, n=5):
    "Share of the true runs of n words that are found, and share of neighbouring ones that stand in true order."
    runs = lambda words: [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
    want, got = runs(words_of(truth)), runs(words_of(found))
    have, place, true = set(got), single(got), single(want)
    spots = [place[r] for r in sorted(set(true) & set(place), key=true.__getitem__)]
    return sum(r in have for r in want) / max(1, len(want)), sum(a < b for a, b in zip(spots, spots[1:])) / max(
        1, len(spots) - 1
    )


def single(items):
    "The place of each item that occurs once."
    first, twice = {}, set()
    for i, item in enumerate(items):
        if item in first:
            twice.add(item)
        first[item] = i
    return {item: i for item, i in first.items() if item not in twice}


def score_rows(truth, doc):
    "How many of the true table rows stand on their page with all cells right, and how many there are."
    good = total = 0
    for table in truth:
        here = [
            p.text
            for s in doc.sections
            for p in s.paragraphs
            if p.kind == 'table' and table['page'] in {r.page for r in p.regions}
        ]
        rows = {
            tuple(cells)
            for text in here
            for line in text.splitlines()
            if (cells := [c for c in (squeezed_cell(c) for c in line.strip().strip('|').split('|')) if c])
        }
        good += sum(tuple(c for c in map(squeezed_cell, row) if c) in rows for row in table['rows'])
        total += len(table['rows'])
    return good, total


def squeezed_cell(text):
    "A cell without white space and currency signs: where they stand is a matter of taste."
    return re.sub(r'[\s$€£*]', '', text).lower()


# --- running -------------------------------------------------------------------------------------------

CHILD = """
import json, resource, sys, time
from pathlib import Path
from deepread_nb.core.document import Corpus
from deepread_nb.core.files import save
from deepread_nb.parse.parse import read_pdf
began = time.process_time()
doc = read_pdf(Path(sys.argv[1]), use_outline=sys.argv[3] == '1')
spent = time.process_time() - began
save(Corpus([doc]), sys.argv[2])
print(json.dumps(dict(pages=len(doc.pages), seconds=spent, mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss/1024)))
"""

HOSTILE = """
import json, resource, sys
from deepread_nb.core.errors import DocumentError
from deepread_nb.parse.parse import parse_file
try: said = dict(paragraphs=parse_file(sys.argv[1], cache=None).n_para)
except DocumentError as e: said = dict(error=str(e), whole=bool(e.thing and e.reason and e.mend))
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps(said | dict(mb=max(u.ru_maxrss for u in used)/1024, cpu=sum(u.ru_utime + u.ru_stime for u in used))))
"""


def run(code, *args, seconds=None):
    "Last line of what a Python process prints, as JSON, or its error."
    env = os.environ | {'PYTHONPATH': os.pathsep.join(p for p in sys.path if p)}
    try:
        done = subprocess.run(
            [sys.executable, '-c', code, *map(str, args)], capture_output=True, text=True, timeout=seconds, env=env
        )
    except subprocess.TimeoutExpired:
        return dict(died=f'longer than {seconds} s')
    lines = done.stdout.strip().splitlines()
    return (
        json.loads(lines[-1])
        if done.returncode == 0 and lines
        else dict(died=(done.stderr.strip().splitlines() or [f'exit {done.returncode}'])[-1])
    )


def read(path, outline):
    "The document of a PDF read in a process of its own, and what that took."
    from deepread_nb.core.files import load

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'document.json'
        took = run(CHILD, path, out, int(outline))
        return (load(out).documents[0] if out.exists() else None), took


def headings_of(doc):
    "Level, title and page of all headings that stand in the file; one made of the file's name does not."
    return [[s.level, s.title, s.page] for s in doc.sections if s.region]


def text_of(doc):
    return '\n\n'.join(t for s in doc.sections for t in [s.title, *(p.text for p in s.paragraphs)])


def runs_of_lines(text, most=4):
    "What stands on one line or on a few below each other, with and without a number before it."
    lines = text.splitlines()
    return {f for i in range(len(lines)) for n in range(1, most + 1) for f in forms(' '.join(lines[i : i + n]))}


UNLISTED = [
    r'^abstract\b',
    '^references$',
    '^bibliography$',
    '^acknowledge?ments?$',
    '^(table of )?contents$',
    '^keywords',
    r'^(\w+ )?index$',
    '^[a-z]$',
]  # headings that outlines leave out as often as not


def told_by_outline(path):
    "The truth that the outline of a PDF tells, as in headings.json; None if it is short, or tells something else than the pages. A letter of an index is no heading, and the same place named twice is one."
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(path)
    except pdfium.PdfiumError:
        return None
    try:
        marks = [
            (m.level + 1, m.get_title().strip(), dest.get_index())
            for m in pdf.get_toc(max_depth=12)
            if m.get_title().strip() and (dest := m.get_dest()) and dest.get_index() is not None
        ]
        texts = (
            {n: runs_of_lines(pdf[n].get_textpage().get_text_range()) for n in {n for _, _, n in marks}}
            if len(marks) > 9
            else {}
        )
    finally:
        pdf.close()
    there = [
        (level, title, n + 1)
        for level, title, n in marks
        if n in texts and any(f and f in texts[n] for f in forms(title))
    ]
    once = {(title, page): (level, title, page) for level, title, page in reversed(there) if len(squeezed(title)) > 1}
    return (
        dict(h=list(once.values())[::-1], neutral=UNLISTED)
        if len(there) > 9 and len(there) >= 0.9 * len(marks)
        else None
    )


def score_against_outline(truth, found):
    "Scores of headings against an outline, which need not list the deepest ones: what is found beneath a heading of its last level counts neither way, nor what is deeper than all that it lists."
    match = matched(truth['h'], found)
    deepest = max((found[j][0] for j in match if j is not None), default=9)
    last = max((h[0] for h in truth['h']), default=9)
    ends = {j for (level, _, _), j in zip(truth['h'], match) if j is not None and level == last}
    above = parents([h[0] for h in found])

    def beneath(j):
        return j >= 0 and (j in ends or beneath(above[j]))

    return score_headings(
        truth, [h for j, h in enumerate(found) if j in match or h[0] <= deepest and not beneath(above[j])]
    )


def without_title(truth, doc):
    "The truth of an outline and the headings of a document, both without the title of the document: outlines list it beside its chapters, or above them, or not at all."
    first = truth['h'][0]
    named = squeezed(first[1]) == squeezed(doc.title) and first[2] < 3
    return truth | dict(h=truth['h'][named:]), [
        h for h in headings_of(doc) if h[1] != doc.title or any(h[1] == t[1] for t in truth['h'][named:])
    ]


def against_outlines(folder, only):
    "Find the headings of each PDF below a folder without its outline, and score them against it; prints a line for each."
    rows = []
    for path in sorted(folder.rglob('*.pdf')):
        if only and path.stem not in only or not (truth := told_by_outline(path)):
            continue
        doc, took = read(path, False)
        row = dict(name=path.stem, **took)
        if doc:
            row |= score_against_outline(*without_title(truth, doc))
        rows.append(row)
        print(line_of(row), flush=True)
    return rows


def mean(values):
    values = list(values)
    return round(sum(values) / len(values), 3) if values else None


def truth_of(folder, name):
    path = folder / 'truth' / name
    return json.loads(path.read_text(encoding='utf-8')) if path.exists() else {}


def score_with_outline(path, truth):
    "F1 of the titles of a PDF whose outline tells the truth, with the outline used; None for any other."
    if not told_by_outline(path):
        return None
    doc, _ = read(path, True)
    return score_headings(truth, headings_of(doc))['f1'] if doc else 0.0


def score_tables(file, folder, only):
    "The rows of tables that are right, and all of them, of each document of a truth file; prints a line for each."
    out = []
    for name, truth in json.loads(file.read_text(encoding='utf-8')).items():
        path = next(folder.rglob(f'{name}.pdf'), None)
        if only and name not in only:
            continue
        if path is None:
            raise SystemExit(f'{name}.pdf of {file} is not in {folder}')
        doc, took = read(path, True)
        out.append(score_rows(truth, doc) if doc else (0, sum(len(t['rows']) for t in truth)))
        print(f'{name:34.34} rows {out[-1][0]} of {out[-1][1]}  {took.get("died", "")}', flush=True)
    return out


def score_documents(folder, outline, only):
    "Read and score each PDF; prints a line for each."
    heads, order, tables = (truth_of(folder, f'{n}.json') for n in ('headings', 'order', 'tables'))
    rows = []
    for path in sorted((folder / 'pdfs').glob('*.pdf')):
        if only and path.stem not in only:
            continue
        doc, took = read(path, outline)
        row = dict(name=path.stem, **took)
        if doc:
            if path.stem in heads:
                row |= score_headings(heads[path.stem], headings_of(doc))
                if (told := score_with_outline(path, heads[path.stem])) is not None:
                    row['f1_outline'] = told
            if path.stem in order:
                row['order_recall'], row['order'] = score_order(order[path.stem], text_of(doc))
            if path.stem in tables:
                row['rows'] = score_rows(tables[path.stem], doc)
        rows.append(row)
        print(line_of(row), flush=True)
    return rows


def line_of(row):
    if 'died' in row:
        return f'{row["name"]:34.34} {row["died"]}'
    parts = [
        f'{row["name"]:34.34} {row["pages"]:4} pages {row["pages"] / max(row["seconds"], 1e-9):6.1f}/s {row["mb"]:4.0f} MB'
    ]
    if 'f1' in row:
        parts.append('P {precision:.2f} R {recall:.2f} F1 {f1:.3f} level {level:.2f} parent {parent:.2f}'.format(**row))
    if 'f1_outline' in row:
        parts.append(f'with its outline {row["f1_outline"]:.3f}')
    if 'order' in row:
        parts.append('order {order_recall:.3f} {order:.3f}'.format(**row))
    if 'rows' in row:
        parts.append('rows {} of {}'.format(*row['rows']))
    return '  '.join(parts)


def hostile(folder):
    "How many hostile files end well, and how many there are; prints a line for each."
    files, good = sorted((folder / 'nasty').glob('*')), 0
    for path in files:
        said = run(HOSTILE, path, seconds=PATIENCE)
        well = (
            'died' not in said
            and (said.get('paragraphs', 0) > 0 or said.get('whole', False))
            and said['mb'] * 2**20 <= BYTES
            and said['cpu'] <= SECONDS
        )
        good += well
        told = said.get('died') or said.get('error') or f'{said["paragraphs"]} paragraphs'
        print(
            f'{"ok " if well else "BAD"} {path.name:34.34} {said.get("cpu", 0):5.1f} s {said.get("mb", 0):5.0f} MB  {told[:120]}',
            flush=True,
        )
    return good, len(files)


def main():
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument('folder', type=Path, nargs='?')
    ask.add_argument(
        '--against-outline',
        type=Path,
        metavar='FOLDER',
        help='score headings found by their look against the true outlines of the PDFs in a folder',
    )
    ask.add_argument('--outline', action='store_true', help='use the outlines of the files')
    ask.add_argument('--only', nargs='*', default=[], help='names of documents, without .pdf')
    ask.add_argument(
        '--tables',
        nargs='+',
        type=Path,
        metavar=('FILE', 'FOLDER'),
        help='true rows of tables, and the folder of their documents',
    )
    args = ask.parse_args()
    if args.against_outline:
        rows = against_outlines(args.against_outline, args.only)
        return print(
            json.dumps(
                dict(documents=len(rows))
                | {k: mean(r[k] for r in rows if k in r) for k in ('precision', 'recall', 'f1', 'level', 'parent')}
            )
        )
    if not args.folder:
        ask.error('name a folder')
    rows = score_documents(args.folder, args.outline, args.only)
    if args.tables:
        rows += [
            dict(rows=r)
            for r in score_tables(
                args.tables[0], args.tables[1] if len(args.tables) > 1 else args.folder / 'pdfs', args.only
            )
        ]
    good, total = hostile(args.folder) if not args.only else (0, 0)
    read_well, cells = [r for r in rows if 'pages' in r], [r['rows'] for r in rows if 'rows' in r]
    average = lambda key: mean(r[key] for r in rows if key in r)
    print(
        json.dumps(
            dict(
                heading_f1=average('f1'),
                heading_f1_outline=average('f1_outline'),
                level=average('level'),
                parent=average('parent'),
                order_recall=average('order_recall'),
                order=average('order'),
                table_cells=round(sum(a for a, _ in cells) / sum(b for _, b in cells), 3) if cells else None,
                pages_per_s=round(
                    sum(r['pages'] for r in read_well) / max(1e-9, sum(r['seconds'] for r in read_well)), 1
                ),
                peak_mb=round(max((r['mb'] for r in read_well), default=0)),
                nasty_ok=good,
                nasty_total=total,
            )
        )
    )


if __name__ == '__main__':
    main()
