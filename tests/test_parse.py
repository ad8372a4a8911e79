"The parser as users of the package call it: real files in a temporary folder, the sample corpus, damaged files."

import asyncio
import json
import re
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.core.errors import DocumentError
from deepread_nb.core.files import PARSERS
from deepread_nb.parse import files, worker
from deepread_nb.parse.files import parse_file
from deepread_nb.parse.folder import DocumentWarning, parse_folder, parse_paths
from deepread_nb.parse.markdown import markdown_blocks
from deepread_nb.parse.pages import render_page
from deepread_nb.parse.plain_text import text_blocks
from deepread_nb.parse.quotes import quote_on_page
from deepread_nb.parse.readers import read_text
from deepread_nb.parse.worker import read_in_subprocess

DATA = Path(__file__).parent.parent / 'data'
TRUTH = json.loads((DATA / 'structure.json').read_text(encoding='utf-8'))
WORDS = (
    'the tide turned before dawn and nobody on the quay saw it but the keeper who trims two lamps there at night'
).split()


pytestmark = pytest.mark.usefixtures('home')


def prose(n, start=0):
    "A sentence of n words that begins with a capital and ends with a full stop."
    return ' '.join(WORDS[(start + i) % len(WORDS)] for i in range(n)).capitalize() + '.'


def wrap(canvas, text, width):
    "Lines of text that fill the width, as a typesetter would break them."
    lines, line = [], ''
    for word in text.split():
        longer = f'{line} {word}'.strip()
        if canvas.stringWidth(longer) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return lines + [line]


def pdf(path, pages, **options):
    "A PDF whose pages are lists of (x, y from the top, size, bold, text)."
    canvas = Canvas(str(path), pagesize=(400, 500), invariant=1, **options)
    for page in pages:
        for x, y, size, bold, text in page:
            canvas.setFont('Times-Bold' if bold else 'Times-Roman', size)
            canvas.drawString(x, 500 - y, text)
        canvas.showPage()
    canvas.save()
    return path


def plain(path, *sentences):
    "A one-page PDF with a title and a paragraph each."
    return pdf(
        path,
        [[(40, 60, 18, True, 'Night watch'), *[(40, 100 + 30 * i, 11, False, s) for i, s in enumerate(sentences)]]],
    )


def texts(doc):
    return [p.text for s in doc.sections for p in s.paragraphs]


def squeezed(text):
    return re.sub(r'\s+', ' ', text).strip()


# --- the sample corpus ---------------------------------------------------------------------------------


@pytest.mark.parametrize('name', TRUTH)
def test_sample_corpus_comes_out_as_it_was_typeset(name):
    doc, truth = parse_file(DATA / name), TRUTH[name]
    assert [(s.sec_id, s.title, s.level, s.parent) for s in doc.sections] == [
        (s['sec_id'], s['title'], s['level'], s['parent']) for s in truth['sections']
    ]
    assert [[(p.kind, p.page, p.text) for p in s.paragraphs] for s in doc.sections] == [
        [(p['kind'], p['page'], p['text']) for p in s['paragraphs']] for s in truth['sections']
    ]
    assert len(doc.pages) == truth['pages'] and doc.warnings == ()


@pytest.mark.parametrize('name', TRUTH)
def test_every_region_lies_on_its_page_and_offsets_grow(name):
    doc = parse_file(DATA / name)
    for section in doc.sections:
        for p in section.paragraphs:
            starts = [r.start for r in p.regions]
            assert starts[0] == 0 and starts == sorted(set(starts)) and starts[-1] < len(p.text)
            for r in p.regions:
                page = doc.pages[r.page - 1]
                assert 0 <= r.box.x0 < r.box.x1 <= page.width and 0 <= r.box.y0 < r.box.y1 <= page.height
                assert all(v == round(v, 1) for v in r.box)


@pytest.mark.parametrize('name', TRUTH)
def test_the_beginning_of_each_paragraph_is_found_on_its_page(name):
    doc = parse_file(DATA / name)
    for section in doc.sections:
        for p in section.paragraphs:
            first = re.split(r'(?<=[.!?]) ', p.text)[0].split('\n')[0]
            assert quote_on_page(doc, p.page, first), first


# --- structure of PDFs ---------------------------------------------------------------------------------


def two_columns(path):
    canvas = Canvas(str(path), pagesize=(400, 500), invariant=1)
    canvas.setFont('Times-Bold', 18)
    canvas.drawString(40, 450, 'A study of the tide at the quay')
    canvas.setFont('Times-Roman', 10)
    text = ' '.join(prose(17, start=i) for i in range(14))
    lines = wrap(canvas, text, 150)
    half = (len(lines) + 1) // 2
    for i in range(half):  # written row by row across both columns
        for x, part in ((40, lines[:half]), (210, lines[half:])):
            if i < len(part):
                canvas.drawString(x, 420 - 12 * i, part[i])
    canvas.save()
    return text


def test_two_columns_are_read_one_after_the_other(folder):
    text = two_columns(folder / 'paper.pdf')
    doc = parse_file(folder / 'paper.pdf')
    assert doc.title == 'A study of the tide at the quay'
    assert squeezed(' '.join(texts(doc))) == text
    whole = next(p for s in doc.sections for p in s.paragraphs if len(p.regions) > 1)
    assert whole.regions[0].box.x0 < 200 < whole.regions[-1].box.x0


def with_furniture(path, pages=4):
    "A report with running heads, page numbers, and a paragraph that runs over the end of each page."
    made = []
    for n in range(1, pages + 1):
        body = [
            (40, 80 + 14 * i, 11, False, f'Line {i} of page {WORDS[n]} says that the keeper was on the quay and')
            for i in range(24)
        ]
        made.append([(40, 40, 9, False, 'Annual report of the harbour'), *body, (195, 480, 9, False, str(n))])
    return pdf(path, made)


def test_running_heads_and_page_numbers_are_left_out_and_paragraphs_are_joined(folder):
    doc = parse_file(with_furniture(folder / 'report.pdf'))
    text = ' '.join(texts(doc))
    assert 'Annual report' not in text and not re.search(r'\band \d\b', text)
    [whole] = [p for s in doc.sections for p in s.paragraphs]
    assert [r.page for r in whole.regions] == [1, 2, 3, 4]
    assert all(whole.text[r.start :].startswith('Line 0 of page') for r in whole.regions)
    assert [p.label for p in doc.pages] == ['1', '2', '3', '4']


def test_page_labels_of_the_file_become_those_of_the_pages(folder):
    path = pdf(
        folder / 'a.pdf', [[(40, 60, 14, True, f'Part {n}'), (40, 100, 11, False, prose(12, n))] for n in range(4)]
    )
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        file.Root.PageLabels = pikepdf.Dictionary(
            Nums=[0, pikepdf.Dictionary(S=pikepdf.Name.r), 2, pikepdf.Dictionary(S=pikepdf.Name.D, St=12)]
        )
        file.save()
    doc = parse_file(path)
    assert [p.label for p in doc.pages] == ['i', 'ii', '12', '13']
    assert [s.title for s in doc.sections if s.page] == [
        'Part 0',
        'Part 1',
        'Part 2',
        'Part 3',
    ]  # headings that each begin a page are not running heads


def test_a_file_whose_text_nobody_sees_is_refused(folder):
    canvas = Canvas(str(folder / 'a.pdf'), pagesize=(400, 500), invariant=1)
    text = canvas.beginText(40, 440)
    text.setTextRenderMode(3)
    text.textLine(prose(9))
    canvas.drawText(text)
    canvas.save()
    with pytest.raises(DocumentError) as caught:
        parse_file(folder / 'a.pdf')
    assert 'hidden' in caught.value.reason


def outlined(path, titles):
    canvas = Canvas(str(path), pagesize=(400, 500), invariant=1)
    for n, (printed, stated) in enumerate(zip(('The hill', 'The house', 'The cat'), titles)):
        canvas.setFont('Times-Roman', 11)  # these headings do not look like headings
        canvas.drawString(40, 440, printed)
        canvas.drawString(40, 410, prose(12, n))
        canvas.bookmarkPage(str(n))
        canvas.addOutlineEntry(stated, str(n), 0 if n != 1 else 1)
        canvas.showPage()
    canvas.save()
    return path


def test_a_true_outline_gives_headings_and_levels(folder):
    doc = parse_file(outlined(folder / 'a.pdf', ('The hill', 'The house', 'The cat')))
    assert [(s.title, s.level) for s in doc.sections] == [('a', 1), ('The hill', 2), ('The house', 3), ('The cat', 2)]
    assert doc.warnings == ()


def test_a_wrong_outline_is_ignored_with_a_warning(folder):
    doc = parse_file(outlined(folder / 'a.pdf', ('Salt', 'Herring', 'Rope')))
    assert not {'Salt', 'Herring', 'Rope'} & {s.title for s in doc.sections}
    assert any('outline of the file is ignored' in w for w in doc.warnings)


def test_a_page_without_text_is_a_warning(folder):
    path = plain(folder / 'a.pdf', prose(10))
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        file.add_blank_page(page_size=(400, 500))
        file.save()
    doc = parse_file(path)
    assert doc.warnings == ('page 2 has no text layer',) and len(doc.pages) == 2


def test_boxes_of_rotated_pages_are_as_displayed(folder):
    path = plain(folder / 'a.pdf', prose(10))
    upright = parse_file(path)
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        file.pages[0].Rotate = 90
        file.save()
    turned = parse_file(path)
    assert texts(turned) == texts(upright)
    box, was = turned.sections[0].paragraphs[0].box, upright.sections[0].paragraphs[0].box
    assert (turned.pages[0].width, turned.pages[0].height) == (500, 400)
    assert box.x0 == pytest.approx(500 - was.y1, abs=0.2) and box.y0 == pytest.approx(was.x0, abs=0.2)


def test_absurd_page_boxes_are_clamped(folder):
    path = plain(folder / 'a.pdf', prose(10))
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        file.pages[0].MediaBox = [0, 0, 10**9, 10**9]
        file.save()
    doc = parse_file(path)
    assert max(doc.pages[0][1:3]) <= 14400
    assert max(render_page(doc, 1, max_px=500).size) <= 500


# --- files that cannot be read -------------------------------------------------------------------------


def damaged_files(folder):
    good = plain(folder / 'good.pdf', prose(10)).read_bytes()
    files = {
        'empty.pdf': b'',
        'page.pdf': b'<html><body>404 Not found</body></html>',
        'cut.pdf': good[: len(good) // 4],
        'noise.pdf': b'%PDF-1.4\n' + bytes(range(256)) * 40,
        'blank.txt': b'\n \n',
        'noise.txt': b'\x00\x01\x02\x81',
        'nothing.md': b'<!-- -->\n',
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    pdf(folder / 'drawing.pdf', [[]])
    pdf(folder / 'locked.pdf', [[(40, 60, 11, False, 'Secret')]], encrypt=StandardEncryption('word'))
    return [*files, 'drawing.pdf', 'locked.pdf']


def test_the_error_of_an_unreadable_file_has_thing_reason_and_mend(folder):
    for name in damaged_files(folder):
        with pytest.raises(DocumentError) as caught:
            parse_file(folder / name)
        assert name in caught.value.thing and caught.value.reason and caught.value.mend, name


# a word of the reason, by which the reasons can be told apart
@pytest.mark.parametrize(
    'name, word',
    [
        ('empty.pdf', 'empty'),
        ('page.pdf', 'web page'),
        ('locked.pdf', 'encrypted'),
        ('cut.pdf', 'damaged'),
        ('drawing.pdf', 'text layer'),
        ('blank.txt', 'paragraph'),
        ('none.pdf', 'no such file'),
    ],
)
def test_the_reason_fits_the_file(folder, name, word):
    damaged_files(folder)
    with pytest.raises(DocumentError) as caught:
        parse_file(folder / name)
    assert caught.value.thing == str(folder / name) and word in caught.value.reason


def test_a_folder_and_a_file_of_an_unknown_type_are_not_documents(folder):
    (folder / 'a.xyz').write_bytes(b'\0\1\2\3')
    for path in (folder, folder / 'a.xyz'):
        with pytest.raises(DocumentError) as caught:
            parse_file(path)
        assert caught.value.thing == str(path)


def test_a_truncated_pdf_is_repaired(folder):
    path = plain(folder / 'a.pdf', prose(10))
    path.write_bytes(path.read_bytes()[:-200])
    assert prose(10) in texts(parse_file(path))


def test_time_is_limited_and_nothing_is_left_running(folder):
    path = plain(folder / 'a.pdf', prose(10))
    began = time.monotonic()
    with pytest.raises(DocumentError) as caught:
        read_in_subprocess(path, timeout=0.01)
    assert caught.value.thing == str(path)
    assert time.monotonic() - began < 30


def test_a_crashing_parser_is_an_error_of_that_file(folder, monkeypatch):
    path = plain(folder / 'a.pdf', prose(10))
    monkeypatch.setattr(worker.sys, 'executable', '/bin/false')
    with pytest.raises(DocumentError) as caught:
        parse_file(path)
    assert caught.value.thing == str(path)


# --- folders -------------------------------------------------------------------------------------------


def test_one_bad_file_does_not_stop_the_others(folder):
    plain(folder / 'a.pdf', prose(10))
    (folder / 'b.pdf').write_bytes(b'')
    (folder / 'c.md').write_text('# Lamps\n\nTwo burn.')
    with pytest.warns(DocumentWarning, match='b.pdf'):
        corpus = parse_folder(folder, progress=False)
    assert [d.name for d in corpus] == ['a.pdf', 'c.md']


def test_warnings_are_passed_to_on_warning(folder):
    (folder / 'a.txt').write_text('Text.')
    (folder / 'b.txt').write_bytes(b'')
    caught = []
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        parse_folder(folder, progress=False, on_warning=caught.append)
    assert len(caught) == 1 and isinstance(caught[0], DocumentWarning)


def test_subfolders_are_read_and_hidden_files_are_not(folder):
    for part in ('a', 'b', '.git'):
        (folder / part).mkdir()
        (folder / part / 'memo.txt').write_text(f'Text of {part}.')
    (folder / '.hidden.md').write_text('# No')
    (folder / 'only.md').write_text('Here.')
    told = []
    corpus = parse_folder(folder, progress=False, on_warning=told.append)
    assert [d.name for d in corpus] == ['a/memo.txt', 'b/memo.txt', 'only.md']
    assert ['hidden (1)' in str(warning) for warning in told] == [True]


def test_types_that_are_not_read_are_one_warning_for_a_folder(folder):
    (folder / 'a.txt').write_text('Two lamps burn.')
    (folder / 'old').mkdir()
    for name in ('one.xls', 'old/two.XLS', 'old/list.odt', 'old/README', 'code.py', '.hidden.xls'):
        (folder / name).write_text('not a document')
    caught = []
    assert [d.name for d in parse_folder(folder, progress=False, on_warning=caught.append)] == ['a.txt']
    [warning] = map(str, caught)
    assert str(folder) in warning and 'hidden (1)' not in warning
    assert '.xls (2), .odt (1), .py (1), without an ending (1)' in warning
    with pytest.warns(DocumentWarning, match='.xls'):
        parse_folder(folder, progress=False)


def test_errors_of_folders(folder):
    for path in (folder / 'none', folder):  # not there, and without a file
        with pytest.raises(DocumentError) as caught:
            parse_folder(path)
        assert caught.value.thing == str(path)
    (folder / 'a.txt').write_bytes(b'')
    with pytest.warns(DocumentWarning), pytest.raises(DocumentError) as caught:
        parse_folder(folder, progress=False)
    assert caught.value.thing == str(folder) and str(folder / 'a.txt') in caught.value.mend
    with pytest.raises(DocumentError):
        parse_paths([])


def test_a_single_file_and_a_list(folder):
    for name in 'ba':
        (folder / f'{name}.txt').write_text(f'Text of {name}.')
    assert [d.name for d in parse_folder(folder / 'a.txt')] == ['a.txt']
    assert [d.name for d in parse_paths([folder / 'b.txt', folder / 'a.txt'], progress=False)] == ['b.txt', 'a.txt']


# --- the cache -----------------------------------------------------------------------------------------


@pytest.fixture
def parsed(monkeypatch):
    "The names of the PDFs that were actually parsed, and not found in the cache."
    seen, real = [], files.read_in_subprocess

    def counted(path, *rest, **named):
        seen.append(path.name)
        return real(path, *rest, **named)

    monkeypatch.setattr(files, 'read_in_subprocess', counted)
    return seen


def test_an_unchanged_file_is_parsed_once_whatever_its_name(folder, parsed):
    first = parse_file(plain(folder / 'a.pdf', prose(10)))
    assert parse_file(folder / 'a.pdf') == first
    moved = (folder / 'a.pdf').rename(folder / 'b.pdf')
    again = parse_file(moved)
    assert (again.name, again.source, again.sections) == ('b.pdf', str(moved), first.sections)
    assert parsed == ['a.pdf']
    plain(moved, prose(11))
    assert parse_file(moved) != again and parsed == ['a.pdf', 'b.pdf']


def test_a_document_named_by_its_file_takes_the_new_name(folder):
    path = pdf(folder / 'old.pdf', [[(40, 100, 11, False, prose(9))]])
    assert parse_file(path).sections[0].title == 'old'
    assert parse_file(path.rename(folder / 'new.pdf')).sections[0].title == 'new'


def test_a_damaged_cache_entry_is_replaced(folder, home, parsed):
    doc = parse_file(plain(folder / 'a.pdf', prose(10)))
    [entry] = (home / 'parsed').iterdir()
    for damage in ('', '{"format"', '{"format": "deepread_nb.corpus", "version": 1, "documents": []}', '[]'):
        entry.write_text(damage)
        assert parse_file(folder / 'a.pdf') == doc
    assert len(parsed) == 5


def test_without_a_cache_nothing_is_kept(folder, home, parsed):
    path = plain(folder / 'a.pdf', prose(10))
    parse_file(path, cache=None)
    parse_file(path, cache=None)
    assert parsed == ['a.pdf', 'a.pdf'] and not home.exists()
    parse_file(path, cache=folder / 'own')
    assert (folder / 'own' / 'parsed').is_dir()


def test_an_interrupted_import_goes_on_where_it_stopped(folder, parsed, monkeypatch):
    for i in range(3):
        plain(folder / f'{i}.pdf', prose(8 + i))
    counted = files.read_in_subprocess

    def stop(path, *rest):
        if path.name == '2.pdf':
            raise KeyboardInterrupt
        return counted(path, *rest)

    monkeypatch.setattr(files, 'read_in_subprocess', stop)
    with pytest.raises(KeyboardInterrupt):
        parse_folder(folder, progress=False)
    monkeypatch.setattr(files, 'read_in_subprocess', counted)
    assert len(parse_folder(folder, progress=False)) == 3
    assert parsed == ['0.pdf', '1.pdf', '2.pdf']


# --- where it is called from ---------------------------------------------------------------------------


def test_inside_a_running_event_loop(folder):
    path = plain(folder / 'a.pdf', prose(10))

    async def read():
        return parse_file(path)

    assert asyncio.run(read()).n_para == 1


def test_in_a_thread(folder):
    path, got = plain(folder / 'a.pdf', prose(10)), []
    thread = threading.Thread(target=lambda: got.append(parse_file(path)))
    thread.start()
    thread.join(60)
    assert got and got[0].n_para == 1


def test_in_a_script_without_a_main_guard(folder):
    plain(folder / 'a.pdf', prose(10))
    script = folder / 'script.py'
    script.write_text(
        'from deepread_nb.parse.folder import parse_folder\n'
        f'print("corpus of", len(parse_folder({str(folder)!r}, progress=False)))\n'
    )
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, cwd=folder)
    assert ran.stdout.strip() == 'corpus of 1', ran.stderr


# --- text ----------------------------------------------------------------------------------------------

words = st.lists(st.text('abcdefghijklmnopqrstuvwxyzäöüß', min_size=2, max_size=8), min_size=2, max_size=9).map(
    ' '.join
)


@given(st.lists(words.map(str.capitalize), min_size=1, max_size=8))
def test_markdown_paragraphs_come_back(paras):
    assert [p.text for p in markdown_blocks('\n\n'.join(paras))] == paras


@given(st.lists(st.tuples(st.integers(1, 6), words), min_size=1, max_size=8))
def test_markdown_headings_come_back(heads):
    found = markdown_blocks('\n\n'.join(f'{"#" * level} {title}' for level, title in heads))
    assert [(h.level, h.title) for h in found] == heads


@given(st.lists(words.map(lambda w: w.capitalize() + '.'), min_size=1, max_size=8), st.integers(8, 40))
def test_plain_text_paragraphs_come_back_however_they_are_wrapped(paras, width):
    import textwrap

    wrapped = '\n\n'.join(textwrap.fill(p, width, break_long_words=False, break_on_hyphens=False) for p in paras)
    assert [p.text for p in text_blocks(wrapped)] == paras


@given(st.binary(max_size=400))
def test_any_bytes_read_as_text_give_a_document_or_a_document_error(data):
    for kind in ('text', 'markdown'):
        try:
            read_text(Path('x.txt'), data, kind)
        except DocumentError:
            pass  # no other exception is allowed


@pytest.mark.parametrize(
    'encoding, warned', [('utf-8', False), ('utf-8-sig', False), ('utf-16', False), ('cp1252', True)]
)
def test_encodings(folder, encoding, warned):
    (folder / 'a.txt').write_bytes('Das Café “am Kai” schließt um zehn.'.encode(encoding))
    doc = parse_file(folder / 'a.txt')
    assert texts(doc) == ['Das Café “am Kai” schließt um zehn.'] and bool(doc.warnings) == warned


def test_markdown_file(folder):
    (folder / 'a.md').write_text(
        '---\ntitle: Night cars\n---\nFirst.\n\n# Hour\n\n- late\n- later\n\n'
        '## Cost\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
    )
    doc = parse_file(folder / 'a.md')
    assert [(s.title, s.level) for s in doc.sections] == [('Night cars', 1), ('Hour', 2), ('Cost', 3)]
    assert [p.kind for s in doc.sections for p in s.paragraphs] == ['text', 'list_item', 'list_item', 'table']
    assert doc.parser == PARSERS['markdown'] and doc.pages == ()
