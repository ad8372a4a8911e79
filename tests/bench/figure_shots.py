"""Screenshots of the figures, light and dark, for looking at them: one PNG a view, theme and width.

    python tests/bench/figure_shots.py FOLDER [--widths 1280 620]
"""
import argparse
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from deepread_nb.widgets import agreement, calibration, drift
from deepread_nb.widgets.figures import simulated_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=Path)
    parser.add_argument('--widths', type=int, nargs='+', default=[1280, 620])
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    rows = simulated_rows()
    with sync_playwright() as playwright, TemporaryDirectory() as pages:
        browser = playwright.chromium.launch(executable_path=shutil.which('chromium') or shutil.which('google-chrome'), args=['--no-sandbox', '--disable-gpu'])
        for module in (drift, calibration, agreement):
            name = module.__name__.rpartition('.')[2]
            module.show(rows).html(page := Path(pages)/f'{name}.html')
            for scheme in ('light', 'dark'):
                for width in args.widths:
                    tab = browser.new_page(viewport=dict(width=width, height=800), color_scheme=scheme)
                    tab.goto(page.as_uri())
                    tab.locator('.dr-mark[data-key]').last.click()
                    tab.screenshot(path=args.folder/f'{name}_{scheme}_{width}.png', full_page=True)
                    tab.close()
        browser.close()
    print(*sorted(p.name for p in args.folder.glob('*.png')), sep='\n')


if __name__ == '__main__': main()
