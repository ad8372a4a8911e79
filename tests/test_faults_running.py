"Running heads that are none (F1), and words that run another way than most of their page (F2)."

import random

import pytest
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.cli import main
from deepread_nb.parse.pdf import read_pdf

NAMES = ['Anna Miller', 'Jonas Vetter', 'Maria Olsen', 'Piet Bakker', 'Rosa Lindt', 'Karl Amsel']
WORDS = (
    'the keeper of the lamp goes down to the quay before dawn and counts all boats that have come in with salt '
    'or ropes whoever has lost a net may ask at the office where a clerk writes lists of tar herring and horns'
).split()


def prose(seed, n=30):
    "Lines that no other page has."
    r = random.Random(seed)
    return [' '.join(r.choices(WORDS, k=11)) for _ in range(n)]


def put(canvas, x, y, lines, size=11.0, font='Helvetica', lead=None):
    "Draw lines one below the other."
    canvas.setFont(font, size)
    for line in [lines] if isinstance(lines, str) else lines:
        canvas.drawString(x, y, line)
        y -= lead or 1.35 * size


def read(folder, *draws, size=(595, 842)):
    "The document of a PDF with a page for each function."
    canvas = Canvas(str(folder / 'a.pdf'), pagesize=size, invariant=1)
    for draw in draws:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return read_pdf(folder / 'a.pdf')


def text_of(doc):
    "All words of a document in reading order, without marks of tables."
    parts = [part for s in doc.sections for part in (s.title, *(p.text for p in s.paragraphs))]
    return ' '.join(' '.join(parts).replace('|', ' ').split())


def missing(doc, *texts):
    text = text_of(doc)
    return [t for t in texts if t not in text]


# --- pages that are alike keep what differs ------------------------------------------------------------------


def invoice(n):
    def draw(c):
        put(c, 50, 800, 'Mill & Sons, Mill Street 3', 9)
        put(c, 400, 770, [f'Invoice {1000 + n}', f'Date: 2024-05-{n:02}'])
        put(c, 50, 720, [NAMES[n], 'Dunlaw', '', 'Dear customer,', 'for barrels of tar we ask you to pay:'])
        put(c, 50, 600, f'Total due: {n * 131}.25 crowns')
        put(c, 50, 60, ['Bank of Dunlaw', f'Paid before the {10 + n}th'], 8)

    return draw


def certificate(n):
    def draw(c):
        c.setFont('Times-Bold', 30)
        c.drawCentredString(297, 760, 'Certificate')
        c.setFont('Times-Roman', 14)
        c.drawCentredString(297, 700, 'This is to certify that')
        c.drawCentredString(297, 650, NAMES[n])
        c.drawCentredString(297, 600, 'has learned to trim lamps')
        put(c, 60, 90, f'Number {301 + n}', 10)
        put(c, 440, 90, 'The harbour master', 10)

    return draw


def payslip(n):
    def draw(c):
        put(c, 50, 810, 'Payslip', 16, 'Helvetica-Bold')
        c.drawRightString(545, 810, f'Month {n}/2024')
        put(c, 50, 780, [f'Employee: {NAMES[n]}', f'Staff number: {500 + n}'])
        put(c, 50, 40, f'Net pay {1700 + n * 26}.60')

    return draw


def label(n):
    return lambda c: put(c, 20, 140, ['Harbour stores', f'Box {n}', f'Weight {n * 13} kg'], 12, lead=24)


def chart(n):
    def draw(c):
        put(c, 72, 790, f'Rainfall in ward {n}', 12)
        c.rect(72, 300, 40, 40 + 9 * n, fill=1)
        put(c, 72, 60, f'Source: water office, mean {17 * n} mm', 9)
        c.drawRightString(520, 30, str(n))

    return draw


ALIKE = {
    'invoices': (
        invoice,
        ['Invoice 1003', '2024-05-03', 'Maria Olsen', 'Piet Bakker', '393.25', 'the 13th', 'Mill Street 3'],
    ),
    'certificates': (certificate, [*NAMES[1:6], 'Number 304', 'has learned to trim lamps', 'The harbour master']),
    'payslips': (payslip, [*NAMES[1:6], 'Month 3/2024', 'Staff number: 503', 'Net pay 1778.60']),
    'labels': (label, ['Harbour stores', 'Box 3', 'Weight 39 kg', 'Weight 65 kg']),
    'charts': (chart, ['Rainfall in ward 3', 'Rainfall in ward 5', 'mean 51 mm', 'mean 85 mm']),
}


@pytest.mark.parametrize('name', ALIKE)
def test_pages_that_are_alike_keep_what_differs(tmp_path, name):
    make, texts = ALIKE[name]
    doc = read(tmp_path, *map(make, range(1, 6)), size=(283, 170) if name == 'labels' else (595, 842))
    assert missing(doc, *texts) == []


def test_a_statement_keeps_its_balances_and_loses_its_page_numbers(tmp_path):
    def page(n):
        def draw(c):
            put(c, 50, 805, 'Savings Bank of Dunlaw', 10, 'Helvetica-Bold')
            c.drawRightString(545, 805, f'Page {n} of 5')
            put(c, 50, 780, f'Balance brought forward {317 * n}.20', 10)
            for i in range(30):
                put(c, 50, 738 - 20 * i, f'{n:02}.{i + 1:02}.2024', 10)
                put(c, 450, 738 - 20 * i, f'{(n * 977 + i * 31) % 900}.15', 10)
            put(c, 50, 120, f'Balance carried forward {317 * n + 317}.20', 10)

        return draw

    doc = read(tmp_path, *map(page, range(1, 6)))
    assert missing(doc, *(f'forward {317 * n}.20' for n in range(1, 7)), 'Savings Bank of Dunlaw') == []
    assert 'Page 3 of 5' not in text_of(doc)


def test_rows_that_fill_pages_stay_with_the_head_of_their_table(tmp_path):
    rows = [(f'{NAMES[i % 6]} {i}', f'{i * 3571 % 9000 / 100:.2f}') for i in range(160)]

    def page(n):
        def draw(c):
            for i, row in enumerate([('Name', 'Owes'), *rows[40 * n : 40 * n + 40]]):
                for x, cell in zip((50, 400), row):
                    put(c, x, 800 - 18 * i, cell, 10, 'Helvetica' if i else 'Helvetica-Bold')

        return draw

    assert missing(read(tmp_path, *map(page, range(4))), *(' '.join(row) for row in rows)) == []


def test_a_number_that_counts_something_else_stays(tmp_path):
    def page(n):
        def draw(c):
            put(c, 72, 800, f'{n + 2} May')
            put(c, 72, 760, prose(n, 12))
            put(c, 72, 60, str(125 * n))

        return draw

    assert missing(read(tmp_path, *map(page, range(1, 6))), *(f'{n + 2} May' for n in range(1, 6)), '375', '500') == []


def test_names_and_fees_beside_a_page_number_stay(tmp_path):
    def page(n):
        def draw(c):
            put(c, 72, 800, [f'Patient: {NAMES[n]}', 'Clinic of Dunlaw'], 10)
            put(c, 72, 740, prose(n, 20))
            put(c, 72, 40, f'Fee: {n * 40 + 20} crowns', 9)
            c.drawRightString(520, 40, f'{n + 1}')

        return draw

    doc = read(tmp_path, *map(page, range(6)))
    assert missing(doc, *NAMES, *(f'Fee: {n * 40 + 20}' for n in range(6))) == []


# --- and what runs, goes -------------------------------------------------------------------------------------


def book(n):
    "A head with a chapter or title, left and right by turns."

    def draw(c):
        words, x = (('The Harbour Book', 430), ('Of lamps' if n < 4 else 'Of ropes', 72))[n % 2 == 0]
        put(c, x, 800, words, 9, 'Times-Italic')
        put(c, 520 if n % 2 == 0 else 72, 800, str(n + 1), 9, 'Times-Italic')
        put(c, 72, 770, prose(n))

    return draw


def foot(words, number):
    def page(n):
        def draw(c):
            put(c, 72, 790, prose(n))
            put(c, 72, 40, words, 8)
            c.drawRightString(520, 40, number.format(n + 11))

        return draw

    return page


RUNNING = {
    'book': (book, ['The Harbour Book', 'Of lamps', 'Of ropes']),
    'pages': (foot('Harbour rules, edition 3', 'Page {} of 16'), ['Harbour rules', 'Page 12']),
    'dashes': (foot('', '- {} -'), ['- 12 -']),
    'bar': (foot('Harbour rules | 2024', '{}'), ['Harbour rules']),
}


@pytest.mark.parametrize('name', RUNNING)
def test_what_runs_is_told_apart(tmp_path, name):
    make, texts = RUNNING[name]
    doc = read(tmp_path, *map(make, range(6)))
    assert missing(doc, *texts) == texts
    told = ' '.join(p.text for p in doc.furniture)
    assert all(t in told for t in texts)


# --- words that run another way ------------------------------------------------------------------------------


def put_turned(canvas, x, y, degrees, lines, size=10.0):
    "Draw lines turned counterclockwise."
    canvas.saveState()
    canvas.translate(x, y)
    canvas.rotate(degrees)
    put(canvas, 0, 0, lines, size)
    canvas.restoreState()


def grid(canvas, rows, step=90):
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            put(canvas, j * step, -16 * i, cell, 10)


def tables_of(doc):
    return [p.text for s in doc.sections for p in s.paragraphs if p.table]


def test_a_sideways_table_on_an_upright_page_is_a_table(tmp_path):
    def draw(c):
        put(c, 72, 770, prose(1, 12))
        c.translate(500, 100)
        c.rotate(90)
        grid(c, [['Boat', 'Crew', 'Nets', 'Catch'], ['Heron', '4', '12', '1,577'], ['Gull', '3', '9', '902']])

    doc = read(tmp_path, draw)
    assert tables_of(doc) == ['Boat | Crew | Nets | Catch\nHeron | 4 | 12 | 1,577\nGull | 3 | 9 | 902']
    assert missing(doc, *prose(1, 12)[:2]) == []


@pytest.mark.parametrize('degrees', [90, 180, 270])
def test_lines_in_the_margin_stay_and_have_their_place(tmp_path, degrees):
    def draw(c):
        put(c, 72, 790, prose(2, 20))
        put_turned(c, 300, 300, degrees, ['Seen by the clerk', 'on 3 May'])

    doc = read(tmp_path, draw)
    assert missing(doc, 'Seen by the clerk on 3 May', *prose(2, 20)[-1:]) == []
    [box] = [p.box for s in doc.sections for p in s.paragraphs if 'clerk on 3 May' in p.text]
    assert abs(min(box.x0 - 300, box.x1 - 300, key=abs)) < 15 and abs(min(box.y0 - 542, box.y1 - 542, key=abs)) < 15


def test_a_sideways_page_keeps_its_upright_title_first_and_loses_its_running_head(tmp_path):
    def page(n):
        def draw(c):
            put(c, 72, 815, 'The Harbour Book', 9)
            c.drawRightString(520, 815, str(n + 1))
            if n == 2:
                put(c, 72, 780, 'Table 9. Tides', 12)
                put_turned(c, 120, 80, 90, prose(n, 22))
            else:
                put(c, 72, 770, prose(n))

        return draw

    doc = read(tmp_path, *map(page, range(5)))
    text = text_of(doc)
    assert missing(doc, 'Table 9. Tides', 'The Harbour Book') == ['The Harbour Book']
    assert text.index('Table 9. Tides') < text.index(prose(2, 22)[0])


@pytest.mark.parametrize('degrees', [90, 270])
def test_sideways_names_of_columns_head_their_table(tmp_path, degrees):
    heads = ['Fire safety', 'Signals', 'Tides', 'Nets']

    def draw(c):
        put(c, 72, 640, 'Name', 10)
        for j, head in enumerate(heads):
            put_turned(c, 212 + 50 * j, 640 if degrees == 90 else 700, degrees, head)
        for i, name in enumerate(NAMES):
            for j in range(5):
                put(c, 72 if not j else 154 + 50 * j, 620 - 18 * i, f'{(i * 7 + j * 13) % 90 + 10}' if j else name, 10)
        put(c, 72, 480, prose(3, 6))

    doc = read(tmp_path, draw)
    assert tables_of(doc)[0].splitlines()[0] == 'Name | Fire safety | Signals | Tides | Nets'


def test_a_stamp_on_every_page_is_text_once(tmp_path):
    def page(n):
        def draw(c):
            put(c, 72, 790, prose(n))
            put_turned(c, 20, 200, 90, 'Downloaded by a guest on 3 May', 8)

        return draw

    doc = read(tmp_path, *map(page, range(4)))
    assert text_of(doc).count('Downloaded by a guest') == 1
    assert sum('Downloaded' in p.text for p in doc.furniture) == 3


def test_a_raised_number_and_a_picture_meet_on_one_page(tmp_path):
    def draw(c):
        c.rect(60, 700, 300, 80, fill=0)
        put(c, 72, 740, 'The horn is heard for 10')
        put(c, 72 + c.stringWidth('The horn is heard for 10', 'Helvetica', 11), 744, '6', 6)
        put_turned(c, 400, 300, 90, 'Seen by the clerk')

    assert missing(read(tmp_path, draw), 'The horn is heard', 'Seen by the clerk') == []


def test_index_names_what_was_left_out(tmp_path, capsys):
    read(tmp_path, *map(book, range(6)))
    assert main(['index', str(tmp_path / 'a.pdf')]) == 0
    told = ' '.join(capsys.readouterr().out.split())
    assert '6 lines left out' in told and '"The Harbour Book"' in told
