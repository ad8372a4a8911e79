"Tables, forms, links and figures of PDFs made with reportlab, from file to document; properties of printed tables."

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from PIL import Image
from reportlab.lib import colors
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import SimpleDocTemplate, TableStyle
from reportlab.platypus import Table as Flowable

from deepread_nb.core.corpus import Corpus, from_json, to_json
from deepread_nb.core.document import Document, Link, Paragraph, Region, table_paragraph, text_on
from deepread_nb.core.tables import Cell, Table, table_grid, table_html, table_markdown
from deepread_nb.parse.files import parse_file
from deepread_nb.parse.pdf import read_pdf


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    "Tests leave the user's cache alone."
    monkeypatch.setenv('DEEPREAD_HOME', str(tmp_path / 'home'))


def build_pdf(path, *parts):
    "A PDF with these flowables of reportlab."
    margins = dict(leftMargin=40, rightMargin=40, topMargin=50, bottomMargin=50)
    SimpleDocTemplate(str(path), pagesize=(440, 500), invariant=1, **margins).build(list(parts))
    return path


def table_of(rows, *style, **more):
    "A table for `build_pdf`, numbers at the right."
    basic = [('FONTSIZE', (0, 0), (-1, -1), 9), ('ALIGN', (1, 0), (-1, -1), 'RIGHT')]
    return Flowable(rows, style=TableStyle([*basic, *style]), **more)


def read_elements(path, kind):
    "The paragraphs of a kind in a PDF."
    return [p for s in read_pdf(path).sections for p in s.paragraphs if p.kind == kind]


def cell_texts(table):
    return [[c.text for c in row] for row in table.rows]


INCOME = [
    ['', 'Three months', ''],
    ['(in thousands)', '2022', '2023'],
    ['Net sales', '3,909', '3,673'],
    ['Cost of sales', '(3,115)', '(2,951)'],
    ['Gross profit', '794', '722'],
    ['Income tax', '—', '(68)'],
]


@pytest.mark.parametrize('ruled', [False, True])
def test_a_table_comes_out_cell_by_cell(tmp_path, ruled):
    grid = [('GRID', (0, 0), (-1, -1), 0.5, colors.black)] if ruled else []
    [found] = read_elements(
        build_pdf(tmp_path / 'a.pdf', table_of(INCOME[1:], *grid, colWidths=[160, 80, 80])), 'table'
    )
    assert cell_texts(found.table) == INCOME[1:] and found.table.n_header == 1
    assert found.text.split('\n')[2] == 'Cost of sales | (3,115) | (2,951)'


def test_a_merged_header_names_both_columns(tmp_path):
    style = [
        ('SPAN', (1, 0), (2, 0)),
        ('ALIGN', (1, 0), (2, 0), 'CENTER'),
        ('LINEBELOW', (1, 0), (2, 0), 0.5, colors.black),
    ]
    [found] = read_elements(build_pdf(tmp_path / 'a.pdf', table_of(INCOME, *style, colWidths=[160, 80, 80])), 'table')
    assert found.table.n_header == 2
    assert [c.text for c in table_grid(found.table)[0]] == ['(in thousands)', 'Three months', 'Three months']
    assert found.markdown.startswith('| (in thousands) | Three months 2022 | Three months 2023 |')


def test_headings_over_several_rows_or_columns_keep_their_spans(tmp_path):
    rows = [
        ['Station', '2022', '', '2023', ''],
        ['', 'Seeds', 'Share', 'Seeds', 'Share'],
        ['North quay', '120', '10%', '(37)', '12%'],
        ['South quay', '80', '8%', '95', '9%'],
        ['Hill', '40', '4%', '45', '5%'],
    ]
    style = [
        ('GRID', (0, 0), (-1, -1), 0.5, colors.black),
        ('SPAN', (0, 0), (0, 1)),
        ('SPAN', (1, 0), (2, 0)),
        ('SPAN', (3, 0), (4, 0)),
        ('ALIGN', (1, 0), (-1, -1), 'CENTER'),
    ]
    [found] = read_elements(
        build_pdf(tmp_path / 'a.pdf', table_of(rows, *style, colWidths=[90, 50, 50, 50, 50])), 'table'
    )
    first = '<tr><th rowspan="2">Station</th><th colspan="2">2022</th><th colspan="2">2023</th></tr>'
    second = '<tr><th>Seeds</th><th>Share</th><th>Seeds</th><th>Share</th></tr>'
    assert table_html(found.table).startswith(f'<table><thead>{first}{second}</thead>')


def test_a_table_over_two_pages_is_one_with_its_header_once(tmp_path):
    rows = [['Station', 'Seeds', 'Share'], *([f'Station number {i}', f'{i * 7 + 100}', f'{i}.5%'] for i in range(40))]
    [found] = read_elements(
        build_pdf(tmp_path / 'a.pdf', table_of(rows, colWidths=[160, 80, 80], repeatRows=1)), 'table'
    )
    assert cell_texts(found.table) == rows
    assert [r.page for r in found.regions] == [1, 2]
    first = text_on(found, 2).split('\n')[0]
    assert re.fullmatch(r'Station number \d+ \| \d+ \| \d+\.5%', first)


def test_signs_stay_with_their_numbers_and_labels_are_whole(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(440, 500), invariant=1)

    def line(y, label, *numbers):
        canvas.setFont('Helvetica', 9)
        canvas.drawString(40, y, label)
        for x, n in zip((260, 360), numbers):
            if n.startswith('$'):
                canvas.drawString(x - 50, y, '$')
            canvas.drawRightString(x, y, n.lstrip('$'))

    for y, *row in (
        (450, 'Fiscal year', '2022', '2023'),
        (436, 'Fares', '$1,204', '$(37)'),
        (422, 'Net result attributable to the'),
        (412, 'lamp fund', '960', '—'),
        (398, 'Grants', '12', '8'),
    ):
        line(y, *row)
    canvas.save()
    [found] = read_elements(tmp_path / 'a.pdf', 'table')
    assert cell_texts(found.table) == [
        ['Fiscal year', '2022', '2023'],
        ['Fares', '$1,204', '$(37)'],
        ['Net result attributable to the lamp fund', '960', '—'],
        ['Grants', '12', '8'],
    ]


# --- forms, links, figures -----------------------------------------------------------------------------


@pytest.fixture
def sheet(tmp_path):
    canvas = Canvas(str(tmp_path / 'sheet.pdf'), pagesize=(440, 500), invariant=1)
    canvas.setFont('Times-Bold', 18)
    canvas.drawString(40, 460, 'Watch report')
    canvas.setFont('Times-Roman', 11)
    canvas.drawString(40, 430, 'The tide tables of the year are kept at the harbour office, for all to see.')
    canvas.linkURL('https://example.org/tides', (58, 426, 110, 442))
    canvas.drawImage(ImageReader(Image.new('RGB', (40, 30), 'teal')), 40, 290, 160, 110)
    canvas.drawString(40, 270, 'Figure 1: The quay in fog.')
    canvas.drawString(40, 200, 'Name of the keeper')
    canvas.acroForm.textfield(name='T17', value='Ada Quill', x=150, y=195, width=120, height=18)
    for y, on, what in ((160, True, 'Horn sounded'), (130, False, 'Lamps out')):
        canvas.acroForm.checkbox(name=f'C{y}', checked=on, x=40, y=y, size=14)
        canvas.drawString(60, y + 3, what)
    canvas.save()
    return tmp_path / 'sheet.pdf'


def test_form_fields_are_read_with_their_printed_labels(sheet):
    assert [p.text for p in read_elements(sheet, 'form_field')] == [
        'Name of the keeper: Ada Quill',
        'Horn sounded: checked',
        'Lamps out: not checked',
    ]


def test_choices_and_radio_buttons_are_read(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(440, 500), invariant=1)
    canvas.setFont('Times-Roman', 11)
    canvas.drawString(40, 440, 'Harbour')
    canvas.acroForm.choice(name='h', value='North', options=['North', 'South'], x=120, y=435, width=90, height=18)
    for what, x in (('Wet', 40), ('Dry', 120)):
        canvas.acroForm.radio(name='r', value=what, selected=what == 'Dry', x=x, y=395, size=14)
        canvas.drawString(x + 20, 398, what)
    canvas.save()
    assert sorted(p.text for p in read_elements(tmp_path / 'a.pdf', 'form_field')) == [
        'Dry: checked',
        'Harbour: North',
        'Wet: not checked',
    ]


def test_a_figure_comes_before_its_caption(sheet):
    kinds = [p.kind for s in read_pdf(sheet).sections for p in s.paragraphs]
    assert kinds.index('figure') + 1 == kinds.index('figure_caption')
    [figure] = read_elements(sheet, 'figure')
    assert (figure.page, round(figure.box.x0), round(figure.box.y0)) == (1, 40, 100)


def test_links_are_kept_and_never_followed(sheet):
    [link] = [found for s in parse_file(sheet).sections for p in s.paragraphs for found in p.links]
    assert link.target == 'https://example.org/tides' and 'tide' in link.text and link.region.page == 1


def test_headers_and_page_numbers_are_kept_apart_from_the_text(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(440, 500), invariant=1)
    for n in range(1, 5):
        canvas.setFont('Times-Roman', 9)
        canvas.drawString(40, 470, 'Annual report of the harbour')
        canvas.drawString(210, 25, str(n))
        canvas.setFont('Times-Roman', 11)
        for i in range(20):
            canvas.drawString(40, 420 - 14 * i, f'Line {i} of page {n} says that the keeper was on the quay and saw')
        canvas.showPage()
    canvas.save()
    doc = parse_file(tmp_path / 'a.pdf')
    assert {(p.kind, p.page) for p in doc.furniture} == {(k, n) for k in ('header', 'page_number') for n in range(1, 5)}
    assert not any('Annual report' in p.text for s in doc.sections for p in s.paragraphs)


def test_a_drawing_with_a_figure_caption_is_a_chart_that_holds_its_labels(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(440, 500), invariant=1)
    canvas.setFont('Times-Roman', 11)
    for i in range(6):
        canvas.drawString(40, 450 - 14 * i, f'Line {i} says that the keeper was on the quay, and saw the lights go out')
    for i, high in enumerate((20, 50, 35, 60, 45, 70, 30)):
        canvas.rect(80 + 40 * i, 200, 30, high, fill=1)
        canvas.drawString(82 + 40 * i, 188, str(2010 + i))
    canvas.drawString(80, 170, 'Figure 2. Lamps lit by year')
    canvas.save()
    [chart] = read_elements(tmp_path / 'a.pdf', 'chart')
    assert chart.page == 1 and not read_elements(tmp_path / 'a.pdf', 'table')
    assert [p.text for p in read_elements(tmp_path / 'a.pdf', 'figure_caption')] == ['Figure 2. Lamps lit by year']


def test_a_program_keeps_its_lines_and_indents(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(440, 500), invariant=1)
    canvas.setFont('Times-Roman', 11)
    for i in range(6):
        canvas.drawString(40, 450 - 14 * i, f'Line {i} says that the keeper was on the quay, and saw the lights go out')
    canvas.setFont('Courier', 9)
    program = [
        'for tide in tides.read(harbour):',
        '    if tide.level > limit:',
        '        horn.sound(tide.level, until=tide.turn)',
    ]
    for i, line in enumerate(program):
        canvas.drawString(40 + 5.4 * (len(line) - len(line.lstrip())), 340 - 11 * i, line.strip())
    canvas.save()
    [code] = read_elements(tmp_path / 'a.pdf', 'code')
    assert code.text == '\n'.join(program)


# --- properties of printed tables ----------------------------------------------------------------------

words = (
    st.text(st.characters(codec='utf-8', exclude_categories=('Cc', 'Cs', 'Zl', 'Zp', 'Cf')), min_size=1, max_size=12)
    .map(lambda t: ' '.join(t.split()))
    .filter(bool)
)


@st.composite
def tables(draw):
    "Tables of different texts with row and column spans that fit."
    width, height = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    free = {(i, j) for i in range(height) for j in range(width)}
    rows, n = [], 0
    for i in range(height):
        row = []
        for j in range(width):
            if (i, j) not in free:
                continue
            n += 1
            room = next((k for k in range(1, width - j) if (i, j + k) not in free), width - j)
            colspan = draw(st.integers(1, room))
            rowspan = draw(st.integers(1, height - i)) if colspan == 1 and draw(st.booleans()) else 1
            free -= {(y, x) for y in range(i, i + rowspan) for x in range(j, j + colspan)}
            row.append(Cell(f'{draw(words)} {n}', rowspan, colspan, draw(st.booleans())))
        rows.append(tuple(row))
    return Table(tuple(rows), draw(st.integers(0, height)))


class CellParser(HTMLParser):
    "Collects text, rowspan, colspan and header of each cell."

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        if tag in ('td', 'th'):
            spans = dict(attrs)
            self.found.append(['', int(spans.get('rowspan', 1)), int(spans.get('colspan', 1)), tag == 'th'])

    def handle_data(self, data):
        self.found[-1][0] += data


@given(tables())
def test_html_holds_each_cell_once_with_its_spans(table):
    parser = CellParser()
    parser.feed(table_html(table))
    parser.close()
    assert [Cell(*c) for c in parser.found] == [c for row in table.rows for c in row]


@given(tables())
def test_markdown_is_one_table_with_each_cell_of_the_body_once(table):
    tokens = MarkdownIt('commonmark').enable('table').parse(table_markdown(table))
    rows = sum(t.type == 'tr_open' for t in tokens)
    assert rows == 1 + len(table.rows) - table.n_header
    assert all(len(line) == len(table_grid(table)[0]) for line in table_grid(table))
    lines = table_markdown(table).split('\n')
    assert len(lines) == rows + 1
    for row in table.rows[table.n_header :]:
        for c in row:
            assert sum(f' {c.text} '.replace('|', r'\|') in line for line in lines[2:]) == 1
    for row in table.rows[: table.n_header]:
        for c in row:
            assert f' {c.text.replace("|", chr(92) + "|")} ' in lines[0]


@given(
    tables(), st.one_of(st.none(), st.floats(0, 1)), st.lists(st.tuples(words, st.one_of(words, st.integers(1, 99))))
)
def test_json_round_trip_keeps_everything(table, confidence, links):
    made = tuple(Link(text, target, Region(1)) for text, target in links)
    para = table_paragraph(table, (Region(1),), links=made, confidence=confidence)
    doc = Document.from_blocks('a.pdf', [para], furniture=(Paragraph('7', 'page_number', (Region(1),)),))
    assert from_json(json.loads(json.dumps(to_json(Corpus([doc]))))).documents == (doc,)
