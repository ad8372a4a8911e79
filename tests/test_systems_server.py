"Systems and eyes over a server: a small test server speaks the OpenAI protocol and takes several calls at once."

import json
import re
import threading
from base64 import b64decode
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from deepread_nb.agent.library import Library
from deepread_nb.agent.page_messages import ask_about_area
from deepread_nb.agent.record import load_trajectory, prompts
from deepread_nb.agent.vision import PageArea, Sheet, draw_references
from deepread_nb.core.corpus import Corpus
from deepread_nb.llm.scripted import Scripted
from deepread_nb.llm.server import OpenAIChat
from deepread_nb.parse.files import parse_file
from deepread_nb.systems.docv import DocV
from deepread_nb.systems.sleuth import SCREEN, Sleuth

DATA = Path(__file__).parent.parent / 'data'
QUESTION = 'How long is the ropeway line, measured along the slope?'


@pytest.fixture(scope='module')
def library() -> Library:
    return Library(
        Corpus([parse_file(DATA / name, cache=None) for name in ('ropeway_report.pdf', 'night_cars_memo.pdf')])
    )


@contextmanager
def serving(say, **more):
    "A chat with a server whose words are `say(messages, schema)`."

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args):
            pass

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
            try:
                said = say(asked['messages'], asked.get('response_format', {}).get('json_schema', {}).get('schema'))
            except threading.BrokenBarrierError:
                return self.send_error(403, 'nobody else came')
            text = said if isinstance(said, str) else json.dumps(said)
            choice = dict(index=0, delta=dict(content=text), finish_reason='stop')
            chunk = dict(id='1', object='chat.completion.chunk', created=1, model='m', choices=[choice])
            self.send_response(200)
            self.send_header('Content-Type', 'text/event-stream')
            self.end_headers()
            self.wfile.write(f'data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n'.encode())

    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield OpenAIChat('m', f'http://127.0.0.1:{server.server_port}/v1', **more)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def detective(messages, schema):
    "A model that plays all of SLEUTH's agents; what it says depends on what it is asked alone."
    names = (schema or {}).get('required', [])
    if 'evidence_items' in names:
        where = re.search(r'this page, (\S+), page (\d+)', str(messages[-1]['content']))
        clue = dict(
            evidence_type='text',
            content=f'{where[1]} {where[2]}',
            location='top',
            insight='so',
            relevance='why',
            confidence='high',
        )
        return dict(has_relevant_evidence=True, page_summary='', evidence_items=[clue])
    if names == SCREEN['required']:
        return dict(has_chart=True, relevance='Relevant', reasoning='A table.')
    if 'difficulty_level' in names:
        return dict(difficulty_level=0, instruction_set='Look it up.')
    return dict(pages=schema['properties']['pages']['items']['enum'][:1]) if schema else '3,260 metres'


class Meeting:
    "Answers clue and screening calls only when `size` of them wait; counts how many ever waited at once."

    def __init__(self, size: int):
        self.barrier, self.lock, self.here, self.most, self.kinds = (
            threading.Barrier(size, timeout=60),
            threading.Lock(),
            0,
            0,
            [],
        )

    def __call__(self, messages, schema):
        names = (schema or {}).get('required', [])
        if 'evidence_items' in names or names == SCREEN['required']:
            with self.lock:
                self.here += 1
                self.most = max(self.most, self.here)
                self.kinds.append(names[0])
            self.barrier.wait()
            with self.lock:
                self.here -= 1
        return detective(messages, schema)


def test_sleuths_calls_about_pages_overlap_on_a_server(library):
    "Each of four calls waits for the three others: one after the other, none of them would ever be answered."
    meeting = Meeting(4)
    with serving(meeting, parallel=4) as chat:
        run = Sleuth(k=4).run(QUESTION, library, chat)
    assert (run.stop, run.answer) == ('answered', '3,260 metres')
    assert (
        meeting.most == 4 and len(meeting.kinds) == 8
    )  # two agents on four pages, never more at once than the server takes
    assert sorted(meeting.kinds[:4]) == ['has_chart'] * 2 + ['has_relevant_evidence'] * 2  # both agents of two pages
    one_by_one = Sleuth(k=4).run(QUESTION, library, Scripted(detective))
    assert [s.action for s in run.steps] == [s.action for s in one_by_one.steps]
    assert [(c.purpose, c.reply) for c in run.calls] == [(c.purpose, c.reply) for c in one_by_one.calls]
    assert [p for _, p in prompts(run)] == [p for _, p in prompts(one_by_one)]


def test_a_server_that_takes_one_call_is_asked_one_at_a_time(library):
    with serving(detective, parallel=1) as chat:
        run = Sleuth(k=3).run(QUESTION, library, chat)
    assert run.answer == '3,260 metres'
    meeting = Meeting(2)
    meeting.barrier = threading.Barrier(2, timeout=0.2)  # two would have to come; only one does, and the server says so
    with serving(meeting, parallel=1) as chat, pytest.raises(Exception, match=r'the server refused \(403'):
        Sleuth(k=2).run(QUESTION, library, chat)
    assert meeting.most == 1


def test_trouble_on_one_page_keeps_what_was_done_at_the_same_time(library):
    first = next(iter(library.pages.search(QUESTION, 1)))
    spoilt = f'{library.corpus.document(first.doc_id).name}, page {first.page}'

    def say(messages, schema):
        if 'evidence_items' in (schema or {}).get('required', []) and spoilt in str(messages):
            return 'Hm.'
        return detective(messages, schema)

    with serving(say, parallel=4) as chat:
        run = Sleuth(k=4).run(QUESTION, library, chat)
    assert (run.stop, [s.ok for s in run.steps]) == ('malformed', [True, False, True])
    assert [[c.purpose for c in s.calls] for s in run.steps] == [[], ['clues', 'repair', 'screen'], ['clues', 'screen']]


def picture_sizes(messages, schema):
    "What a model that sees says here: the size of every picture it was sent."
    parts = [p for m in messages if isinstance(m['content'], list) for p in m['content'] if p['type'] == 'image_url']
    return (
        ' and '.join(
            '{} x {}'.format(*Image.open(BytesIO(b64decode(p['image_url']['url'].split(',')[1]))).size) for p in parts
        )
        or 'no picture'
    )


def test_pages_parts_and_overviews_reach_a_vision_server(library):
    corpus = library.corpus
    table = next(p for s in corpus.document(1).sections for p in s.paragraphs if p.kind == 'table')
    whole, part, sheet = (
        PageArea(1, table.page),
        PageArea(1, table.page, table.box),
        Sheet(tuple((1, n) for n in range(1, 10))),
    )
    with serving(picture_sizes, sees=True, n_ctx=32_000) as chat:
        page, region, thumbs = (
            ask_about_area(look, 'What is there?', chat, corpus, limit=2000) for look in (whole, part, sheet)
        )
    assert {page.eyes, region.eyes, thumbs.eyes} == {'pictures'}
    assert page.answer == '728 x 1036' and thumbs.answer == '756 x 840'
    wide, high = map(int, region.answer.split(' x '))
    assert (
        abs(wide / high - (table.box.x1 - table.box.x0) / (table.box.y1 - table.box.y0)) < 0.3 * wide / high
        and wide > 728
    )  # the part is drawn larger than it is on the page
    with serving(picture_sizes) as blind:
        seen = ask_about_area(part, 'What is there?', blind, corpus)
    assert (seen.answer, seen.eyes) == ('no picture', 'ocr')


def test_a_trajectory_says_which_eyes_were_used_and_whose(library, tmp_path):
    def say(messages, schema):
        if not schema:
            return picture_sizes(messages, schema)
        if 'pages' in schema['required']:
            return dict(pages=schema['properties']['pages']['items']['enum'][:1])
        first = 'plan' in schema['properties']['thought']['properties']
        block = dict(plan='Look.') if first else dict(relevant_pages=[3])
        return dict(
            thought=dict(analysis='', **block, summary='So.'),
            call=dict(tool='fetch_page', pages=[3]) if first else dict(tool='answer'),
        )

    with serving(say, sees=True, n_ctx=32_000) as chat:
        run = DocV().run(QUESTION, library, chat, path=tmp_path / 'run.jsonl')
    kept = load_trajectory(run.path)
    assert (kept.header['params']['eyes'], kept.header['model']['kind'], kept.header['model']['sees']) == (
        'pictures',
        'OpenAIChat',
        True,
    )
    assert (
        kept.answer == '756 x 1120 and 728 x 1036'
    )  # the sheet of eleven thumbnails, and the page, in the paper's size
    assert 'base64' not in run.path.read_text()
    assert (
        picture_sizes(draw_references([p for _, p in prompts(kept)][-2], library.corpus), None) == kept.answer
    )  # drawn again from the record
    blind = DocV().run(QUESTION, library, Scripted(say), path=tmp_path / 'blind.jsonl')
    assert (blind.header['params']['eyes'], blind.answer) == ('ocr', 'no picture')
