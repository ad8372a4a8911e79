"The stored outputs of a notebook have to be what its cells give now, apart from clocks, addresses and identifiers."

import difflib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

# Formats that hold the identifiers of a session, not what a reader sees.
NOT_COMPARED = ('application/vnd.jupyter.widget', 'image/')
MASKS = [
    (r'\b\d{4}-\d\d-\d\d[T _]\d\d:?\d\d:?\d\d(?:\.\d+)?(?:\+\d\d:\d\d|Z)?', '<time>'),
    (r'\b0x[0-9a-f]{6,}\b', '<address>'),
    (r'\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b', '<id>'),
    (r'\b\d[\d,]*(?:\.\d+)?(?:e-\d+)? ?(?:s|ms|µs|seconds?|minutes?|min)\b', '<duration>'),
    (r'(?<="seconds": )[\d.e-]+', '<duration>'),
    (r'\b\d[\d,]*(?:\.\d+)? (?:KB|kB|MB|GB)\b', '<size>'),
]


def mask(text: str) -> str:
    "A text without what changes from run to run."
    for pattern, instead in MASKS:
        text = re.sub(pattern, instead, text)
    # The last digits of a long decimal depend on the processor.
    return re.sub(r'\d+\.\d{9,}', lambda number: f'{float(number[0]):.8g}', text).strip()


def texts(outputs: list[dict]) -> Iterator[tuple[str, str]]:
    "The masked texts of the outputs of a cell with their kinds; pieces of one stream are joined."
    streams: dict[str, str] = {}
    for output in outputs:
        if output['output_type'] == 'stream':
            streams[output['name']] = streams.get(output['name'], '') + ''.join(output['text'])
        for kind, data in sorted(output.get('data', {}).items()):
            if not kind.startswith(NOT_COMPARED):
                yield kind, mask(''.join(data) if isinstance(data, (list, str)) else json.dumps(data, sort_keys=True))
    if streams.get('stdout'):
        yield 'stdout', mask(streams['stdout'])


def differences(stored: list[dict], ran: list[dict]) -> list[str]:
    "The cells whose stored outputs are not what they gave, each with the first lines that differ."
    found = []
    for before, after in zip(stored, ran, strict=True):
        kept = list(texts(before.get('outputs') or []))
        given = dict(texts(after.get('outputs') or []))
        for kind, text in kept:
            if given.get(kind) == text:
                continue
            lines = difflib.unified_diff(
                text.splitlines(), given.get(kind, '').splitlines(), 'stored', 'now', n=0, lineterm=''
            )
            found.append(f'cell {before["id"]}, {kind}:\n' + '\n'.join(line[:300] for line in list(lines)[:12]))
    return found


class NotebookFailed(Exception):
    "A cell of the notebook raised, or gave another output than the stored one."


def run_cells(path: Path) -> list[dict]:
    "The cells of a notebook with the outputs they give, run in its folder; `NotebookFailed` if one raises."
    import pandas as pd
    from execnb.nbio import nb2dict
    from execnb.shell import CaptureShell
    from fastcore.xtras import working_directory
    from nbdev.config import get_config
    from nbdev.process import NBProcessor

    config = get_config()
    skipped = set(config.tst_flags.split()) - set(os.environ.get('NB_FLAGS', '').split())
    os.environ['IN_TEST'] = '1'
    if str(config.config_path) not in sys.path:
        sys.path.insert(0, str(config.config_path))
    notebook = NBProcessor(path, process=True).nb

    def is_left_out(cell) -> bool:
        directives = getattr(cell, 'directives_', None) or {}
        never = directives.get('eval:', [''])[0].lower() == 'false'
        return cell.cell_type != 'code' or never or bool(skipped & directives.keys())

    shell = CaptureShell(path)
    try:
        # As in Jupyter: otherwise pandas fits its tables to the terminal that the tests run in.
        tables = pd.option_context('display.max_columns', 20, 'display.width', 80)
        # What a notebook sets in the environment ends with it.
        with working_directory(path.parent), tables, patch.dict(os.environ):
            shell.run_all(notebook, exc_stop=True, preproc=is_left_out)
    except Exception as e:
        raise NotebookFailed(shell.prettytb(fname=path)) from e
    return nb2dict(notebook)['cells']


def check_outputs(path: Path) -> None:
    "Run a notebook; `NotebookFailed` if a cell raises, or gives another output than the stored one."
    stored = json.loads(path.read_text(encoding='utf-8'))['cells']
    if changed := differences(stored, run_cells(path)):
        mend = f'Stored outputs are not what the cells give now: python tests/stored_outputs.py {path}'
        raise NotebookFailed('\n\n'.join([mend, *changed]))


def store_outputs(path: Path) -> list[str]:
    "Run a notebook, and store anew those outputs that are not what the cells give; which ones."
    text = path.read_text(encoding='utf-8')
    notebook = json.loads(text)
    changed = []
    for before, after in zip(notebook['cells'], run_cells(path), strict=True):
        if before.get('outputs') and differences([before], [after]):
            before['outputs'] = [o for o in after['outputs'] if o.get('name') != 'stderr']
            for output in before['outputs']:
                if 'execution_count' in output:
                    output['execution_count'] = None
            changed.append(before['id'])
    if changed:
        path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + '\n', encoding='utf-8')
    return changed


if __name__ == '__main__':
    for name in sys.argv[1:]:
        print(name, *store_outputs(Path(name).resolve()))
