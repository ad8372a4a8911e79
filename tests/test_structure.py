"The structure of PDFs drawn here: headings, contents, columns, notes, hyphens, labels; no word is lost or doubled."

from io import BytesIO

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.core.document import Document, Heading, Paragraph
from deepread_nb.parse.characters import Fonts
from deepread_nb.parse.options import Options
from deepread_nb.parse.outline import read_bookmarks
from deepread_nb.parse.pdf_pages import read_text_layers
from deepread_nb.parse.raw_page import read_page
from deepread_nb.parse.structure import explain_headings, find_structure

WORDS = (
    'tide dawn quay lamp harbour keeper gull mist rope anchor sand shell pier net wave storm boat reef cliff cove'
).split()


def prose(n, start=0):
    "A sentence of n words, which begins with word number `start`."
    return ' '.join(WORDS[(start + i) % len(WORDS)] for i in range(n)).capitalize() + '.'


def wrapped(text, width, font='Times-Roman', size=10):
    "Lines of text as a typesetter breaks them."
    lines = []
    line = ''
    for word in text.split():
        longer = f'{line} {word}'.strip()
        if stringWidth(longer, font, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return lines + [line]


class Drawing:
    "A PDF drawn from the top of its pages downwards."

    def __init__(self, size=(420, 600)):
        self.out, self.size = BytesIO(), size
        self.canvas = Canvas(self.out, pagesize=size, invariant=1)
        self.y = 60

    def text(self, text, x=50, font='Times-Roman', size=10, underline=False, gap=0, width=None):
        self.y += gap
        for line in wrapped(text, width, font, size) if width else [text]:
            self.canvas.setFont(font, size)
            self.canvas.drawString(x, self.size[1] - self.y, line)
            if underline:
                self.canvas.line(
                    x, self.size[1] - self.y - 1.5, x + stringWidth(line, font, size), self.size[1] - self.y - 1.5
                )
            self.y += 1.2 * size
        return self

    def at(self, x, y, text, font='Times-Roman', size=10):
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, self.size[1] - y, text)
        return self

    def page(self):
        self.canvas.showPage()
        self.y = 60
        return self

    def read(self, use_outline=True):
        self.canvas.save()
        pdf = pdfium.PdfDocument(self.out.getvalue())
        parsed = find_structure(read_text_layers(pdf, Options())[0], read_bookmarks(pdf) if use_outline else [])
        pdf.close()
        return parsed


def titles(parsed):
    return [(b.title, b.level) for b in parsed.blocks if isinstance(b, Heading)]


def texts(parsed, kind=None):
    return [b.text for b in parsed.blocks if isinstance(b, Paragraph) and kind in (None, b.kind)]


# --- headings ------------------------------------------------------------------------------------------


def test_underlined_headings_are_headings_and_underlined_words_are_not():
    d = Drawing()
    for n, title in enumerate(('The harbour at night', 'What the keeper does', 'Of lamps and oil')):
        d.text(title, underline=True, gap=12).text(prose(40, n), width=320, gap=10)
    x = 50 + stringWidth('The word ', 'Times-Roman', 10)
    d.text('The word harbour is underlined in this sentence of the memo.', gap=12)
    d.canvas.line(x, 600 - d.y + 10.5, x + stringWidth('harbour', 'Times-Roman', 10), 600 - d.y + 10.5)
    parsed = d.read()
    assert [t for t, _ in titles(parsed)] == ['The harbour at night', 'What the keeper does', 'Of lamps and oil']
    assert all('underlined' in why for why in parsed.why)


def test_a_rule_across_the_page_underlines_nothing():
    d = Drawing().text('These figures are those of the winter', gap=12)
    d.canvas.line(50, 600 - d.y + 8, 370, 600 - d.y + 8)
    d.canvas.showPage()
    d.canvas.save()
    assert not any(w.style.underlined for w in read_page(pdfium.PdfDocument(d.out.getvalue()), 1, Fonts()).words)


def test_numbering_makes_the_tree():
    d = Drawing()
    for n, title in enumerate(
        ('I. Aims', 'A. History', '1. The first tower', '2. The second tower', 'B. Scope', 'II. Costs', 'A. Oil')
    ):
        d.text(title, font='Times-Bold', gap=10).text(prose(24, n), width=320, gap=4)
    assert titles(d.read()) == [
        ('I. Aims', 2),
        ('A. History', 3),
        ('1. The first tower', 4),
        ('2. The second tower', 4),
        ('B. Scope', 3),
        ('II. Costs', 2),
        ('A. Oil', 3),
    ]


def test_the_number_of_a_chapter_joins_its_title():
    d = Drawing()
    for n, title in enumerate(('The way of the lamp', 'The way of the net'), 1):
        d.text(f'Chapter {n}', font='Times-Bold', size=14, gap=30 * n).text(
            title, font='Times-Bold', size=18, gap=8
        ).text(prose(60, n), width=320, gap=12).page()
    assert titles(d.read()) == [('1 The way of the lamp', 2), ('2 The way of the net', 2)]


def test_short_lines_in_the_look_of_warnings_are_not_headings():
    d = Drawing().text('Risks', font='Times-Bold', size=14)
    for n in range(4):
        d.text(prose(45, n), font='Times-BoldItalic', width=320, gap=8).text(prose(30, n), width=320, gap=6)
    d.text('Storms may close the pier.', font='Times-BoldItalic', gap=8).text(prose(30, 9), width=320, gap=6)
    assert [t for t, _ in titles(d.read())] == ['Risks']


def test_every_heading_has_a_reason_and_a_line_that_explains_it():
    d = Drawing().text('The harbour', font='Times-Bold', size=20)
    for title in ('Night', 'Day'):
        d.text(title, font='Times-Bold', size=13, gap=12).text(prose(40), width=320, gap=6)
    parsed = d.read()
    explained = explain_headings(parsed).splitlines()
    assert parsed.title == 'The harbour' and len(parsed.why) == len(explained) == 3 and all(parsed.why)
    assert explained[0].startswith('The harbour')
    assert 'larger than the text' in explained[1] and 'bold' in explained[1]


# --- the printed contents ------------------------------------------------------------------------------

ENTRIES = [('1 The place', 2), ('1.1 The hill', 2), ('2 The watch', 3), ('3 The lamps', 4)]


def with_contents(leaders):
    "A document whose headings look like text, with a table of contents."
    d = Drawing().text('Contents', font='Times-Bold', size=14, gap=10)
    for title, page in ENTRIES:
        d.text(title, gap=4)
        if leaders:
            d.at(
                55 + stringWidth(title, 'Times-Roman', 10),
                d.y - 12,
                '.' * int((340 - stringWidth(title, 'Times-Roman', 10)) // 2.5),
            )
        d.at(398 - stringWidth(str(page), 'Times-Roman', 10), d.y - 12, str(page))
    d.at(208, 580, '1').page()
    for n in (2, 3, 4):
        for title, page in ENTRIES:
            if page == n:
                d.text(title, gap=10).text(prose(50, n), width=320, gap=2)
        d.at(208, 580, str(n)).page()
    return d


@pytest.mark.parametrize('leaders', [True, False])
def test_printed_contents_are_evidence_but_not_content(leaders):
    parsed = with_contents(leaders).read()
    assert [t for t, _ in titles(parsed)] == [t for t, _ in ENTRIES]
    assert all('in the printed contents' in why for why in parsed.why)
    assert not any('Contents' in t or '...' in t for t in texts(parsed))
    levels = dict(titles(parsed))
    assert levels['1.1 The hill'] == levels['1 The place'] + 1 == levels['2 The watch'] + 1


def test_a_table_of_numbers_below_the_word_contents_is_not_a_table_of_contents():
    d = Drawing().text('Contents', font='Times-Bold', size=14).text(prose(40), width=320, gap=8)
    for name, count in (('Nets', 41), ('Ropes', 7), ('Lamps', 19), ('Oil', 3), ('Knives', 28)):
        d.at(50, d.y + 20, name).at(300, d.y + 20, str(count))
        d.y += 14
    assert 'Ropes | 7' in ' '.join(texts(d.read(), 'table'))


# --- reading order -------------------------------------------------------------------------------------


def columned(n, lines_each=14, gap=20):
    "Text set in n columns, written to the file row by row; and the text."
    width = (520 - gap * (n - 1)) / n
    lines = wrapped(' '.join(prose(23, i) for i in range(2 * lines_each)), width)[: n * lines_each]
    d = Drawing((600, 600)).text('A study of the tide in columns', font='Times-Bold', size=18)
    for i in range(lines_each):
        for c in range(n):
            d.at(40 + c * (width + gap), 110 + 12 * i, lines[c * lines_each + i])
    return d, ' '.join(lines)


@pytest.mark.parametrize('n', [1, 2, 3])
def test_columns_are_read_one_after_the_other(n):
    d, text = columned(n)
    assert ' '.join(texts(d.read())) == text


def test_hyphens_of_typesetting_go_and_those_of_spelling_stay():
    d = Drawing()
    for line in (
        'The germination of the seeds was slow, and the well-known keeper',
        'of the lamp wrote that germi-',
        'nation came late, as the well-',
        'known keeper of the other lamp had said.',
    ):
        d.text(line)
    assert 'that germination came late, as the well-known keeper' in ' '.join(texts(d.read()))


def test_footnotes_follow_the_text_of_their_page_and_keep_their_mark():
    d = Drawing()
    notes = ('The mule path is still open in May.', 'So the keeper of the other lamp has told us.')
    for n, note in enumerate(notes, 1):
        d.text(prose(70, n), width=320)
        d.canvas.setFont('Times-Roman', 6)
        d.canvas.drawString(
            50 + stringWidth(wrapped(prose(70, n), 320)[-1], 'Times-Roman', 10), 600 - d.y + 12 + 3.5, str(n)
        )
        d.at(50, 548, str(n), size=5).at(54, 550, note, size=8).page()
    parsed = d.read()
    kinds = [b.kind for b in parsed.blocks]
    assert kinds == ['text', 'footnote'] * 2
    assert texts(parsed, 'footnote') == [f'{n} {note}' for n, note in enumerate(notes, 1)]
    assert all(t.endswith('.') for t in texts(parsed, 'text'))


def test_running_lines_leave_the_text_and_printed_labels_stay():
    d = Drawing()
    for label in ('iii', 'iv', '1', '2', '3'):
        d.at(50, 30, 'Report of the harbour').text(prose(60, len(label)), width=320).at(208, 580, label).page()
    parsed = d.read()
    assert [p.label for p in parsed.pages] == ['iii', 'iv', '1', '2', '3']
    assert [p.number for p in parsed.pages] == [1, 2, 3, 4, 5]
    assert 'Report of the harbour' not in ' '.join(texts(parsed))


# --- properties ----------------------------------------------------------------------------------------

sizes = st.lists(st.tuples(st.integers(4, 60), st.booleans()), min_size=1, max_size=10)


@settings(max_examples=25, deadline=None)
@given(sizes)
def test_no_word_is_lost_or_doubled(parts):
    d, sent = Drawing(), []
    for n, (length, titled) in enumerate(parts):
        if d.y > 480:
            d.page()
        if titled:
            d.text(f'Matter {chr(65 + n % 26)} of the harbour', font='Times-Bold', size=13, gap=10)
            sent += f'Matter {chr(65 + n % 26)} of the harbour'.split()
        body = prose(length, n)
        d.text(body, width=320, gap=8)
        sent += body.split()
    parsed = d.read()
    got = ' '.join(b.title if isinstance(b, Heading) else b.text for b in parsed.blocks).split()
    assert sorted(got) == sorted(sent)


@settings(max_examples=25, deadline=None)
@given(sizes)
def test_sections_have_unique_ids_and_a_reason_each(parts):
    d = Drawing()
    for n, (length, titled) in enumerate(parts):
        if d.y > 480:
            d.page()
        if titled:
            d.text(f'{n + 1}. Matter of the harbour', font='Times-Bold', size=13, gap=10)
        d.text(prose(length, n), width=320, gap=8)
    parsed = d.read()
    doc = Document.from_blocks('a.pdf', parsed.blocks)
    assert [s.sec_id for s in doc.sections] == list(range(1, len(doc.sections) + 1))
    assert len(parsed.why) == sum(isinstance(b, Heading) for b in parsed.blocks) and all(parsed.why)


def test_an_empty_page_has_no_headings():
    parsed = Drawing().page().read()
    assert parsed.blocks == [] and parsed.why == () and parsed.warnings == []
