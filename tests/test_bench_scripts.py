"Every script in tests/bench runs in seconds with small arguments, so that a broken import or option is noticed here."

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deepread_nb.llm.models import DEFAULT_MODEL, find_model, stored_model
from deepread_nb.metrics.predictions import Question
from deepread_nb.metrics.questions import save_questions

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / 'tests/bench'
QUESTIONS, DOCUMENTS = ROOT / 'data/questions.jsonl', ROOT / 'data'
TINY = 'smollm2-135m'  # small enough to answer one question in seconds; `make test` fetches it

has_model = stored_model(find_model(TINY)).exists()
needs_model = pytest.mark.skipif(not has_model, reason=f'without {TINY}: fetch it with `deepread models fetch {TINY}`')
needs_fork = pytest.mark.skipif(not hasattr(os, 'fork'), reason='the script kills copies of its process')


def run_script(script: Path | str, *arguments: str | Path) -> list[str]:
    "Run a script of tests/bench; the lines that it prints. Fails with its own error output."
    command = [sys.executable, str(SCRIPTS / script), *map(str, arguments)]
    environment = os.environ | dict(PYTHONPATH=os.pathsep.join([str(ROOT), os.environ.get('PYTHONPATH', '')]))
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip().splitlines()


def last_json(script: Path | str, *arguments: str | Path) -> dict:
    "Run a script and parse its last line."
    return json.loads(run_script(script, *arguments)[-1])


def first_questions(folder: Path, n: int) -> Path:
    "A file with the first questions of the sample corpus."
    file = folder / 'some.jsonl'
    lines = QUESTIONS.read_text(encoding='utf-8').splitlines(keepends=True)
    file.write_text(''.join(lines[:n]), encoding='utf-8')
    return file


def test_every_script_is_run_here():
    here = Path(__file__).read_text(encoding='utf-8')
    assert not [p.name for p in SCRIPTS.glob('*.py') if f"'{p.name}'" not in here]


# --- without a model ---------------------------------------------------------------------------------


def test_ablations(tmp_path):
    options = ['--out', tmp_path, '--model', 'perfect', '--limit', '1', '--rounds', '3']
    lines = run_script('ablations.py', *options)
    assert lines[0].startswith('13 of 13 done') and lines[-1].split()[0].startswith('search_o1')


@needs_fork
def test_crash():
    found = last_json('crash.py', '--kills', '2', '--questions', '6')
    assert (found['kills'], found['lost'], found['repeated']) == (2, 0, 0)


def test_draw(tmp_path):
    lines = run_script(
        'draw.py', '--questions', QUESTIONS, '--documents', DOCUMENTS, '--out', tmp_path, '--number', '2'
    )
    assert lines[-1].startswith('deepread_nb: 2 of ')
    assert len((tmp_path / 'deepread_nb.jsonl').read_text().splitlines()) == 2


def test_effort():
    found = last_json('effort.py', '--systems', '2', '--questions', '20', '--pages', '30')
    assert (found['systems'], found['questions'], found['pages']) == (2, 20, 30)


def test_parsing(tmp_path):
    (tmp_path / 'pdfs').mkdir()
    shutil.copy(DOCUMENTS / 'council_minutes.pdf', tmp_path / 'pdfs')
    for truth in ('headings', 'order', 'tables'):
        (tmp_path / f'{truth}.json').write_text('{}')
    found = last_json('parsing.py', tmp_path, '--only', 'council_minutes')
    assert found['pages_per_s'] > 0 and found['nasty_total'] == 0


def test_reading_counts_what_is_there(tmp_path):
    questions = first_questions(tmp_path, 40)
    shutil.copytree(ROOT / 'data/runs', tmp_path / 'out' / questions.stem)
    arguments = ['--questions', questions, '--documents', DOCUMENTS, '--out', tmp_path / 'out', '--score-only']
    found = last_json('reading.py', *arguments)
    assert found['questions'] == 40 and set(found['right']) == {'deepread', 'search_o1', 'oracle'}


def test_retrieval(tmp_path):
    engines = ['--engines', 'ours']
    found = last_json('retrieval.py', '--questions', first_questions(tmp_path, 2), '--documents', DOCUMENTS, *engines)
    assert set(found['engines']) == {'ours'}


def test_retrieval_speed():
    found = last_json('retrieval_speed.py', '--paragraphs', '800', '--documents', '10', '--repeats', '1')
    assert found['peak_mb'] > 0


def test_scoring():
    found = last_json('scoring.py', '--questions', QUESTIONS, '--n', '10', '--systems', '2')
    assert (found['questions'], found['systems']) == (10, 2)


# --- widgets -----------------------------------------------------------------------------------------


def test_calibration_view():
    assert last_json('calibration_view.py', '--quick')['calibration_s'] > 0


def test_screenshots(tmp_path):
    run_script('screenshots.py', tmp_path, '--quick')
    assert (tmp_path / 'viewer.html').stat().st_size > 10_000


def test_widgets():
    found = last_json('widgets.py', '--quick')
    assert found['open_1000_steps_s'] is None and found['notebook_kb'] > 0


# --- with the tiny model -----------------------------------------------------------------------------


@needs_model
def test_answers(tmp_path):
    (tmp_path / 'fog.md').write_text('# Fog signals\n\nThe horn sounds every 90 seconds.\n')
    asked = Question('horn', 'How often does the horn sound?', (('90 seconds',),), documents=('fog.md',))
    questions = save_questions(tmp_path / 'questions.jsonl', [asked])
    arguments = ['--questions', questions, '--documents', tmp_path, '--rounds', '1', '--model', TINY]
    found = last_json('answers.py', *arguments, '--runs', tmp_path / 'runs')
    assert (found['total'], found['model']) == (1, TINY)
    assert len(list((tmp_path / 'runs').glob('*.jsonl'))) == 1


@needs_model
def test_record_replays_what_no_change_affects(tmp_path):
    "The script, beside a copy of the data, finds all runs in the old recording and makes the same one again."
    (tmp_path / 'tests/bench').mkdir(parents=True)
    script = shutil.copy(SCRIPTS / 'record.py', tmp_path / 'tests/bench')
    shutil.copytree(DOCUMENTS, tmp_path / 'data', ignore=shutil.ignore_patterns('runs'))
    recording = tmp_path / 'data/recordings' / f'{DEFAULT_MODEL}.jsonl'
    before = recording.rename(recording.with_stem(TINY)).read_bytes()
    lines = run_script(script, '--model', TINY)
    assert lines[-1].startswith('single_pass: ')
    assert recording.with_stem(TINY).read_bytes() == before


@needs_model
def test_systems(tmp_path):
    options = ['--model', TINY, '--out', tmp_path, '--limit', '1', '--rounds', '1']
    assert run_script('systems.py', 'oracle', *options)[-1].startswith('oracle: 1 of 1 done')
