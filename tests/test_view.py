"The page of a run as a browser and its reader meet it: escaped, offline, whole, and legible."
import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.agent import Call, Citation, Outcome, Step, Trajectory, cite, load_trajectory
from deepread_nb.core import Coord, Corpus, paragraphs
from deepread_nb.llm import Usage
from deepread_nb.parse import parse_file
from deepread_nb.widgets.trajectory import POLICY, STYLE, save_html, trajectory_html

EVIL = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>&amp; http://example.org/'
VOID = {'meta', 'img', 'rect'}


class Page(HTMLParser):
    "Tags, attributes and text of a page; every tag must be closed in its turn."
    def __init__(self, text: str):
        super().__init__()
        self.tags, self.attributes, self.opened, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.opened == []

    def handle_starttag(self, name, attrs):
        self.tags.append(name)
        self.attributes += [(name, k, v) for k, v in attrs]
        if name not in VOID: self.opened.append(name)

    def handle_endtag(self, name):
        if name not in VOID: assert self.opened.pop() == name

    def handle_data(self, text): self.texts.append(text)

    def values(self, key: str) -> list[str]: return [v for _, k, v in self.attributes if k == key]


def evil_run() -> Trajectory:
    run = Trajectory(dict(question=EVIL, system=EVIL, model=dict(name=EVIL), documents=[EVIL], params={EVIL: EVIL}, extra=EVIL))
    call = Call(EVIL, 0, [dict(role=EVIL, content=EVIL)], EVIL, Usage(9, 3, 2, .5), 80, dict(title=EVIL))
    run.add(Step(1, EVIL, dict(tool=EVIL, query=EVIL), EVIL, [Coord(1, 1, 1)], [Coord(1, 1, 1)], [(1, 2)], False, [call], 1.))
    return run.end(Outcome('error', EVIL, [Citation(Coord(1, 1, 1), EVIL, 2, [EVIL, EVIL], EVIL, None, False)], 2., EVIL))


@pytest.fixture(scope='module')
def corpus(tmp_path_factory) -> Corpus:
    "A PDF of two pages."
    path = tmp_path_factory.mktemp('view')/'ferry.pdf'
    canvas = Canvas(str(path), pagesize=(400, 500))
    for lines in (['The ferry', 'The ferry leaves at nine every morning but Sunday.'], ['On Sunday the ferry leaves at eleven, after the bells.']):
        for i, line in enumerate(lines): canvas.drawString(50, 430 - 60*i, line)
        canvas.showPage()
    canvas.save()
    return Corpus([parse_file(path, cache=None)])


@pytest.fixture(scope='module')
def run(corpus) -> Trajectory:
    coord = next(c for c, p in paragraphs(corpus) if 'eleven' in p.text)
    run = Trajectory(dict(question='When on Sunday?', corpus=corpus.hash, documents=['ferry.pdf']))
    run.add(Step(1, 'Look.', dict(tool='Retrieve', query='Sunday'), corpus[coord].text, [coord], [coord], [(1, 2)], seconds=.5))
    return run.end(Outcome('answered', 'At eleven.', [cite(corpus, coord, 'At eleven.')], .6))


def test_everything_is_escaped():
    text = trajectory_html(evil_run())
    page = Page(text)
    assert not {'script', 'img', 'iframe', 'object', 'link', 'form', 'base'} & set(page.tags)
    assert not [k for _, k, _ in page.attributes if k.startswith('on') or k == 'style']
    assert text.count('&lt;script&gt;') >= 15 and '<script' not in text
    assert ''.join(page.texts).count(EVIL) >= 15 # and is read as it was written


@pytest.mark.parametrize('text', ['\x00\x1b[31m', '\ud800 half', '\u202e turned', '</pre></details></main>', '\r\n\n first', 'x'*100_000], ids=repr)
def test_odd_text(text, tmp_path):
    run = Trajectory(dict(question=text))
    run.add(Step(1, text, dict(tool='Retrieve', query=[text, None]), text))
    page = Page(save_html(run.end(Outcome('forced', text)), tmp_path/'a.html').read_text(encoding='utf-8'))
    assert page.tags.count('main') == 1


def test_odd_actions():
    run = Trajectory({})
    for n, action in enumerate([{}, dict(tool=5), dict(tool=['<b>']), dict(tool=None, a={})], 1): run.add(Step(n, '', action))
    assert 'b' not in Page(trajectory_html(run)).tags


def test_offline(run, corpus):
    for text in (trajectory_html(evil_run()), trajectory_html(run, corpus)):
        page = Page(text)
        assert all(v.startswith('#') for v in page.values('href')) and all(v.startswith('data:image/jpeg') for v in page.values('src'))
        assert set(v[1:] for v in page.values('href')) <= set(page.values('id'))
        assert len(page.values('id')) == len(set(page.values('id')))
        assert not {'srcset', 'action', 'poster', 'background', 'xmlns'} & {k for _, k, _ in page.attributes}
    assert 'http' not in trajectory_html(run, corpus).replace('http-equiv', '')
    assert not re.search(r'url\(|@import|expression', STYLE)


def test_policy(run):
    text = trajectory_html(run)
    assert Page(text).values('content')[0] == POLICY and text.index('Content-Security-Policy') < text.index('<title')
    rules = dict(part.strip().split(' ', 1) for part in POLICY.split(';'))
    assert rules['default-src'] == "'none'" and rules['img-src'] == 'data:' and 'unsafe' not in POLICY and 'script-src' not in rules
    style = re.search('<style>(.*?)</style>', text, re.S)[1]
    assert rules['style-src'] == f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"


def test_structure(run):
    page = Page(trajectory_html(run))
    assert [page.tags.count(t) for t in ('html', 'head', 'body', 'main', 'h1', 'title')] == [1]*6
    assert page.values('lang') == ['en'] and page.values('charset') == ['utf-8'] and page.tags.count('details') == page.tags.count('summary')
    levels = [int(t[1]) for t in page.tags if re.fullmatch('h[1-6]', t)]
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:]))


def test_the_cited_page(run, corpus):
    text = trajectory_html(run, corpus)
    [source] = Page(text).values('src')
    picture = Image.open(BytesIO(base64.b64decode(source.partition(',')[2])))
    assert (picture.format, picture.mode, picture.width) == ('JPEG', 'RGB', 700)
    box, scale = run.citations[0].box, 700/corpus.document(1).pages[1].width
    r, g, b = picture.getpixel((round((box.x0 - 1)*scale), round((box.y0 - 1)*scale))) # within the frame
    assert r > 200 and b < 190 and min(picture.getpixel((5, 5))) > 245
    assert 'Found: these words stand on the page' in text and 'ferry.pdf p. 2' in text
    assert 'src=' not in trajectory_html(run)


def test_a_file_that_is_gone_or_other(run, corpus):
    gone = Corpus(replace(d, source=str(Path(d.source).parent/'gone.pdf')) for d in corpus)
    assert 'no longer there' in trajectory_html(run, gone) and 'compare them with care' not in trajectory_html(run, gone)
    other = Corpus(replace(d, title='Other', sha256='0'*64) for d in corpus)
    text = trajectory_html(run, other)
    assert 'has changed since' in text and 'compare them with care' in text and 'src=' not in text


def test_unfinished_runs(tmp_path, run):
    path = tmp_path/'run.jsonl'
    cut = Trajectory(dict(question='Why?'), path)
    assert 'No step was finished.' in trajectory_html(load_trajectory(path))
    cut.add(run.steps[0])
    text = trajectory_html(load_trajectory(path))
    assert 'without an outcome' in text and 'No answer.' in text and 'No citations.' in text and 'Step 1: Retrieve' in text
    for stop in ('interrupted', 'malformed', 'error'):
        ended = Trajectory(dict(question='Why?')).end(Outcome(stop, error='it is down'))
        assert 'Error: it is down' in trajectory_html(ended)
    Page(text)


def test_long_runs_stay_small():
    run = Trajectory({})
    for n in range(60):
        run.add(Step(n + 1, '', dict(tool='Retrieve'), calls=[Call('act', 2*n, [dict(role='user', content='word '*2000)], 'ok', Usage(), 9)]))
    text = trajectory_html(run)
    assert len(text) < 1_000_000 and 'begins with 118 messages' in text


def light(color: str) -> float:
    parts = [int(color[i:i+2], 16)/255 for i in (1, 3, 5)]
    r, g, b = (v/12.92 if v <= .03928 else ((v + .055)/1.055)**2.4 for v in parts)
    return .2126*r + .7152*g + .0722*b


def contrast(a: str, b: str) -> float:
    low, high = sorted([light(a), light(b)])
    return (high + .05)/(low + .05)


def test_contrast():
    schemes = [dict(re.findall(r'--(\w+): (#\w{6})', block)) for block in re.findall(r':root \{(.*?)\}', STYLE)]
    assert len(schemes) == 2 and schemes[0].keys() == schemes[1].keys()
    for s in schemes:
        for ground in ('paper', 'block'): assert all(contrast(s[text], s[ground]) >= 4.5 for text in ('ink', 'soft', 'link', 'own'))
        assert contrast(s['line'], s['paper']) >= 3
