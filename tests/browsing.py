"A browser without a network, and a JupyterLab for it: what all browser tests share."

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import expect

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
# no look-ups of its maker's hosts, and every host refused but this machine
FLAGS = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]
PATIENCE = 300_000  # ms; nothing here waits that long on a working machine
expect.set_options(timeout=PATIENCE)

# JupyterLab throws now and then in its own files, where two of its updates meet ("removeChild on Node"). Our code, and
# code that calls ours, runs from a blob or from an extension. Only an error that comes from JupyterLab's core alone is
# ignored.
CORE = '/static/lab/'


def ours(where: str) -> bool:
    "Whether an error's address or stack names anything but JupyterLab's core."
    return CORE not in where or 'blob:' in where or '/extensions/' in where


# anywidget gives a widget two seconds to start, and then never shows it; a busy machine may need more
PATIENT = f"""(() => {{
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = () => timeout({PATIENCE});
}})()"""

# LAG delays, by so many milliseconds, whatever a page does later: timers, frames, observers, a changed hash, a picture.
# `LAG=400 pytest tests/test_browser.py` shows at any hour which check does not wait for what it looks at, as a busy
# machine would show once in a hundred runs.
LAG = int(os.environ.get('LAG', 0))
LATE = f"""(() => {{
    const {{ setTimeout: wait, addEventListener: listen }} = window;
    const late = f => (...a) => wait(() => f(...a), {LAG});
    window.setTimeout = (f, ms = 0, ...a) => wait(f, ms + {LAG}, ...a);
    window.requestAnimationFrame = f => wait(() => f(performance.now()), {LAG});
    window.cancelAnimationFrame = n => clearTimeout(n);
    for (const name of ['MutationObserver', 'ResizeObserver', 'IntersectionObserver']) {{
        const Own = window[name];
        window[name] = class extends Own {{ constructor(f, ...a) {{ super(late(f), ...a); }} }};
    }}
    EventTarget.prototype.addEventListener = function (kind, f, ...a) {{
        const delayed = typeof f == 'function' && /^(hashchange|popstate|message|load)$/.test(kind);
        listen.call(this, kind, delayed ? late(f) : f, ...a);
    }};
}})()"""


def watched(page):
    "The tab, recording what it requests and what errors it reports."

    def complain(text: str, where: str) -> None:
        if ours(where):
            page.complaints.append(text)

    page.set_default_timeout(PATIENCE)
    page.add_init_script(PATIENT)
    if LAG:
        page.add_init_script(LATE)
    page.requests, page.complaints = [], []
    page.on('request', lambda r: page.requests.append(r.url))
    page.on('pageerror', lambda e: complain(str(e), e.stack or ''))
    page.on('console', lambda m: complain(m.text, m.location['url']) if m.type == 'error' else None)
    return page


# --- JupyterLab ---------------------------------------------------------------------------------------


@contextmanager
def launched(folder: Path):
    "JupyterLab on a folder, offline and without its news; its address, process and log."
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        port = s.getsockname()[1]
    settings = folder / 'settings'
    settings.mkdir()
    quiet = {
        '@jupyterlab/apputils-extension:notification': dict(fetchNews='false', checkForUpdates=False),
        '@jupyterlab/notebook-extension:tracker': dict(windowingMode='none'),
    }
    (settings / 'overrides.json').write_text(json.dumps(quiet))
    call = [
        sys.executable,
        '-m',
        'jupyterlab',
        '--no-browser',
        '--allow-root',
        '--ip=127.0.0.1',
        f'--port={port}',
        '--ServerApp.port_retries=0',
        '--IdentityProvider.token=',
        '--ServerApp.password=',
        f'--ServerApp.root_dir={folder}',
        f'--LabApp.app_settings_dir={settings}',
        f'--LabApp.workspaces_dir={folder / "workspaces"}',
        f'--LabApp.user_settings_dir={folder / "user"}',
        '--LabApp.expose_app_in_browser=True',
    ]
    with (folder / 'lab.log').open('w') as log:
        server = subprocess.Popen(call, stdout=log, stderr=subprocess.STDOUT, cwd=folder)
        try:
            yield f'http://127.0.0.1:{port}', server, folder / 'lab.log'
        finally:
            server.terminate()
            server.wait(60)


def answers(address: str, server: subprocess.Popen, log: Path) -> None:
    "Wait until the server answers, or show why it died."
    for _ in range(600):
        assert server.poll() is None, log.read_text()
        try:
            return urlopen(f'{address}/api/status', timeout=5).close()
        except OSError:
            time.sleep(0.5)
    raise AssertionError(log.read_text())


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    "A notebook with these code cells."
    code = [
        dict(cell_type='code', id=f'c{n}', metadata={}, outputs=[], execution_count=None, source=source.strip())
        for n, source in enumerate(cells)
    ]
    kernel = dict(name='python3', display_name='Python 3', language='python')
    book = dict(nbformat=4, nbformat_minor=5, metadata=dict(kernelspec=kernel), cells=code)
    path.write_text(json.dumps(book), encoding='utf-8')


WIDGET = 'window.jupyterapp.shell.currentWidget'


def open_notebook(page, address: str, path: str) -> None:
    "Turn to a notebook in JupyterLab and wait for its kernel."
    page.goto(f'{address}/lab/tree/{path}?reset')
    page.wait_for_function(f'window.jupyterapp && {WIDGET} && {WIDGET}.sessionContext')
    page.evaluate(f'{WIDGET}.sessionContext.ready')


def kernel(page, code: str) -> str:
    "What the notebook's kernel prints for a piece of code."
    return page.evaluate(
        '''async code => {
        const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
        const asked = kernel.requestExecute({ code });
        let out = '';
        asked.onIOPub = ({ header, content }) => {
            out += header.msg_type == 'stream' ? content.text : header.msg_type == 'error' ? content.evalue : '';
        };
        await asked.done;
        return out.trim();
    }''',
        code,
    )


def themed(page, theme: str) -> None:
    "Switch JupyterLab to a theme, Light or Dark, and wait for it."
    page.evaluate(
        'theme => void window.jupyterapp.commands.execute("apputils:change-theme", { theme: "JupyterLab " + theme })',
        theme,
    )
    page.wait_for_function('light => document.body.dataset.jpThemeLight == light', arg=str(theme == 'Light').lower())


# --- what both the tests of the viewer and those of the figures check ---------------------------------


def faint(node) -> list:
    "Texts of a widget whose contrast with what is behind them is below 4.5:1."
    return node.evaluate('''root => {
        const parse = c => {
            const m = c.match(/[\\d.]+/g).map(Number), unit = c.startsWith('color(') ? 255 : 1;
            return [...m.slice(0, 3).map(v => unit*v), m[3] ?? 1];
        };
        const over = (top, low) => top.slice(0, 3).map((v, i) => v*top[3] + low[i]*(1 - top[3]));
        const behind = n => {
            if (!n) return [255, 255, 255];
            const c = parse(getComputedStyle(n).backgroundColor);
            return c[3] == 1 ? c.slice(0, 3) : over(c, behind(n.parentElement));
        };
        const light = c => {
            const [r, g, b] = c.map(v => v/255).map(v => v <= .03928 ? v/12.92 : ((v + .055)/1.055)**2.4);
            return .2126*r + .7152*g + .0722*b;
        };
        const out = [], walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let t = walk.nextNode(); t; t = walk.nextNode()) {
            const n = t.parentElement;
            if (!t.data.trim() || n.closest('button:disabled')) continue;
            const ground = behind(n), ink = over(parse(getComputedStyle(n).color), ground);
            const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
            if ((a + .05)/(b + .05) < 4.5) out.push([t.data.slice(0, 40), getComputedStyle(n).color, ground.join()]);
        }
        return out;
    }''')


# Outputs of a notebook that are wider than their cell
STICKING_OUT = """() => [...document.querySelectorAll('.jp-OutputArea-output')]
    .filter(n => n.clientWidth && n.scrollWidth > n.clientWidth + 1)
    .map(n => [n.clientWidth, n.scrollWidth, n.textContent.slice(0, 60)])"""
