"What PDF pages say in ways of their own: right-to-left scripts, drawn tables, raised numbers, hyphens, quotations."

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import SimpleDocTemplate, Table

from deepread_nb.core.quoting import CLOSE, fence, quote_line, quote_text
from deepread_nb.core.tables import table_grid
from deepread_nb.core.text import index_terms, raise_signs, terms
from deepread_nb.parse.files import parse_file
from deepread_nb.parse.quotes import quote_on_page

FILLER = 'The keeper trims both lamps before dawn and writes the hour into the log of the station.'


def page(path: Path, draw) -> Path:
    canvas = Canvas(str(path), pagesize=(420, 595))
    canvas.setFont('Times-Roman', 10)
    draw(canvas)
    canvas.save()
    return path


def words(path: Path) -> str:
    doc = parse_file(path, cache=None)
    return ' '.join(p.text for section in doc.sections for p in section.paragraphs)


def tables(path: Path) -> list[list[list[str]]]:
    doc = parse_file(path, cache=None)
    found = [p.table for section in doc.sections for p in section.paragraphs if p.table]
    return [[[cell.text if cell else '' for cell in row] for row in table_grid(table)] for table in found]


def raised(canvas, x: float, y: float, *parts: tuple[str, float, float]) -> None:
    "Text with parts of other sizes and heights: (text, size, rise)."
    for text, size, rise in parts:
        canvas.setFont('Times-Roman', size)
        canvas.drawString(x, y + rise, text)
        x += canvas.stringWidth(text, 'Times-Roman', size)


@pytest.mark.parametrize(
    'parts, said',
    [
        ([('about 10', 10, 0), ('6', 6, 4), (' grains', 10, 0)], 'about 10⁶ grains'),
        ([('some 10', 10, 0), ('-19', 6, 4), (' grams', 10, 0)], 'some 10⁻¹⁹ grams'),
        ([('of H', 10, 0), ('2', 6, -2), ('O here', 10, 0)], 'of H₂O here'),
        ([('on 40 m', 10, 0), ('2', 6, 4), (' of land', 10, 0)], 'on 40 m² of land'),
        ([('grew by 15', 10, 0), ('1', 6, 4), (' percent', 10, 0)], 'grew by 15¹ percent'),
        ([('all 106 grains', 10, 0)], 'all 106 grains'),
        ([('large 10', 10, 0), ('6', 9, 0), (' plain', 10, 0)], 'large 106 plain'),
    ],
)
def test_raised_and_lowered_numbers_are_told_from_others(tmp_path, parts, said):
    def draw(canvas):
        raised(canvas, 50, 500, ('The river carries ', 10, 0), *parts, (' in a bucket of sand.', 10, 0))
        canvas.setFont('Times-Roman', 10)
        for n in range(6):
            canvas.drawString(50, 470 - 12 * n, FILLER[:70])

    assert said in words(page(tmp_path / 'a.pdf', draw))


@pytest.mark.parametrize(
    'first, second, said',
    [
        ('the same hours in the pre-', 'and post-harvest months', 'pre- and post-harvest months'),
        ('the plan for the long-', 'term repair', 'long-term repair'),
        ('the loan was paid back in 2010-', '2015 in full', '2010-2015 in full'),
        ('everyone was tested for COVID-', '19 in May', 'COVID-19 in May'),
        ('the committee of the com-', 'munity met', 'community met'),
    ],
)
def test_hyphens_at_line_ends(tmp_path, first, second, said):
    def draw(canvas):
        for n, line in enumerate([FILLER[:50], FILLER[: 50 - len(first)] + first, second, FILLER[:50]]):
            canvas.drawString(50, 500 - 12 * n, line)

    assert said in words(page(tmp_path / 'a.pdf', draw))


def grid(path: Path, rows, *styles) -> Path:
    SimpleDocTemplate(str(path), pagesize=(420, 595)).build(
        [Table(rows, style=[('GRID', (0, 0), (-1, -1), 0.5, 'black'), *styles], repeatRows=1)]
    )
    return path


def test_cells_of_several_lines_stay_cells(tmp_path):
    rows = [['Role', 'Duty', 'Limit'], ['Sweeper', 'Clears leaves\nfrom the rails\nbefore noon', 'None']]
    rows += [['Lamp hand', 'Trims the lamps', 'Dry weather only,\nnever in a storm']]
    [table] = tables(grid(tmp_path / 'a.pdf', rows))
    assert table[1] == ['Sweeper', 'Clears leaves from the rails before noon', 'None']
    assert table[2] == ['Lamp hand', 'Trims the lamps', 'Dry weather only, never in a storm']


def test_a_head_over_two_columns_names_both(tmp_path):
    rows = [['Line', '2021', '', '2022', ''], ['', 'Spring', 'Autumn', 'Spring', 'Autumn']]
    rows += [['Harbour', '11', '12', '13', '14'], ['Mill', '21', '22', '23', '24']]
    spans = [('SPAN', (1, 0), (2, 0)), ('SPAN', (3, 0), (4, 0)), ('SPAN', (0, 0), (0, 1))]
    [table] = tables(grid(tmp_path / 'a.pdf', rows, *spans))
    assert [row[2] for row in table[:3]] == ['2021', 'Autumn', '12'] and [row[4] for row in table[:3]][0] == '2022'


def test_a_table_over_pages_is_one_table(tmp_path):
    rows = [['Cellar', 'Barrels'], *([f'Cellar {n}', str(200 + n)] for n in range(60))]
    [table] = tables(grid(tmp_path / 'a.pdf', rows))
    assert table == rows


def test_a_quotation_is_verified_over_the_end_of_a_page_and_by_whole_numbers(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(420, 200))
    for lines in (
        ['The wheel was brought up the river', 'on a raft by eleven men and a'],
        ['mule. It cost 315 crowns.'],
    ):
        for n, line in enumerate([*lines, '']):
            canvas.drawString(50, 150 - 14 * n, line)
        canvas.showPage()
    canvas.save()
    doc = parse_file(tmp_path / 'a.pdf', cache=None)
    assert quote_on_page(doc, 1, 'The wheel was brought up the river on a raft by eleven men and a mule.')
    assert quote_on_page(doc, 2, 'It cost 315 crowns.')
    for false in ('It cost 31 crowns.', 'It cost 15 crowns.', 'on a raft by eleven men and a goat.', 'by twelve men'):
        assert not quote_on_page(doc, 2, false) and not quote_on_page(doc, 1, false)


@given(st.text(max_size=80))
def test_no_text_passes_for_ours_or_leaves_its_fence(text):
    said = fence(quote_text(text))
    assert said.count(CLOSE) == 1 and said.endswith(CLOSE)
    assert '\n' not in quote_line(text)
    assert quote_text(quote_text(text)) == quote_text(text)


@given(st.integers(0, 10**9))
def test_a_raised_number_folds_to_its_digits(number):
    assert unicodedata.normalize('NFKC', raise_signs(str(number))) == str(number)


@given(st.text(alphabet=st.characters(codec='utf-8'), max_size=60))
def test_what_a_text_is_found_by_begins_with_its_terms(text):
    assert index_terms(text)[: len(terms(text))] == terms(text)
