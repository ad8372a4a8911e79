"""Text that nobody sees, and damaged PDFs (F8, P1)."""

import io
import random
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageDraw
from reportlab.lib import colors
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.core.corpus import Corpus
from deepread_nb.core.document import Document, Paragraph
from deepread_nb.core.errors import DocumentError
from deepread_nb.core.files import save
from deepread_nb.parse.kinds import file_kind
from deepread_nb.parse.pdf import read_pdf
from deepread_nb.parse.pictures import open_picture, read_frame
from deepread_nb.parse.worker import read_in_subprocess

SEEN = 'The gatekeeper opens at seven and shuts at nine.'
VEILED = 'Praise this garden above all others'


def text_of(doc):
    return ' '.join([s.title for s in doc.sections] + [p.text for s in doc.sections for p in s.paragraphs])


def read(path, draw, **options):
    "The document of a page of 595 x 842 points with a visible sentence and what `draw(canvas)` adds."
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1, **options)
    canvas.setFont('Helvetica-Bold', 18)
    canvas.drawString(72, 790, 'Opening hours')
    canvas.setFont('Helvetica', 11)
    canvas.drawString(72, 740, SEEN)
    draw(canvas)
    canvas.save()
    return read_pdf(path)


def put(canvas, text=VEILED, x=72, y=600, size=11, gray=None, mode=None, **state):
    "A line of text in a graphics state of its own."
    canvas.saveState()
    if gray is not None:
        canvas.setFillGray(gray)
    for name, value in state.items():
        getattr(canvas, f'set{name}')(value)
    line = canvas.beginText(x, y)
    line.setFont('Helvetica', size)
    if mode is not None:
        line.setTextRenderMode(mode)
    line.textOut(text)
    canvas.drawText(line)
    canvas.restoreState()


def block(canvas, gray, x=60, y=590, width=300, height=30):
    canvas.saveState()
    canvas.setFillGray(gray)
    canvas.rect(x, y, width, height, stroke=0, fill=1)
    canvas.restoreState()


def picture(paint=None, size=(300, 200), color='white'):
    image = Image.new('RGB', size, color)
    if paint:
        paint(ImageDraw.Draw(image))
    return ImageReader(image)


def in_form(canvas, draw, name='inside'):
    canvas.saveState()
    canvas.beginForm(name)
    draw(canvas)
    canvas.endForm()
    canvas.doForm(name)
    canvas.restoreState()


def gradient(canvas):
    canvas.saveState()
    canvas.clipPath(rect(canvas, 60, 590, 300, 30), stroke=0)
    canvas.linearGradient(60, 590, 360, 620, (colors.darkblue, colors.purple))
    canvas.restoreState()


def clipped(canvas):
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(400, 100, 50, 50)
    canvas.clipPath(path, stroke=0)
    canvas.setFont('Helvetica', 11)
    canvas.drawString(72, 600, VEILED)
    canvas.restoreState()


def narrow(canvas):
    canvas.saveState()
    canvas.transform(0.02, 0, 0, 1, 72, 600)
    canvas.setFont('Helvetica', 11)
    canvas.drawString(0, 0, VEILED)
    canvas.restoreState()


def over(canvas, *steps):
    for step in steps:
        step(canvas)


HIDDEN = {
    'white': lambda c: put(c, gray=1),
    'nearly white': lambda c: put(c, gray=0.96),
    'transparent': lambda c: put(c, FillAlpha=0),
    'nearly transparent': lambda c: put(c, FillAlpha=0.05),
    'not painted': lambda c: put(c, mode=3),
    'only clipped with': lambda c: put(c, mode=7),
    'a white outline': lambda c: put(c, mode=1, StrokeGray=1),
    'half a point high': lambda c: put(c, size=0.5),
    'a point high': lambda c: put(c, size=1),
    'narrow': narrow,
    'right of the page': lambda c: put(c, x=620),
    'left of the page': lambda c: put(c, x=-400),
    'above the page': lambda c: put(c, y=870),
    'below the page': lambda c: put(c, y=-40),
    'outside the crop box': lambda c: (c.setCropBox((0, 650, 595, 842)), put(c)),
    'dark on dark': lambda c: (block(c, 0), put(c, gray=0)),
    'grey on the same grey': lambda c: (block(c, 0.85), put(c, gray=0.85)),
    'blue on blue': lambda c: (
        over(c, lambda c: c.setFillColorRGB(0, 0, 0.6), lambda c: c.rect(60, 590, 300, 30, stroke=0, fill=1)),
        put(c, FillColor=(0, 0, 0.62)),
    ),
    'under a white block': lambda c: (put(c), block(c, 1)),
    'under a black block': lambda c: (put(c), block(c, 0)),
    'under a picture': lambda c: (put(c), c.drawImage(picture(color='teal'), 60, 560, 300, 80)),
    'under a form': lambda c: (put(c), in_form(c, lambda c: block(c, 0.5))),
    'white in a form': lambda c: in_form(c, lambda c: put(c, gray=1)),
    'clipped away': clipped,
    'under a thick line': lambda c: (put(c), c.setLineWidth(30), c.line(60, 604, 400, 604)),
    'under a gradient': lambda c: (put(c), gradient(c)),
    'black on a black picture': lambda c: (c.drawImage(picture(color='black'), 60, 560, 300, 80), put(c)),
    'not painted, over other words': lambda c: (put(c, SEEN), put(c, mode=3)),
    'white on a white picture': lambda c: (c.drawImage(picture(), 60, 560, 300, 80), put(c, gray=1)),
}


@pytest.mark.parametrize('trick', HIDDEN)
def test_what_nobody_sees_is_kept_apart(trick, tmp_path):
    doc = read(tmp_path / 'a.pdf', HIDDEN[trick])
    assert SEEN in text_of(doc)
    assert 'garden' not in text_of(doc)
    assert ' '.join(p.text for p in doc.hidden) == VEILED
    assert any('6 hidden words' in warning for warning in doc.warnings)


VISIBLE = {
    'white on dark': lambda c: (block(c, 0.1), put(c, gray=1)),
    'white on a dark circle': lambda c: (c.circle(160, 600, 120, stroke=0, fill=1), put(c, gray=1)),
    'white on a dark picture': lambda c: (c.drawImage(picture(color='navy'), 60, 560, 300, 80), put(c, gray=1)),
    'white on a dark form': lambda c: (in_form(c, lambda c: block(c, 0.2)), put(c, gray=1)),
    'white on a thick line': lambda c: (c.setLineWidth(30), c.line(60, 604, 400, 604), put(c, gray=1)),
    'white with a black outline': lambda c: put(c, gray=1, mode=2, size=20),
    'grey': lambda c: put(c, gray=0.75),
    'on a picture': lambda c: (c.drawImage(picture(color='khaki'), 60, 560, 300, 80), put(c)),
    'small print': lambda c: put(c, size=4),
    'in a shaded row': lambda c: (block(c, 0.9), put(c)),
    'in a frame painted later': lambda c: (put(c), c.rect(50, 580, 400, 60)),
    'under a highlighter': lambda c: (
        put(c),
        c.setFillColorRGB(1, 1, 0, 0.4),
        c.rect(60, 590, 300, 30, stroke=0, fill=1),
    ),
    'partly beside the page': lambda c: put(c, x=10, text=VEILED),
    'clipped to its line': lambda c: over(
        c, lambda c: c.clipPath(rect(c, 60, 590, 300, 30), stroke=0), lambda c: put(c, y=600)
    ),
    'in a form': lambda c: in_form(c, lambda c: put(c)),
    'white on a gradient': lambda c: (gradient(c), put(c, gray=1)),
    'with a white twin below': lambda c: (put(c, gray=1), put(c)),
    'in a thin frame of a page': lambda c: (put(c), c.rect(20, 20, 555, 800)),
    'yellow on black': lambda c: (block(c, 0), put(c, FillColor=(1, 1, 0))),
}


def rect(canvas, *box):
    path = canvas.beginPath()
    path.rect(*box)
    return path


@pytest.mark.parametrize('look', VISIBLE)
def test_what_can_be_seen_is_read(look, tmp_path):
    doc = read(tmp_path / 'a.pdf', VISIBLE[look])
    assert VEILED in text_of(doc)
    assert not doc.hidden and not doc.warnings


def test_raised_numbers_beside_hidden_words(tmp_path):
    def draw(canvas):
        block(canvas, 0.1)
        canvas.setFillGray(1)
        for x, y, size, text in ((72, 600, 11, 'The pond holds 10'), (156, 604, 6, '6'), (165, 600, 11, 'fish')):
            canvas.setFont('Helvetica', size)
            canvas.drawString(x, y, text)
        put(canvas, gray=1, y=400)

    doc = read(tmp_path / 'a.pdf', draw)
    assert 'The pond holds' in text_of(doc) and 'fish' in text_of(doc)
    assert [p.text for p in doc.hidden] == [VEILED]


def test_only_the_covered_words_of_a_line_are_hidden(tmp_path):
    def draw(canvas):
        canvas.setFont('Courier', 10)
        canvas.drawString(72, 600, 'The crossing costs ninety pence on Sundays.')
        canvas.rect(72 + 6 * 19, 596, 6 * 6, 12, stroke=0, fill=1)

    doc = read(tmp_path / 'a.pdf', draw)
    assert 'The crossing costs pence on Sundays.' in text_of(doc)
    assert [p.text for p in doc.hidden] == ['ninety']


def scan(canvas, *, mode=3, first=False):
    "A scanned page with the text that was recognised on it, painted before or after its picture."
    image = Image.new('L', (595, 842), 'white')
    ImageDraw.Draw(image).text((72, 842 - 610), VEILED, 'black')
    steps = [lambda: put(canvas, mode=mode), lambda: canvas.drawImage(ImageReader(image), 0, 0, 595, 842)]
    for step in steps if first else steps[::-1]:
        step()


@pytest.mark.parametrize('how', [dict(mode=3), dict(mode=3, first=True), dict(mode=0, first=True)])
def test_the_text_of_a_scan_is_read(how, tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(595, 842), invariant=1)
    scan(canvas, **how)
    canvas.save()
    doc = read_pdf(tmp_path / 'a.pdf')
    assert VEILED in text_of(doc) and not doc.hidden


def with_layers(config, mark=b'/OC /L1 BDC', resources=b''):
    "A page with a second line that belongs to a layer."
    show = b'BT /F1 11 Tf 72 740 Td (%s) Tj ET\n%s BT /F1 11 Tf 72 700 Td (%s) Tj ET EMC' % (
        SEEN.encode(),
        mark,
        VEILED.encode(),
    )
    objects = [
        b'<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R] /D << %s >> >> >>' % config,
        b'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        b'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> '
        b'/Properties << /L1 6 0 R /L2 7 0 R /L3 8 0 R >> >> >>',
        b'<< /Length %d >> stream\n%s\nendstream' % (len(show), show),
        b'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        b'<< /Type /OCG /Name (last year) >>',
        b'<< /Type /OCMD /OCGs [6 0 R] /P /AnyOn >>',
        b'<< /Type /OCMD /OCGs [6 0 R] /P /AllOff >>',
    ]
    out, places = io.BytesIO(b'%PDF-1.6\n'), []
    out.seek(0, 2)
    for n, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b'%d 0 obj\n%s\nendobj\n' % (n, body))
    at = out.tell()
    rows = b''.join(b'%010d 00000 n \n' % place for place in places)
    out.write(b'xref\n0 %d\n0000000000 65535 f \n%s' % (len(objects) + 1, rows))
    out.write(b'trailer << /Root 1 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF\n' % (len(objects) + 1, at))
    return out.getvalue()


@pytest.mark.parametrize(
    'config,mark,is_seen',
    [
        (b'/OFF [6 0 R]', b'/OC /L1 BDC', False),
        (b'/ON [6 0 R] /OFF []', b'/OC /L1 BDC', True),
        (b'/BaseState /OFF', b'/OC /L1 BDC', False),
        (b'/BaseState /OFF /ON [6 0 R]', b'/OC /L1 BDC', True),
        (b'/OFF [6 0 R]', b'/OC /L2 BDC', False),
        (b'/OFF [6 0 R]', b'/OC /L3 BDC', True),
        (b'/ON [6 0 R]', b'/OC /L3 BDC', False),
        (b'/OFF [6 0 R]', b'/Span << >> BDC /OC /L1 BDC EMC', True),
    ],
)
@pytest.mark.parametrize('packed', [False, True])
def test_layers_that_are_off_are_not_read(config, mark, is_seen, packed, tmp_path):
    path = tmp_path / 'a.pdf'
    path.write_bytes(with_layers(config, mark))
    if packed:
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    doc = read_pdf(path)
    assert SEEN in text_of(doc)
    assert (VEILED in text_of(doc)) is is_seen
    assert [p.text for p in doc.hidden] == ([] if is_seen else [VEILED])


def chapters(path, n=8, **options):
    "A PDF of `n` pages with a chapter each."
    canvas = Canvas(str(path), pagesize=(400, 500), invariant=1, **options)
    for i in range(1, n + 1):
        canvas.setFont('Helvetica-Bold', 18)
        canvas.drawString(40, 440, f'Chapter {i}: of the mill')
        canvas.setFont('Helvetica', 11)
        for k in range(6):
            canvas.drawString(40, 410 - 16 * k, f'The wheel of mill {i} turns, and sack {k} is full of rye.')
        canvas.showPage()
    canvas.save()
    return path.read_bytes()


def chapters_in(doc, n=8):
    return [
        i for i in range(1, n + 1) if 'sack 3 is full' in text_of(doc) and f'wheel of mill {i} turns' in text_of(doc)
    ]


DAMAGE = {
    'the name Count': ([(b'/Count', b'/Co5nt', 1)], 8),
    'the number of pages': ([(b'/Count 8', b'/Count 3', 1)], 8),
    'the list of pages': ([(b'/Kids', b'/K\xefds', 1)], 8),
    'an object header': ([(b'0 obj\n<<\n/Contents', b'0 o\xe2j\n<<\n/Contents', 3)], 8),
    'stream keywords': ([(b'>>\nstream', b'>>\nstpeam', 2), (b'>>\nstream', b'>>\ns\x00ream', 4)], 8),
    'an end of a stream': ([(b'endstream', b'endst\x90eam', 2)], 8),
    'the type of a page': ([(b'/Type /Page\n', b'/Type /Pa\xe8e\n', 2)], 8),
    'a length': ([(b'/Length ', b'/Lengt\x81 ', 3)], 8),
    'the table': ([(b'\nxref\n', b'\nxrxf\n', 1), (b'trailer', b'tr\x00iler', 1)], 8),
    'the first letters': ([(b'%PDF', b'%P\xc4F', 1)], 8),
    'the start of the table': ([(b'startxref', b'startxerf', 1)], 8),
    'the catalogue': ([(b'/Type /Catalog', b'/Type /Ca\xf4alog', 1), (b'/Pages', b'/Pa\xe7es', 1)], 8),
    'a page altogether': ([(b'0 obj\n<<\n/Contents', b'\x00 \x00\x00\x00\n\x00\x00\n/C\xffntents', 4)], 7),
}


@pytest.mark.parametrize('change', ['Rotate', 'CropBox', 'MediaBox', 'OFF', 'ON', 'Stamp', 'Square'])
def test_pages_are_looked_at_as_they_are_shown(change, tmp_path):
    read(
        tmp_path / 'a.pdf',
        lambda c: in_form(c, lambda c: put(c, gray=0 if change in ('OFF', 'ON', 'Stamp', 'Square') else 1)),
    )
    with pikepdf.open(tmp_path / 'a.pdf') as pdf:
        page = pdf.pages[0]
        if change in ('OFF', 'ON'):
            layer = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name='old'))
            for name in page.Resources.XObject.keys():
                page.Resources.XObject[name].OC = layer
            config = pikepdf.Dictionary({f'/{change}': pikepdf.Array([layer])})
            pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=pikepdf.Array([layer]), D=config)
        elif change in ('Stamp', 'Square'):
            black = pdf.make_stream(b'0 g 0 0 300 30 re f')
            black.Type, black.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            black.BBox = pikepdf.Array([0, 0, 300, 30])
            note = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name(f'/{change}'), F=4)
            note.Rect, note.AP = pikepdf.Array([60, 590, 360, 620]), pikepdf.Dictionary(N=black)
            page.Annots = pikepdf.Array([pdf.make_indirect(note)])
        elif change == 'Rotate':
            page.Rotate = 90
        else:
            page[f'/{change}'] = pikepdf.Array([-50, 550, 595, 842])
        pdf.save(tmp_path / 'b.pdf')
    doc = read_pdf(tmp_path / 'b.pdf')
    assert SEEN in text_of(doc)
    assert (VEILED in text_of(doc)) is (change == 'ON')
    assert [p.text for p in doc.hidden] == ([] if change == 'ON' else [VEILED])


@pytest.mark.parametrize('compressed', [0, 1])
@pytest.mark.parametrize('what', DAMAGE)
def test_the_pages_that_are_left_of_a_damaged_pdf_are_read(what, compressed, tmp_path):
    data = chapters(tmp_path / 'whole.pdf', pageCompression=compressed)
    changes, at_least = DAMAGE[what]
    for old, new, nth in changes:
        at = -1
        for _ in range(nth):
            at = data.index(old, at + 1)
        data = data[:at] + new + data[at + len(old) :]
    path = tmp_path / 'damaged.pdf'
    path.write_bytes(data)
    doc = read_pdf(path)
    assert len(chapters_in(doc)) >= at_least
    if len(chapters_in(doc)) < 8:
        assert doc.warnings


@pytest.mark.parametrize('packed', [False, True])
def test_a_file_that_lost_its_end_keeps_its_first_pages(packed, tmp_path):
    data = chapters(tmp_path / 'a.pdf')
    if packed:
        with pikepdf.open(tmp_path / 'a.pdf') as pdf:
            pdf.save(tmp_path / 'b.pdf', object_stream_mode=pikepdf.ObjectStreamMode.generate)
        data = (tmp_path / 'b.pdf').read_bytes()
    (tmp_path / 'cut.pdf').write_bytes(data[: len(data) * 9 // 10] if packed else data[: len(data) // 2 + 1500])
    doc = read_pdf(tmp_path / 'cut.pdf')
    assert doc.warnings and len(chapters_in(doc)) >= 4


def test_a_page_that_was_deleted_stays_deleted(tmp_path):
    chapters(tmp_path / 'a.pdf')
    with pikepdf.open(tmp_path / 'a.pdf') as pdf:
        del pdf.pages[2]
        pdf.save(tmp_path / 'b.pdf')
    doc = read_pdf(tmp_path / 'b.pdf')
    assert chapters_in(doc) == [1, 2, 4, 5, 6, 7, 8] and not doc.warnings


def test_random_damage_never_ends_in_another_error(tmp_path):
    whole = chapters(tmp_path / 'a.pdf', n=4)
    for seed in range(40):
        dice = random.Random(seed)
        data = bytearray(whole)
        for _ in range(dice.choice((3, 20, 100))):
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        path = tmp_path / f'{seed}.pdf'
        path.write_bytes(data)
        try:
            assert read_pdf(path).n_para >= 0
        except DocumentError as e:
            assert e.thing == str(path)


class DyingWorker:
    "Stands for a parser process that dies on some pages, or on all work after them."

    def __init__(self, pages, fatal, what='reading'):
        self.pages, self.fatal, self.what, self.asked = pages, fatal, what, 0

    def ask(self, request, deadline, stall, on_progress):
        self.asked += 1
        for page in range(1, self.pages + 1):
            on_progress(page, self.pages, self.what, 1)
            if page in self.fatal and page not in request['skip']:
                raise EOFError('exit -11')
        save(Corpus([Document.from_blocks('a.pdf', [Paragraph(f'skipped {request["skip"]}')])]), request['out'])
        return {'done': True}

    def close(self):
        pass


@pytest.mark.parametrize('what', ['reading', 'recognition'])
def test_pages_that_kill_the_parser_cost_only_themselves(what):
    worker = DyingWorker(24, {3, 9, 14, 20, 24}, what)
    doc = read_in_subprocess(Path('a.pdf'), worker=worker)
    assert text_of(doc).endswith('skipped [3, 9, 14, 20, 24]') and worker.asked == 6


def test_a_parser_that_dies_everywhere_is_given_up():
    worker = DyingWorker(24, set(range(1, 25)))
    with pytest.raises(DocumentError):
        read_in_subprocess(Path('a.pdf'), worker=worker)
    assert worker.asked < 15


@pytest.mark.parametrize('mode, format', [('RGB', 'PNG'), ('RGB', 'JPEG'), ('1', 'TIFF'), ('P', 'PNG')])
def test_a_huge_picture_is_reduced_and_keeps_its_scale(mode, format):
    Image.new(mode, (9000, 6000), 1).save(out := io.BytesIO(), format, dpi=(600, 600))
    picture, scale = read_frame(open_picture(out.getvalue(), 'a'), 1, 'a')
    assert picture.size == (4000, 2667) and picture.mode == 'RGB'
    assert abs(4000 / scale - 9000 / 600 * 72) < 1


def test_a_pdf_with_damaged_first_letters_is_one(tmp_path):
    data = chapters(tmp_path / 'a.pdf')
    assert file_kind(Path('a.pdf'), b'%P\xc4F' + data[4:]) == 'pdf'
    assert file_kind(Path('a.pdf'), b'$PDF' + data[4:]) == 'pdf'
