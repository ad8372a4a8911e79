"""How long the calibration view takes: many runs of many questions, from marked rows to the page in the browser.

    python tests/bench/calibration_view.py [--systems 100] [--questions 500] [--measure steps] [--quick]

Chromium, where it is installed, then times how long the page takes to be drawn. The last line is JSON: calibration_s is
both together, calibration_cpu_s the same in seconds of the processor, which a busy machine does not stretch. --quick
takes six systems and twenty questions and leaves the browser out: it shows that the script works, and measures nothing.
"""

import argparse
import json
import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from deepread_nb.widgets.calibration import show

sys.path.insert(0, str(Path(__file__).parents[2] / 'data'))
from simulated_runs import HABITS, simulated_rows  # noqa: E402

DRAWN = 'performance.getEntriesByType("navigation")[0].domComplete + (document.body.getBoundingClientRect(), 0)'


def time_in_browser(page: Path) -> tuple[float, float]:
    "Seconds until a file is laid out, and those that its thread was at work; zeros without a browser."
    chromium = shutil.which('chromium') or shutil.which('google-chrome')
    if not chromium:
        return 0.0, 0.0
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=['--no-sandbox', '--disable-gpu'])
        tab = browser.new_page(viewport=dict(width=1280, height=800))
        tab.set_default_timeout(300_000)
        devtools = tab.context.new_cdp_session(tab)
        devtools.send('Performance.enable', dict(timeDomain='threadTicks'))
        tab.goto(page.as_uri())
        seconds = tab.evaluate(DRAWN) / 1000
        metrics = {m['name']: m['value'] for m in devtools.send('Performance.getMetrics')['metrics']}
        browser.close()
    return seconds, metrics['TaskDuration']


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--systems', type=int, default=100)
    parser.add_argument('--questions', type=int, default=500)
    parser.add_argument('--measure', default='steps')
    parser.add_argument('--quick', action='store_true')
    args = parser.parse_args()
    if args.quick:
        args.systems, args.questions = 6, 20
    kinds = list(HABITS.values())
    habits = {f'system {i:03d}': kinds[i % len(kinds)] for i in range(args.systems)}
    rows = simulated_rows(args.questions, habits)
    show({s: r[:5] for s, r in list(rows.items())[:2]}).html()  # warm up
    start, at = time.perf_counter(), time.process_time()
    view = show(rows, measure=args.measure)
    made = time.perf_counter()
    with TemporaryDirectory() as folder:
        page = view.html(Path(folder) / 'calibration.html')
        written, cpu = time.perf_counter(), time.process_time() - at
        browser, busy = (0.0, 0.0) if args.quick else time_in_browser(Path(folder) / 'calibration.html')
    print(
        f'figures {made - start:.2f} s, page {written - made:.2f} s ({len(page) / 1e6:.1f} MB), browser {browser:.2f} s'
    )
    print(f'of the processor: {cpu:.2f} s without the browser, {busy:.2f} s in it')
    result = dict(
        systems=args.systems,
        questions=args.questions,
        measure=args.measure,
        calibration_s=round(written - start + browser, 2),
        calibration_cpu_s=round(cpu + busy, 2),
    )
    print(json.dumps(result))


if __name__ == '__main__':
    main()
