"The page of a run: escaped, offline, whole, small, and explicit about what went wrong."

import base64
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.agent.citations import cite
from deepread_nb.agent.record import Call, Citation, Outcome, Step, Trajectory, load_trajectory
from deepread_nb.core.corpus import Corpus, paragraphs
from deepread_nb.core.document import Coord
from deepread_nb.core.errors import FormatError
from deepread_nb.core.messages import Usage
from deepread_nb.metrics.predictions import PageRef, Question
from deepread_nb.parse.files import parse_file
from deepread_nb.widgets.page import source_hash
from deepread_nb.widgets.runs import load_runs
from deepread_nb.widgets.verdicts import gold_steps
from deepread_nb.widgets.viewer import TrajectoryViewer, show

EVIL = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>&amp; http://example.org/'
VOID = {'meta', 'img', 'rect'}


class Page(HTMLParser):
    "Tags, attributes and text of a page; every tag must be closed in the right order."

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.attributes, self.opened, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.opened == []

    def handle_starttag(self, name, attrs):
        self.tags.append(name)
        self.attributes += [(name, k, v) for k, v in attrs]
        if name not in VOID:
            self.opened.append(name)

    def handle_endtag(self, name):
        if name not in VOID:
            assert self.opened.pop() == name

    def handle_data(self, text):
        self.texts.append(text)

    def values(self, key: str) -> list[str]:
        return [v for _, k, v in self.attributes if k == key]


def data_of(page: str) -> dict:
    "The data of a page's script."
    return json.loads(re.search('<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def evil_run() -> Trajectory:
    run = Trajectory(
        dict(question=EVIL, system=EVIL, model=dict(name=EVIL), documents=[EVIL], params={EVIL: EVIL}, extra=EVIL)
    )
    call = Call(EVIL, 0, [dict(role=EVIL, content=EVIL)], EVIL, Usage(9, 3, 2, 0.5), 80, dict(title=EVIL))
    run.add(
        Step(
            1, EVIL, dict(tool=EVIL, query=EVIL), EVIL, [Coord(1, 1, 1)], [Coord(1, 1, 1)], [(1, 2)], False, [call], 1.0
        )
    )
    return run.end(
        Outcome('error', EVIL, [Citation(Coord(1, 1, 1), EVIL, 2, [EVIL, EVIL], EVIL, None, False)], 2.0, EVIL)
    )


@pytest.fixture(scope='module')
def corpus(tmp_path_factory) -> Corpus:
    "A PDF of two pages."
    path = tmp_path_factory.mktemp('view') / 'ferry.pdf'
    canvas = Canvas(str(path), pagesize=(400, 500))
    for lines in (
        ['The ferry', 'The ferry leaves at nine every morning but Sunday.'],
        ['On Sunday the ferry leaves at eleven, after the bells.'],
    ):
        for i, line in enumerate(lines):
            canvas.drawString(50, 430 - 60 * i, line)
        canvas.showPage()
    canvas.save()
    return Corpus([parse_file(path, cache=None)])


@pytest.fixture(scope='module')
def run(corpus) -> Trajectory:
    coord = next(c for c, p in paragraphs(corpus) if 'eleven' in p.text)
    run = Trajectory(dict(question='When on Sunday?', corpus=corpus.hash, documents=['ferry.pdf']))
    run.add(
        Step(
            1,
            'Look.',
            dict(tool='Retrieve', query='Sunday'),
            corpus[coord].text,
            [coord],
            [coord],
            [(1, 2)],
            seconds=0.5,
        )
    )
    return run.end(Outcome('answered', 'At eleven.', [cite(corpus, coord, 'At eleven.')], 0.6))


def test_everything_is_escaped():
    asked = Question(EVIL, EVIL, ((EVIL,),), (PageRef(EVIL, 2),))
    text = show(evil_run(), questions=asked).html()
    page = Page(text)
    assert page.tags.count('script') == 2 and not {'img', 'iframe', 'object', 'link', 'form', 'base'} & set(
        page.tags
    )  # the data and our own
    assert not [k for _, k, _ in page.attributes if k.startswith('on') or k == 'style']
    shown = text[text.index('<main') : text.index('</main>')]
    assert shown.count('&lt;script&gt;') >= 6 and '<script' not in shown
    assert data_of(text)['steps'][0][0]['observation'] == EVIL  # and is read as it was written


@given(st.text(st.characters() | st.sampled_from('\ud800\x00\u2028\u202e<>&"'), max_size=40))
def test_any_text(text):
    run = Trajectory(dict(question=text))
    run.add(Step(1, text, dict(tool='Retrieve', query=[text, None]), text))
    page = show(run.end(Outcome('forced', text)), questions=Question('q', text, ((text,),))).html()
    assert (
        Page(page).tags.count('main') == 1 and page.encode() and data_of(page)['open'][0]['runs'][0]['question'] == text
    )


@pytest.mark.parametrize(
    'text',
    ['\x00\x1b[31m', '\ud800 half', '\u202e turned', '</pre></details></main>', '\r\n\n first', 'x' * 100_000],
    ids=repr,
)
def test_odd_text(text, tmp_path):
    run = Trajectory(dict(question=text))
    run.add(Step(1, text, dict(tool='Retrieve', query=[text, None]), text))
    show(run.end(Outcome('forced', text))).html(tmp_path / 'a.html')
    assert Page((tmp_path / 'a.html').read_text(encoding='utf-8')).tags.count('main') == 1


def test_odd_actions():
    run = Trajectory({})
    for n, action in enumerate([{}, dict(tool=5), dict(tool=['<u>']), dict(tool=None, a={})], 1):
        run.add(Step(n, '', action))
    assert 'u' not in Page(show(run).html()).tags


def test_offline(run, corpus):
    for text in (show(evil_run()).html(), show(run, corpus).html()):
        page = Page(text)
        assert not {'src', 'href', 'srcset', 'action', 'poster', 'background'} & {k for _, k, _ in page.attributes}
        assert len(page.values('id')) == len(set(page.values('id')))
    ours = re.sub(r'<script type="application/json".*?</script>', '', show(run, corpus).html(), flags=re.S)
    assert re.findall(r'https?://[^"]*', ours) == [
        'http://www.w3.org/2000/svg'
    ]  # the name of a language, which nothing fetches
    assert not re.search(r'@import|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|url\(', ours)


def test_policy(run):
    text = show(run).html()
    policy = Page(text).values('content')[0]
    rules = dict(part.strip().split(' ', 1) for part in policy.split(';'))
    assert (
        rules['default-src'] == "'none'"
        and rules['img-src'] == 'data:'
        and 'unsafe' not in policy
        and text.index('Content-Security-Policy') < text.index('<title')
    )
    assert rules['style-src'] == source_hash(re.search('<style>(.*?)</style>', text, re.S)[1])
    assert rules['script-src'] == source_hash(re.search('<script type="module">(.*?)</script>', text, re.S)[1])


def test_structure(run):
    page = Page(show(run).html())
    assert [page.tags.count(t) for t in ('html', 'head', 'body', 'main', 'title')] == [1] * 5
    assert page.values('lang') == ['en'] and page.values('charset') == ['utf-8']


def test_the_cited_page(run, corpus):
    data = data_of(show(run, corpus).html())
    picture = Image.open(BytesIO(base64.b64decode(data['pages']['1:2']['src'].partition(',')[2])))
    size, frame = corpus.document(1).pages[1], next(m for m in data['marks'][0]['1:2'] if m['how'] == 'cited')
    assert (picture.format, picture.width) == ('JPEG', 640) and frame['box'] == list(run.citations[0].box)
    x0, y0, x1, y1 = (round(v * 640 / size.width) for v in frame['box'])
    assert min(picture.convert('L').crop((x0, y0, x1, y1)).tobytes()) < 100  # there is print where the frame is
    assert data_of(show(run).html())['pages'] == {}


def test_a_file_that_is_gone_or_other(run, corpus):
    gone = Corpus(replace(d, source=str(Path(d.source).parent / 'gone.pdf')) for d in corpus)
    data = data_of(show(run, gone).html())
    assert 'no longer there' in data['pages']['1:2']['missing'] and data['open'][0]['note'] == ''
    other = Corpus(replace(d, title='Other', sha256='0' * 64) for d in corpus)
    data = data_of(show(run, other).html())
    assert (
        'has changed since' in data['pages']['1:2']['missing'] and 'compare them with care' in data['open'][0]['note']
    )


def test_unfinished_runs(tmp_path, run):
    path = tmp_path / 'run.jsonl'
    cut = Trajectory(dict(question='Why?'), path)
    assert data_of(show(path).html())['open'][0]['runs'][0]['steps'] == []
    cut.add(run.steps[0])
    [view] = data_of(show(path).html())['open'][0]['runs']
    assert (
        'without an outcome' in view['stop_text']
        and view['answer'] == ''
        and [s['tool'] for s in view['steps']] == ['Retrieve']
    )
    with path.open('a', encoding='utf-8') as f:
        f.write('{"step": {"n": 2, "thou')  # the machine went down here
    assert len(show(path).runs[0].steps) == 1
    for stop in ('interrupted', 'malformed', 'error'):
        ended = Trajectory(dict(question='Why?')).end(Outcome(stop, error='it is down'))
        assert data_of(show(ended).html())['open'][0]['runs'][0]['error'] == 'it is down'


@pytest.mark.parametrize('line', ['5', 'null', '[]', '{"format": "deepread_nb.trajectory"}', '"x"', '{"step": 5}'])
def test_files_that_are_no_runs(tmp_path, line):
    (tmp_path / 'a.jsonl').write_text(line + '\n')
    with pytest.raises(FormatError):
        load_runs(tmp_path / 'a.jsonl')


def damages(text: str) -> dict[str, tuple[str, int]]:
    "Damaged texts of a run's file, and the line in which each is damaged."
    lines = text.splitlines(keepends=True)
    return dict(
        header=(lines[0][:30], 1),
        step=(lines[0] + '{"step": {"n": 1}}\n{}\n', 2),
    )


def test_a_run_that_is_cut_in_a_later_line_is_shown_up_to_there(tmp_path, run):
    kept = Trajectory(run.header, tmp_path / 'a.jsonl')
    kept.add(run.steps[0])
    kept.end(run.outcome)
    text = kept.path.read_text()
    ends = [n + 1 for n, char in enumerate(text) if char == '\n']
    for cut in {*ends, *range(ends[0], len(text) - 1, 97)}:
        kept.path.write_text(text[:cut])
        [found] = load_runs(kept.path)
        assert len(found.steps) == int(cut >= ends[1])
        assert (found.outcome is not None) == (cut >= ends[2])


@pytest.mark.parametrize('kind', ['header', 'step'])
def test_a_damaged_run_is_left_out_where_there_are_others(tmp_path, run, kind):
    kept = Trajectory(run.header, tmp_path / 'a.jsonl')
    kept.add(run.steps[0])
    text, line = damages(kept.path.read_text())[kind]
    kept.path.write_text(text)
    whole = Trajectory(run.header, tmp_path / 'b.jsonl').end(run.outcome)
    (tmp_path / 'results.jsonl').write_text('{"answer": 5}\n')  # not a run
    with pytest.warns(UserWarning) as caught:
        assert [r.answer for r in load_runs(tmp_path)] == ['At eleven.']
    assert f'{kept.path}, line {line}' in str(caught[0].message)
    whole.path.unlink()
    for where in (kept.path, tmp_path):
        with pytest.raises(FormatError) as error:
            load_runs(where)
        assert error.value.thing == f'{kept.path}, line {line}'


def test_long_runs_stay_small():
    run = Trajectory({})
    for n in range(60):
        run.add(
            Step(
                n + 1,
                '',
                dict(tool='Retrieve'),
                calls=[Call('act', 2 * n, [dict(role='user', content='word ' * 2000)], 'ok', Usage(), 9)],
            )
        )
    text = show(run).html()
    assert len(text) < 1_000_000
    assert len(TrajectoryViewer([run]).prompt(0, 59, 0)) == 119  # and each prompt is whole


def test_the_mark_of_a_run_is_that_of_the_scorer(run, corpus):
    asked = Question(
        's1', 'When on Sunday?', (('eleven',),), (PageRef('ferry.pdf', 2), PageRef('ferry.pdf', 1)), ('ferry.pdf',)
    )
    told = show(run, corpus, asked).opening()['runs'][0]['gold']
    assert told['mark'] == 1 and told['page_f1'] == pytest.approx(2 / 3)
    assert [(p['page'], p['steps'], p['cited']) for p in told['pages']] == [(2, [1], True), (1, [], False)]
    wrong = show(
        run, corpus, replace(asked, answer_variants=(('noon',),), evidence=(PageRef('ferry.pdf', 1),))
    ).opening()['runs'][0]['gold']
    assert wrong['mark'] == 0 and 'not a gold page. Cause: navigation' in wrong['text']


@given(st.lists(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 4)), max_size=4), max_size=6), st.integers(1, 4))
def test_a_gold_page_was_shown_where_it_was_shown(pages, gold):
    run = Trajectory(dict(documents=['a.pdf', 'b.pdf', 'c.pdf']))
    for n, shown in enumerate(pages, 1):
        run.add(Step(n, '', dict(tool='Retrieve'), pages=shown))
    assert gold_steps(run, PageRef('b.pdf', gold)) == [n for n, shown in enumerate(pages, 1) if (2, gold) in shown]


def test_a_loaded_run_shows_what_was_written(tmp_path, run):
    kept = Trajectory(run.header, tmp_path / 'a.jsonl')
    for s in run.steps:
        kept.add(s)
    kept.end(run.outcome)
    assert (
        data_of(show(tmp_path / 'a.jsonl').html())
        == data_of(show(load_trajectory(tmp_path / 'a.jsonl')).html())
        == data_of(show(run).html())
    )
