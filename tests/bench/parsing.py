"""How well and how fast files are parsed, on a folder of documents whose truth is known.

usage: python tests/bench/parsing.py FOLDER [--outline] [--tables FILE [FOLDER]] [--only NAME ...]
       python tests/bench/parsing.py --against-outline FOLDER [--only NAME ...]

FOLDER holds `pdfs/` and `truth/`, and may hold `scans/` and `nasty/`:
  truth/headings.json   {document: {"h": [[level, title, page or null], ..],
                        "neutral": [patterns of titles that count neither way]}}
  truth/order.json      {document: its text in true reading order}
  truth/tables.json     optional, {document: [{"page": 1-based page, "rows": [[cell, ..], ..]}]}: rows that are
                        looked for among the tables of that page. A cell is its text as printed; white space,
                        currency signs, asterisks and case do not count, nor do empty cells. --tables names another
                        such file, and where its documents are if not in pdfs/
Documents are named by their file name without .pdf. Headings are found without the outline of the file; --outline
uses it.

With --against-outline FOLDER is any folder of PDFs. Of those whose outline can be trusted (ten titles or more, nine
in ten of which stand alone on their lines on the pages they name), the headings are found without the outline and
scored against it. This is the measure on documents that nobody has tuned on. Headings deeper than all that the
outline lists count neither way.

Prints a line for each file, and one JSON object last:
  heading_f1, level, parent   mean over documents: F1 of titles; levels right up to a constant shift; headings under
                              the right parent
  order_recall, order         mean: share of the true runs of five words that are found; share of found neighbours
                              in true order
  heading_f1_outline          F1 of titles with the outline used, over the documents whose outline can be trusted
  table_cells                 share of rows with all cells right; null without truth/tables.json or --tables
  pages_per_s, peak_mb        over all files of pdfs/: pages per second of processor time, greatest memory of a
                              process that reads one
  nasty_ok, nasty_total       files of nasty/ that end as a document with content or as one clear error, within 20 s
                              of processor time and 1 GB; a process still running after 120 s is killed and counts
                              as lost
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

# what a hostile file may take, and how long we wait for it on a busy machine
MAX_CPU_SECONDS = 20
MAX_BYTES = 10**9
MAX_WALL_SECONDS = 120


# --- headings ------------------------------------------------------------------------------------------

_NUMBER = re.compile(
    r'^(?:(?i:chapter|section|appendix|part|note)\s+(?=[0-9IVXivx]+\b)|(?i:appendix)\s+(?=[A-Z]\b))?'
    r'(?:\d{1,2}(?:\s?\.\s?\d{1,2})*|[A-Z](?:\.\d{1,2})+|[IVXivx]{1,5}(?:-[A-Z])?|[A-Z])\s?[.):—–-]?\s+(?=\S)'
)
_LIGATURES = str.maketrans({'ﬁ': 'fi', 'ﬂ': 'fl', 'ﬀ': 'ff', 'ﬃ': 'ffi'})


def squeeze(text):
    "Letters and digits alone, in lowercase."
    return re.sub(r'[^a-z0-9]', '', text.lower().translate(_LIGATURES))


def title_forms(title):
    "A title without and with its number."
    return squeeze(_NUMBER.sub('', title.strip(), count=1)), squeeze(title)


def is_same_title(found, true, fuzzy):
    "Whether two titles (as `title_forms`) are the same, with or without their numbers."
    if found[0] == true[0] or found[1] == true[1]:
        return bool(true[0])
    if not fuzzy or len(true[0]) <= 8 or abs(len(found[0]) - len(true[0])) > 0.25 * len(true[0]):
        return False
    return SequenceMatcher(None, found[0], true[0], autojunk=False).ratio() >= 0.9


def is_near_page(a, b):
    "Whether two pages are the same or neighbours; an unknown page is near any."
    return a is None or b is None or abs(a - b) <= 1


def match_headings(truth, found):
    "For each true heading the index of the found one, or None: exact matches first, in document order if possible."
    names = [title_forms(title) for _, title, _ in found]
    match, used = [None] * len(truth), set()
    for fuzzy in (False, True):
        at = 0
        for i, (_, title, page) in enumerate(truth):
            if match[i] is None:
                forms = title_forms(title)
                for j in (*range(at, len(found)), *range(at)):
                    fits = j not in used and is_same_title(names[j], forms, fuzzy) and is_near_page(page, found[j][2])
                    if fits:
                        match[i] = j
                        break
            if match[i] is not None:
                used.add(match[i])
                at = match[i]
    return match


def find_parents(levels):
    "Position of the parent of each heading, -1 at the top."
    out, above = [], []
    for i, level in enumerate(levels):
        while above and above[-1][1] >= level:
            above.pop()
        out.append(above[-1][0] if above else -1)
        above.append((i, level))
    return out


def ranks(levels):
    "Levels numbered by rank, from 0."
    order = sorted(set(levels))
    return [order.index(level) for level in levels]


def level_share(true, found):
    "Share of levels that are right, each numbered by rank, up to the best constant shift."
    pairs = list(zip(ranks(true), ranks(found)))
    return max(sum(a == b + shift for a, b in pairs) for shift in range(-5, 6)) / len(pairs)


def is_neutral(title, patterns):
    "Whether a title, with or without its number, counts neither way."
    return any(p.search(title) or p.search(re.sub(r'^[0-9.]+\s+', '', title)) for p in patterns)


def score_headings(truth, found):
    "Scores of `found` [[level, title, page]] against one document of headings.json."
    match = match_headings(truth['h'], found)
    pairs = [(true[0], found[j][0]) for true, j in zip(truth['h'], match) if j is not None]
    neutral = [re.compile(p, re.I) for p in truth['neutral']]
    false = [h[1] for j, h in enumerate(found) if j not in match and not is_neutral(h[1].strip(), neutral)]
    missed = [h[1] for h, j in zip(truth['h'], match) if j is None]
    precision = len(pairs) / max(1, len(pairs) + len(false))
    recall = len(pairs) / max(1, len(truth['h']))
    parents = zip(find_parents([a for a, _ in pairs]), find_parents([b for _, b in pairs]))
    return dict(
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall or 1),
        level=level_share(*zip(*pairs)) if pairs else 0.0,
        parent=sum(a == b for a, b in parents) / max(1, len(pairs)),
        false=false,
        missed=missed,
    )


# --- reading order and tables --------------------------------------------------------------------------


def words_of(text):
    "Words in lowercase, those split at line ends joined."
    text = re.sub(r'(\w)[-\u00ad\x02]\s*\n\s*(?=[a-z])', r'\1', text.translate(_LIGATURES))
    return re.findall(r'[^\W_]+', text.lower().replace('-', ''))


def word_runs(text, n):
    "All runs of n words."
    words = words_of(text)
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def score_order(truth, found, n=5):
    "Share of the true runs of n words that are found, and share of neighbouring ones that stand in true order."
    wanted, got = word_runs(truth, n), word_runs(found, n)
    have, place, true = set(got), index_unique(got), index_unique(wanted)
    spots = [place[run] for run in sorted(set(true) & set(place), key=true.__getitem__)]
    recall = sum(run in have for run in wanted) / max(1, len(wanted))
    return recall, sum(a < b for a, b in zip(spots, spots[1:])) / max(1, len(spots) - 1)


def index_unique(items):
    "The place of each item that occurs once."
    first, twice = {}, set()
    for i, item in enumerate(items):
        if item in first:
            twice.add(item)
        first[item] = i
    return {item: i for item, i in first.items() if item not in twice}


def score_rows(truth, doc):
    "How many of the true table rows stand on their page with all cells right, and how many there are."
    tables = [p for s in doc.sections for p in s.paragraphs if p.kind == 'table']
    good = total = 0
    for table in truth:
        here = [p.text for p in tables if table['page'] in {r.page for r in p.regions}]
        rows = {squeeze_row(line.strip().strip('|').split('|')) for text in here for line in text.splitlines()}
        rows.discard(())
        good += sum(squeeze_row(row) in rows for row in table['rows'])
        total += len(table['rows'])
    return good, total


def squeeze_row(cells):
    "The cells of a row that are not empty, without white space and currency signs: their place is a matter of taste."
    squeezed = (re.sub(r'[\s$€£*]', '', cell).lower() for cell in cells)
    return tuple(cell for cell in squeezed if cell)


# --- running -------------------------------------------------------------------------------------------

CHILD = """
import json, resource, sys, time
from pathlib import Path
from deepread_nb.core.corpus import Corpus
from deepread_nb.core.files import save
from deepread_nb.parse.pdf import read_pdf
began = time.process_time()
doc = read_pdf(Path(sys.argv[1]), use_outline=sys.argv[3] == '1')
spent = time.process_time() - began
save(Corpus([doc]), sys.argv[2])
print(json.dumps(dict(pages=len(doc.pages), seconds=spent, mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss/1024)))
"""

HOSTILE = """
import json, resource, sys
from deepread_nb.core.errors import DocumentError
from deepread_nb.parse.files import parse_file
try: said = dict(paragraphs=parse_file(sys.argv[1], cache=None).n_para)
except DocumentError as e: said = dict(error=str(e), whole=bool(e.thing and e.reason and e.mend))
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps(said | dict(mb=max(u.ru_maxrss for u in used)/1024, cpu=sum(u.ru_utime + u.ru_stime for u in used))))
"""


def run(code, *args, seconds=None):
    "Last line of what a Python process prints, as JSON, or its error."
    env = os.environ | {'PYTHONPATH': os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, '-c', code, *map(str, args)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=env)
    except subprocess.TimeoutExpired:
        return dict(died=f'longer than {seconds} s')
    lines = done.stdout.strip().splitlines()
    if done.returncode == 0 and lines:
        return json.loads(lines[-1])
    return dict(died=(done.stderr.strip().splitlines() or [f'exit {done.returncode}'])[-1])


def read_document(path, outline):
    "The document of a PDF read in a process of its own, and what that took."
    from deepread_nb.core.files import load

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'document.json'
        took = run(CHILD, path, out, int(outline))
        return (load(out).documents[0] if out.exists() else None), took


def headings_of(doc):
    "Level, title and page of all headings in the file; one made of the file's name is left out."
    return [[s.level, s.title, s.page] for s in doc.sections if s.region]


def text_of(doc):
    "All titles and paragraphs in reading order."
    return '\n\n'.join(t for s in doc.sections for t in [s.title, *(p.text for p in s.paragraphs)])


# --- outlines as truth ---------------------------------------------------------------------------------

# headings that outlines leave out as often as not
UNLISTED = [
    r'^abstract\b',
    '^references$',
    '^bibliography$',
    '^acknowledge?ments?$',
    '^(table of )?contents$',
    '^keywords',
    r'^(\w+ )?index$',
    '^[a-z]$',
]
MIN_TITLES = 10  # of an outline that can be trusted
MIN_CONFIRMED = 0.9  # share of its titles that stand alone on their lines


def line_run_forms(text, most=4):
    "The forms of what stands on one line or on a few consecutive lines."
    lines = text.splitlines()
    out = set()
    for i in range(len(lines)):
        for n in range(1, most + 1):
            out |= set(title_forms(' '.join(lines[i : i + n])))
    return out


def read_outline(path):
    "Level, title and page of each entry in the outline of a PDF, and the forms of the lines on these pages."
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(path)
    except pdfium.PdfiumError:
        return [], {}
    try:
        entries = []
        for mark in pdf.get_toc(max_depth=12):
            title, dest = mark.get_title().strip(), mark.get_dest()
            if title and dest and dest.get_index() is not None:
                entries.append((mark.level + 1, title, dest.get_index() + 1))
        if len(entries) < MIN_TITLES:
            return entries, {}
        pages = {page for _, _, page in entries}
        return entries, {n: line_run_forms(pdf[n - 1].get_textpage().get_text_range()) for n in pages}
    finally:
        pdf.close()


def outline_truth(path):
    """The headings that the outline of a PDF states, as in headings.json; None if it cannot be trusted.

    It cannot if it is short or differs from the pages. A letter of an index is not a heading, and the same place
    named twice is one heading.
    """
    entries, forms_on = read_outline(path)
    confirmed = []
    for level, title, page in entries:
        if any(form and form in forms_on.get(page, ()) for form in title_forms(title)):
            confirmed.append((level, title, page))
    if len(confirmed) < MIN_TITLES or len(confirmed) < MIN_CONFIRMED * len(entries):
        return None
    once = {
        (title, page): (level, title, page) for level, title, page in reversed(confirmed) if len(squeeze(title)) > 1
    }
    return dict(h=list(once.values())[::-1], neutral=UNLISTED)


def score_against_outline(truth, found):
    """Scores of headings against an outline, which need not list the deepest ones.

    Two kinds of found headings count neither way: those beneath a heading of the outline's last level, and those
    deeper than all that it lists.
    """
    match = match_headings(truth['h'], found)
    deepest = max((found[j][0] for j in match if j is not None), default=9)
    last = max((h[0] for h in truth['h']), default=9)
    ends = {j for (level, _, _), j in zip(truth['h'], match) if j is not None and level == last}
    parents = find_parents([h[0] for h in found])

    def is_beneath_end(j):
        return j >= 0 and (j in ends or is_beneath_end(parents[j]))

    counted = [h for j, h in enumerate(found) if j in match or (h[0] <= deepest and not is_beneath_end(parents[j]))]
    return score_headings(truth, counted)


def without_title(truth, doc):
    """The truth of an outline and the headings of a document, both without the title of the document.

    Outlines list the title beside the chapters, or above them, or not at all.
    """
    _, first_title, first_page = truth['h'][0]
    has_title = squeeze(first_title) == squeeze(doc.title) and first_page < 3
    listed = truth['h'][1:] if has_title else truth['h']
    titles = {title for _, title, _ in listed}
    found = [h for h in headings_of(doc) if h[1] != doc.title or h[1] in titles]
    return truth | dict(h=listed), found


def score_folder_against_outlines(folder, only):
    "Find the headings of each PDF below a folder without its outline, and score them against it; prints each row."
    rows = []
    for path in sorted(folder.rglob('*.pdf')):
        if only and path.stem not in only:
            continue
        truth = outline_truth(path)
        if not truth:
            continue
        doc, took = read_document(path, outline=False)
        row = dict(name=path.stem, **took)
        if doc:
            row |= score_against_outline(*without_title(truth, doc))
        rows.append(row)
        print(format_row(row), flush=True)
    return rows


# --- a folder with truth -------------------------------------------------------------------------------


def mean(values):
    "The mean to three digits; None of nothing."
    values = list(values)
    return round(sum(values) / len(values), 3) if values else None


def load_truth(folder, name):
    "A truth file; empty if there is none."
    path = folder / 'truth' / name
    return json.loads(path.read_text(encoding='utf-8')) if path.exists() else {}


def score_with_outline(path, truth):
    "F1 of the titles of a PDF with its outline used; None if the outline cannot be trusted."
    if not outline_truth(path):
        return None
    doc, _ = read_document(path, outline=True)
    return score_headings(truth, headings_of(doc))['f1'] if doc else 0.0


def score_tables(file, folder, only):
    "The rows of tables that are right, and all of them, of each document of a truth file; prints each row."
    out = []
    for name, truth in json.loads(file.read_text(encoding='utf-8')).items():
        if only and name not in only:
            continue
        path = next(folder.rglob(f'{name}.pdf'), None)
        if path is None:
            raise SystemExit(f'{name}.pdf of {file} is not in {folder}')
        doc, took = read_document(path, outline=True)
        good, total = score_rows(truth, doc) if doc else (0, sum(len(t['rows']) for t in truth))
        out.append((good, total))
        print(f'{name:34.34} rows {good} of {total}  {took.get("died", "")}', flush=True)
    return out


def score_documents(folder, outline, only):
    "Read and score each PDF; prints each row."
    headings, order, tables = (load_truth(folder, f'{name}.json') for name in ('headings', 'order', 'tables'))
    rows = []
    for path in sorted((folder / 'pdfs').glob('*.pdf')):
        name = path.stem
        if only and name not in only:
            continue
        doc, took = read_document(path, outline)
        row = dict(name=name, **took)
        if doc and name in headings:
            row |= score_headings(headings[name], headings_of(doc))
            with_outline = score_with_outline(path, headings[name])
            if with_outline is not None:
                row['f1_outline'] = with_outline
        if doc and name in order:
            row['order_recall'], row['order'] = score_order(order[name], text_of(doc))
        if doc and name in tables:
            row['rows'] = score_rows(tables[name], doc)
        rows.append(row)
        print(format_row(row), flush=True)
    return rows


def format_row(row):
    "The scores of a document in one line."
    if 'died' in row:
        return f'{row["name"]:34.34} {row["died"]}'
    speed = row['pages'] / max(row['seconds'], 1e-9)
    parts = [f'{row["name"]:34.34} {row["pages"]:4} pages {speed:6.1f}/s {row["mb"]:4.0f} MB']
    if 'f1' in row:
        parts.append('P {precision:.2f} R {recall:.2f} F1 {f1:.3f} level {level:.2f} parent {parent:.2f}'.format(**row))
    if 'f1_outline' in row:
        parts.append(f'with its outline {row["f1_outline"]:.3f}')
    if 'order' in row:
        parts.append('order {order_recall:.3f} {order:.3f}'.format(**row))
    if 'rows' in row:
        parts.append('rows {} of {}'.format(*row['rows']))
    return '  '.join(parts)


def score_hostile_files(folder):
    "How many hostile files end well, and how many there are; prints each."
    files = sorted((folder / 'nasty').glob('*'))
    good = 0
    for path in files:
        result = run(HOSTILE, path, seconds=MAX_WALL_SECONDS)
        ended = 'died' not in result and (result.get('paragraphs', 0) > 0 or result.get('whole', False))
        well = ended and result['mb'] * 2**20 <= MAX_BYTES and result['cpu'] <= MAX_CPU_SECONDS
        good += well
        outcome = result.get('died') or result.get('error') or f'{result["paragraphs"]} paragraphs'
        used = f'{result.get("cpu", 0):5.1f} s {result.get("mb", 0):5.0f} MB'
        print(f'{"ok " if well else "BAD"} {path.name:34.34} {used}  {outcome[:120]}', flush=True)
    return good, len(files)


def summarize(rows, good, total):
    "The scores over all documents, and those of the hostile files."
    finished = [row for row in rows if 'pages' in row]
    cells = [row['rows'] for row in rows if 'rows' in row]
    pages, seconds = sum(row['pages'] for row in finished), sum(row['seconds'] for row in finished)

    def average(key):
        return mean(row[key] for row in rows if key in row)

    return dict(
        heading_f1=average('f1'),
        heading_f1_outline=average('f1_outline'),
        level=average('level'),
        parent=average('parent'),
        order_recall=average('order_recall'),
        order=average('order'),
        table_cells=round(sum(a for a, _ in cells) / sum(b for _, b in cells), 3) if cells else None,
        pages_per_s=round(pages / max(1e-9, seconds), 1),
        peak_mb=round(max((row['mb'] for row in finished), default=0)),
        nasty_ok=good,
        nasty_total=total,
    )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=Path, nargs='?')
    parser.add_argument(
        '--against-outline',
        type=Path,
        metavar='FOLDER',
        help='score headings found by their look against the trusted outlines of the PDFs in a folder',
    )
    parser.add_argument('--outline', action='store_true', help='use the outlines of the files')
    parser.add_argument('--only', nargs='*', default=[], help='names of documents, without .pdf')
    parser.add_argument(
        '--tables',
        nargs='+',
        type=Path,
        metavar=('FILE', 'FOLDER'),
        help='true rows of tables, and the folder of their documents',
    )
    args = parser.parse_args()
    if not args.folder and not args.against_outline:
        parser.error('name a folder')
    return args


def main():
    args = parse_arguments()
    if args.against_outline:
        rows = score_folder_against_outlines(args.against_outline, args.only)
        scores = {k: mean(r[k] for r in rows if k in r) for k in ('precision', 'recall', 'f1', 'level', 'parent')}
        print(json.dumps(dict(documents=len(rows)) | scores))
        return
    rows = score_documents(args.folder, args.outline, args.only)
    if args.tables:
        folder = args.tables[1] if len(args.tables) > 1 else args.folder / 'pdfs'
        rows += [dict(rows=found) for found in score_tables(args.tables[0], folder, args.only)]
    good, total = score_hostile_files(args.folder) if not args.only else (0, 0)
    print(json.dumps(summarize(rows, good, total)))


if __name__ == '__main__':
    main()
