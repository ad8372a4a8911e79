"All kinds of sources: office files, web pages, mail, books, scans, output of other parsers, and hostile files."

import json
import os
import socket
import subprocess
import sys
import zipfile
from email.message import EmailMessage
from io import BytesIO

import docx
import openpyxl
import pptx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont
from pptx.util import Pt
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.core.errors import DocumentError
from deepread_nb.parse.content import open_zip
from deepread_nb.parse.engines import OcrEngine, PixelWord
from deepread_nb.parse.files import parse_file
from deepread_nb.parse.folder import find_files, parse_each, parse_folder, parse_paths
from deepread_nb.parse.html import read_html
from deepread_nb.parse.options import PageCache, ReadJob
from deepread_nb.parse.pages import overview_sheets, render_page
from deepread_nb.parse.pdf_pages import PageChunks
from deepread_nb.parse.plain_text import text_blocks
from deepread_nb.parse.quotes import quote_on_page
from deepread_nb.parse.raw_page import read_page
from deepread_nb.parse.readers import read_in_process
from deepread_nb.parse.worker import ParserProcess, read_in_subprocess

LINES = [
    'The keeper trims two lamps on the quay before',
    'the tide turns at dawn. Nobody else was there,',
    'and nobody saw the last car leave that night.',
    'It was late again, as it had been in March.',
]


pytestmark = pytest.mark.usefixtures('home')


def texts(doc):
    return [p.text for s in doc.sections for p in s.paragraphs]


def outline(doc):
    return [(s.level, s.title) for s in doc.sections]


def refusal(path, **options):
    "The error with which a file is refused; it names the file."
    with pytest.raises(DocumentError) as caught:
        parse_file(path, **options)
    assert path.name in caught.value.thing and caught.value.reason
    return caught.value


def pdf(path, *pages, **options):
    "A PDF with a page for each list of lines."
    canvas = Canvas(str(path), pagesize=(400, 500), invariant=1, **options)
    for lines in pages:
        for i, line in enumerate(lines):
            canvas.drawString(40, 440 - 14 * i, line)
        canvas.showPage()
    canvas.save()
    return path


def edited(data, **parts):
    """A zip file with some members replaced or added: a function of the old bytes, or new bytes.

    In the names of the members, two underscores are a slash and one is a point.
    """
    parts = {k.replace('__', '/').replace('_', '.'): v for k, v in parts.items()}
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out := BytesIO(), 'w', zipfile.ZIP_DEFLATED) as new:
        for name in [*old.namelist(), *(p for p in parts if p not in old.namelist())]:
            part, was = parts.get(name), old.read(name) if name in old.namelist() else b''
            new.writestr(name, part(was) if callable(part) else was if part is None else part)
    return out.getvalue()


# --- office files --------------------------------------------------------------------------------------


def word(**parts):
    "Bytes of a Word file with headings, numbered items, a table with a merged head."
    file = docx.Document()
    file.add_heading('Night watch', 0)
    file.add_paragraph('Two lamps burn.')
    file.add_heading('Oil', 1)
    for text in ('fill', 'light'):
        file.add_paragraph(text, 'List Number')
    file.add_heading('Cost', 2)
    table = file.add_table(3, 3)
    for r, row in enumerate((('Item', 'Crowns', ''), ('', '2018', '2019'), ('Oil', '14', '(15)'))):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    file.save(out := BytesIO())
    return edited(out.getvalue(), **parts)


def test_word_file(folder):
    (folder / 'minutes.docx').write_bytes(word())
    doc = parse_file(folder / 'minutes.docx')
    assert outline(doc) == [(1, 'Night watch'), (2, 'Oil'), (3, 'Cost')]
    assert texts(doc)[:3] == ['Two lamps burn.', '1. fill', '2. light']
    table = doc.sections[2].paragraphs[0].table
    assert [[(c.text, c.rowspan, c.colspan) for c in row] for row in table.rows] == [
        [('Item', 2, 1), ('Crowns', 1, 2)],
        [('2018', 1, 1), ('2019', 1, 1)],
        [('Oil', 1, 1), ('14', 1, 1), ('(15)', 1, 1)],
    ]
    assert table.n_header == 2 and doc.pages == () and doc.parser == 'deepread_nb docx 2'
    with pytest.raises(DocumentError) as caught:
        render_page(doc, 1)
    assert 'minutes.docx' in caught.value.thing


def test_tracked_changes_and_notes_of_a_word_file(folder):
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    changed = (
        b'<w:p><w:r><w:t xml:space="preserve">Two </w:t></w:r><w:del><w:r><w:delText>three </w:delText></w:r></w:del>'
        b'<w:ins><w:r><w:t>new lamps.</w:t></w:r></w:ins><w:r><w:footnoteReference w:id="7"/></w:r></w:p></w:body>'
    )
    note = '<w:p><w:r><w:t>By the clock.</w:t></w:r></w:p>'
    notes = f'<w:footnotes {w}><w:footnote w:id="7">{note}</w:footnote></w:footnotes>'.encode()
    kind = (
        b'<Override PartName="/word/footnotes.xml" '
        b'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/></Types>'
    )
    rel = (
        b'<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"'
        b' Target="footnotes.xml"/></Relationships>'
    )
    data = edited(word(word__document_xml=lambda x: x.replace(b'</w:body>', changed)), word__footnotes_xml=notes)
    data = edited(
        data,
        **{
            '[Content_Types]_xml': lambda x: x.replace(b'</Types>', kind),
            'word___rels__document_xml_rels': lambda x: x,
        },
    )
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(folder / 'a.docx', 'w') as new:
        for name in old.namelist():
            new.writestr(
                name,
                old.read(name).replace(b'</Relationships>', rel)
                if name == 'word/_rels/document.xml.rels'
                else old.read(name),
            )
    assert texts(parse_file(folder / 'a.docx'))[-2:] == ['Two new lamps.', '1 By the clock.']


def test_slides_have_pages_and_places_but_cannot_be_drawn(folder):
    show = pptx.Presentation()
    for n in (1, 2):
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = f'Watch {n}'
        slide.shapes.add_textbox(Pt(50), Pt(300), Pt(200), Pt(40)).text_frame.text = f'Lamp {n} burns.'
        slide.notes_slide.notes_text_frame.text = 'Slowly.'
    show.save(folder / 'talk.pptx')
    doc = parse_file(folder / 'talk.pptx')
    assert outline(doc) == [(1, 'talk'), (2, 'Watch 1'), (2, 'Watch 2')]
    lamp = doc.sections[2].paragraphs[0]
    assert (lamp.text, lamp.page, lamp.box.x0, len(doc.pages)) == ('Lamp 2 burns.', 2, 50, 2)
    assert quote_on_page(doc, 2, 'Lamp 2 burns.') and not quote_on_page(doc, 1, 'Lamp 2 burns.')
    with pytest.raises(DocumentError) as caught:
        render_page(doc, 1)
    assert 'talk.pptx' in caught.value.thing


def test_workbook(folder):
    book = openpyxl.Workbook()
    book.active.title = 'Costs'
    for row in (['Item', 'Crowns'], ['Oil', 14], ['Wick', '=1+2']):
        book.active.append(row)
    book.save(folder / 'a.xlsx')
    doc = parse_file(folder / 'a.xlsx')
    assert outline(doc) == [(1, 'Costs')] and texts(doc) == ['Item | Crowns\nOil | 14\nWick | ']
    assert doc.sections[0].paragraphs[0].table.n_header == 1
    assert any('never computed' in w for w in doc.warnings)


def test_a_workbook_that_lies_about_its_size(folder):
    book = openpyxl.Workbook()
    book.active.append(['Oil', 14])
    book.save(out := BytesIO())
    (folder / 'a.xlsx').write_bytes(
        edited(out.getvalue(), xl__worksheets__sheet1_xml=lambda x: x.replace(b'ref="A1:B1"', b'ref="A1:XFD1048576"'))
    )
    assert texts(parse_file(folder / 'a.xlsx')) == ['Oil | 14']


# --- web pages, books, mail ----------------------------------------------------------------------------


def test_nothing_is_fetched(monkeypatch):
    def refuse(*_):
        raise AssertionError('a connection was opened')

    monkeypatch.setattr(socket, 'socket', refuse)
    monkeypatch.setattr(socket, 'create_connection', refuse)
    page = (
        b'<!DOCTYPE html SYSTEM "http://example.invalid/x.dtd">'
        b'<link rel=stylesheet href="http://example.invalid/a.css">'
        b'<img src="http://example.invalid/a.png" alt="A lamp">'
        b'<iframe src="http://example.invalid"></iframe><p>Lamps.'
    )
    assert [b.text for b in read_html(page, 'a.html').blocks] == ['A lamp', 'Lamps.']


@given(st.binary(max_size=300))
def test_any_bytes_as_a_web_page_are_content_or_an_error(data):
    try:
        read_html(b'<html>' + data, 'a.html')
    except DocumentError:
        pass  # the only way to fail


def test_mail_with_attachments_of_many_kinds(folder):
    mail = EmailMessage()
    mail['Subject'], mail['From'] = 'Night cars', 'p@example.invalid'
    mail.set_content('The last car is late.')
    mail.add_attachment(word(), 'application', 'octet-stream', filename='../../minutes.docx')
    mail.add_attachment(
        pdf(folder / 'x.pdf', ['Rope costs nine crowns.']).read_bytes(), 'application', 'pdf', filename='rope.pdf'
    )
    mail.add_attachment(b'%PDF-1.4 cut', 'application', 'pdf', filename='cut.pdf')
    (folder / 'a.eml').write_bytes(mail.as_bytes())
    (folder / 'x.pdf').unlink()
    doc = parse_file(folder / 'a.eml')
    assert doc.title == 'Night cars'
    assert {'The last car is late.', 'Two lamps burn.', 'Rope costs nine crowns.'} <= set(texts(doc))
    assert [w for w in doc.warnings if 'cut.pdf could not be read' in w]
    assert [p.name for p in folder.iterdir()] == ['a.eml']  # nothing is written where it came from


def test_book(folder):
    with zipfile.ZipFile(folder / 'a.epub', 'w') as z:
        z.writestr(
            'META-INF/container.xml', '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
        )
        z.writestr(
            'book.opf',
            '<package><metadata><title>The quay</title></metadata>'
            '<manifest><item id="a" href="a.xhtml"/><item id="x" href="../../../etc/passwd"/></manifest>'
            '<spine><itemref idref="a"/><itemref idref="x"/></spine></package>',
        )
        z.writestr('a.xhtml', '<html><body><h1>Night</h1><p>Dark.</p></body></html>')
    doc = parse_file(folder / 'a.epub')
    assert outline(doc) == [(1, 'The quay'), (2, 'Night')] and texts(doc) == ['Dark.']
    assert doc.warnings == ('chapter etc/passwd is missing',)


# --- plain text ----------------------------------------------------------------------------------------

sentences = st.lists(
    st.sampled_from(
        [
            'The tide turned before dawn.',
            'Nobody on the quay saw it!',
            'Was it the keeper who trims two lamps there at night?',
        ]
    ),
    min_size=90,
    max_size=200,
)


@given(sentences, st.sampled_from([' ', '\n']))
def test_text_without_blank_lines_is_cut_and_nothing_is_lost(said, between):
    blocks = text_blocks(between.join(said))
    assert max(len(b.text) for b in blocks) < 3200
    assert ' '.join(b.text for b in blocks) == ' '.join(said)


# --- hostile files -------------------------------------------------------------------------------------

ENTITIES = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize('bomb', [ENTITIES, OUTSIDE])
def test_entities_are_refused_in_every_archive(folder, bomb):
    def declared(xml):
        "The entities in place of the XML declaration."
        return bomb + (xml[xml.index(b'?>') + 2 :].lstrip() if b'?>' in xml[:60] else xml)

    (folder / 'a.docx').write_bytes(word(word__document_xml=declared))
    book = openpyxl.Workbook()
    book.save(out := BytesIO())
    (folder / 'a.xlsx').write_bytes(edited(out.getvalue(), xl__workbook_xml=declared))
    pptx.Presentation().save(out := BytesIO())
    (folder / 'a.pptx').write_bytes(edited(out.getvalue(), ppt__presentation_xml=declared))
    for path in sorted(folder.iterdir()):
        assert 'XML entities' in refusal(path).reason


def test_zip_bombs_are_refused_before_they_are_unpacked(folder):
    (folder / 'a.docx').write_bytes(word(word__media__zeros_bin=bytes(48 * 2**20)))
    assert 'zip bomb' in refusal(folder / 'a.docx').reason
    with pytest.raises(DocumentError) as caught:
        open_zip('a.docx', word(), most=1000)
    assert 'zip bomb' in caught.value.reason


@pytest.mark.parametrize(
    'name, start, kind',
    [('a.pdf', word(), 'docx'), ('a.txt', word(), 'docx'), ('a.docx', b'<html><body><p>Saved from a browser.', 'html')],
)
def test_a_wrong_extension_is_noticed(folder, name, start, kind):
    (folder / name).write_bytes(start)
    doc = parse_file(folder / name)
    assert doc.parser.split()[1] == kind
    assert kind == 'html' or f'but this is a file of type {kind}' in doc.warnings[0]


@pytest.mark.parametrize(
    'name, data, word',
    [
        ('a.docx', b'PK\x03\x04 and then nothing', 'damaged'),
        ('a.xlsx', b'Item,Crowns', 'XLSX'),
        ('a.png', b'\x89PNG\r\n\x1a\n cut', 'damaged'),
        ('a.doc', b'\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'Office'),
        ('a.docx', b'\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' + 'EncryptedPackage'.encode('utf-16-le'), 'encrypted'),
        ('a.json', b'{"a": 1}', 'JSON'),
        ('a.json', b'[1', 'JSON'),
    ],
)
def test_every_refusal_names_the_file_the_reason_and_the_mend(folder, name, data, word):
    (folder / name).write_bytes(data)
    error = refusal(folder / name)
    assert word in error.reason and error.mend


def test_a_pipe_is_refused_at_once(folder):
    os.mkfifo(folder / 'a.txt')
    refusal(folder / 'a.txt')
    with pytest.raises(DocumentError) as caught:
        parse_folder(folder)
    assert str(folder) in caught.value.thing


def test_links_out_of_the_folder_are_not_followed(folder, tmp_path):
    (tmp_path / 'secret').mkdir()
    (tmp_path / 'secret' / 'secret.txt').write_text('The key is under the mat.')
    (folder / 'a.txt').write_text('Two lamps.')
    (folder / 'link.txt').symlink_to(tmp_path / 'secret' / 'secret.txt')
    (folder / 'dir').symlink_to(tmp_path / 'secret')
    (folder / 'round').symlink_to(folder)
    (folder / 'broken.txt').symlink_to(folder / 'none.txt')
    told = []
    assert [d.name for d in parse_folder(folder, progress=False, on_warning=told.append)] == ['a.txt']
    assert len(told) == 2 and all('link' in str(w) for w in told)


@pytest.mark.parametrize(
    'name', ['two lamps.txt', '🛶 quay.txt', '$(rm -rf x).txt', '-rf.txt', '~.txt', 'a\nb.txt', b'\xff\xfe.txt']
)
def test_odd_names(folder, name):
    path = folder / os.fsdecode(name)
    path.write_text('Two lamps.')
    doc = parse_folder(folder, progress=False).document(1)
    assert texts(doc) == ['Two lamps.'] and '\n' not in doc.name and doc.name.encode()
    assert parse_file(path).n_para == 1  # from the cache


def test_passwords(folder, home):
    path = pdf(folder / 'a.pdf', ['The key is under the mat.'], encrypt=StandardEncryption('word'))
    without, wrong = refusal(path), refusal(path, passwords='lamp')
    assert 'password' in without.mend and 'password' in wrong.reason and without.reason != wrong.reason
    doc = parse_file(path, passwords=lambda p: 'word' if p.name == 'a.pdf' else None)
    assert texts(doc) == ['The key is under the mat.']
    assert not list(home.rglob('*.json'))  # a cached text would not be protected
    assert quote_on_page(doc, 1, 'under the mat') and render_page(doc, 1, width=100).width == 100
    assert not list(home.rglob('*.png'))  # nor would its pages
    assert refusal(path).reason == without.reason  # the password is not remembered


def test_a_file_that_changes_while_it_is_read(folder, monkeypatch):
    path = pdf(folder / 'a.pdf', ['Two lamps.'])
    with pytest.raises(DocumentError) as caught:
        read_in_subprocess(path, sha256='0' * 64)
    assert 'a.pdf' in caught.value.thing and 'changes' in caught.value.reason
    tries = []

    def with_wrong_hash_once(*args):
        tries.append(1)
        return read_in_subprocess(*args[:4], '0' * 64 if len(tries) == 1 else args[4], *args[5:])

    monkeypatch.setattr('deepread_nb.parse.files.read_in_subprocess', with_wrong_hash_once)
    assert len(parse_paths([path], progress=False)) == 1 and len(tries) == 2


# --- pages, processes, folders ---------------------------------------------------------------------------


class Crashing(ParserProcess):
    "A worker whose process dies at page 2, unless that page is skipped."

    def ask(self, job, deadline, stall, tell):
        if 2 in job['skip']:
            return super().ask(job, deadline, stall, tell)
        tell(2, 3, 'reading', 1.0)
        raise EOFError('exit -11')


def test_a_page_that_kills_the_parser_does_not_lose_the_others(folder):
    path = pdf(folder / 'a.pdf', ['One lamp burns.'], ['Two lamps burn.'], ['Three lamps burn.'])
    with Crashing() as worker:
        doc = read_in_subprocess(path, worker=worker)
    assert texts(doc) == ['One lamp burns.', 'Three lamps burn.']
    assert any(w.startswith('page 2 cannot be read') for w in doc.warnings)


def test_reading_a_large_file_resumes_where_it_was_interrupted(folder, monkeypatch):
    path = pdf(folder / 'a.pdf', *[[f'Lamp {n} burns.'] for n in range(1, 8)])
    monkeypatch.setattr(PageChunks, 'least', 2)
    monkeypatch.setattr(PageChunks, 'chunk', 2)
    read = []

    def stop(pdf_, n, *more):
        read.append(n)
        if n == 6 and len(read) < 7:
            raise KeyboardInterrupt
        return read_page(pdf_, n, *more)

    monkeypatch.setattr('deepread_nb.parse.pdf_pages.read_page', stop)
    kept = PageCache(folder / 'pages')
    with pytest.raises(KeyboardInterrupt):
        read_in_process(path, path.read_bytes(), 'pdf', ReadJob(kept=kept))
    doc = read_in_process(path, path.read_bytes(), 'pdf', ReadJob(kept=kept))
    assert read == [1, 2, 3, 4, 5, 6, 5, 6, 7]
    assert doc == read_in_process(path, path.read_bytes(), 'pdf') and len(doc.pages) == 7


def test_text_recognition_resumes_where_it_was_interrupted(folder, monkeypatch):
    seen = []

    def read(picture):
        seen.append(picture.getpixel((0, 0)))
        if len(seen) == 3:
            raise KeyboardInterrupt
        words = enumerate(('Lamps', 'that', 'burn', 'late'))
        return [PixelWord(word, (100 + 90 * i, 100, 180 + 90 * i, 130), 0, 0.95) for i, word in words]

    monkeypatch.setattr('deepread_nb.parse.pdf.find_engine', lambda name: OcrEngine('counting 1', read))
    canvas = Canvas(str(folder / 'a.pdf'), pagesize=(400, 500), invariant=1)
    for n in range(4):
        canvas.setFillGray(0.9 - n / 10)
        canvas.rect(0, 0, 400, 500, stroke=0, fill=1)
        canvas.setFillGray(0)
        canvas.rect(40, 400, 150, 5, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    path, kept = folder / 'a.pdf', PageCache(None, folder / 'ocr')
    with pytest.raises(KeyboardInterrupt):
        read_in_process(path, path.read_bytes(), 'pdf', ReadJob(kept=kept))
    doc = read_in_process(path, path.read_bytes(), 'pdf', ReadJob(kept=kept))
    assert len(seen) == 5 and len(set(seen)) == 4  # page 3 is read again, pages 1 and 2 are not
    assert 'pages 1-4 read by text recognition (counting 1, confidence 0.95)' in doc.warnings


def test_many_files_are_read_one_by_one_on_demand(folder, monkeypatch):
    for n in range(300):
        (folder / f'{n:03}.txt').write_text(f'Lamp {n}.')
    read = []

    def noted(path, *rest, **more):
        read.append(path.name)
        return parse_file(path, *rest, **more)

    monkeypatch.setattr('deepread_nb.parse.folder.parse_file', noted)
    stream = parse_each(find_files(folder), cache=None)
    assert next(stream).name == '000.txt' and read == ['000.txt']
    stream.close()
    stream = parse_each(find_files(folder), cache=None, workers=2)
    assert next(stream).name == '000.txt' and len(read) < 20
    stream.close()


def test_several_workers_give_the_same_corpus(folder):
    for n in range(5):
        pdf(folder / f'{n}.pdf', [f'Lamp {n} burns on the quay.'])
    (folder / '2.pdf').write_bytes(b'%PDF-1.4 cut')
    corpora, warnings = [], []
    for workers in (1, 2):
        said = []
        corpora.append(parse_folder(folder, progress=False, cache=None, workers=workers, on_warning=said.append))
        warnings.append(list(map(str, said)))
    assert corpora[0].documents == corpora[1].documents and len(corpora[0]) == 4
    assert warnings[0] == warnings[1]


def test_the_same_path_twice_is_one_document(folder):
    (folder / 'a.txt').write_text('Two lamps.')
    assert len(parse_paths([folder / 'a.txt'] * 2, progress=False)) == 1


IMPORTING = '''
import sys
from deepread_nb.parse.folder import parse_folder
from deepread_nb.parse.quotes import quote_on_page
heavy = ('rapidocr', 'onnxruntime', 'cv2', 'docx', 'pptx', 'openpyxl', 'pikepdf')
print([m for m in heavy if m in sys.modules])
'''


def test_importing_the_parser_loads_nothing_heavy():
    ran = subprocess.run([sys.executable, '-c', IMPORTING], capture_output=True, text=True)
    assert ran.stdout.strip() == '[]', ran.stderr


# --- scans -----------------------------------------------------------------------------------------------


def photograph(lines, turn=0, skew=0):
    "A picture of a printed page at 200 dots an inch, turned anticlockwise by `turn` and then by `skew` degrees."
    page = Image.new('RGB', (1100, 1400), 'white')
    ImageDraw.Draw(page).text((120, 120), 'NIGHT WATCH', 'black', ImageFont.load_default(60))
    for i, line in enumerate(lines):
        ImageDraw.Draw(page).text((120, 300 + 55 * i), line, 'black', ImageFont.load_default(34))
    return page.rotate(turn, expand=True).rotate(skew, Image.Resampling.BICUBIC, fillcolor='white')


def scanned(path, *pictures):
    "A PDF of pictures, as a scanner writes it."
    canvas = Canvas(str(path), invariant=1)
    for p in pictures:
        canvas.setPageSize((p.width * 0.36, p.height * 0.36))
        canvas.drawImage(ImageReader(p), 0, 0, p.width * 0.36, p.height * 0.36)
        canvas.showPage()
    canvas.save()
    return path


def test_scans_are_read_in_any_orientation(folder, home):
    path = scanned(
        folder / 'scan.pdf',
        photograph(LINES),
        photograph(LINES, turn=90),
        photograph(LINES, turn=180),
        photograph(LINES, skew=-3),
    )
    doc = parse_file(path)
    for n in (1, 2, 3, 4):
        here = [p for s in doc.sections for p in s.paragraphs if p.page == n]
        assert 'trims two lamps on the quay before the tide turns at dawn' in ' '.join(p.text for p in here), n
        assert all(p.confidence > 0.8 for p in here)
        page, box = doc.pages[n - 1], here[-1].box
        assert 0 <= box.x0 < box.x1 <= page.width and 0 <= box.y0 < box.y1 <= page.height
    upright, on_its_side = (next(p.box for s in doc.sections for p in s.paragraphs if p.page == n) for n in (1, 2))
    assert upright.x1 - upright.x0 > 2 * (upright.y1 - upright.y0)
    assert on_its_side.y1 - on_its_side.y0 > 2 * (on_its_side.x1 - on_its_side.x0)
    assert any(w.startswith('pages 1-4 read by text recognition') for w in doc.warnings)
    assert len(list((home / 'ocr').glob('*.json'))) == 4
    assert quote_on_page(doc, 1, 'nobody saw the last car leave')
    assert not quote_on_page(doc, 1, 'nobody saw the first car leave')
    assert 'text layer' in refusal(path, ocr=False).reason
    [sheet] = overview_sheets(doc)
    assert sheet.size == (512, 560)


def test_a_picture_is_a_page(folder):
    photograph(LINES[:2]).convert('P').save(folder / 'sign.png', dpi=(200, 200))
    doc = parse_file(folder / 'sign.png')
    assert doc.title == 'NIGHT WATCH' and 'trims two lamps on the quay' in texts(doc)[0]
    assert (round(doc.pages[0].width), round(doc.pages[0].height)) == (396, 504)
    assert render_page(doc, 1, width=99).size == (99, 126)
    refusal(folder / 'sign.png', ocr=False)


# --- the output of other parsers -------------------------------------------------------------------------


def test_the_output_of_other_parsers_is_found_by_its_content(folder):
    (folder / 'paper_content_list.json').write_text(
        json.dumps(
            [
                dict(type='text', text='Night watch', text_level=1, page_idx=0),
                dict(type='text', text='Two lamps burn.', page_idx=0),
            ]
        )
    )
    (folder / 'page.json').write_text(
        json.dumps(
            dict(
                res=dict(
                    width=800,
                    height=1000,
                    parsing_res_list=[dict(block_label='text', block_content='Oil is dear.', block_bbox=[1, 2, 3, 4])],
                )
            )
        )
    )
    (folder / 'settings.json').write_text('{"color": "blue"}')
    told = []
    corpus = parse_folder(folder, progress=False, on_warning=told.append)
    assert [(d.name, d.title, texts(d)) for d in corpus] == [
        ('page.json', 'page', ['Oil is dear.']),
        ('paper_content_list.json', 'Night watch', ['Two lamps burn.']),
    ]
    assert ['.json (1)' in str(warning) for warning in told] == [True]
    with pytest.raises(DocumentError) as caught:
        render_page(corpus.document(1), 1)
    assert 'page.json' in caught.value.thing
