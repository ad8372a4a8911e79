"""Pictures of every widget, light and dark, from the files that the widgets write and from a JupyterLab.

    python tests/bench/screenshots.py OUT [--width 1280] [--height 860] [--only viewer corpus ...] [--images] [--quick]

Needs Chromium. The models are scripts, the systems, tools and documents are real (those in data/), so the pictures are
the same on every machine but for times. --images writes the four of the README as small files into nbs/images/, too.
--quick shows that the script works: it writes the pages of the widgets into OUT and photographs the viewer alone, where
there is a Chromium.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from deepread_nb.agent.library import Library
from deepread_nb.agent.loop import Budget
from deepread_nb.agent.record import Trajectory
from deepread_nb.core.corpus import Corpus, paragraphs
from deepread_nb.core.messages import Message, message_text
from deepread_nb.llm.scripted import Scripted
from deepread_nb.metrics.predictions import Question
from deepread_nb.metrics.questions import load_questions
from deepread_nb.parse.folder import parse_folder
from deepread_nb.systems.registry import ask, make_system
from deepread_nb.widgets import agreement, calibration, drift
from deepread_nb.widgets.corpus_view import show_corpus
from deepread_nb.widgets.figures import FigureView
from deepread_nb.widgets.page import app_html
from deepread_nb.widgets.viewer import show

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / 'tests'))
sys.path.insert(0, str(ROOT / 'data'))
from browsing import CHROMIUM, FLAGS, WIDGET, answers, launched, open_notebook, themed, write_notebook  # noqa: E402

DATA = ROOT / 'data'
QUESTION = 'Who founded the observatory on Skarrow Fell?'
FIGURES = {'drift': drift, 'calibration': calibration, 'agreement': agreement}
IN_README = ('viewer', 'corpus', 'calibration', 'desk')
README_HEIGHT = 700  # pixels that are shown of a picture at most
MOST = 60_000  # bytes of a picture in the README


# --- runs ---------------------------------------------------------------------------------------------


def sample() -> tuple[Corpus, list[Trajectory]]:
    "The documents in data/, a run that reads and cites, and one that gives up too early."
    corpus = parse_folder(DATA, progress=False)
    at = next(c for c, p in paragraphs(corpus) if 'founded in 1887' in p.text)
    library = Library(corpus)

    def play(*replies):
        return ask(QUESTION, library, Scripted(replies), folder=None, looks=0)

    # The first run builds the index, so that no picture shows the time that takes
    play(
        dict(thought='Look.', call=dict(tool='Retrieve', query='observatory')),
        dict(thought='Enough.', call=dict(tool='answer')),
        'Not answerable.',
    )
    good = play(
        dict(
            thought='Search for the founding of the observatory.',
            call=dict(tool='Retrieve', query='observatory founded'),
        ),
        dict(
            thought='Read the section on the foundation.',
            call=dict(tool='ReadSection', doc_id=at.doc_id, sec_id=at.sec_id, start=1, end=2),
        ),
        dict(thought='It names Isolde Varnham.', call=dict(tool='answer')),
        'Isolde Varnham founded it in 1887.',
        dict(citations=[str(at)]),
    )
    poor = play(
        dict(thought='Who built it?', call=dict(tool='Retrieve', query='builder')),
        dict(thought='Nothing here.', call=dict(tool='answer')),
        'Not answerable.',
    )
    return corpus, [good, poor]


def careful(words: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*words[1:4], ' '.join(words[-2:]), ' '.join(words[:2]), ' '.join(words)]))


def stubborn(words: Sequence[str]) -> list[str]:
    return [words[0] + ' again' * n for n in range(7)]


def lucky(words: Sequence[str]) -> list[str]:
    return [' '.join(words)]


def telling_words(text: str) -> set[str]:
    "The words of an answer by which it is recognised: long ones and numbers."
    return {w for w in re.findall(r'[\w,.]*\w', text.casefold()) if len(w) > 3 or w[0].isdigit()}


class Reader:
    """
    A stand-in for a model: makes its queries one after the other until it sees a word of the answer, which it knows,
    and guesses when they are used up.
    """

    def __init__(self, question: Question, habit: Callable[[Sequence[str]], list[str]]):
        words = [w for w in re.findall(r'\w+', question.question) if len(w) > 3 or w.isdigit()] or [question.question]
        self.queries, self.gold, self.asked = habit(words), [v[0] for v in question.answer_variants], question.question

    def __call__(self, messages: Sequence[Message], schema: dict | None) -> str | dict:
        text = ' '.join(message_text(m) for m in messages[1:]).replace(self.asked, '')
        seen = set(re.findall(r'[\w,.]*\w', text.casefold()))
        known = next((gold for gold in self.gold if telling_words(gold) & seen), None)
        if schema and 'citations' in schema['properties']:
            return dict(citations=schema['properties']['citations']['items']['enum'][:1])
        if not schema:
            return known or 'Twelve metres.'
        if known or not self.queries:
            return dict(thought='There it is.' if known else 'I give up.', call=dict(tool='answer'))
        return dict(thought='Search.', call=dict(tool='Retrieve', query=self.queries.pop(0)))


def bench_runs(questions: Sequence[Question], corpus: Corpus) -> list[Trajectory]:
    "Every question answered by search-o1 with three scripted readers."
    library, system, out = Library(corpus), make_system('search_o1', k=1, question_counts=False), []
    for habit in (careful, stubborn, lucky):
        for q in questions:
            run = system.run(q.question, library, Scripted(Reader(q, habit)), Budget(rounds=8))
            run.header['system'] = habit.__name__
            out.append(run)
    return out


def figures() -> dict[str, FigureView]:
    "The figure views of these runs."
    corpus, questions = parse_folder(DATA, progress=False), load_questions(DATA / 'questions.jsonl')
    runs = bench_runs(questions, corpus)
    return {name: module.show(runs, questions, corpus=corpus) for name, module in FIGURES.items()}


# --- widgets as files ---------------------------------------------------------------------------------


def running(corpus: Corpus, run: Trajectory) -> str:
    "A live run as it looks in the middle, as a file."
    cut = Trajectory(run.header)
    cut.steps = run.steps[:1]
    view = show(cut, corpus)
    data = view.file_data()
    data['open'][0]['runs'][0]['live'] = True
    return app_html(run.question, view._esm, view._css, data)


def files(wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    "Name and page of every widget that is wanted."
    corpus, runs = sample()
    if wanted('viewer'):
        yield 'viewer', show(runs[0], corpus).html()
    if wanted('side_by_side'):
        yield 'side_by_side', show(runs, corpus).html()
    if wanted('live'):
        yield 'live', running(corpus, runs[0])
    if wanted('corpus'):
        view = show_corpus(corpus, runs)
        view.search(QUESTION)
        yield 'corpus', view.html()
    if any(map(wanted, FIGURES)):
        for name, view in figures().items():
            if wanted(name):
                yield name, view.html(runs=True, most=20)


def ready(name: str, page) -> None:
    "Bring a widget into the state that shows most."
    page.wait_for_load_state()
    if name in ('viewer', 'side_by_side'):
        page.locator('.step').nth(0).click()
        page.keyboard.press('c')
        page.locator('.sheet .box.cited.here').wait_for()
    if name == 'corpus':
        page.get_by_label('Search the documents').fill(QUESTION)
        page.keyboard.press('Enter')
        hit = page.locator('.hit', has_text='founded in 1887').first  # the paragraph that tells
        hit.locator('button.link').first.click()
        page.locator('.para.on').wait_for()
        page.get_by_role('button', name='Hits').click()
        hit.get_by_text('Why it was found').click()
        hit.locator('td.n').first.wait_for()
        hit.get_by_text('Why it was found').scroll_into_view_if_needed()
    if name in FIGURES:
        page.locator('.dr-series').nth(1).locator('.dr-mark').nth(1).focus()
    if name in ('viewer', 'side_by_side', 'live', 'corpus'):
        page.wait_for_function('[...document.querySelectorAll(".sheet img")].every(i => i.complete && i.naturalWidth)')
    page.evaluate('scrollTo(0, 0)')


# --- desks, which live in JupyterLab only ---------------------------------------------------------------

DESKS = [
    '''from deepread_nb.metrics.questions import load_questions
from deepread_nb.parse.folder import parse_folder
from deepread_nb.widgets import human
from deepread_nb.widgets.judging import judge_blind
corpus = parse_folder('data', progress=False)''',
    "desk = human.show(load_questions('data/questions.jsonl')[:3], corpus, 'anna', system='anna')\ndesk",
    "import sys\nsys.path.insert(0, 'data')\nfrom simulated_runs import simulated_rows\n"
    "judge_blind(simulated_rows(20), 'marks.jsonl')",
]
CODE = f'[...{WIDGET}.content.model.cells].filter(c => c.type == "code")'
IDLE = f'{WIDGET}.sessionContext.session?.kernel?.status == "idle"'


def in_lab(browser, home: Path, size: dict) -> Iterator[tuple[str, bytes]]:
    "Name, with its theme, and picture of the desks."
    shutil.copytree(DATA, home / 'data')
    write_notebook(home / 'desks.ipynb', DESKS)
    with launched(home) as (address, server, log):
        answers(address, server, log)
        page = browser.new_page(viewport=size)
        page.set_default_timeout(120_000)
        open_notebook(page, address, 'desks.ipynb')
        page.evaluate('void window.jupyterapp.commands.execute("application:toggle-left-area")')
        page.wait_for_function(f'{CODE}.length == {len(DESKS)} && {IDLE}')
        page.evaluate('void window.jupyterapp.commands.execute("notebook:run-all-cells")')
        page.wait_for_function(f'{CODE}.every(c => c.executionCount > 0) && {IDLE}')
        cells = page.locator('.jp-CodeCell .jp-OutputArea-output')
        box = page.get_by_placeholder('words, AND, OR')
        box.fill('founded OR (observatory AND Varnham)')
        box.press('Enter')
        page.get_by_role('button', name=re.compile('^1. keepers_handbook')).click()
        page.locator('figure img').wait_for()
        page.get_by_role('button', name='Mark page as evidence').click()
        page.get_by_role('button', name='Take the mark off').wait_for()
        for theme in ('Light', 'Dark'):
            themed(page, theme)
            for n, name in enumerate(('desk', 'judge')):
                cells.nth(n).scroll_into_view_if_needed()
                yield f'{name}_{theme.lower()}', cells.nth(n).screenshot()
        page.close()


# --- pictures -----------------------------------------------------------------------------------------


def small(png: bytes, height: int) -> bytes:
    "The upper part of a picture as a PNG with as many rows, and then colours, as `MOST` bytes allow."
    whole = Image.open(BytesIO(png)).convert('RGB')  # rare colours are kept, since a line of a figure is one
    for rows in range(min(height, whole.height), 300, -40):
        for colours in (64, 32):
            whole.crop((0, 0, whole.width, rows)).quantize(
                colours, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
            ).save(data := BytesIO(), 'PNG', optimize=True)
            if data.tell() < MOST:
                return data.getvalue()
    raise ValueError(f'the picture still has {data.tell()} bytes')


def photograph(name: str, text: str, browser, size: dict, schemes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    "Name, with its colour scheme, and picture of a widget that is a file."
    with TemporaryDirectory() as folder:
        file = Path(folder) / f'{name}.html'
        file.write_text(text, encoding='utf-8')
        for scheme in schemes:
            context = browser.new_context(viewport=size, color_scheme=scheme)
            page = context.new_page()
            page.set_default_timeout(120_000)
            page.goto(file.as_uri())
            ready(name, page)
            yield f'{name}_{scheme}', page.screenshot(full_page=name in FIGURES)
            context.close()


def pictures(args: argparse.Namespace) -> Iterator[tuple[str, bytes]]:
    "Name and picture of every widget that is wanted."
    from playwright.sync_api import sync_playwright

    def wanted(name: str) -> bool:
        return not args.only or name in args.only

    size = dict(width=args.width, height=args.height)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, text in files(wanted):
            yield from photograph(name, text, browser, size, ('light',) if args.quick else ('light', 'dark'))
        if wanted('desk') or wanted('judge'):
            with TemporaryDirectory() as home:
                yield from in_lab(browser, Path(home), size | dict(height=1700))
        browser.close()


def keep(name: str, png: bytes, out: Path, in_readme: bool) -> None:
    "Write a picture, and its small version for the README."
    (out / f'{name}.png').write_bytes(png)
    widget, _, scheme = name.rpartition('_')
    if in_readme and scheme == 'light' and widget in IN_README:
        images = ROOT / 'nbs/images'
        images.mkdir(exist_ok=True)
        (images / f'{widget}.png').write_bytes(small(png, README_HEIGHT))
    print(name, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=Path)
    parser.add_argument('--width', type=int, default=1280)
    parser.add_argument('--height', type=int, default=860)
    parser.add_argument('--only', nargs='+', default=[])
    parser.add_argument('--images', action='store_true')
    parser.add_argument('--quick', action='store_true')
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.quick:
        for name, text in files(lambda name: name not in FIGURES):
            (args.out / f'{name}.html').write_text(text, encoding='utf-8')
        args.only = ['viewer']
    if args.quick and not CHROMIUM:
        print('no Chromium here: pages alone')
        return
    for name, png in pictures(args):
        keep(name, png, args.out, args.images)


if __name__ == '__main__':
    main()
