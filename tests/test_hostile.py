"Hostile files, as they come in a folder from a stranger: deep nesting, bombs, paths that lead out, active content."

import json
import subprocess
import sys
import zipfile
from email.message import EmailMessage
from io import BytesIO

import docx
import pikepdf
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.core.errors import DocumentError
from deepread_nb.parse.files import parse_file
from deepread_nb.parse.folder import find_files, parse_each, parse_folder

pytestmark = pytest.mark.usefixtures('home')

TEXT = 'Two lamps burn on the quay all night.'


def texts(doc):
    return [p.text for s in doc.sections for p in s.paragraphs]


def pdf(path, text=TEXT):
    canvas = Canvas(str(path), pagesize=(400, 500), invariant=1)
    canvas.drawString(40, 440, text)
    canvas.save()
    return path


# --- nesting and bombs -----------------------------------------------------------------------------------


def mail(depth, inner=TEXT):
    "A message in a message in a message."
    message = EmailMessage()
    message['Subject'] = f'Lamps {depth}'
    message.set_content(inner)
    if depth:
        message.add_attachment(mail(depth - 1))
    return message


def deep_pdf(path):
    "A PDF whose page has an array of arrays of arrays."
    pdf(path)
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        file.pages[0].Contents = file.make_stream(
            file.pages[0].Contents.read_bytes() + b'\n' + b'[' * 60_000 + b']' * 60_000
        )
        file.save()


@pytest.mark.parametrize(
    'name, data',
    [
        ('a.html', b'<div>' * 60_000 + TEXT.encode() + b'</div>' * 60_000),
        ('a.html', b'<ul><li>' * 3_000 + TEXT.encode()),
        ('a.html', b'<table><tr><td>' * 2_000 + TEXT.encode()),
        ('a.json', b'[' * 100_000 + b']' * 100_000),
        ('a.json', b'{"a":' * 100_000 + b'1' + b'}' * 100_000),
        ('a.md', b'> ' * 20_000 + TEXT.encode()),
        ('a.md', b'[' * 20_000 + TEXT.encode()),
        ('a.eml', bytes(mail(30))),
        ('a.pdf', None),
    ],
    ids=['divs', 'lists', 'tables', 'arrays', 'objects', 'quotes', 'brackets', 'mail', 'pdf'],
)
def test_deep_nesting_ends_as_content_or_as_an_error_that_names_the_file(folder, name, data):
    if data is None:
        deep_pdf(folder / name)
    else:
        (folder / name).write_bytes(data)
    try:
        doc = parse_file(folder / name)
    except DocumentError as e:
        assert name in e.thing and e.reason and e.mend
    else:
        assert doc.n_para and TEXT in ' '.join(texts(doc))


def test_a_picture_of_too_many_pixels_is_refused(folder):
    from PIL import Image

    Image.new('1', (16_000, 16_000)).save(folder / 'a.png')
    with pytest.raises(DocumentError) as caught:
        parse_file(folder / 'a.png')
    assert 'a.png' in caught.value.thing and 'pixels' in caught.value.reason


def test_a_book_that_unpacks_to_a_bomb_is_refused(folder):
    with zipfile.ZipFile(folder / 'a.epub', 'w', zipfile.ZIP_DEFLATED) as book:
        book.writestr('META-INF/container.xml', b' ' * (48 * 2**20))
    with pytest.raises(DocumentError) as caught:
        parse_file(folder / 'a.epub')
    assert 'a.epub' in caught.value.thing and 'zip bomb' in caught.value.reason


# --- paths that lead out ---------------------------------------------------------------------------------


def test_members_of_an_archive_do_not_lead_out_of_it(folder, tmp_path):
    (tmp_path / 'secret.xhtml').write_text('<html><body><p>The key is under the mat.</p></body></html>')
    with zipfile.ZipFile(folder / 'a.epub', 'w') as book:
        book.writestr(
            'META-INF/container.xml', '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
        )
        book.writestr(
            'book.opf',
            f'''<package><manifest><item id="a" href="a.xhtml"/><item id="b" href="../secret.xhtml"/>
            <item id="c" href="file://{tmp_path}/secret.xhtml"/></manifest>
            <spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>''',
        )
        book.writestr('a.xhtml', f'<html><body><p>{TEXT}</p></body></html>')
        book.writestr('../../evil.txt', 'written outside')
    doc = parse_file(folder / 'a.epub')
    assert texts(doc) == [TEXT] and sum('is missing' in w for w in doc.warnings) == 2
    assert not list(tmp_path.rglob('evil.txt'))


def test_an_attachment_is_not_written_where_its_name_says(folder, tmp_path):
    message = EmailMessage()
    message.set_content(TEXT)
    message.add_attachment('The cat sleeps.', filename='../../evil.txt')
    (folder / 'a.eml').write_bytes(bytes(message))
    before = set(tmp_path.rglob('*'))
    assert 'The cat sleeps.' in texts(parse_file(folder / 'a.eml', cache=None))
    assert set(tmp_path.rglob('*')) == before


def test_two_different_files_of_one_name_stay_two(folder):
    for part, text in (('north', 'The north quay is wet.'), ('south', 'The south quay is dry.')):
        (folder / part).mkdir()
        pdf(folder / part / 'memo.pdf', text)
    for _ in range(2):  # the second time from the cache
        corpus = parse_folder(folder, progress=False)
        assert [(d.name, texts(d)) for d in corpus] == [
            ('north/memo.pdf', ['The north quay is wet.']),
            ('south/memo.pdf', ['The south quay is dry.']),
        ]


def test_a_folder_of_ten_thousand_files(folder):
    for n in range(10_000):
        (folder / f'{n:05}.txt').write_text('Lamp.')
    files = find_files(folder)
    assert len(files) == 10_000 and files[-1].name == '09999.txt'
    stream = parse_each(files, cache=None)
    # the first documents come before the last are read
    assert [next(stream).name for _ in range(3)] == ['00000.txt', '00001.txt', '00002.txt']
    stream.close()


# --- documents are data ----------------------------------------------------------------------------------

WATCHED = '''
import json, sys
from pathlib import Path
from deepread_nb.parse.kinds import file_kind
from deepread_nb.parse.readers import read_in_process
WATCHED = (
    'socket.', 'subprocess.', 'os.system', 'os.exec', 'os.posix_spawn', 'os.fork', 'urllib.', 'webbrowser.'
)
def watch(event, args):
    if event.startswith(WATCHED):
        raise AssertionError(f'{event} {args}')
paths = [Path(p) for p in sys.argv[1:]]
kinds = [file_kind(p, p.read_bytes()) for p in paths]
sys.addaudithook(watch)
print(json.dumps({p.name: read_in_process(p, p.read_bytes(), kind).n_para for p, kind in zip(paths, kinds)}))
'''


def active(folder):
    "Files that would run a program, open an address or load a picture from elsewhere, if they were allowed to."
    away = 'http://example.invalid/lamp.png'
    pdf(folder / 'a.pdf')
    with pikepdf.open(folder / 'a.pdf', allow_overwriting_input=True) as file:
        file.Root.OpenAction = pikepdf.Dictionary(
            S=pikepdf.Name.JavaScript, JS='app.launchURL("http://example.invalid")'
        )
        file.pages[0].AA = pikepdf.Dictionary(O=pikepdf.Dictionary(S=pikepdf.Name.Launch, F='/bin/true'))
        file.pages[0].Annots = file.make_indirect(
            [
                pikepdf.Dictionary(
                    Type=pikepdf.Name.Annot,
                    Subtype=pikepdf.Name.Link,
                    Rect=[40, 430, 200, 450],
                    A=pikepdf.Dictionary(S=pikepdf.Name.URI, URI=away),
                )
            ]
        )
        file.save()
    word = docx.Document()
    word.add_paragraph(TEXT)
    word.part.relate_to(away, RELATIONSHIP_TYPE.IMAGE, is_external=True)
    word.part.relate_to(
        'http://example.invalid/macro.dotm',
        'http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate',
        is_external=True,
    )
    word.save(out := BytesIO())
    (folder / 'a.docx').write_bytes(out.getvalue())
    (folder / 'a.html').write_text(
        f'<html><head><script src="{away}"></script><script>alert(1)</script>'
        f'<meta http-equiv="refresh" content="0;url={away}"></head>'
        f'<body><img src="{away}"><p>{TEXT}</p></body></html>'
    )
    (folder / 'a.md').write_text(f'# Lamps\n\n![a lamp]({away})\n\n<script>alert(1)</script>\n\n{TEXT}\n')
    message = EmailMessage()
    message.set_content(f'<img src="{away}"><p>{TEXT}</p>', subtype='html')
    (folder / 'a.eml').write_bytes(bytes(message))
    return sorted(folder.iterdir())


def test_nothing_of_a_document_is_run_or_fetched(folder):
    ran = subprocess.run(
        [sys.executable, '-c', WATCHED, *map(str, active(folder))], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert set(json.loads(ran.stdout.splitlines()[-1])) == {'a.docx', 'a.eml', 'a.html', 'a.md', 'a.pdf'}


def test_scripts_are_not_text(folder):
    active(folder)
    text = ' '.join(t for doc in parse_folder(folder, progress=False) for t in texts(doc))
    text = text.replace('<script>alert(1)</script>', '')  # in Markdown: shown, as any text
    assert text.count(TEXT) == 5 and 'alert(1)' not in text and 'launchURL' not in text
