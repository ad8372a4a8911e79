"""How fast the widgets are in the browser, and how large a notebook is that shows them all.

    python tests/bench/widgets.py [--steps 1000] [--pages 500] [--quick]

Opens a run of many steps over a document of many pages in a real JupyterLab (needs Chromium) and scrolls through it.
The last line is JSON: open_1000_steps_s from running the cell until list and page picture are there, calibration_s of
tests/bench/calibration_view.py, notebook_kb of a notebook with all widgets after cleaning. --quick takes 20 steps and 5
pages, leaves JupyterLab and the figures out, and shows that the script works.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from reportlab.pdfgen.canvas import Canvas

from deepread_nb.agent.citations import cite
from deepread_nb.agent.record import Call, Outcome, Step, Trajectory, load_trajectory
from deepread_nb.core.corpus import Corpus
from deepread_nb.core.document import Box, Coord, Document, Heading, Page, Paragraph, Region
from deepread_nb.core.files import load, save
from deepread_nb.core.messages import Usage
from deepread_nb.widgets.viewer import show

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from browsing import CHROMIUM, FLAGS, answers, launched, open_notebook, write_notebook  # noqa: E402
from screenshots import FIGURES  # noqa: E402

SETUP = '''
from deepread_nb.agent.record import load_trajectory
from deepread_nb.core.files import load
from deepread_nb.widgets.viewer import TrajectoryViewer, show
corpus, run = load('corpus.json'), load_trajectory('run.jsonl')
TrajectoryViewer([])
'''
OPEN = '''async () => {
    const start = performance.now(), app = window.jupyterapp, root = () => app.shell.currentWidget.node;
    app.commands.execute("notebook:run-cell");
    const until = f => new Promise(done => {
        const look = () => f() ? done(performance.now() - start) : requestAnimationFrame(look);
        look();
    });
    const list = await until(() => root().querySelectorAll(".step").length > 5);
    [...root().querySelectorAll(".dr")].at(-1).scrollIntoView(); // pictures are fetched when they are seen
    const drawn = i => i && i.complete && i.naturalWidth;
    const page = await until(() => drawn(root().querySelector(".sheet img")));
    return [list/1000, page/1000];
}'''
SCROLL = '''async () => {
    const list = window.jupyterapp.shell.currentWidget.node.querySelector(".list"), times = [];
    const frame = () => new Promise(requestAnimationFrame);
    let last = await frame();
    for (let i = 0; i <= 120; i += 1) {
        list.scrollTop = i*list.scrollHeight/120;
        const now = await frame();
        times.push(now - last);
        last = now;
    }
    return times.sort((a, b) => a - b);
}'''
ALL = [
    '''
from screenshots import sample
from deepread_nb.widgets.viewer import show
from deepread_nb.widgets.corpus_view import show_corpus
from deepread_nb.widgets.live import LiveRun
corpus, runs = sample()''',
    'show(runs[0], corpus)',
    'show(runs, corpus)',
    'seen = LiveRun(corpus)\nseen.runs = runs[:1]\nseen',
    'show_corpus(corpus, runs)',
]


def big_run(folder: Path, steps: int, pages: int) -> None:
    "A document of many pages, and a run that looks at one of them in each of its many steps."
    canvas = Canvas(str(folder / 'long.pdf'), pagesize=(400, 500))
    for n in range(1, pages + 1):
        for line in range(20):
            canvas.drawString(50, 450 - 20 * line, f'Page {n}, line {line}: the lamps are trimmed at {line} past.')
        canvas.showPage()
    canvas.save()
    blocks = [
        b
        for n in range(1, pages + 1)
        for b in (
            Heading(f'Chapter {n}', 1, Region(n, Box(50, 30, 200, 45))),
            Paragraph(
                f'Page {n}: the lamps are trimmed.' + ' Every night.' * 60, regions=(Region(n, Box(50, 40, 350, 60)),)
            ),
        )
    ]
    corpus = Corpus(
        [
            Document.from_blocks(
                'long.pdf',
                blocks,
                pages=tuple(Page(n, 400, 500) for n in range(1, pages + 1)),
                source=str(folder / 'long.pdf'),
            )
        ]
    )
    save(corpus, folder / 'corpus.json')
    run = Trajectory(
        dict(question='When are the lamps trimmed?', system='long', corpus=corpus.hash, documents=['long.pdf']),
        folder / 'run.jsonl',
    )
    for n in range(1, steps + 1):
        at = Coord(1, (n - 1) % pages + 1, 1)
        call = Call(
            'act', 2 * n - 2, [dict(role='user', content='Does the text tell?')], '{}', Usage(900, 850, 40, 0.4), 160
        )
        run.add(
            Step(
                n,
                f'Look at chapter {at.sec_id}.',
                dict(
                    tool=('Retrieve', 'ReadSection')[n % 2],
                    **({'query': f'lamps {n}'} if n % 2 == 0 else {'sec_id': at.sec_id}),
                ),
                f'[{at}] {corpus[at].text}',
                [at],
                [at],
                [(1, at.sec_id)],
                True,
                [call],
                0.5,
            )
        )
    run.end(Outcome('answered', 'Every night.', [cite(corpus, Coord(1, 1, 1), 'Every night.')], steps * 0.5))


def opening(folder: Path) -> tuple[float, float, list[float]]:
    "Seconds until the list and until the page are there, and the milliseconds of frames while scrolling."
    from playwright.sync_api import sync_playwright

    write_notebook(folder / 'big.ipynb', [SETUP, 'show(run, corpus)'])
    with sync_playwright() as playwright, launched(folder) as (address, server, log):
        answers(address, server, log)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport=dict(width=1280, height=800))
        page.set_default_timeout(300_000)
        open_notebook(page, address, 'big.ipynb')
        page.evaluate('window.jupyterapp.commands.execute("notebook:run-cell-and-select-next")')
        # everything is loaded when this appears, as in a notebook in use
        page.get_by_text('There is no run to show.').wait_for()
        found, times = page.evaluate(OPEN), page.evaluate(SCROLL)
        browser.close()
    return *found, times


def notebook_kb(folder: Path, cells: list[str]) -> float:
    "The size of a notebook, run and cleaned as our notebooks are."
    path = folder / 'all.ipynb'
    write_notebook(path, cells)
    book = nbformat.read(path, as_version=4)
    resources = dict(metadata=dict(path=str(HERE)))
    NotebookClient(book, timeout=600, store_widget_state=False, resources=resources).execute()
    nbformat.write(book, path)
    clean = [str(Path(sys.executable).parent / 'nbdev_clean'), '--fname', str(path)]
    subprocess.run(clean, check=True, cwd=HERE.parents[1])
    return path.stat().st_size / 1000


def figure_cells() -> list[str]:
    "Cells that show every view of figures."
    return ['from screenshots import figures\nviews = figures()', *(f'views[{name!r}]' for name in FIGURES)]


def calibration_s(quick: bool) -> float:
    "What the script of the calibration view measures."
    call = [sys.executable, str(HERE / 'calibration_view.py'), *(['--quick'] if quick else [])]
    printed = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    return json.loads(printed.strip().splitlines()[-1])['calibration_s']


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--steps', type=int, default=1000)
    parser.add_argument('--pages', type=int, default=500)
    parser.add_argument('--quick', action='store_true')
    args = parser.parse_args()
    if args.quick:
        args.steps, args.pages = 20, 5
    with TemporaryDirectory() as name:
        folder, began = Path(name), time.perf_counter()

        def report(what: str) -> None:
            print(f'[{time.perf_counter() - began:.0f} s] {what}', flush=True)  # so that a slow part is seen

        big_run(folder, args.steps, args.pages)
        report('run and document made')
        opened = None
        if not args.quick:
            listed, opened, frames = opening(folder)
            report('opened in JupyterLab')
            median, slow = frames[len(frames) // 2], frames[int(0.95 * len(frames))]
            print(f'{args.steps} steps, {args.pages} pages: list after {listed:.2f} s, page after {opened:.2f} s')
            print(f'scrolling: median frame {median:.0f} ms, 95 % under {slow:.0f} ms')
        start = time.perf_counter()
        text = show(load_trajectory(folder / 'run.jsonl'), load(folder / 'corpus.json')).html()
        print(f'as a file: {len(text) / 1e6:.1f} MB, written in {time.perf_counter() - start:.1f} s')
        calibration = calibration_s(args.quick)
        report('calibration view measured')
        size = notebook_kb(folder, ALL if args.quick else ALL + figure_cells())
        report('notebook of the widgets run and cleaned')
        seconds = None if opened is None else round(opened, 2)
        print(json.dumps(dict(open_1000_steps_s=seconds, calibration_s=calibration, notebook_kb=round(size))))


if __name__ == '__main__':
    main()
