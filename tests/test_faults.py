"Bad input to the command and to `ask`: one line names the thing, the reason and the mend, and no work is lost."

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.__main__ import main as begin
from deepread_nb.agent.library import Library
from deepread_nb.agent.record import STOPS, load_trajectory
from deepread_nb.cli import main
from deepread_nb.core.corpus import Corpus, paragraphs, to_json
from deepread_nb.core.document import Document, Heading, Paragraph
from deepread_nb.core.errors import DeepReadError, DocumentError, FormatError
from deepread_nb.core.files import load, save
from deepread_nb.core.toc import toc
from deepread_nb.llm.models import MODELS, find_model, stored_model
from deepread_nb.llm.scripted import Recorded, Scripted
from deepread_nb.parse.files import parse_file
from deepread_nb.parse.folder import DocumentWarning, parse_folder, parse_paths
from deepread_nb.search.chunks import ChunkIndex
from deepread_nb.search.dense import DenseIndex
from deepread_nb.search.find import QueryIndex
from deepread_nb.search.hybrid import HybridIndex
from deepread_nb.search.index import Index
from deepread_nb.search.protocol import QueryError
from deepread_nb.systems.registry import ask

ROOT = pathlib.Path(__file__).parent.parent
NOTICE = '# Notice\n\nThe gate opens at nine.\n'
NOBODY = 'm@http://127.0.0.1:9/v1'


def turn(tool: str, **args) -> dict:
    return dict(thought='Look.', call=dict(tool=tool, **args))


def run_command(capsys, *argv: str) -> tuple[int, str]:
    "The exit code of a command, and what it prints to stderr."
    code = main(argv)
    return code, capsys.readouterr().err


def error_of(capsys, *argv: str) -> str:
    "The error line of a command that fails: exit code 1, no traceback, a line that begins with the program's name."
    code, err = run_command(capsys, *argv)
    assert code == 1 and 'Traceback' not in err
    lines = [line for line in err.splitlines() if line.startswith('deepread: ')]
    return lines[-1].removeprefix('deepread: ')


# --- documents ----------------------------------------------------------------------------------------


def locked(path) -> None:
    canvas = Canvas(str(path), encrypt=StandardEncryption('word'))
    canvas.drawString(72, 720, 'Secret')
    canvas.save()


def drawing(path) -> None:
    canvas = Canvas(str(path))
    canvas.rect(72, 72, 200, 200)
    canvas.save()


# how each bad file is made, and a word that its error must contain: it tells the reasons apart
BAD_FILES = {
    'empty.pdf': (lambda path: path.write_bytes(b''), 'empty'),
    'locked.pdf': (locked, 'encrypted'),
    'cut.pdf': (lambda path: path.write_bytes(b'%PDF-1.4\n1 0 obj\n<<'), 'damaged'),
    'page.pdf': (lambda path: path.write_text('<!doctype html><p>404'), 'web page'),
    'blank.md': (lambda path: path.write_text('\n \n'), 'paragraph'),
    'drawing.pdf': (drawing, 'text recognition'),
    'cut.docx': (lambda path: path.write_bytes(b'PK\x03\x04 cut'), 'archive'),
    'notes.xyz': (lambda path: path.write_bytes(bytes(range(256))), '.xyz'),
}


@pytest.mark.parametrize('name', BAD_FILES)
def test_a_bad_file_alone_is_one_clear_line(folder, home, capsys, name):
    make, reason = BAD_FILES[name]
    make(folder / name)
    error = error_of(capsys, 'index', str(folder / name), '--ocr', 'none')
    assert error.startswith(f'{folder / name}: ') and reason in error
    with pytest.raises(DocumentError) as caught:
        parse_file(folder / name, ocr=False)
    assert caught.value.thing == str(folder / name) and caught.value.mend and error == str(caught.value)


# a folder may hold files that are not documents, and a drawing goes through recognition first
@pytest.mark.parametrize('name', [n for n in BAD_FILES if n not in ('notes.xyz', 'drawing.pdf')])
def test_a_bad_file_beside_a_good_one_is_a_warning_and_the_question_is_answered(folder, home, name):
    BAD_FILES[name][0](folder / name)
    (folder / 'gate.md').write_text(NOTICE)
    chat = Scripted([turn('Retrieve', query='gate'), turn('answer'), 'At nine.', dict(citations=['1:1:1'])])
    with pytest.warns(DocumentWarning, match=name):
        run = ask('When does the gate open?', folder, chat, folder=None)
    assert run.answer == 'At nine.' and run.citations[0].document == 'gate.md'


def test_a_file_that_may_not_be_read(folder, home, capsys, monkeypatch):
    "The tests may run as a user who can read everything, so the refusal of the system is simulated."

    def refuse(path):
        raise PermissionError(13, 'Permission denied', str(path))

    (folder / 'gate.md').write_text(NOTICE)
    monkeypatch.setattr(pathlib.Path, 'read_bytes', refuse)
    error = error_of(capsys, 'index', str(folder / 'gate.md'))
    assert error.startswith(f'{folder / "gate.md"}: ') and 'Permission denied' in error


@pytest.mark.parametrize('what', ['none', 'none.pdf', ''])
def test_documents_that_are_not_there(folder, home, capsys, what):
    for argv in (['index', str(folder / what)], ['ask', 'Why?', str(folder / what), '--model', NOBODY]):
        assert error_of(capsys, *argv).startswith(f'{folder / what}: ')


def test_a_folder_of_bad_files_alone_names_the_first(folder, home, capsys):
    for name in ('empty.pdf', 'locked.pdf'):
        BAD_FILES[name][0](folder / name)
    error = error_of(capsys, 'ask', 'Why?', str(folder), '--model', NOBODY)
    assert error.startswith(f'{folder}: ') and str(folder / 'empty.pdf') in error and 'locked.pdf' not in error


@pytest.mark.parametrize('documents', [[], [Document.from_blocks('a.md', [Heading('Only a heading', 1)])]])
def test_a_corpus_without_a_paragraph(documents):
    "rank-bm25 divides by the number of paragraphs. An index over none finds nothing, and no question can be asked."
    corpus = Corpus(documents)
    assert [list(Index(corpus, unit).search('gate', 3)) for unit in ('paragraph', 'page')] == [[], []]
    with pytest.raises(DeepReadError):
        ask('Why?', corpus, Scripted([]), folder=None)


@pytest.mark.parametrize(
    'damage', [dict(title=None), dict(children=[9]), dict(parent=7), dict(paragraphs=[[1]]), dict(paragraphs=None)]
)
def test_a_corpus_file_that_was_tampered_with(folder, home, capsys, damage):
    corpus = to_json(Corpus([Document.from_blocks('a.md', [Heading('Gate', 1), Paragraph('It opens at nine.')])]))
    corpus['documents'][0]['sections'][0] |= damage
    (folder / 'c.json').write_text(json.dumps(corpus))
    assert error_of(capsys, 'ask', 'Why?', str(folder / 'c.json'), '--model', NOBODY).startswith(
        f'{folder / "c.json"}: '
    )
    with pytest.raises(FormatError) as caught:
        load(folder / 'c.json')
    assert caught.value.thing == str(folder / 'c.json') and caught.value.mend


def test_an_empty_name_is_not_the_current_folder(folder, home, capsys, monkeypatch):
    (folder / 'gate.md').write_text(NOTICE)
    monkeypatch.chdir(folder)
    for argv in (['index', ''], ['ask', 'Why?', '', '--model', NOBODY]):
        assert error_of(capsys, *argv).startswith("'': ")


def test_a_place_where_nothing_can_be_written(folder, home, capsys, monkeypatch):
    (folder / 'gate.md').write_text(NOTICE)
    (folder / 'file').write_text('')
    script = Scripted([turn('Retrieve', query='gate'), turn('answer'), 'At nine.', dict(citations=['1:1:1'])])
    run = ask('When does the gate open?', folder, script, folder=folder / 'runs')
    for argv in (
        ['view', str(run.path), '--out', str(folder / 'file' / 'x.html')],
        ['index', str(folder / 'gate.md'), '--out', str(folder / 'file' / 'c.json')],
    ):
        assert error_of(capsys, *argv).startswith(f'{argv[-1]}: ')
    monkeypatch.setenv('DEEPREAD_HOME', str(folder / 'file'))
    (folder / 'gate.md').write_text(NOTICE * 2)
    for argv in (['index', str(folder / 'gate.md')], ['models', 'fetch', 'smollm2-135m']):
        assert 'DEEPREAD_HOME' in error_of(capsys, *argv)  # the mend names the variable


# --- the question, and the call -------------------------------------------------------------------------


@pytest.mark.parametrize('question', ['', '  ', '?!', '\n'])
def test_an_empty_question(folder, home, capsys, question):
    (folder / 'gate.md').write_text(NOTICE)
    assert error_of(capsys, 'ask', question, str(folder), '--model', NOBODY).startswith('the question: ')


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
@pytest.mark.parametrize('given', ['data', pathlib.Path('data'), None, ['a.pdf']])
def test_something_that_is_not_a_corpus_is_an_error_that_says_how_to_get_one(call, given):
    with pytest.raises(DeepReadError) as caught:
        call(given)
    assert type(given).__name__ in caught.value.thing and "parse_folder('data')" in caught.value.mend


@pytest.mark.parametrize('call', [parse_file, parse_folder, load, load_trajectory, Recorded, parse_paths])
@pytest.mark.parametrize('given', [None, 7, {7: 8}, [None]])
def test_something_that_is_not_a_path(call, given):
    with pytest.raises(DeepReadError) as caught:
        call(given)
    assert re.match('NoneType|int|dict|list', caught.value.thing) and caught.value.mend


@pytest.mark.parametrize('given', [None, 7, ['horn'], dict(query='horn')])
def test_something_that_is_not_a_query(given):
    corpus = Corpus([Document.from_blocks('gate.md', [Heading('Notice', 1), Paragraph('The gate opens at nine.')])])
    for search in (
        Index(corpus).search,
        HybridIndex(corpus).search,
        ChunkIndex(corpus).search,
        QueryIndex(Index(corpus)).find,
    ):
        with pytest.raises(QueryError) as caught:
            search(given)
        assert caught.value.mend


def test_errors_as_json_are_one_object_on_stdout(folder, home, capsys):
    assert main(['ask', 'Why?', str(folder / 'none'), '--json']) == 1
    out = capsys.readouterr()
    assert json.loads(out.out)['error'].startswith(f'{folder / "none"}: ') and not out.err


# --- models ---------------------------------------------------------------------------------------------


def test_a_registered_model_with_the_wrong_content_is_removed(folder, home, capsys):
    (folder / 'gate.md').write_text(NOTICE)
    path = stored_model(find_model('smollm2-135m'))
    path.parent.mkdir(parents=True)
    for data in (b'GGUF' + b'\0' * 100, b'another model'):
        path.write_bytes(data)
        error = error_of(capsys, 'ask', 'Why?', str(folder), '--model', 'smollm2-135m')
        assert error.startswith('smollm2-135m: ') and 'deepread models fetch smollm2-135m' in error
        assert not path.exists()


@pytest.mark.parametrize(
    'data, word', [(b'GGUF' + b'\3\0\0\0' + b'\xff' * 16, 'llama.cpp'), (b'<html>', 'GGUF'), (b'', 'GGUF')]
)
def test_a_model_file_that_is_not_a_model(folder, home, capsys, data, word):
    (folder / 'gate.md').write_text(NOTICE)
    model = folder / 'my.gguf'
    model.write_bytes(data)
    error = error_of(capsys, 'ask', 'Why?', str(folder), '--model', str(model), '--runs', str(folder / 'runs'))
    assert error.startswith(f'{model}: ') and word in error


@pytest.mark.parametrize('data', [b'\xff\xfe\0', b'[1]\n', None])
def test_a_recording_that_is_not_a_recording(folder, home, capsys, data):
    (folder / 'gate.md').write_text(NOTICE)
    if data is None:
        (folder / 'r.jsonl').mkdir()
    else:
        (folder / 'r.jsonl').write_bytes(data)
    argv = ['ask', 'Why?', str(folder / 'gate.md'), '--model', str(folder / 'r.jsonl'), '--runs', str(folder / 'runs')]
    assert 'r.jsonl' in error_of(capsys, *argv)


@pytest.mark.parametrize('data', [b'', b'GGUF' + b'\0' * 100])
def test_fetch_replaces_a_damaged_file_and_says_so(folder, home, capsys, monkeypatch, data):
    "A damaged file is reported and removed; if no source has another, the error says where to put one."
    entry = find_model('smollm2-135m')
    monkeypatch.setattr('deepread_nb.llm.models.MODELS', (replace(entry, sources=()),))
    path = stored_model(entry)
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    code, err = run_command(capsys, 'models', 'fetch', 'smollm2-135m')
    warning, error = (line for line in err.splitlines() if line.startswith('deepread: '))  # the others are bars
    assert code == 1 and warning.startswith('deepread: smollm2-135m: ') and 'hash' in warning
    assert error.startswith('deepread: smollm2-135m: ') and str(path) in error and not path.exists()
    good = b'GGUF and all the rest'
    path.write_bytes(good)
    sha256 = hashlib.sha256(good).hexdigest()
    monkeypatch.setattr('deepread_nb.llm.models.MODELS', (replace(entry, sources=(), sha256=sha256),))
    code, err = run_command(capsys, 'models', 'fetch', 'smollm2-135m')
    assert code == 0 and 'deepread: ' not in err


def test_a_model_that_was_never_fetched(folder, home, capsys):
    (folder / 'gate.md').write_text(NOTICE)
    for model in MODELS:
        error = error_of(capsys, 'ask', 'Why?', str(folder), '--model', model.name)
        assert f'deepread models fetch {model.name}' in error


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


def ask_model(model: str, folder, capsys) -> tuple[int, str, str]:
    "Exit code, stderr and stdout of `deepread ask` with this model."
    (folder / 'gate.md').write_text(NOTICE)
    code = main(['ask', 'When does the gate open?', str(folder), '--model', model, '--runs', str(folder / 'runs')])
    out = capsys.readouterr()
    return code, out.err, ' '.join(out.out.split())


def test_a_server_that_is_down_and_the_steps_so_far_are_kept(folder, home, capsys):
    code, err, out = ask_model(NOBODY, folder, capsys)
    assert code == 1 and err.startswith('deepread: http://127.0.0.1:9/v1: ')
    run = load_trajectory(next((folder / 'runs').glob('*.jsonl')))
    assert run.stop == 'error' and str(run.path) in out


@pytest.mark.parametrize(
    'status, body, word',
    [
        (200, b'<html>Welcome</html>', ''),
        (200, b'data: <html>\n\n', ''),
        (200, b'data: {"choices": 7}\n\n', ''),
        (404, b'no', '404'),
        (200, b'', ''),
        (200, b'data: {"error": {"message": "out of memory"}}\n\n', 'out of memory'),
    ],
)
def test_a_server_that_answers_garbage(folder, home, capsys, server, status, body, word):
    answer, model = server
    answer.status, answer.body = status, body
    code, err, _ = ask_model(model, folder, capsys)
    assert code == 1 and err.startswith(f'deepread: {model.partition("@")[2]}: ')
    assert word in err and 'Traceback' not in err


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
    for missing in (0, 500):  # it ends too soon, or sends fewer bytes than it announced
        answer.promised = len(answer.body) + missing
        code, err, _ = ask_model(model, folder, capsys)
        assert code == 1 and err.startswith(f'deepread: {model.partition("@")[2]}: ') and 'Traceback' not in err


@pytest.mark.parametrize('model', ['http://127.0.0.1:9/v1', 'm@127.0.0.1:9', 'm@http://127.0.0.1:port/v1'])
def test_something_that_is_not_an_address(folder, home, capsys, model):
    code, err, _ = ask_model(model, folder, capsys)
    assert code == 1 and '127.0.0.1' in err and 'http://' in err and not (folder / 'runs').exists()


def test_a_model_that_cannot_keep_to_the_protocol(folder, home, capsys, server):
    "A server without grammars may send prose instead of a turn. The run ends with the reason, and is kept."
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
    code, _, out = ask_model(model, folder, capsys)
    run = load_trajectory(next((folder / 'runs').glob('*.jsonl')))
    assert code == 3 and run.stop == 'malformed'
    assert run.outcome.error in out  # the reason is printed


# --- Ctrl-C at any moment -------------------------------------------------------------------------------


class Interrupt:
    "A trace function that raises KeyboardInterrupt at the n-th line of this package; without n it counts the lines."

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


def ask_while_tracing(interrupt: Interrupt, library: Library, folder) -> None:
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
        pass  # before the run began, or while it was being closed
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
    ask_while_tracing(count := Interrupt(), library, tmp_path / 'whole')
    whole = load_trajectory(next((tmp_path / 'whole').glob('*.jsonl')))
    assert whole.stop == 'answered' and len(whole.steps) == 3
    seen = set()
    for n in range(1, count.lines, max(1, count.lines // 100)):
        ask_while_tracing(Interrupt(n), library, tmp_path / str(n))
        for path in (tmp_path / str(n)).glob('*.jsonl') if (tmp_path / str(n)).exists() else ():
            run = load_trajectory(path)
            assert run.stop in STOPS and run.question == whole.question
            done = [s for s in run.steps if s.action]  # without a step that was interrupted
            assert [s.action for s in done] == [s.action for s in whole.steps][: len(done)]
            assert all(s.calls and not s.ok and s is run.steps[-1] for s in run.steps if not s.action)
            seen.add((run.stop, len(run.steps)))
    assert {('interrupted', k) for k in range(3)} <= seen  # before the first step, and after each


def test_a_line_that_was_written_only_in_part_is_ignored(tmp_path):
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
    assert error_of(capsys, 'view', str(run.path)).startswith(f'{run.path}, line {n}: ')


# --- the command as a program ----------------------------------------------------------------------------


def test_python_m_with_a_reader_that_closes_the_pipe(folder, home):
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
    "make would take $1 for a variable, and ask about ,577."
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


def test_ctrl_c_while_the_package_is_loaded_is_one_line(monkeypatch, capsys):
    "The command begins with an import that takes a second."

    def stopped(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr('deepread_nb.cli.main', stopped)
    assert begin() == 130 and capsys.readouterr().err == 'deepread: interrupted\n'
