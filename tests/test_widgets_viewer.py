"Viewer, live run and corpus view, in a real JupyterLab and as files: mouse, keyboard, kernel, and no network."

import json
import re
from pathlib import Path

import pytest
from browsing import (
    CHROMIUM,
    PATIENCE,
    STICKING_OUT,
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
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.agent.citations import cite
from deepread_nb.agent.record import Call, Outcome, Step, Trajectory, load_trajectory
from deepread_nb.core.corpus import Corpus, paragraphs
from deepread_nb.core.document import Coord, Document, Heading, Paragraph
from deepread_nb.core.messages import Usage
from deepread_nb.metrics.predictions import PageRef, Question
from deepread_nb.metrics.questions import save_questions
from deepread_nb.parse.files import parse_file
from deepread_nb.widgets.corpus_view import show_corpus
from deepread_nb.widgets.viewer import show

pytestmark = pytest.mark.skipif(not CHROMIUM, reason='no Chromium here: install the package chromium')
EVIL = '<img src=x onerror="window.harmed = true"><script>window.harmed = true</script>'
LINES = [
    ['The ferry', 'The ferry leaves at nine every morning but Sunday.'],
    ['On Sunday', 'On Sunday the ferry leaves at eleven, after the bells.'],
    ['Fares', 'A crossing costs three crowns.'],
]

# What JupyterLab shows, a cell each; the model of the live run writes words until it is stopped.
CELLS = [
    '''
from pathlib import Path
from deepread_nb.agent.record import load_trajectory
from deepread_nb.core.corpus import Corpus
from deepread_nb.core.files import load
corpus, runs = load('corpus.json'), [load_trajectory(f'run{n}.jsonl') for n in (1, 2)]
from deepread_nb.widgets.viewer import show
from deepread_nb.widgets.corpus_view import show_corpus
from deepread_nb.widgets.live import live
''',
    'one = show(runs[0], corpus)\none',
    'show(runs, corpus)',
    'whole = show_corpus(corpus, runs)\nwhole',
    '''
import time
from deepread_nb.llm.chat import Chat
from deepread_nb.core.messages import Reply
class Endless(Chat):
    def __call__(self, messages, schema=None, max_tokens=512, on_text=None):
        call = '{"tool": "Retrieve", "query": "Sunday"}'
        if len(messages) < 4: return Reply('{"thought": "Look for Sunday.", "call": ' + call + '}')
        while True:
            on_text('word ')
            time.sleep(.1)
seen = live('When does the ferry leave on Sunday?', corpus, Endless(), folder=None)
seen''',
    'marked = show(".", corpus, "questions.jsonl")\nmarked',
]


@pytest.fixture(scope='module')
def stage(tmp_path_factory) -> Path:
    "A folder with a PDF of three pages, its corpus, two runs on it, and a notebook that shows them."
    from deepread_nb.core.files import save

    folder = tmp_path_factory.mktemp('stage')
    canvas = Canvas(str(folder / 'ferry.pdf'), pagesize=(400, 500))
    for lines in LINES:
        for i, line in enumerate(lines):
            canvas.setFont('Helvetica-Bold' if i == 0 else 'Helvetica', 20 if i == 0 else 11)
            canvas.drawString(50, 430 - 60 * i, line)
        canvas.showPage()
    canvas.save()
    corpus = Corpus([parse_file(folder / 'ferry.pdf', cache=None)])
    save(corpus, folder / 'corpus.json')
    coords = [c for c, p in paragraphs(corpus) if 'ferry leaves' in p.text]
    page = {c: corpus[c].page for c in coords}
    good = Trajectory(
        dict(
            question='When does the ferry leave on Sunday?',
            system='deepread',
            corpus=corpus.hash,
            documents=['ferry.pdf'],
            model=dict(name='scripted'),
        ),
        folder / 'run1.jsonl',
    )
    good.add(
        Step(
            1,
            'Search for Sunday.',
            dict(tool='Retrieve', query='Sunday'),
            '\n'.join(f'[{c}] {corpus[c].text}' for c in coords),
            coords,
            coords,
            [(1, page[c]) for c in coords],
            seconds=2.0,
        )
    )
    good.add(
        Step(
            2,
            'Read on.',
            dict(tool='ReadSection', doc_id=1, sec_id=coords[1].sec_id, start=1, end=1),
            f'[{coords[1]}] {corpus[coords[1]].text}',
            coords[1:],
            [],
            [(1, page[coords[1]])],
            seconds=1.0,
        )
    )
    good.add(Step(3, 'It says when.', dict(tool='answer'), 'At eleven.', seconds=0.5))
    good.end(Outcome('answered', 'At eleven.', [cite(corpus, coords[1], 'At eleven.')], 3.5))
    poor = Trajectory(good.header | dict(system='other'), folder / 'run2.jsonl')
    poor.add(Step(1, EVIL, dict(tool='Retrieve', query=EVIL), EVIL, ok=False, seconds=1.0))
    poor.end(Outcome('answered', EVIL, [], 1.0))
    lost = Trajectory(good.header | dict(question='What does a crossing cost?'), folder / 'run3.jsonl')
    lost.add(
        Step(
            1,
            'Look.',
            dict(tool='Retrieve', query='ferry'),
            f'[{coords[0]}] {corpus[coords[0]].text}',
            coords[:1],
            coords[:1],
            [(1, 1)],
            calls=[
                Call(
                    'act',
                    0,
                    [dict(role='user', content='The question of the crossing.')],
                    '{}',
                    Usage(9, 0, 2, 0.5),
                    80,
                )
            ],
            seconds=1.0,
        )
    )
    lost.end(Outcome('answered', 'Two crowns.', [cite(corpus, coords[0], 'Two crowns.')], 1.0))
    save_questions(
        folder / 'questions.jsonl',
        [
            Question('q1', good.question, (('eleven',),), (PageRef('ferry.pdf', 2),)),
            Question('q7', lost.question, (('three crowns',), ('3 crowns',)), (PageRef('ferry.pdf', 3),)),
        ],
    )
    write_notebook(folder / 'widgets.ipynb', CELLS)
    return folder


def tab(browser, **options):
    "A fresh tab, which records what it requests and what errors it reports."
    context = browser.new_context(viewport=dict(width=1280, height=800), **options)
    context.grant_permissions(['clipboard-read', 'clipboard-write'])
    return watched(context.new_page())


@pytest.fixture(scope='module')
def lab(browser, stage):
    "The notebook, all its cells run, in one JupyterLab for all tests here."
    with launched(stage) as (address, server, log):
        answers(address, server, log)
        page = tab(browser)
        open_notebook(page, address, 'widgets.ipynb')
        page.evaluate('window.jupyterapp.commands.execute("application:toggle-left-area")')
        page.evaluate('window.jupyterapp.commands.execute("apputils:change-theme", { theme: "JupyterLab Light" })')
        page.wait_for_function('document.body.dataset.jpThemeLight == "true"')
        page.evaluate('window.jupyterapp.commands.execute("notebook:run-all-cells")')
        page.address = address
        yield page
        assert page.complaints == []
        assert all(url.startswith((address, 'data:', 'blob:', address.replace('http', 'ws'))) for url in page.requests)


def widget(page, n: int):
    "The widget that cell `n` shows, counted from 0."
    found = page.locator('.jp-Notebook .jp-Cell').nth(n).locator('.dr').first
    found.wait_for()
    found.scroll_into_view_if_needed()
    return found


def drawn(picture) -> None:
    "Wait until a picture is loaded."
    picture.page.wait_for_function('i => i.complete && i.naturalWidth > 0', arg=picture.element_handle())


def test_viewer_by_keyboard(lab):
    viewer = widget(lab, 1)
    steps = viewer.get_by_role('listbox')
    viewer.locator('.step[role=option]').nth(2).wait_for()
    steps.focus()
    lab.keyboard.press('ArrowDown')
    viewer.get_by_role('heading', name='Step 2: ReadSection').wait_for()
    chosen = viewer.locator('[role=option][aria-selected=true]')
    expect(chosen).to_contain_text('ReadSection')
    expect(steps).to_have_attribute('aria-activedescendant', chosen.get_attribute('id'))
    lab.keyboard.press('End')
    viewer.get_by_role('heading', name='The answer').wait_for()
    lab.keyboard.press('Home')
    viewer.get_by_role('heading', name='Step 1: Retrieve').wait_for()
    lab.keyboard.press('c')
    viewer.get_by_role('heading', name='Page 2 of ferry.pdf').wait_for()
    drawn(viewer.locator('.sheet img'))
    expect(viewer.locator('.sheet .box.cited.here')).to_have_count(1)
    lab.keyboard.press('b')
    viewer.get_by_role('heading', name='Page 1 of ferry.pdf').wait_for()


def test_viewer_by_mouse(lab):
    viewer = widget(lab, 1)
    viewer.locator('.step[role=option]').nth(0).click()
    viewer.locator('pre button.link').nth(1).click()  # the second coordinate of the observation
    viewer.get_by_role('heading', name='Page 2 of ferry.pdf').wait_for()
    viewer.locator('.sheet .box.cited').wait_for()
    viewer.get_by_label('Page after').click()
    viewer.get_by_role('heading', name='Page 3 of ferry.pdf').wait_for()
    viewer.get_by_text('Nothing of this page was shown in this run.').wait_for()
    viewer.get_by_role('button', name='Back').click()
    viewer.get_by_role('heading', name='Page 2 of ferry.pdf').wait_for()
    line = viewer.locator('.when .line')
    line.click(position=dict(x=line.bounding_box()['width'] - 3, y=8))  # where the last step is
    viewer.get_by_role('heading', name='The answer').wait_for()
    viewer.get_by_label('Filter by action').select_option('=Retrieve')
    viewer.locator('.step[role=option]').nth(1).wait_for(state='detached')
    viewer.get_by_label('Filter by action').select_option('')
    viewer.get_by_label('Search in the steps').fill('READ ON')
    viewer.get_by_text('1 step found.').wait_for()
    expect(viewer.locator('.step[role=option]')).to_have_count(1)
    viewer.get_by_label('Search in the steps').fill('zeppelin')
    viewer.get_by_text('No step holds “zeppelin”.').wait_for()
    expect(viewer.locator('.step[role=option]')).to_have_count(0)
    viewer.get_by_label('Search in the steps').fill('')
    viewer.locator('.step[role=option]').nth(2).wait_for()


def copied(lab, start: str) -> str:
    "The clipboard, once it begins like this."
    for _ in range(PATIENCE // 100):
        if (text := lab.evaluate('navigator.clipboard.readText()')).startswith(start):
            return text
        lab.wait_for_timeout(100)
    raise AssertionError(text)


def test_viewer_copies(lab):
    viewer = widget(lab, 1)
    viewer.get_by_label('Copy').select_option('run as JSON')
    told = json.loads(copied(lab, '{'))
    assert [s['n'] for s in told['steps']] == [1, 2, 3] and told['outcome']['answer'] == 'At eleven.'
    viewer.get_by_label('Copy').select_option('run as Markdown')
    assert '### Step 2: ReadSection' in copied(lab, '## When does the ferry')


def test_two_runs_and_untrusted_text(lab):
    viewer = widget(lab, 2)
    viewer.locator('.step[role=option]').nth(3).wait_for()
    expect(viewer.locator('.row')).to_have_count(3)
    viewer.get_by_label('Align the runs').select_option('time')
    viewer.locator('.row .at').nth(3).wait_for()  # a row for each of the four steps
    viewer.get_by_role('listbox').focus()
    lab.keyboard.press('ArrowRight')
    viewer.get_by_role('heading', name='Step 1: Retrieve · other').wait_for()
    expect(viewer.locator('section pre').first).to_contain_text(EVIL)
    assert viewer.locator('img[src=x]').count() == 0
    assert lab.evaluate('window.harmed') is None


def test_why_a_question_failed(lab):
    viewer = widget(lab, 5)
    viewer.get_by_text('2 of 2').wait_for()  # what was answered wrong comes first in the list
    expect(viewer.get_by_label('Question', exact=True).locator('option')).to_have_text(
        ['q7 ✗ What does a crossing cost?', 'q1 ✓✗ When does the ferry leave on Sunday?']
    )
    viewer.get_by_label('Question', exact=True).select_option('1')
    viewer.get_by_role('heading', name='What does a crossing cost?').wait_for()
    gold = viewer.locator('.gold').first
    for text in ('Wrong', 'three crowns | 3 crowns', 'never shown', 'Cause: navigation'):
        expect(gold).to_contain_text(text)
    gold.get_by_role('button', name='ferry.pdf, page 3').click()
    viewer.get_by_text('A gold page: it supports the right answer.').wait_for()
    viewer.get_by_role('heading', name='Page 3 of ferry.pdf').wait_for()
    viewer.get_by_text('Model call 1 of 1').wait_for()
    viewer.locator('details.call summary').first.click()
    viewer.locator('details.call pre', has_text='The question of the crossing.').wait_for()
    viewer.get_by_label('Question after').click()
    viewer.get_by_role('heading', name='When does the ferry leave on Sunday?').wait_for()
    viewer.locator('.step .star').nth(1).wait_for()  # the two steps that showed page 2
    viewer.get_by_label('Filter by action').select_option('*')
    viewer.get_by_text('2 steps found.').wait_for()
    viewer.get_by_role('listbox').focus()
    lab.keyboard.press('g')
    viewer.get_by_role('heading', name='Page 2 of ferry.pdf').wait_for()
    lab.keyboard.press('p')
    viewer.get_by_role('heading', name='What does a crossing cost?').wait_for()


def test_corpus_view(lab):
    view = widget(lab, 3)
    view.get_by_text('1 document, 3 pages').wait_for()
    tree = view.get_by_role('tree')
    view.get_by_role('treeitem').nth(2).click()
    view.locator('.para').first.wait_for()
    view.locator('.sheet .box.part .tag').first.wait_for(state='attached')  # seen when its box is pointed at
    drawn(view.locator('.sheet img'))
    view.get_by_label('Search the documents').fill('what does a crossing cost')
    lab.keyboard.press('Enter')
    view.get_by_text(re.compile('hits? for')).wait_for()
    view.get_by_text('Why it was found').first.click()
    view.locator('.hit td.n').first.wait_for()
    assert kernel(lab, 'print(list(whole.searches))') == "['what does a crossing cost']"  # the hit came from there
    view.get_by_role('heading', name='Page 3 of ferry.pdf').wait_for()
    view.locator('.thumbs .thumb').first.click()
    view.get_by_role('heading', name='Page 1 of ferry.pdf').wait_for()
    view.get_by_label('Which sections').select_option('cited')
    view.get_by_text('1 section.').wait_for()
    tree.focus()
    lab.keyboard.press('Home')
    lab.keyboard.press('ArrowDown')
    view.get_by_role('heading', name='On Sunday', exact=True).wait_for()


def test_live_run_is_stopped_and_kept(lab):
    seen = widget(lab, 4)
    seen.locator('.live pre', has_text='word word').wait_for()
    expect(seen.locator('.step[role=option]').first).to_contain_text('Retrieve')
    assert kernel(lab, 'print(seen.running)') == 'True'  # the kernel is free while the run goes on
    for theme in ('Dark', 'Light'):  # the words of a run that goes on are legible in both
        themed(lab, theme)
        lab.wait_for_function(
            'dark => getComputedStyle(document.querySelector(".dr .live")).colorScheme == dark', arg=theme.lower()
        )
        assert faint(seen) == []
    seen.get_by_role('button', name='Stop and keep').click()
    seen.get_by_text('A person stopped the run').wait_for()
    expect(seen.locator('.live')).to_have_count(0)
    expect(seen.locator('.step[role=option]')).to_have_count(1)
    assert kernel(lab, 'run = seen.wait(); print(run.stop, len(run.steps))') == 'interrupted 1'


def test_themes(lab):
    def colors() -> list:
        return widget(lab, 1).evaluate(
            '''n => {
                const own = getComputedStyle(n), soft = getComputedStyle(n.querySelector(".soft"));
                return [own.backgroundColor, own.color, soft.color];
            }'''
        )

    light = colors()
    themed(lab, 'Dark')
    lab.wait_for_function(
        'before => getComputedStyle(document.querySelector(".dr")).backgroundColor != before', arg=light[0]
    )
    assert all(a != b for a, b in zip(light, colors()))
    assert faint(widget(lab, 1)) == []
    themed(lab, 'Light')
    lab.wait_for_function(
        'before => getComputedStyle(document.querySelector(".dr")).backgroundColor == before', arg=light[0]
    )
    assert faint(widget(lab, 1)) == [] and faint(widget(lab, 3)) == []


def test_half_a_window_is_enough(lab):
    lab.set_viewport_size(dict(width=640, height=800))  # as beside another notebook
    widget(lab, 1)
    lab.wait_for_function('document.querySelector(".dr").clientWidth < 620')
    lab.wait_for_function(f'({STICKING_OUT})().length == 0')
    viewer = widget(lab, 1)
    viewer.locator('.step[role=option]').nth(1).click()
    viewer.get_by_role('heading', name='Step 2: ReadSection').wait_for()
    lab.set_viewport_size(dict(width=1280, height=800))


@pytest.fixture(scope='module')
def files(stage) -> Path:
    "Viewer and corpus view as files."
    from deepread_nb.core.files import load

    corpus, runs = load(stage / 'corpus.json'), [load_trajectory(stage / f'run{n}.jsonl') for n in (1, 2)]
    show(runs, corpus).html(stage / 'viewer.html')
    view = show_corpus(corpus, runs)
    view.search('what does a crossing cost')
    view.html(stage / 'corpus.html')
    return stage


@pytest.mark.parametrize('scheme', ['light', 'dark'])
@pytest.mark.parametrize('name', ['viewer', 'corpus'])
def test_files_open_from_disk(browser, files, name, scheme):
    page = tab(browser, color_scheme=scheme)
    page.goto((files / f'{name}.html').as_uri())
    page.locator('.row').nth(2).wait_for()
    drawn(page.locator('.sheet img'))
    assert faint(page.locator('.dr')) == []
    for width in (1280, 640, 380):
        page.set_viewport_size(dict(width=width, height=800))
        page.wait_for_function('width => document.documentElement.scrollWidth <= width', arg=width)
    unnamed = page.locator('.dr').evaluate(
        '''root => [...root.querySelectorAll("button, select, input")]
            .filter(n => !(n.ariaLabel || n.textContent.trim() || n.title || n.labels?.length))
            .filter(n => n.ariaHidden != "true").map(n => n.outerHTML)'''
    )
    assert unnamed == [] and page.evaluate('window.harmed') is None
    assert page.complaints == [] and all(url.startswith(('file:', 'data:')) for url in page.requests)
    page.context.close()


def test_a_file_answers_like_the_kernel(browser, files):
    page = tab(browser)
    page.goto((files / 'viewer.html').as_uri())
    page.get_by_label('Search in the steps').fill('eleven')
    page.get_by_text('3 steps found.').wait_for()
    page.locator('.step[role=option]').nth(0).click()
    page.locator('section pre button.link').nth(1).click()
    page.get_by_role('heading', name='Page 2 of ferry.pdf').wait_for()
    page.goto((files / 'corpus.html').as_uri())
    page.get_by_label('Search the documents').fill('what does a crossing cost')
    page.keyboard.press('Enter')
    page.get_by_text('Why it was found').first.click()
    page.locator('.hit td.n').first.wait_for()
    page.get_by_label('Search the documents').fill('after the bells')
    page.keyboard.press('Enter')
    page.get_by_text('A file has no index').wait_for()
    assert page.complaints == []
    page.context.close()


def test_a_document_without_pages(browser, files):
    corpus = Corpus(
        [
            Document.from_blocks(
                'rules.md',
                [Heading('Rules', 1), Paragraph('The lamps are dimmed at ten.'), Paragraph('Guests leave before.')],
            )
        ]
    )
    run = Trajectory(dict(question='When?', corpus=corpus.hash))
    run.add(
        Step(
            1,
            '',
            dict(tool='Retrieve', query='lamps'),
            '[1:1:1] The lamps are dimmed at ten.',
            [Coord(1, 1, 1)],
            [Coord(1, 1, 1)],
        )
    )
    show(run.end(Outcome('answered', 'At ten.', [cite(corpus, Coord(1, 1, 1), 'At ten.')])), corpus).html(
        files / 'rules.html'
    )
    page = tab(browser)
    page.goto((files / 'rules.html').as_uri())
    page.locator('pre button.link').click()
    page.get_by_role('heading', name='Section 1 of rules.md').wait_for()
    expect(page.locator('.para div')).to_have_text(['The lamps are dimmed at ten.', 'Guests leave before.'])
    page.get_by_text('show in its section').click()
    expect(page.locator('.para.on')).to_have_text(re.compile(r'at ten\.$'))
    assert page.complaints == []
    page.context.close()


def test_without_a_script_the_file_shows_its_steps(browser, files):
    page = tab(browser, java_script_enabled=False)
    page.goto((files / 'viewer.html').as_uri())
    assert (
        'At eleven.' in page.locator('#app').inner_text()
        and 'Search for Sunday.' in page.locator('#app table').first.inner_text()
    )
    page.context.close()


def test_long_lists_hold_only_what_is_seen(browser, files):
    corpus = Corpus(
        [
            Document.from_blocks(
                'lamps.md',
                [Heading('Lamps', 1), *(Paragraph(f'Paragraph {n}. The lamps are trimmed.') for n in range(1, 400))],
            )
        ]
    )
    run = Trajectory(dict(question='When are the lamps trimmed?', corpus=corpus.hash, documents=['lamps.md']))
    for n in range(1, 1001):
        run.add(
            Step(
                n,
                'Look on.',
                dict(tool='Retrieve', query=f'lamps {n}'),
                f'[1:1:{n % 399 + 1}] The lamps are trimmed.',
                [Coord(1, 1, n % 399 + 1)],
                [],
                seconds=0.5,
            )
        )
    show(run.end(Outcome('answered', 'Every night.', [], 500.0)), corpus).html(files / 'long.html')
    page = tab(browser)
    page.goto((files / 'long.html').as_uri())
    steps = page.locator('.step[role=option]')
    steps.nth(5).wait_for()
    assert steps.count() < 40
    page.get_by_role('listbox').focus()
    page.keyboard.press('End')
    page.get_by_role('heading', name='Step 1000: Retrieve').wait_for()
    page.locator('.step[aria-selected=true]', has_text='lamps 1000').wait_for()
    assert steps.count() < 40
    page.get_by_label('Search in the steps').fill('lamps 77')
    page.get_by_text('11 steps found.').wait_for()  # 77 and 770 to 779
    expect(steps).to_have_count(11)
    assert page.complaints == []
    page.context.close()
