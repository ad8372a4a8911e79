"""Pictures of every widget, light and dark, from the files that the widgets write.

    python tests/bench/screenshots.py OUT [--width 1280] [--height 860]

Needs Chromium. The model is a script and the documents are those in data/, so the pictures are the same on every machine but for
times. Widgets of other notebooks join in when their modules are there.
"""
import argparse
import shutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from deepread_nb.agent import Trajectory
from deepread_nb.core import Corpus, paragraphs
from deepread_nb.llm import Scripted
from deepread_nb.parse import parse_folder
from deepread_nb.systems import ask
from deepread_nb.widgets.corpus_view import show_corpus
from deepread_nb.widgets.trajectory import app_html
from deepread_nb.widgets.viewer import show

DATA = Path(__file__).parents[2]/'data'
QUESTION = 'Who founded the observatory on Skarrow Fell?'
FIGURES = ('drift', 'calibration', 'agreement')


def sample() -> tuple[Corpus, list[Trajectory]]:
    "The documents in data/, a run that reads and cites, and one that gives up too early."
    corpus = parse_folder(DATA, progress=False)
    at = next(c for c, p in paragraphs(corpus) if 'founded in 1887' in p.text)
    def played(*replies): return ask(QUESTION, corpus, Scripted(replies), folder=None)
    good = played(dict(thought='Search for the founding of the observatory.', call=dict(tool='Retrieve', query='observatory founded')),
                  dict(thought='Read the section on the foundation.', call=dict(tool='ReadSection', doc_id=at.doc_id, sec_id=at.sec_id, start=1, end=2)),
                  dict(thought='It names Isolde Varnham.', call=dict(tool='answer')), 'Isolde Varnham founded it in 1887.', dict(citations=[str(at)]))
    poor = played(dict(thought='Who built it?', call=dict(tool='Retrieve', query='builder')), dict(thought='Nothing here.', call=dict(tool='answer')), 'Not answerable.')
    return corpus, [good, poor]


def running(corpus: Corpus, run: Trajectory) -> str:
    "A live run as it looks in the middle, as a file."
    cut = Trajectory(run.header)
    cut.steps = run.steps[:1]
    view = show(cut, corpus)
    data = view.file_data()
    data['open'][0]['runs'][0]['live'] = True
    return app_html(run.question, view._esm, view._css, data)


def figures() -> dict[str, object]:
    "The figure views on simulated rows, where their modules are there."
    if not find_spec('deepread_nb.widgets.figures'): return {}
    rows = import_module('deepread_nb.widgets.figures').simulated_rows(120)
    return {n: import_module(f'deepread_nb.widgets.{n}').show(rows) for n in FIGURES if find_spec(f'deepread_nb.widgets.{n}')}


def files() -> Iterator[tuple[str, str]]:
    "Name and page of every widget."
    corpus, runs = sample()
    yield 'viewer', show(runs[0], corpus).html()
    yield 'side_by_side', show(runs, corpus).html()
    yield 'live', running(corpus, runs[0])
    view = show_corpus(corpus, runs)
    view.search(QUESTION)
    yield 'corpus', view.html()
    for name, view in figures().items(): yield name, view.html()


def ready(name: str, page) -> None:
    "Bring a widget into the state that tells most."
    page.wait_for_load_state()
    if name in ('viewer', 'side_by_side'):
        page.locator('.step').nth(0).click()
        page.keyboard.press('c')
        page.locator('.sheet .box.cited.here').wait_for()
    if name == 'corpus':
        page.get_by_label('Search the documents').fill(QUESTION)
        page.keyboard.press('Enter')
        page.get_by_text('Why it was found').first.click()
        page.locator('.hit td.n').first.wait_for()
    if name in ('viewer', 'side_by_side', 'live', 'corpus'): page.wait_for_function('[...document.querySelectorAll(".sheet img")].every(i => i.complete && i.naturalWidth)')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=Path)
    parser.add_argument('--width', type=int, default=1280)
    parser.add_argument('--height', type=int, default=860)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which('chromium') or shutil.which('google-chrome'), args=['--no-sandbox', '--disable-gpu'])
        for name, text in files():
            (file := Path(folder)/f'{name}.html').write_text(text, encoding='utf-8')
            for scheme in ('light', 'dark'):
                context = browser.new_context(viewport=dict(width=args.width, height=args.height), color_scheme=scheme)
                page = context.new_page()
                page.goto(file.as_uri())
                ready(name, page)
                page.screenshot(path=args.out/f'{name}_{scheme}.png')
                context.close()
            print(name)
        browser.close()


if __name__ == '__main__': main()
