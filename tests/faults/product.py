"""What the fault cases ask of the product, in terms of its modules of today (`FAULTS_PRODUCT=tests/faults`)."""

import json
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import time
import unicodedata
import warnings
from dataclasses import dataclass, field

from deepread_nb.agent.loop import Budget
from deepread_nb.core.errors import DeepReadError
from deepread_nb.core.quoting import CLOSE, OPEN
from deepread_nb.core.tables import table_grid
from deepread_nb.llm.by_name import open_chat
from deepread_nb.llm.scripted import Scripted
from deepread_nb.parse.folder import parse_folder, parse_paths
from deepread_nb.search.hybrid import HybridIndex
from deepread_nb.search.index import Index
from deepread_nb.search.protocol import QueryError
from deepread_nb.systems.registry import ask as put_question

SITE = pathlib.Path(__file__).resolve().parent / 'site'

# --- surroundings ------------------------------------------------------------------------------------------


def environment(home):
    "Variables under which the product keeps its own files in this folder."
    # A case may start a process of its own, in which its folder, with a product.py for older modules, stands first.
    path = os.pathsep.join(filter(None, [str(SITE), os.environ.get('PYTHONPATH', '')]))
    return {'DEEPREAD_HOME': str(home), 'OMP_NUM_THREADS': '1', 'PYTHONPATH': path}


def with_key(key):
    "Variables by which a user hands over the key of a server."
    return {'OPENAI_API_KEY': key}


# --- reading documents -------------------------------------------------------------------------------------


@dataclass
class Grid:
    "A table: every place of it, a cell that spans several places repeated in each."

    rows: list  # of all rows, heads included, the texts
    n_heads: int  # rows at the top that name the columns

    def above(self, value):
        "The texts that stand in the same column above the cell with this text."
        for i, row in enumerate(self.rows):
            if value in row:
                return list(dict.fromkeys(r[row.index(value)] for r in self.rows[:i] if r[row.index(value)]))
        return None

    def row_with(self, *values):
        "Whether one row holds cells with exactly these texts."
        return any(all(v in row for v in values) for row in self.rows)


@dataclass
class Read:
    "What was understood of documents."

    corpus: object = None
    names: list = field(default_factory=list)  # of the documents
    headings: list = field(default_factory=list)
    paragraphs: list = field(default_factory=list)  # texts, as they are searched and cited
    blocks: list = field(default_factory=list)  # headings and paragraphs, in reading order
    shown: list = field(default_factory=list)  # the same as a model reads them
    tables: list = field(default_factory=list)  # of Grid
    margins: list = field(default_factory=list)  # running heads, page numbers and the like, kept beside the text
    warnings: list = field(default_factory=list)
    refused: str = ''  # why nothing could be read

    @property
    def text(self):
        return '\n'.join(self.blocks)

    @property
    def told(self):
        return '\n'.join([*self.warnings, self.refused])


def _spaced(text):
    return ' '.join(text.split())


def _grid(table):
    return Grid([[_spaced(c.text) if c else '' for c in row] for row in table_grid(table)], table.n_header)


def _understood(corpus, told):
    seen = Read(corpus, warnings=[str(w) for w in told])
    for doc in corpus:
        seen.names.append(doc.name)
        seen.warnings += doc.warnings
        seen.margins += [p.text for p in doc.furniture]
        for section in doc.sections:
            seen.headings.append(section.title)
            seen.blocks.append(section.title)
            seen.shown.append(section.title)
            for p in section.paragraphs:
                seen.paragraphs.append(p.text)
                seen.blocks.append(p.text)
                seen.shown.append(p.markdown)
                if p.table:
                    seen.tables.append(_grid(p.table))
    return seen


def _reading(how, what):
    told = []
    with warnings.catch_warnings(record=True) as loose:
        warnings.simplefilter('always')
        try:
            seen = _understood(how(what, progress=False, on_warning=told.append, cache=None), told)
        except DeepReadError as e:
            seen = Read(refused=str(e), warnings=[str(w) for w in told])
    seen.warnings += [str(w.message) for w in loose]
    return seen


def read(*files):
    "Named files."
    return _reading(parse_paths, list(files))


def read_folder(folder):
    "All that a folder holds."
    return _reading(parse_folder, folder)


# --- searching ---------------------------------------------------------------------------------------------


class Texts(list):
    "The texts of hits. A case may quote the first one of none in words that are never shown."

    def __getitem__(self, place):
        return '' if place == 0 and not self else super().__getitem__(place)


def find(seen, query, k=3):
    "For each way of searching the texts of its hits, best first."
    out = {}
    for name, engine in (('plain', Index), ('default', HybridIndex)):
        try:
            out[name] = Texts(seen.corpus[h.coord].text for h in engine(seen.corpus).search(query, k))
        except QueryError:
            out[name] = Texts()
    return out


# --- asking ------------------------------------------------------------------------------------------------


def content(message):
    "The words of a message."
    said = message['content']
    return said if isinstance(said, str) else '\n'.join(p.get('text', '') for p in said)


class Part:
    """A model that searches once, then answers, then cites the paragraph that holds the words `cites` (or the first).

    `dress` changes what it writes: a function of the text and the turn, which is 'search', 'done', 'words' or 'cite'.
    """

    def __init__(self, query, answer, cites='', dress=None, search=True):
        self.query, self.answer, self.cites, self.search = query, answer, cites, search
        self.dress = dress or (lambda text, turn: text)
        self.searched, self.last, self.prompts = not search, '', []

    def __call__(self, messages, schema=None):
        self.prompts.append(list(messages))
        turn = self._turn(messages, schema or {})
        return self.dress(self._said(turn, messages, schema or {}), turn)

    def _turn(self, messages, schema):
        last, asked = content(messages[-1]), schema.get('properties', {})
        if 'call' in asked:
            turn = 'act'
        elif asked:
            turn = 'cite'
        elif 'Which of the paragraphs' in last:
            turn = 'cite'
        elif 'in plain words' in last:
            turn = 'words'
        elif last.startswith('your reply'):
            turn = self.last if self.last in ('words', 'cite') else 'act'  # it is asked for the same once more
        else:
            turn = 'act'
        if turn == 'act':
            turn = 'search' if not self.searched or last.startswith('your reply') and self.last == 'search' else 'done'
            self.searched = True
        self.last = turn
        return turn

    def _said(self, turn, messages, schema):
        if turn == 'search':
            return json.dumps(
                dict(thought=f'Look for {self.query}', call=dict(tool='Retrieve', query=self.query)), ensure_ascii=False
            )
        if turn == 'done':
            return json.dumps(dict(thought='That will do.', call=dict(tool='answer')))
        if turn == 'words':
            return self.answer
        field = next(iter(schema.get('properties', {'citations': 0})))
        return json.dumps(
            {field: [self._cited(messages, schema.get('properties', {}).get(field, {}).get('items', {}).get('enum'))]},
            ensure_ascii=False,
        )

    def _cited(self, messages, offered):
        text = '\n'.join(map(content, messages))
        marks = list(dict.fromkeys(re.findall(r'^\[(\d+:\d+:\d+)\]', text, re.M)))
        wanted = [m for m in marks if self.cites and re.search(rf'^\[{m}\] [^\n]*{re.escape(self.cites)}', text, re.M)]
        return next((m for m in wanted if not offered or m in offered), (offered or marks or ['1:1:1'])[0])


@dataclass
class Answer:
    text: str
    stop: str  # how the run ended
    error: str
    cited: list  # (document, page, words, whether they were found on the page)
    prompts: list  # the messages that the model was given, call by call


def _answer(run, prompts):
    return Answer(
        run.answer,
        run.stop,
        run.outcome.error if run.outcome else '',
        [(c.document, c.page, c.quote, c.verified) for c in run.citations],
        prompts,
    )


def ask(question, seen, part):
    "Put a question; `part` plays the model."
    return _answer(
        put_question(question, seen.corpus, model=Scripted(part), budget=Budget(rounds=4), folder=None), part.prompts
    )


def ask_server(question, seen, address):
    "Put a question to a model behind a server."
    return _answer(
        put_question(question, seen.corpus, model=f'clerk@{address}', budget=Budget(rounds=4), folder=None), []
    )


def answered(answer):
    return answer.stop == 'answered'


def outside(messages):
    "A prompt without the document text between its marks, which are read as leniently as a model may."
    out = []
    for m in messages:
        text = unicodedata.normalize('NFKC', content(m))
        text = ''.join(ch for ch in text if unicodedata.category(ch) != 'Cf')
        for mark in (OPEN, CLOSE):
            text = re.sub(
                r'\s*'.join(map(re.escape, re.findall(r'\w+|\W', mark))), mark, text, flags=re.I
            )  # also with blanks in it, or in capitals
        text = text.replace(f'between {OPEN} and {CLOSE}', '')  # the sentence that explains the marks
        out.append(re.sub(rf'{re.escape(OPEN)}.*?{re.escape(CLOSE)}', ' ', text, flags=re.S))
    return '\n'.join(out)


# --- local models ------------------------------------------------------------------------------------------


def local(file, messages, schema=None, max_tokens=8):
    "What a model in a GGUF file is made to say, and the tokens of the prompt it was given."
    model = open_chat(file, n_ctx=2048)
    try:
        return model(messages, schema, max_tokens=max_tokens).text, model.count(messages)
    finally:
        model.close()


# --- the command -------------------------------------------------------------------------------------------


@dataclass
class Ran:
    code: int
    out: str  # on a terminal with what went to stderr
    err: str = ''


def command(*words, folder, env=(), terminal=False, limit=50):
    "Run the command of the product in a folder."
    full = [sys.executable, '-m', 'deepread_nb', *map(str, words)]
    around = os.environ | dict(env)
    if terminal:
        return _on_terminal(full, folder, around | dict(TERM='xterm-256color', COLUMNS='120', LINES='40'), limit)
    ran = subprocess.run(full, cwd=folder, env=around, capture_output=True, timeout=limit)
    return Ran(ran.returncode, ran.stdout.decode(errors='replace'), ran.stderr.decode(errors='replace'))


def _on_terminal(full, folder, around, limit):
    mine, theirs = pty.openpty()
    ran = subprocess.Popen(full, cwd=folder, env=around, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said, until = b'', time.monotonic() + limit
    try:
        while time.monotonic() < until:
            if not select.select([mine], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(mine, 65536)
            except OSError:
                break  # the other side has been closed
            if not piece:
                break
            said += piece
        else:
            raise TimeoutError('the command did not end')
        return Ran(ran.wait(10), said.decode(errors='replace'))
    finally:
        if ran.poll() is None:
            ran.kill()
        os.close(mine)


def command_index(folder, **how):
    return command('index', 'documents', folder=folder, **how)


def command_ask(question, address, folder, **how):
    return command('ask', question, 'documents', '--model', f'clerk@{address}', folder=folder, **how)
