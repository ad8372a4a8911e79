"Bad input, as whoever types a command or calls `ask` meets it: a sentence that names the thing, the reason and the mend, and nothing of the work lost."

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.__main__ import main as begin
from deepread_nb.agent.record import STOPS, load_trajectory
from deepread_nb.agent.library import Library
from deepread_nb.search.chunks import ChunkIndex
from deepread_nb.cli import main
from deepread_nb.core.document import Corpus, Document, Heading, Paragraph, paragraphs
from deepread_nb.core.errors import DeepReadError
from deepread_nb.core.files import load, save
from deepread_nb.core.document import to_json
from deepread_nb.core.toc import toc
from deepread_nb.search.dense import DenseIndex
from deepread_nb.search.find import QueryIndex
from deepread_nb.search.hybrid import HybridIndex
from deepread_nb.search.index import Index, QueryError
from deepread_nb.llm.chat import Recorded, Scripted
from deepread_nb.llm.models import MODELS, find_model, stored_at
from deepread_nb.parse.parse import DocumentWarning, parse_file, parse_folder, parse_paths
from deepread_nb.systems.registry import ask

ROOT = pathlib.Path(__file__).parent.parent
NOTICE = '# Notice\n\nThe gate opens at nine.\n'
NOBODY = 'm@http://127.0.0.1:9/v1'


def turn(tool: str, **args) -> dict:
    return dict(thought='Look.', call=dict(tool=tool, **args))


def told(capsys, *argv: str) -> tuple[int, str]:
    "The exit code of a command, and what it says on stderr."
    code = main(argv)
    return code, capsys.readouterr().err


# --- documents ----------------------------------------------------------------------------------------


def locked(path) -> None:
    canvas = Canvas(str(path), encrypt=StandardEncryption('word'))
    canvas.drawString(72, 720, 'Secret')
    canvas.save()


def drawing(path) -> None:
    canvas = Canvas(str(path))
    canvas.rect(72, 72, 200, 200)
    canvas.save()


BAD = {
    'empty.pdf': (lambda p: p.write_bytes(b''), 'the file is empty', 'Copy it again'),
    'locked.pdf': (locked, 'the PDF is encrypted', 'Give its password'),
    'cut.pdf': (lambda p: p.write_bytes(b'%PDF-1.4\n1 0 obj\n<<'), 'the PDF is damaged', 'Download or export it again'),
    'page.pdf': (
        lambda p: p.write_text('<!doctype html><p>404'),
        'a web page under the name of a PDF',
        'Download the PDF itself',
    ),
    'blank.md': (lambda p: p.write_text('\n \n'), 'not a single paragraph', 'Check what it really is'),
    'drawing.pdf': (drawing, 'text recognition is switched off', "Read it with ocr='auto'"),
    'cut.docx': (lambda p: p.write_bytes(b'PK\x03\x04 cut'), 'a damaged archive', 'Copy it again'),
    'notes.xyz': (lambda p: p.write_text('text'), 'files of type .xyz are not read', 'Convert it to one of'),
}


@pytest.mark.parametrize('name', BAD)
def test_a_bad_file_alone_is_one_clear_line(folder, home, capsys, name):
    make, reason, mend = BAD[name]
    make(folder / name)
    code, said = told(capsys, 'index', str(folder / name), '--ocr', 'none')
    assert code == 1 and 'Traceback' not in said
    assert f'{folder / name}: ' in said and reason in said and mend in said


@pytest.mark.parametrize(
    'name', [n for n in BAD if n not in ('notes.xyz', 'drawing.pdf')]
)  # a folder may hold what is no document; a drawing goes through recognition first
def test_beside_a_good_file_it_is_a_warning_and_the_question_is_answered(folder, home, name):
    BAD[name][0](folder / name)
    (folder / 'gate.md').write_text(NOTICE)
    chat = Scripted([turn('Retrieve', query='gate'), turn('answer'), 'At nine.', dict(citations=['1:1:1'])])
    with pytest.warns(DocumentWarning, match=name):
        run = ask('When does the gate open?', folder, chat, folder=None)
    assert run.answer == 'At nine.' and run.citations[0].document == 'gate.md'


def test_a_file_that_may_not_be_read(folder, home, capsys, monkeypatch):
    "The tests may run as a user who may read everything, so the system's refusal is played."

    def refuse(path):
        raise PermissionError(13, 'Permission denied', str(path))

    (folder / 'gate.md').write_text(NOTICE)
    monkeypatch.setattr(pathlib.Path, 'read_bytes', refuse)
    code, said = told(capsys, 'index', str(folder / 'gate.md'))
    assert (
        code == 1
        and 'gate.md: the file cannot be read (Permission denied). Check that it is a file and that you may read it.'
        in said
    )


@pytest.mark.parametrize(
    'what, reason',
    [
        ('none', 'there is no such folder'),
        ('none.pdf', 'there is no such'),
        ('', 'there are no documents in this folder'),
    ],
)
def test_documents_that_are_not_there(folder, home, capsys, what, reason):
    for argv in (['index', str(folder / what)], ['ask', 'Why?', str(folder / what), '--model', NOBODY]):
        code, said = told(capsys, *argv)
        assert code == 1 and str(folder / what) in said and reason in said


def test_a_folder_of_bad_files_alone_names_the_first(folder, home, capsys):
    for name in ('empty.pdf', 'locked.pdf'):
        BAD[name][0](folder / name)
    code, said = told(capsys, 'ask', 'Why?', str(folder), '--model', NOBODY)
    assert code == 1 and 'not one of its files could be read. The first: ' in said and 'empty.pdf' in said


@pytest.mark.parametrize('documents', [[], [Document.from_blocks('a.md', [Heading('Only a heading', 1)])]])
def test_a_corpus_without_a_paragraph(documents):
    "rank-bm25 divides by the number of paragraphs: an index over none finds nothing, and a question of none is refused."
    corpus = Corpus(documents)
    assert [list(Index(corpus, unit).search('gate', 3)) for unit in ('paragraph', 'page')] == [[], []]
    with pytest.raises(DeepReadError, match='it holds no text'):
        ask('Why?', corpus, Scripted([]), folder=None)


@pytest.mark.parametrize(
    'damage', [dict(title=None), dict(children=[9]), dict(parent=7), dict(paragraphs=[[1]]), dict(paragraphs=None)]
)
def test_a_corpus_file_that_was_tampered_with(folder, home, capsys, damage):
    corpus = to_json(Corpus([Document.from_blocks('a.md', [Heading('Gate', 1), Paragraph('It opens at nine.')])]))
    corpus['documents'][0]['sections'][0] |= damage
    (folder / 'c.json').write_text(json.dumps(corpus))
    code, said = told(capsys, 'ask', 'Why?', str(folder / 'c.json'), '--model', NOBODY)
    assert code == 1 and 'c.json: its data is damaged' in said and 'Index the files again' in said


def test_no_name_is_not_the_folder_one_is_in(folder, home, capsys, monkeypatch):
    (folder / 'gate.md').write_text(NOTICE)
    monkeypatch.chdir(folder)
    for argv in (['index', ''], ['ask', 'Why?', '', '--model', NOBODY]):
        code, said = told(capsys, *argv)
        assert code == 1 and 'this names no folder' in said


def test_a_place_where_nothing_can_be_written(folder, home, capsys, monkeypatch):
    (folder / 'gate.md').write_text(NOTICE)
    (folder / 'file').write_text('')
    script = Scripted([turn('Retrieve', query='gate'), turn('answer'), 'At nine.', dict(citations=['1:1:1'])])
    run = ask('When does the gate open?', folder, script, folder=folder / 'runs')
    for argv in (
        ['view', str(run.path), '--out', str(folder / 'file' / 'x.html')],
        ['index', str(folder / 'gate.md'), '--out', str(folder / 'file' / 'c.json')],
    ):
        code, said = told(capsys, *argv)
        assert code == 1 and 'it cannot be written' in said and 'Choose another place' in said
    monkeypatch.setenv('DEEPREAD_HOME', str(folder / 'file'))
    (folder / 'gate.md').write_text(NOTICE * 2)
    for argv in (['index', str(folder / 'gate.md')], ['models', 'fetch', 'smollm2-135m']):
        code, said = told(capsys, *argv)
        assert code == 1 and 'DEEPREAD_HOME' in said and 'Traceback' not in said


# --- the question, and the call -------------------------------------------------------------------------


@pytest.mark.parametrize('question', ['', '  ', '?!', '\n'])
def test_an_empty_question(folder, home, capsys, question):
    (folder / 'gate.md').write_text(NOTICE)
    code, said = told(capsys, 'ask', question, str(folder), '--model', NOBODY)
    assert code == 1 and said == 'deepread: the question: it is empty. Ask something.\n'


@pytest.mark.parametrize(
    'call',
    [
        Library,
        toc,
        Index,
        HybridIndex,
        Corpus,
        ChunkIndex,
        to_json,
        lambda c: list(paragraphs(c)),
        lambda c: save(c, 'none.json'),
        lambda c: Library(Corpus([])).ranker(c, 'page'),
        lambda c: DenseIndex(c, None),
    ],
)
@pytest.mark.parametrize('odd', ['data', pathlib.Path('data'), None, ['a.pdf']])
def test_what_is_no_corpus_is_told_with_the_way_to_one(call, odd):
    with pytest.raises(DeepReadError, match=r"Read one from your files with parse_folder\('data'\)"):
        call(odd)


@pytest.mark.parametrize('call', [parse_file, parse_folder, load, load_trajectory, Recorded, parse_paths])
@pytest.mark.parametrize('odd', [None, 7, {7: 8}, [None]])
def test_what_is_no_path(call, odd):
    with pytest.raises(DeepReadError, match='this is no path. Give a text or a Path'):
        call(odd)


@pytest.mark.parametrize('odd', [None, 7, ['horn'], dict(query='horn')])
def test_what_is_no_query(odd):
    corpus = Corpus([Document.from_blocks('gate.md', [Heading('Notice', 1), Paragraph('The gate opens at nine.')])])
    for search in (
        Index(corpus).search,
        HybridIndex(corpus).search,
        ChunkIndex(corpus).search,
        QueryIndex(Index(corpus)).find,
    ):
        with pytest.raises(QueryError, match="this is no query. Ask with words"):
            search(odd)


def test_errors_as_json_are_one_object_on_stdout(folder, home, capsys):
    assert main(['ask', 'Why?', str(folder / 'none'), '--json']) == 1
    out = capsys.readouterr()
    assert 'there is no such folder' in json.loads(out.out)['error'] and not out.err


# --- models ---------------------------------------------------------------------------------------------


def test_a_registered_model_that_is_truncated_or_another_is_removed(folder, home, capsys):
    (folder / 'gate.md').write_text(NOTICE)
    path = stored_at(find_model('smollm2-135m'))
    path.parent.mkdir(parents=True)
    for data in (b'GGUF' + b'\0' * 100, b'another model'):
        path.write_bytes(data)
        code, said = told(capsys, 'ask', 'Why?', str(folder), '--model', 'smollm2-135m')
        assert code == 1 and 'was removed. Fetch it again with `deepread models fetch smollm2-135m`.' in said
        assert not path.exists()


@pytest.mark.parametrize(
    'data, reason',
    [
        (b'GGUF' + b'\3\0\0\0' + b'\xff' * 16, 'llama.cpp could not load it'),
        (b'<html>', 'this is not a GGUF file'),
        (b'', 'this is not a GGUF file'),
    ],
)
def test_a_model_file_of_ones_own_that_is_none(folder, home, capsys, data, reason):
    (folder / 'gate.md').write_text(NOTICE)
    (folder / 'my.gguf').write_bytes(data)
    code, said = told(
        capsys, 'ask', 'Why?', str(folder), '--model', str(folder / 'my.gguf'), '--runs', str(folder / 'runs')
    )
    assert code == 1 and 'my.gguf: ' in said and reason in said and 'Traceback' not in said


@pytest.mark.parametrize('data', [b'\xff\xfe\0', b'[1]\n', None])
def test_a_recording_that_is_none(folder, home, capsys, data):
    (folder / 'gate.md').write_text(NOTICE)
    if data is None:
        (folder / 'r.jsonl').mkdir()
    else:
        (folder / 'r.jsonl').write_bytes(data)
    code, said = told(
        capsys,
        'ask',
        'Why?',
        str(folder / 'gate.md'),
        '--model',
        str(folder / 'r.jsonl'),
        '--runs',
        str(folder / 'runs'),
    )
    assert code == 1 and 'r.jsonl: ' in said and 'record' in said


@pytest.mark.parametrize('data', [b'', b'GGUF' + b'\0' * 100])
def test_fetch_replaces_a_damaged_file_and_says_so(folder, home, capsys, monkeypatch, data):
    "Without a source the message names both: what was found, and that there is no other."
    entry = find_model('smollm2-135m')
    monkeypatch.setattr('deepread_nb.llm.models.MODELS', (replace(entry, sources=()),))
    path = stored_at(entry)
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    code, said = told(capsys, 'models', 'fetch', 'smollm2-135m')
    first, second = (line for line in said.splitlines() if line.startswith('deepread: '))  # the others are bars
    assert (
        code == 1
        and first.startswith('deepread: smollm2-135m: the file had the hash ')
        and first.endswith('was removed. It is fetched again.')
    )
    assert (
        'was removed, and no source delivered another (none is registered). Connect to the network and try again, or put the file at '
        in second
    )
    path.write_bytes(good := b'GGUF and all the rest')
    monkeypatch.setattr(
        'deepread_nb.llm.models.MODELS', (replace(entry, sources=(), sha256=hashlib.sha256(good).hexdigest()),)
    )
    code, said = told(capsys, 'models', 'fetch', 'smollm2-135m')
    assert code == 0 and 'deepread: ' not in said


def test_a_model_that_was_never_fetched(folder, home, capsys):
    (folder / 'gate.md').write_text(NOTICE)
    for model in MODELS:
        code, said = told(capsys, 'ask', 'Why?', str(folder), '--model', model.name)
        assert code == 1 and f'deepread models fetch {model.name}' in said


# --- servers --------------------------------------------------------------------------------------------


@pytest.fixture
def server():
    "A server that answers every call with the body it was given."

    class Answer(BaseHTTPRequestHandler):
        status, kind, body, promised = 200, 'text/event-stream', b'', None  # bytes it says will come

        def do_POST(self):
            self.rfile.read(int(self.headers['Content-Length']))
            self.send_response(self.status)
            self.send_header('Content-Type', self.kind)
            if self.promised:
                self.send_header('Content-Length', str(self.promised))
            self.end_headers()
            self.wfile.write(self.body)

        def log_message(self, *args):
            pass

    http = ThreadingHTTPServer(('127.0.0.1', 0), Answer)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield Answer, f'm@http://127.0.0.1:{http.server_port}/v1'
    http.shutdown()
    http.server_close()


def asked_of(model: str, folder, capsys) -> tuple[int, str, str]:
    (folder / 'gate.md').write_text(NOTICE)
    code = main(['ask', 'When does the gate open?', str(folder), '--model', model, '--runs', str(folder / 'runs')])
    out = capsys.readouterr()
    return code, out.err, ' '.join(out.out.split())


def test_a_server_that_is_down_and_what_was_done_is_kept(folder, home, capsys):
    code, said, out = asked_of(NOBODY, folder, capsys)
    assert code == 1 and 'http://127.0.0.1:9/v1: no server answers there. Start it, or check the address.' in said
    run = load_trajectory(next((folder / 'runs').glob('*.jsonl')))
    assert run.stop == 'error' and f'is kept: {run.path}' in out


@pytest.mark.parametrize(
    'status, body, reason',
    [
        (200, b'<html>Welcome</html>', 'not a chat completion'),
        (200, b'data: <html>\n\n', 'not a chat completion'),
        (200, b'data: {"choices": 7}\n\n', 'not a chat completion'),
        (404, b'no', 'the server refused (404'),
        (200, b'', 'not a chat completion'),
        (200, b'data: {"error": {"message": "out of memory"}}\n\n', 'the server failed (out of memory)'),
    ],
)
def test_a_server_that_answers_garbage(folder, home, capsys, server, status, body, reason):
    answer, model = server
    answer.status, answer.body = status, body
    code, said, _ = asked_of(model, folder, capsys)
    assert code == 1 and model.partition('@')[2] in said and reason in said and 'Traceback' not in said


HELLO = json.dumps(
    dict(
        id='1',
        object='chat.completion.chunk',
        created=1,
        model='m',
        choices=[dict(index=0, delta=dict(content='{"thought'), finish_reason=None)],
    )
).encode()


def test_a_server_that_goes_away_in_the_middle_of_a_reply(folder, home, capsys, server):
    answer, model = server
    answer.body = b'data: ' + HELLO + b'\n\n'
    for promised in (0, 500):  # it ends too soon, or breaks off before what it promised has come
        answer.promised = len(answer.body) + promised
        code, said, _ = asked_of(model, folder, capsys)
        assert code == 1 and 'the server broke off in the middle of a reply' in said


@pytest.mark.parametrize(
    'model, mend',
    [
        ('http://127.0.0.1:9/v1', 'Write NAME@http://server/v1'),
        ('m@127.0.0.1:9', 'Write NAME@http://server/v1'),
        ('m@http://127.0.0.1:port/v1', 'Write one such as http://localhost:8080/v1'),
    ],
)
def test_an_address_that_is_none(folder, home, capsys, model, mend):
    code, said, _ = asked_of(model, folder, capsys)
    assert code == 1 and mend in said and not (folder / 'runs').exists()


def test_a_model_that_cannot_keep_to_the_form(folder, home, capsys, server):
    "A server without grammars may send prose where a turn was asked for: the run ends with the reason, and is kept."
    answer, model = server
    answer.body = (
        b'data: '
        + json.dumps(
            dict(
                id='1',
                object='chat.completion.chunk',
                created=1,
                model='m',
                choices=[dict(index=0, delta=dict(content='I would look it up.'), finish_reason='stop')],
            )
        ).encode()
        + b'\n\ndata: [DONE]\n\n'
    )
    code, _, out = asked_of(model, folder, capsys)
    assert code == 3 and 'The model twice wrote something that is no action.' in out and 'no JSON object' in out
    assert load_trajectory(next((folder / 'runs').glob('*.jsonl'))).stop == 'malformed'


# --- Ctrl-C at any moment -------------------------------------------------------------------------------


class Interrupt:
    "Raises KeyboardInterrupt at the n-th line of this package that a run comes to; counts the lines otherwise."

    def __init__(self, n: int | None = None):
        self.n, self.lines = n, 0

    def __call__(self, frame, event, arg):
        if not frame.f_globals.get('__name__', '').startswith('deepread_nb.'):
            return None
        if event == 'line':
            self.lines += 1
            if self.lines == self.n:
                raise KeyboardInterrupt
        return self


def asked_while(interrupt: Interrupt, library: Library, folder) -> None:
    chat = Scripted(
        [
            turn('Retrieve', query='gate'),
            turn('ReadSection', doc_id=1, sec_id=1, start=1, end=2),
            turn('answer'),
            'At nine.',
            dict(citations=['1:1:1']),
        ]
    )
    sys.settrace(interrupt)
    try:
        ask('When does the gate open?', library, chat, folder=folder)
    except KeyboardInterrupt:
        pass  # before the run began, or as it was being closed
    finally:
        sys.settrace(None)


def test_ctrl_c_at_any_moment_leaves_a_readable_trajectory(tmp_path):
    library = Library(
        Corpus(
            [
                Document.from_blocks(
                    'gate.md',
                    [Heading('Notice', 1), Paragraph('The gate opens at nine.'), Paragraph('It closes at six.')],
                )
            ]
        )
    )
    library.paragraphs.search('gate')
    asked_while(count := Interrupt(), library, tmp_path / 'whole')
    whole = load_trajectory(next((tmp_path / 'whole').glob('*.jsonl')))
    assert whole.stop == 'answered' and len(whole.steps) == 3
    seen = set()
    for n in range(1, count.lines, max(1, count.lines // 100)):
        asked_while(Interrupt(n), library, tmp_path / str(n))
        for path in (tmp_path / str(n)).glob('*.jsonl') if (tmp_path / str(n)).exists() else ():
            run = load_trajectory(path)
            assert run.stop in STOPS and run.question == whole.question
            done = [s for s in run.steps if s.action]  # without a step that was broken off
            assert [s.action for s in done] == [s.action for s in whole.steps][: len(done)]
            assert all(s.calls and not s.ok and s is run.steps[-1] for s in run.steps if not s.action)
            seen.add((run.stop, len(run.steps)))
    assert {('interrupted', k) for k in range(3)} <= seen  # before the first step, and after each


def test_ctrl_c_in_the_middle_of_a_line_leaves_it_aside(tmp_path):
    chat = Scripted([turn('Retrieve', query='gate'), turn('answer'), 'At nine.', dict(citations=['1:1:1'])])
    run = ask(
        'When does the gate open?',
        Document.from_blocks('gate.md', [Paragraph('The gate opens at nine.')]),
        chat,
        folder=tmp_path,
    )
    whole = run.path.read_bytes()
    head = whole.index(b'\n')
    for size in range(head, len(whole), 97):
        run.path.write_bytes(whole[:size])
        cut = load_trajectory(run.path)
        assert len(cut.steps) <= 2 and cut.question == run.question


@pytest.mark.parametrize(
    'n, damage',
    [(1, b'{"format": "deepread_nb.traj'), (1, b'\xff\xfe'), (1, b'[]'), (2, b'{"step": {"n": 1}}'), (3, b'\0\0\0')],
)
def test_a_damaged_line_of_a_trajectory_is_named(folder, home, capsys, n, damage):
    chat = Scripted([turn('Retrieve', query='gate'), turn('answer'), 'At nine.', dict(citations=['1:1:1'])])
    run = ask(
        'When does the gate open?',
        Document.from_blocks('gate.md', [Paragraph('The gate opens at nine.')]),
        chat,
        folder=folder,
    )
    lines = run.path.read_bytes().split(b'\n')
    run.path.write_bytes(b'\n'.join([*lines[: n - 1], damage, *lines[n:]]))
    code, said = told(capsys, 'view', str(run.path))
    assert (
        code == 1
        and f'{run.path}, line {n}: it is damaged (' in said
        and 'Restore the file from a copy, or ask again.' in said
    )


# --- the command as a program ----------------------------------------------------------------------------


def test_python_m_and_a_reader_who_has_seen_enough(folder, home):
    (folder / 'gate.md').write_text('\n\n'.join(f'# Gate {n}\n\nIt opens at nine.' for n in range(2000)))
    env = os.environ | dict(DEEPREAD_HOME=str(home), PYTHONPATH=os.pathsep.join(sys.path))
    child = subprocess.Popen(
        [sys.executable, '-m', 'deepread_nb', 'index', str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert child.stdout.readline().startswith('Document 1: gate.md')
    child.stdout.close()  # as head does
    assert 'Traceback' not in child.stderr.read() and child.wait(60) in (0, 141)
    child.stderr.close()


@pytest.mark.parametrize('asked', ['What costs $1,577 and $(HOME)?', "It's \"so\"; `x` & # more"])
def test_make_takes_a_question_as_it_was_typed(asked):
    "make would read $1 as the name of a variable, and ask about ,577."
    make = [
        'make',
        '-f',
        str(ROOT / 'Makefile'),
        '--no-print-directory',
        '--eval',
        'said: ; @printf "%s|%s" "$$Q" "$$DOCS"',
        'said',
        f'Q={asked}',
        'DOCS=my docs',
    ]
    assert subprocess.run(make, capture_output=True, text=True, cwd=ROOT).stdout == f'{asked}|my docs'


def test_ctrl_c_while_the_package_is_loaded_is_a_line(monkeypatch, capsys):
    "The command begins with an import that takes a second."

    def stopped(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr('deepread_nb.cli.main', stopped)
    assert begin() == 130 and capsys.readouterr().err == 'deepread: interrupted\n'
