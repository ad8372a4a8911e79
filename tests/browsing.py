"A browser without a network, and a JupyterLab for it: what all browser tests stand on."
import json
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
# no look-ups of its maker's hosts, and everything but this machine refused
FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
         '--disable-sync', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1']
PATIENCE = 300_000  # ms; nothing here waits that long on a working machine

# JupyterLab's own, once in some runs: two of its updates meet, and one takes out what the other has taken out. Nothing of ours calls it.
THEIRS = "Failed to execute 'removeChild' on 'Node'"

# anywidget gives a widget two seconds to start, and then never shows it; a busy machine may need more
PATIENT = f'(() => {{ const timeout = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = () => timeout({PATIENCE}); }})()'


def watched(page):
    "The tab, noting what it asks for and complains about."
    def complain(text: str) -> None:
        if THEIRS not in text: page.complaints.append(text)
    page.set_default_timeout(PATIENCE)
    page.add_init_script(PATIENT)
    page.requests, page.complaints = [], []
    page.on('request', lambda r: page.requests.append(r.url))
    page.on('pageerror', lambda e: complain(str(e)))
    page.on('console', lambda m: complain(m.text) if m.type == 'error' else None)
    return page


@contextmanager
def launched(folder: Path):
    "JupyterLab on a folder, offline and without its news; its address, process and log."
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        port = s.getsockname()[1]
    settings = folder/'settings'
    settings.mkdir()
    quiet = {'@jupyterlab/apputils-extension:notification': dict(fetchNews='false', checkForUpdates=False), '@jupyterlab/notebook-extension:tracker': dict(windowingMode='none')}
    (settings/'overrides.json').write_text(json.dumps(quiet))
    call = [sys.executable, '-m', 'jupyterlab', '--no-browser', '--allow-root', '--ip=127.0.0.1', f'--port={port}', '--ServerApp.port_retries=0', '--IdentityProvider.token=', '--ServerApp.password=',
            f'--ServerApp.root_dir={folder}', f'--LabApp.app_settings_dir={settings}', f'--LabApp.workspaces_dir={folder/"workspaces"}', f'--LabApp.user_settings_dir={folder/"user"}', '--LabApp.expose_app_in_browser=True']
    with (folder/'lab.log').open('w') as log:
        server = subprocess.Popen(call, stdout=log, stderr=subprocess.STDOUT, cwd=folder)
        try: yield f'http://127.0.0.1:{port}', server, folder/'lab.log'
        finally:
            server.terminate()
            server.wait(60)


def answers(address: str, server: subprocess.Popen, log: Path) -> None:
    "Wait until the server answers, or show why it died."
    for _ in range(600):
        assert server.poll() is None, log.read_text()
        try: return urlopen(f'{address}/api/status', timeout=5).close()
        except OSError: time.sleep(.5)
    raise AssertionError(log.read_text())
