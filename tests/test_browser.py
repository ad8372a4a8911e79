"The page of a run and the quickstart notebook, in a real browser without a network."

import json
import shutil
from pathlib import Path

import pytest
from browsing import CHROMIUM, ROOT, WIDGET, answers, expect, launched, open_notebook, watched

from deepread_nb.agent.loop import Budget
from deepread_nb.llm.scripted import Recorded
from deepread_nb.parse.folder import parse_folder
from deepread_nb.systems.registry import ask
from deepread_nb.widgets.viewer import show

pytestmark = pytest.mark.skipif(not CHROMIUM, reason='no Chromium here: install the package chromium')


@pytest.fixture
def page(browser):
    "A fresh tab, which records what it requests and what errors it reports."
    context = browser.new_context(viewport=dict(width=1200, height=900))
    yield watched(context.new_page())
    context.close()


@pytest.fixture(scope='module')
def run_page(tmp_path_factory) -> Path:
    "The HTML of the recorded run on the sample corpus, page images included."
    library = parse_folder(ROOT / 'data', progress=False)
    folder = tmp_path_factory.mktemp('runs')
    run = ask(
        'Who founded the observatory on Skarrow Fell?',
        library,
        Recorded(ROOT / 'data/recordings/qwen2.5-coder-1.5b.jsonl'),
        budget=Budget(rounds=8),
        folder=folder,
    )
    show(run, library, ROOT / 'data/questions.jsonl').html(folder / 'run.html')
    return folder / 'run.html'


def test_the_page_of_a_run_opens_offline(page, run_page):
    page.goto(run_page.as_uri())
    page.locator('.sheet img').wait_for()
    page.wait_for_function(
        '[...document.querySelectorAll(".sheet img")].every(i => i.complete && i.naturalWidth > 200)'
    )
    body = page.locator('body')
    for text in (
        'Who founded the observatory on Skarrow Fell?',
        'Gold answer, any of: Isolde Varnham | Varnham',
        'keepers_handbook.pdf, page 4',
    ):
        expect(body).to_contain_text(text)
    assert all(url == run_page.as_uri() or url.startswith('data:') for url in page.requests)
    assert page.complaints == []


@pytest.mark.parametrize('width', [1200, 380])
def test_nothing_sticks_out(page, run_page, width):
    page.set_viewport_size(dict(width=width, height=800))
    page.goto(run_page.as_uri())
    page.locator('.sheet img').wait_for()
    page.wait_for_function('width => document.documentElement.scrollWidth <= width', arg=width)


def test_the_steps_unfold_and_show_the_exact_prompt(page, run_page):
    page.goto(run_page.as_uri())
    page.locator('.step[role=option]').first.click()
    page.locator('details.call summary').first.click()
    page.locator('details.call pre', has_text='You answer questions from documents').wait_for()


def test_light_and_dark(page, run_page):
    page.goto(run_page.as_uri())
    page.emulate_media(color_scheme='light')
    light = page.evaluate('getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color')
    page.emulate_media(color_scheme='dark')
    page.wait_for_function(
        'light => getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color != light',
        arg=light,
    )


@pytest.fixture
def lab(tmp_path):
    "JupyterLab on a copy of the quickstart, as `make lab` opens it."
    shutil.copytree(ROOT / 'data', tmp_path / 'data')
    notebook = tmp_path / 'nbs/tutorials/quickstart.ipynb'
    notebook.parent.mkdir(parents=True)
    book = json.loads((ROOT / 'nbs/tutorials/quickstart.ipynb').read_text(encoding='utf-8'))
    for cell in book['cells']:  # without the outputs it is shipped with
        if cell['cell_type'] == 'code':
            cell['outputs'] = []
    notebook.write_text(json.dumps(book), encoding='utf-8')
    with launched(tmp_path) as found:
        yield found


def test_the_quickstart_runs_in_jupyterlab(page, lab):
    address, server, log = lab
    answers(address, server, log)
    open_notebook(page, address, 'nbs/tutorials/quickstart.ipynb')
    page.evaluate('window.jupyterapp.commands.execute("notebook:run-all-cells")')
    cells = f'[...{WIDGET}.content.model.cells].filter(c => c.type == "code")'
    idle = f'{WIDGET}.sessionContext.session.kernel.status == "idle"'
    page.wait_for_function(f'{cells}.every(c => c.executionCount > 0) && {idle}')
    outputs = page.evaluate(f'{cells}.flatMap(c => c.outputs.toJSON())')
    assert [o for o in outputs if o['output_type'] == 'error'] == []
    assert 'Varnham' in json.dumps(outputs)
    assert all(url.startswith((address, 'data:', 'blob:', address.replace('http', 'ws'))) for url in page.requests)
