"Figures and desks as a person uses them: files opened from disk, and a real JupyterLab, both without a network."

import json
import math
import re
import shutil
import sys
from html.parser import HTMLParser

import pytest
from browsing import (
    CHROMIUM,
    ROOT,
    STICKING_OUT,
    WIDGET,
    answers,
    expect,
    faint,
    kernel,
    launched,
    open_notebook,
    themed,
    watched,
    write_notebook,
)

from deepread_nb.agent.record import Outcome, Step, Trajectory
from deepread_nb.core.corpus import paragraphs
from deepread_nb.core.errors import DeepReadError
from deepread_nb.metrics.predictions import Prediction, Question, Scored
from deepread_nb.parse.folder import parse_folder
from deepread_nb.widgets import agreement, calibration, drift, human
from deepread_nb.widgets.corpus_view import show_corpus
from deepread_nb.widgets.figures import FigureView
from deepread_nb.widgets.session import HumanSession, run_file

sys.path.insert(0, str(ROOT / 'data'))
from simulated_runs import simulated_rows  # noqa: E402

EVIL = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'

browsing = pytest.mark.skipif(not CHROMIUM, reason='no Chromium here: install the package chromium')


@pytest.fixture(scope='module')
def rows() -> dict[str, list[Scored]]:
    return simulated_rows(40)


@pytest.fixture(scope='module')
def views(rows) -> dict[str, FigureView]:
    return {m.__name__.rpartition('.')[2]: m.show(rows) for m in (drift, calibration, agreement)}


# --- without a browser --------------------------------------------------------------------------------


def test_simulated_systems_do_what_their_names_say():
    made = simulated_rows()
    accuracy = {system: sum(r.correct for r in rows_) / len(rows_) for system, rows_ in made.items()}
    assert [len(rows_) for rows_ in made.values()] == [60, 60, 60]
    assert accuracy['careful'] > accuracy['stubborn'] > accuracy['lucky']
    assert {r.prediction.effort('steps') for r in made['lucky']} == {1.0}
    assert simulated_rows(5) == simulated_rows(5)


def test_whatever_is_written_into_a_page_stays_text():
    given = simulated_rows(8)['careful']
    questions = [Question(f'{EVIL}{i}', EVIL, ((EVIL,),)) for i in range(len(given))]
    evil = {EVIL: [Scored(q, r.prediction, r.correct) for q, r in zip(questions, given)]}
    evil['b'] = [Scored(q, r.prediction, 0.0) for q, r in zip(questions, given)]
    for module in (drift, calibration, agreement):
        view = module.show(evil)
        page = view.html()
        assert EVIL not in page and '<img' not in page and page.count('<script') == 2
        assert '<img' not in view.svg() and '<script' not in view.svg()


class Ids(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.found, self.unnamed = [], []
        self.feed(text)

    def handle_starttag(self, name, attrs):
        given = dict(attrs)
        if 'id' in given:
            self.found.append(given['id'])
        if given.get('role') in ('button', 'img', 'group', 'region') and not given.get('aria-label'):
            self.unnamed.append((name, given))


def test_names_and_ids(views):
    for view in views.values():
        ids = Ids(view.html())
        assert len(ids.found) == len(set(ids.found)) and ids.unnamed == []
        assert set(re.findall(r'url\(#([\w-]+)\)', view.html())) <= set(ids.found)


def test_pictures_are_small_and_of_one_piece(views):
    from xml.etree import ElementTree

    for view in views.values():
        picture = view.svg()
        assert len(picture) < 100_000 and not re.search(r'NaN|[^a-z]nan|inf[^o]|dr-mark|data-key', picture)
        ElementTree.fromstring(picture)


def test_odd_rows_still_draw():
    one = {'a': [Scored(Question('q', 'Why?', (('1',),)), Prediction('q', ('1',)), 1.0)]}  # no moves, no effort
    none = {'a': [Scored(Question('q', 'Why?', (('1',),)), None, math.nan, 'missing')]}
    for module in (calibration, agreement):
        assert '<svg' in module.show(one).html()
        with pytest.raises(DeepReadError):  # an answer that was never given is no figure
            module.show(none)
    many = {f'system {i}': r for i, r in enumerate([simulated_rows(10)['careful']] * 40)}
    assert all('<svg' in module.show(many).html() for module in (drift, calibration, agreement))


def test_a_session_that_is_cut_at_any_byte_goes_on(tmp_path):
    corpus = parse_folder(ROOT / 'data/night_cars_memo.pdf', progress=False)
    questions = [Question('a', 'When?'), Question('b', 'Where?')]
    whole = HumanSession(questions, corpus, tmp_path / 'whole')
    whole.search('night')
    whole.mark(1, 1)
    whole.answer('At night')
    file = run_file('a')
    data = (tmp_path / 'whole' / file).read_bytes()
    ends = [n + 1 for n, c in enumerate(data) if c == 10]
    for cut in {*ends, *range(ends[0], len(data), 211)}:
        folder = tmp_path / f'cut{cut}'
        folder.mkdir()
        (folder / file).write_bytes(data[:cut])
        again = HumanSession(questions, corpus, folder)
        if not again.finished('a'):
            assert again.marks == ([(1, 1)] if cut >= ends[2] else [])
            again.answer('At night')
        assert again.predictions()[0].answer == ('At night',) and again.question.id == 'b'
        steps = [json.loads(line)['step']['n'] for line in (folder / file).read_text().splitlines() if '"step"' in line]
        assert steps == list(range(1, len(steps) + 1))


# --- files in a browser -------------------------------------------------------------------------------


@pytest.fixture
def page(browser):
    "A fresh tab."
    context = browser.new_context(viewport=dict(width=1280, height=800))
    yield watched(context.new_page())
    context.close()


@browsing
@pytest.mark.parametrize('name', ['drift', 'calibration', 'agreement'])
def test_files_react_to_mouse_and_keyboard(page, views, tmp_path, name):
    path = tmp_path / f'{name}.html'
    views[name].html(path)
    page.goto(path.as_uri())
    assert page.requests == [path.as_uri()] and page.complaints == []
    marks, tip, picked = page.locator('.dr-mark[data-key]'), page.locator('.dr-tip'), page.locator('.dr-picked')
    marks.last.hover()  # the last of a figure lies on top
    expect(tip).to_have_text(marks.last.get_attribute('aria-label'))
    marks.last.click()
    picked.locator('li').first.wait_for()
    page.mouse.move(0, 0)  # scrolling would bring other marks under it
    page.locator('.dr-figure').first.focus()
    held = page.locator('.dr-mark:focus')
    page.keyboard.press('ArrowRight')
    expect(held).to_have_attribute('aria-label', re.compile('.'))
    first = held.get_attribute('aria-label')
    expect(tip).to_have_text(first)
    expect(tip).to_be_visible()
    page.keyboard.press('ArrowRight')
    expect(held).not_to_have_attribute('aria-label', first)
    second = held.get_attribute('aria-label')
    page.keyboard.press('Escape')
    expect(tip).to_be_hidden()
    page.keyboard.press('Enter')
    page.wait_for_function('start => start.startsWith(document.querySelector(".dr-picked h3").innerText)', arg=second)
    assert page.complaints == []


@browsing
def test_a_file_carries_its_runs(page, tmp_path):
    def run(system, question, *queries):
        made = Trajectory(dict(question=question, system=system, documents=[]))
        for n, q in enumerate(queries, 1):
            made.add(Step(n, EVIL, dict(tool='Retrieve', query=q), f'Nothing {EVIL}', seconds=1.0))
        made.add(Step(len(queries) + 1, '', dict(tool='answer'), '9 m', seconds=0.5))
        return made.end(Outcome('answered', '9 m', seconds=len(queries) + 0.5))

    gold = [Question('m1', 'How high is mast 1?', (('9 m',),)), Question('m2', f'How high is {EVIL}?', (('8 m',),))]
    path = tmp_path / 'runs.html'
    calibration.show([run('reader', q.question, 'mast', 'height of mast') for q in gold], gold).html(path, runs=True)
    page.goto(path.as_uri())
    mark = page.locator('.dr-mark[data-key="reader#all"]')
    mark.focus()
    page.keyboard.press('Enter')
    page.get_by_role('button', name='wrong, reader, m2').click()
    viewer = page.locator('.dr-run .dr')
    viewer.locator('.step[role=option]').nth(2).wait_for()
    expect(page.locator('.dr-view .dr-grid')).to_be_hidden()
    expect(viewer.locator('h2').first).to_contain_text(EVIL)
    expect(page.get_by_role('button', name='Back to the figures')).to_be_focused()
    page.keyboard.press('Enter')
    expect(page.locator('.dr-run')).to_be_hidden()
    expect(page.locator('.dr-grid')).to_be_visible()
    expect(page.locator(':focus')).to_contain_text('m2')
    page.get_by_role('button', name='Back to the figure').click()
    expect(mark).to_be_focused()
    page.goto(path.as_uri() + '#run=0:0')  # a link to a run
    page.reload()
    page.locator('.dr-run .dr').get_by_role('heading', name='How high is mast 1?').first.wait_for()
    page.go_back()
    expect(page.locator('.dr-run')).to_be_hidden()
    assert page.complaints == [] and {r.partition('#')[0] for r in page.requests} == {path.as_uri()}


@browsing
def test_rows_without_a_trajectory_say_what_is_known(page, rows, tmp_path):
    drift.show(rows).html(tmp_path / 'd.html', runs=True)
    page.goto((tmp_path / 'd.html').as_uri())
    page.locator('.dr-mark[data-key="stubborn#step 9"]').focus()
    page.keyboard.press('Enter')
    page.locator('.dr-picked li button').first.click()
    expect(page.locator('.dr-run table')).to_have_count(1)
    expect(page.locator('.dr-run dl')).to_contain_text('Gold')
    assert page.complaints == []


@browsing
def test_a_question_is_found_by_its_id(page, rows, tmp_path):
    agreement.show(rows).html(tmp_path / 'a.html', runs=True)
    page.goto((tmp_path / 'a.html').as_uri())
    box = page.get_by_label('Find a question')
    box.fill('Q007')
    box.press('Enter')
    expect(page.locator('.dr-picked li')).to_have_text(
        [re.compile(f'{name}, q007: What is the height of mast 7?') for name in ('careful', 'stubborn', 'lucky')]
    )
    page.locator('.dr-picked li button').first.click()
    page.locator('.dr-run dl').wait_for()
    expect(page.get_by_role('button', name='Back to the figures')).to_be_focused()
    page.keyboard.press('Enter')
    expect(page.locator('.dr-run')).to_be_hidden()
    page.get_by_role('button', name='Back to the figure').click()
    expect(box).to_be_focused()
    assert page.complaints == []


@browsing
def test_a_stretch_of_a_curve_answers_for_its_mark(page, views, tmp_path):
    views['calibration'].html(tmp_path / 'c.html')
    page.goto((tmp_path / 'c.html').as_uri())
    seg = page.locator('.dr-seg[data-key="stubborn#3"]')
    at = seg.evaluate('''n => {
        const p = n.getPointAtLength(n.getTotalLength()*.25).matrixTransform(n.getScreenCTM());
        return [p.x, p.y];
    }''')
    page.mouse.move(*at)
    mark = page.locator('.dr-mark[data-key="stubborn#3"]')
    assert re.search(r'q\d+ [\u2713\u2717]', mark.get_attribute('aria-label'))
    expect(page.locator('.dr-tip')).to_have_text(mark.get_attribute('aria-label'))
    expect(seg).to_have_class(re.compile(r'\bon\b'))
    page.mouse.click(*at)
    page.locator('.dr-picked li').first.wait_for()
    ends = page.evaluate('''() => [...document.querySelectorAll("#panel-curves .dr-series")]
        .map(s => [...s.querySelectorAll(".dr-mark")].at(-1)).filter(m => m)
        .map(m => m.getBoundingClientRect()).map(b => [Math.round(b.x), Math.round(b.y)].join())''')
    assert len(ends) == len(set(ends)) == 3  # no two of the last marks lie on each other


@browsing
def test_eleven_systems_are_told_apart(page, tmp_path):
    made = list(simulated_rows(30).values())
    eleven = {f'system with a long name {n}': made[n % 3] for n in range(11)}
    calibration.show(eleven).html(tmp_path / 'e.html')
    page.goto((tmp_path / 'e.html').as_uri())
    drawn = page.locator('#panel-cost .dr-switch').evaluate_all(
        '''ns => ns.map(n => [...n.children].filter(c => c.tagName != "text"))
            .map(cs => cs.map(c => c.outerHTML).join("").replace(/#[0-9A-Fa-f]{6}/g, ""))'''
    )
    assert len(drawn) == len(set(drawn)) == 11  # by shape alone
    assert page.evaluate(OVERLAPS) == []


@browsing
def test_a_legend_hides_its_series(page, views, tmp_path):
    views['calibration'].html(tmp_path / 'c.html')
    page.goto((tmp_path / 'c.html').as_uri())
    switch = page.locator('.dr-switch').nth(1)
    series = page.locator(f'.dr-figure >> nth=0 >> .dr-series[data-series="{switch.get_attribute("data-series")}"]')
    switch.focus()
    page.keyboard.press('Enter')
    expect(series).to_be_hidden()
    expect(switch).to_have_attribute('aria-pressed', 'false')
    switch.click()
    expect(series).to_be_visible()
    expect(switch).to_have_attribute('aria-pressed', 'true')


# Texts of a figure that cover each other
OVERLAPS = '''() => [...document.querySelectorAll('.dr-figure')].flatMap(svg => {
    const boxes = [...svg.querySelectorAll('text')].filter(t => !t.getAttribute('transform'))
        .map(t => [t.textContent, t.getBoundingClientRect()]).filter(([, box]) => box.width);
    const across = (p, q) => p.left < q.right - 1 && q.left < p.right - 1;
    const cover = (p, q) => across(p, q) && p.top < q.bottom - 2 && q.top < p.bottom - 2;
    return boxes.flatMap(([a, p], i) => boxes.slice(i + 1).filter(([, q]) => cover(p, q)).map(([b]) => a + ' / ' + b));
})'''


@browsing
@pytest.mark.parametrize('width', [1280, 620])
def test_nothing_overlaps_or_sticks_out(page, views, tmp_path, width):
    page.set_viewport_size(dict(width=width, height=800))
    for name, view in views.items():
        view.html(tmp_path / f'{name}.html')
        page.goto((tmp_path / f'{name}.html').as_uri())
        assert page.evaluate(OVERLAPS) == []
        assert page.evaluate('document.documentElement.scrollWidth') <= width


# The contrast of every text of a view with its background
CONTRAST = '''() => {
    const light = c => {
        const linear = x => x <= .03928 ? x/12.92 : ((x + .055)/1.055)**2.4;
        const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => linear(x/255));
        return .2126*v[0] + .7152*v[1] + .0722*v[2];
    };
    const ratio = (a, b) => (Math.max(light(a), light(b)) + .05)/(Math.min(light(a), light(b)) + .05);
    const ground = getComputedStyle(document.querySelector('.dr-view')).backgroundColor;
    const texts = ['h2', 'p', 'td', 'summary', 'figcaption'].map(t => '.dr-view ' + t).join(', ');
    const ink = e => e.namespaceURI.endsWith('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color;
    return [...document.querySelectorAll(texts + ', .dr-figure text:not(.on)')].map(e => ratio(ink(e), ground));
}'''


@browsing
@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_texts_stand_out_from_their_ground(page, views, tmp_path, scheme):
    page.emulate_media(color_scheme=scheme)
    views['agreement'].html(tmp_path / 'a.html')
    page.goto((tmp_path / 'a.html').as_uri())
    assert min(page.evaluate(CONTRAST)) >= 4.5


@browsing
def test_the_desks_as_files(page, tmp_path):
    corpus = parse_folder(ROOT / 'data/night_cars_memo.pdf', progress=False)
    desk = human.show([Question('a', EVIL)], corpus, tmp_path / 'runs')
    desk.query.value = EVIL
    desk.do_search()
    desk.html(tmp_path / 'desk.html')
    page.goto((tmp_path / 'desk.html').as_uri())
    assert (
        EVIL in page.inner_text('body')
        and page.complaints == []
        and page.requests == [(tmp_path / 'desk.html').as_uri()]
    )


@browsing
def test_a_document_beside_what_the_parser_made_of_it(page, tmp_path):
    corpus = parse_folder(ROOT / 'data/keepers_handbook.pdf', progress=False)
    run = Trajectory(dict(question='Who lives there?', corpus=corpus.hash))
    at = next(c for c, p in paragraphs(corpus) if 'Parallax' in p.text)
    run.add(Step(1, '', dict(tool='Retrieve', query='cat'), '', [at], [at], [(1, corpus[at].page)]))
    show_corpus(corpus, run.end(Outcome('answered', 'A cat.'))).html(tmp_path / 'c.html')
    page.goto((tmp_path / 'c.html').as_uri())
    page.get_by_role('treeitem').nth(5).click()
    page.get_by_role('button', name='What the parser made of the page').click()
    lines, frames = page.locator('.elements li'), page.locator('.sheet .box')
    lines.nth(5).wait_for()
    expect(frames).to_have_count(lines.count())
    expect(page.locator('.box .tag:visible')).to_have_count(0)
    line = lines.filter(has_text='Parallax')
    line.hover()
    expect(page.locator('.box.lit .tag')).to_have_text(f'text {at} · shown in 1 of 1 run')
    expect(line).to_contain_text('shown in 1 of 1 run')
    frames.first.hover()
    expect(lines.first).to_have_class('lit')
    expect(page.locator('.box .tag:visible')).to_have_text(re.compile('^heading 2'))
    page.get_by_role('button', name='Page after').click()
    page.get_by_role('heading', name='Page 4 of keepers_handbook.pdf').first.wait_for()
    page.locator('.elements li button').last.click()
    page.locator('.para.on').wait_for()
    expect(page.locator('.thumbs .thumb[aria-current]')).to_have_text('4')
    expect(page.locator('.thumbs .thumb')).to_have_count(15)
    assert page.complaints == []


# --- in JupyterLab ------------------------------------------------------------------------------------

SETUP = f'''
import sys
from pathlib import Path
sys.path.insert(0, {str(ROOT / 'data')!r})
from simulated_runs import simulated_rows
from deepread_nb.agent.record import Outcome, Step, Trajectory
from deepread_nb.metrics.predictions import Question
from deepread_nb.metrics.questions import load_questions
from deepread_nb.parse.folder import parse_folder
from deepread_nb.widgets import agreement, calibration, drift, human
from deepread_nb.widgets.corpus_view import show_corpus
from deepread_nb.widgets.judging import judge_blind
rows = simulated_rows(40)
def run(question, queries, answer):
    made = Trajectory(dict(question=question, system='reader', documents=[]))
    for n, q in enumerate(queries, 1):
        made.add(Step(n, 'Look.', dict(tool='Retrieve', query=q), 'Nothing <b>here</b>.', seconds=1.))
    made.add(Step(len(queries) + 1, '', dict(tool='answer'), answer, seconds=1.))
    return made.end(Outcome('answered', answer, seconds=2.))
gold = [Question('m1', 'How high is mast 1?', (('9 m',),)), Question('m2', 'How high is mast 2?', (('8 m',),))]
runs = [
    run('How high is mast 1?', ['mast 1', 'height of mast 1'], '9 m'),
    run('How high is mast 2?', ['mast 2'], '9 m'),
]
corpus = parse_folder('data', progress=False)
'''
CELLS = [
    SETUP,
    'view = calibration.show(runs, gold)\nview',
    'drifting = drift.show(rows)\ndrifting',
    'agreeing = agreement.show(rows)\nagreeing',
    "desk = human.show(load_questions('data/questions.jsonl')[:2], corpus, 'runs')\ndesk",
    "judging = judge_blind(rows, 'marks.jsonl')\njudging",
    "skipping = human.show(load_questions('data/questions.jsonl')[:2], corpus, 'skipped')\nskipping",
    'show_corpus(corpus)',
]
CODE = f'[...{WIDGET}.content.model.cells].filter(c => c.type == "code")'
IDLE = f'{WIDGET}.sessionContext.session?.kernel?.status == "idle"'

ERRORS = f'{CODE}.flatMap(c => c.outputs.toJSON()).filter(o => o.output_type == "error")'


@pytest.fixture(scope='module')
def lab(tmp_path_factory):
    "JupyterLab with a notebook of all figures and desks."
    home = tmp_path_factory.mktemp('lab')
    (home / 'data').mkdir()
    for name in ('night_cars_memo.pdf', 'keepers_handbook.pdf', 'questions.jsonl'):
        shutil.copy(ROOT / 'data' / name, home / 'data' / name)
    write_notebook(home / 'figures.ipynb', CELLS)
    with launched(home) as found:
        answers(*found)
        yield found[0], home


@pytest.fixture(scope='module')
def notebook(browser, lab):
    "The notebook in JupyterLab, all cells run."
    address, home = lab
    context = browser.new_context(viewport=dict(width=1280, height=800))
    page = watched(context.new_page())
    open_notebook(page, address, 'figures.ipynb')
    page.evaluate(f'{WIDGET}.content.notebookConfig = {{...{WIDGET}.content.notebookConfig, windowingMode: "none"}}')
    page.wait_for_function(f'{CODE}.length == {len(CELLS)} && {IDLE}')
    page.evaluate('void window.jupyterapp.commands.execute("notebook:run-all-cells")')
    page.wait_for_function(f'{ERRORS}.length || ({CODE}.every(c => c.executionCount > 0) && {IDLE})')
    assert page.evaluate(ERRORS) == []
    page.address, page.home = address, home
    yield page
    assert all(url.startswith((address, 'data:', 'blob:', address.replace('http', 'ws'))) for url in page.requests)
    context.close()


def cell(page, n: int):
    "The output of the n-th cell."
    found = page.locator('.jp-CodeCell').nth(n)
    found.scroll_into_view_if_needed()
    return found


@browsing
def test_lab_shows_every_figure_alive(notebook):
    for n, figures in ((1, 4), (2, 5), (3, 6)):
        expect(cell(notebook, n).locator('.dr-view .dr-figure')).to_have_count(figures)
    assert notebook.complaints == []


@browsing
def test_lab_opens_the_run_behind_a_mark(notebook):
    output = cell(notebook, 1)
    mark = output.locator('.dr-mark[data-key="reader#1"]')
    mark.focus()
    notebook.keyboard.press('Enter')
    button = output.locator('.dr-picked li button').first
    expect(button).to_contain_text('right, reader, m1: How high is mast 1?')
    button.focus()
    notebook.keyboard.press('Enter')
    viewer = output.locator('.dr.viewer')
    viewer.locator('.step[role=option]').nth(2).wait_for()
    expect(viewer.locator('h2').first).to_contain_text('How high is mast 1?')
    expect(viewer.locator('.answer').first).to_contain_text('9 m')
    expect(viewer.locator('.gold')).to_contain_text('✓ Right')
    output.get_by_role('button', name='Back to the figure').click()
    expect(mark).to_be_focused()
    assert notebook.complaints == []


@browsing
@pytest.mark.parametrize('n, name', [(2, 'drifting'), (3, 'agreeing')])
def test_lab_tells_of_answers_without_a_trajectory(notebook, n, name):
    output = cell(notebook, n)
    mark = output.locator('.dr-mark[data-key]').last
    mark.scroll_into_view_if_needed()
    mark.hover()
    expect(output.locator('.dr-tip')).to_have_text(mark.get_attribute('aria-label'))
    mark.click()
    button = output.locator('.dr-picked li button').first
    question = button.get_attribute('data-question')
    button.click()
    output.locator('.jupyter-widgets dl', has_text='Gold').wait_for()  # the kernel has answered
    assert kernel(notebook, f'print({name}.opened[1])') == question
    assert notebook.complaints == []


@browsing
def test_lab_has_room_in_half_a_window(notebook):
    notebook.set_viewport_size(dict(width=640, height=800))
    notebook.wait_for_function('document.querySelector(".dr-view").clientWidth < 620')
    notebook.wait_for_function(f'({STICKING_OUT})().length == 0')
    assert notebook.evaluate(OVERLAPS) == []
    notebook.set_viewport_size(dict(width=1280, height=800))


@browsing
def test_lab_follows_the_theme(notebook):
    ground = "getComputedStyle(document.querySelector('.dr-view')).backgroundColor"
    for theme, colour in (('Dark', 'rgb(22, 22, 22)'), ('Light', 'rgb(255, 255, 255)')):
        themed(notebook, theme)
        notebook.wait_for_function(f"{ground} == '{colour}'")
        assert min(notebook.evaluate(CONTRAST)) >= 4.5
        for n in (4, 5):
            assert faint(cell(notebook, n).locator('.jp-OutputArea-output').last) == []


@browsing
def test_lab_a_person_answers(notebook):
    output = cell(notebook, 4)
    box = output.get_by_placeholder('words, AND, OR')
    box.fill('founded AND observatory')
    box.press('Enter')
    output.locator('.dr-said mark', has_text='founded').first.wait_for()
    expect(output.get_by_role('button', name='Mark page as evidence')).to_be_disabled()
    output.get_by_role('button', name=re.compile('^1. keepers_handbook.pdf')).click()
    expect(output.locator('figure img')).to_have_attribute('alt', re.compile('^keepers_handbook.pdf, page'))
    output.get_by_role('button', name='Mark page as evidence').click()
    output.get_by_role('button', name='Take the mark off').wait_for()
    output.get_by_placeholder('several answers').fill('Isolde Varnham')
    output.get_by_role('button', name='Answer and go on').click()
    output.get_by_text('Question 2 of 2, 1 done').wait_for()
    [file] = (notebook.home / 'runs').glob('*.jsonl')
    lines = [json.loads(line) for line in file.read_text(encoding='utf-8').splitlines()]
    assert [line['step']['action']['tool'] for line in lines[1:-1]] == ['search', 'view', 'mark', 'answer']
    assert (
        lines[-1]['outcome']['answer'] == 'Isolde Varnham'
        and lines[-1]['outcome']['citations'][0][1] == 'keepers_handbook.pdf'
    )
    assert notebook.complaints == []


@browsing
def test_lab_a_person_judges(notebook):
    output = cell(notebook, 5)
    button = output.get_by_role('button', name='incorrect')
    button.focus()
    notebook.keyboard.press('Enter')
    output.get_by_text(re.compile(r'^1 of \d+ judged')).first.wait_for()
    assert json.loads((notebook.home / 'marks.jsonl').read_text(encoding='utf-8'))['judgment'] == 'incorrect'
    output.get_by_role('button', name='Take the last one back').click()
    output.get_by_text(re.compile(r'^0 of \d+ judged')).first.wait_for()
    assert notebook.complaints == []


@browsing
def test_lab_a_person_skips_and_comes_back(notebook):
    output = cell(notebook, 6)
    output.get_by_role('button', name='Skip question').focus()
    notebook.keyboard.press('Enter')
    output.get_by_text('Question 2 of 2, 1 done').wait_for()
    again = "human.show(load_questions('data/questions.jsonl')[:2], corpus, 'skipped').session"
    assert (
        kernel(notebook, f'print({again}.question.id == skipping.session.question.id)') == 'True'
    )  # it goes on where it was left
    assert notebook.complaints == []


@browsing
def test_lab_pictures_come_when_they_are_seen(notebook):
    notebook.set_viewport_size(dict(width=640, height=400))  # room for a few
    view = cell(notebook, 7).locator('.dr.corpus')
    view.get_by_role('treeitem').filter(has_text='keepers_handbook').first.click()
    thumbs = view.locator('.thumbs .thumb')
    expect(thumbs).to_have_count(15)
    expect(thumbs.last.locator('img[src]')).to_have_count(0)
    thumbs.last.scroll_into_view_if_needed()
    expect(thumbs.last.locator('img[src]')).to_have_count(1)
    notebook.set_viewport_size(dict(width=1280, height=800))
    assert notebook.complaints == []
