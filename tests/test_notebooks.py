"A committed notebook shows no failure and no trace of a machine, is not too large, and imports from lower numbers."

import ast
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted(p for p in (ROOT / 'nbs').rglob('*.ipynb') if '.ipynb_checkpoints' not in p.parts)
MACHINE = re.compile(
    r'(?<![\w.:/-])(?:/(?:tmp|var/folders|home|root|work|Users|private|mnt|opt|usr|venv)/[\w.-]+|[A-Z]:\\\\?Users\\)'
    r'|file:///|/site-packages/|/tmp/ipykernel_'
)
LARGEST = 500_000  # bytes


def words(output: dict) -> str:
    "All text of an output: streams, errors and every form of a result that is text."
    forms = [form for kind, form in output.get('data', {}).items() if not kind.startswith('image/')]
    texts = [output.get('text', ''), output.get('traceback', ''), *forms]
    return '\n'.join(t if isinstance(t, str) else ''.join(t) if isinstance(t, list) else json.dumps(t) for t in texts)


def outputs(notebook: dict):
    for cell in notebook['cells']:
        for output in cell.get('outputs', ()):
            yield cell.get('id', '?'), output


def faults(notebook: dict) -> list[str]:
    "What a reader should not meet in the outputs of a notebook."
    found = []
    for cell, output in outputs(notebook):
        said = words(output)
        if output['output_type'] == 'error':
            found.append(f'{cell}: an error, {output.get("ename")}')
        if path := MACHINE.search(said):
            found.append(f'{cell}: a path of one machine, {path[0]}')
        if '\x1b' in said:
            found.append(f'{cell}: an ANSI escape')
        if output.get('name') == 'stderr':
            found.append(f'{cell}: what was written to stderr')
    return found


@pytest.mark.parametrize('path', NOTEBOOKS, ids=lambda p: p.stem)
def test_a_reader_meets_no_failure_and_no_trace_of_a_machine(path):
    assert path.stat().st_size < LARGEST
    assert faults(json.loads(path.read_text(encoding='utf-8'))) == []


@pytest.mark.parametrize(
    'output, fault',
    [
        (dict(output_type='error', ename='KeyError', traceback=['KeyError']), 'an error, KeyError'),
        (
            dict(output_type='execute_result', data={'text/plain': ["PosixPath('/tmp/tmp63f/copy.pdf')"]}),
            'a path of one machine',
        ),
        (dict(output_type='stream', name='stdout', text='kept: /home/ada/runs/a.jsonl'), 'a path of one machine'),
        (
            dict(output_type='display_data', data={'text/html': '<img src="file:///root/a.png">'}),
            'a path of one machine',
        ),
        (dict(output_type='stream', name='stdout', text='\x1b[31mred'), 'an ANSI escape'),
        (dict(output_type='stream', name='stderr', text='Warning'), 'written to stderr'),
    ],
)
def test_each_fault_is_seen(output, fault):
    "The test above can fail."
    assert any(fault in f for f in faults(dict(cells=[dict(id='c1', outputs=[output])])))


@pytest.mark.parametrize(
    'text',
    [
        'data/report.pdf',
        'https://example.org/home/page.html',
        'and/or, n/tmp',
        '../work/a.txt',
        'http://localhost:8080/v1',
    ],
)
def test_what_is_no_path_of_a_machine_is_left_alone(text):
    assert faults(dict(cells=[dict(id='c1', outputs=[dict(output_type='stream', name='stdout', text=text)])])) == []


def floors() -> dict[str, tuple[Path, str]]:
    "Each module of the package by its dotted name: its file, and the number of the notebook it is exported from."
    out = {}
    for path in sorted((ROOT / 'deepread_nb').rglob('*.py')):
        if found := re.search(r'File to edit: \S*nbs/(?:\w+/)?(\d\d\d)_', path.read_text(encoding='utf-8')):
            out['.'.join(path.relative_to(ROOT).with_suffix('').parts).removesuffix('.__init__')] = path, found[1]
    return out


def imported(path: Path, known) -> set[str]:
    "The modules of the package that a module imports, also within its functions."
    parts, out = path.relative_to(ROOT).with_suffix('').parts, set()
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        if not isinstance(node, ast.ImportFrom):
            continue
        module = '.'.join(filter(None, ['.'.join(parts[: len(parts) - node.level]) if node.level else '', node.module]))
        out |= {m for m in (module, *(f'{module}.{a.name}' for a in node.names)) if m in known}
    return out


def test_a_notebook_imports_only_from_lower_numbers():
    known = floors()
    seen = {(name, m) for name, (path, _) in known.items() for m in imported(path, known) - {name}}
    assert len(seen) > 100  # so that the rule is known to have looked
    assert [
        f'{name} ({known[name][1]}) imports {m} ({known[m][1]})'
        for name, m in sorted(seen)
        if known[m][1] >= known[name][1]
    ] == []


# --- the hook before a commit ------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    "A repository with our hook, one notebook, and tools in place of nbdev's: x is noise, y goes into the package."
    for name in [n for n in os.environ if n.startswith('GIT_')]:
        monkeypatch.delenv(name)

    def git(*args):
        return subprocess.run(
            ['git', '-c', 'user.name=a', '-c', 'user.email=a@b', *args], cwd=tmp_path, capture_output=True, text=True
        )

    for folder in ('.venv/bin', 'nbs', 'deepread_nb'):
        (tmp_path / folder).mkdir(parents=True)
    for tool, does in dict(
        nbdev_clean='sed -i s/x//g "$2"', nbdev_export='tr -cd y < "nbs/a b.ipynb" > deepread_nb/a.py'
    ).items():
        (tmp_path / '.venv/bin' / tool).write_text(f'#!/bin/sh\n{does}\n')
        (tmp_path / '.venv/bin' / tool).chmod(0o755)
    (tmp_path / '.gitignore').write_text('.venv\n')
    (tmp_path / 'nbs/a b.ipynb').write_text('')
    (tmp_path / 'deepread_nb/a.py').write_text('')
    for args in (['init', '-q'], ['add', '-A'], ['commit', '-qm', 'first']):
        assert git(*args).returncode == 0
    shutil.copy(ROOT / '.ci/pre-commit', tmp_path / '.git/hooks/pre-commit')
    return tmp_path, git


def test_a_commit_holds_clean_notebooks(checkout):
    folder, git = checkout
    (folder / 'nbs/a b.ipynb').write_text('textx')
    git('add', '-A')
    assert git('commit', '-m', 'noise').returncode == 0 and git('show', 'HEAD:nbs/a b.ipynb').stdout == 'tet'


def test_a_commit_holds_the_package_of_its_notebooks(checkout):
    folder, git = checkout
    (folder / 'nbs/a b.ipynb').write_text('code y')
    git('add', '-A')
    refused = git('commit', '-m', 'code')
    assert refused.returncode == 1 and 'The package was exported anew' in refused.stderr
    git('add', '-A')
    assert git('commit', '-m', 'code').returncode == 0 and git('show', 'HEAD:deepread_nb/a.py').stdout == 'y'


def test_a_notebook_that_is_staged_in_part_is_not_committed_whole(checkout):
    folder, git = checkout
    (folder / 'nbs/a b.ipynb').write_text('one')
    git('add', '-A')
    (folder / 'nbs/a b.ipynb').write_text('one two')
    refused = git('commit', '-m', 'part')
    assert refused.returncode == 1 and 'changes that are not staged' in refused.stderr
