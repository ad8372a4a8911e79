"The bench as a user runs it: killed, with junk in its folder, with workers that die, on Ray, from the command line."

import asyncio
import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from deepread_nb.agent.loop import Budget
from deepread_nb.bench import runner, workers
from deepread_nb.bench.answering import OpenError
from deepread_nb.bench.dataset import Dataset
from deepread_nb.bench.datasets import load_dataset
from deepread_nb.bench.runner import run
from deepread_nb.cli import main
from deepread_nb.core.corpus import Corpus
from deepread_nb.core.document import Document, Heading, Paragraph
from deepread_nb.core.errors import DeepReadError, ModelError
from deepread_nb.llm.scripted import Recorded, Scripted
from deepread_nb.metrics.frames import frame, leaderboard, score_bench
from deepread_nb.metrics.predictions import PageRef, Question
from deepread_nb.metrics.questions import save_questions
from deepread_nb.metrics.results import predictions, read_results
from deepread_nb.report import report

ROOT = Path(__file__).parent.parent
BLOCKS = [b for i in range(6) for b in (Heading(f'Mast {i}', 2), Paragraph(f'The height of mast {i} is {i + 10} m.'))]
CORPUS = Corpus([Document.from_blocks('masts.md', [Heading('Masts', 1), *BLOCKS])])
ASKED = [
    Question(f'q{i}', f'What is the height of mast {i}?', ((f'{i + 10} m',),), (PageRef('masts.md', 0),))
    for i in range(6)
]
needs_fork = pytest.mark.skipif(not hasattr(os, 'fork'), reason='the child is a copy of this process')


def say(messages, schema):
    "Search, answer, cite: a model that depends on nothing but the question."
    mast = int(messages[1]['content'].rstrip('?').split()[-1])
    if schema is None:
        return f'{mast + 10} m.'
    if 'citations' in json.dumps(schema):
        return dict(citations=[f'1:{mast + 2}:1'])
    return dict(
        thought='', call=dict(tool='answer') if len(messages) > 2 else dict(tool='Retrieve', query=f'mast {mast}')
    )


def model() -> Scripted:
    return Scripted(say)


def deadly_model() -> Scripted:
    "A model that ends its process on one question, as a crash in native code would."

    def die(messages, schema):
        if messages[1]['content'].endswith('mast 2?'):
            os._exit(9)
        return say(messages, schema)

    return Scripted(die)


def bench(out: Path, chat=None, **options):
    return run(
        options.pop('systems', 'deepread'),
        options.pop('questions', ASKED),
        chat or Scripted(say),
        out,
        options.pop('documents', CORPUS),
        Budget(rounds=4),
        progress=False,
        **options,
    )


def facts(out: Path) -> dict:
    "What must be equal between runs: everything but times."
    return {
        k: (
            r.system,
            r.error,
            r.prediction.answer,
            r.prediction.citations,
            r.prediction.quotes,
            tuple(m._replace(seconds=0.0) for m in r.prediction.moves),
        )
        for k, r in read_results(out).items()
    }


# --- crashes -----------------------------------------------------------------------------------------


def before_the_line(append, store, line):
    os.kill(os.getpid(), signal.SIGKILL)


def within_the_line(append, store, line):
    with store.results.open('ab', buffering=0) as f:
        f.write(json.dumps(line, default=str).encode()[:70])
    os.kill(os.getpid(), signal.SIGKILL)


def after_the_line(append, store, line):
    append(store, line)
    os.kill(os.getpid(), signal.SIGKILL)


@needs_fork
@pytest.mark.parametrize('moment', [before_the_line, within_the_line, after_the_line])
def test_killed_at_every_write_it_loses_nothing(tmp_path, monkeypatch, moment):
    bench(tmp_path / 'undisturbed')
    append, asked = runner.BenchFolder.append, 0
    for _ in ASKED:
        pid = os.fork()
        if not pid:  # the first line that this process has to write is its last
            monkeypatch.setattr(runner.BenchFolder, 'append', lambda store, line: moment(append, store, line))
            try:
                bench(tmp_path / 'killed')
            finally:
                os._exit(0)
        assert os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    chat = Scripted(say)
    bench(tmp_path / 'killed', chat)
    asked = {messages[1]['content'] for messages, _ in chat.asked}
    assert facts(tmp_path / 'killed') == facts(tmp_path / 'undisturbed')
    keys = [json.loads(line)['key'] for line in (tmp_path / 'killed' / 'results.jsonl').read_text().splitlines()]
    assert len(keys) == len(set(keys)) == len(ASKED)
    # one trajectory was complete, but its line was lost: it is recovered
    assert len(asked) == (0 if moment is after_the_line else 5)


@needs_fork
def test_killed_within_a_question_it_asks_that_one_again(tmp_path):
    def die(messages, schema):
        if messages[1]['content'].endswith('mast 3?') and len(messages) > 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return say(messages, schema)

    pid = os.fork()
    if not pid:
        try:
            bench(tmp_path, Scripted(die))
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert len(list((tmp_path / 'runs').glob('*.part'))) == 1
    outcome = bench(tmp_path)
    assert (outcome.done, outcome.ran) == (6, 3)
    assert not list((tmp_path / 'runs').glob('*.part'))


def test_junk_in_the_folder_is_skipped_and_kept(tmp_path):
    bench(tmp_path, questions=ASKED[:2])
    (tmp_path / 'notes.txt').write_text('mine')
    (tmp_path / 'runs' / 'strange.jsonl').write_text('{')
    with (tmp_path / 'results.jsonl').open('ab') as f:
        f.write(b'\xff\xfe\n{"key": 7}\nnull\n{"key": "x", "sys')
    with pytest.warns(UserWarning, match='results.jsonl'):
        outcome = bench(tmp_path)
    assert (outcome.done, outcome.ran) == (6, 4)
    assert (tmp_path / 'notes.txt').read_text() == 'mine'
    assert b'\xff\xfe\n{"key": 7}\nnull\n' in (tmp_path / 'results.jsonl').read_bytes()


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / 'file').write_text('')
    with pytest.raises(DeepReadError) as refused:
        bench(tmp_path / 'file')
    assert refused.value.thing == str(tmp_path / 'file')


def test_two_benches_do_not_write_to_one_folder(tmp_path):
    def nested(messages, schema):
        with pytest.raises(DeepReadError) as refused:
            bench(tmp_path)
        assert refused.value.thing == str(tmp_path)
        return say(messages, schema)

    if sys.platform == 'win32':
        pytest.skip('without locks')
    assert bench(tmp_path, Scripted(nested), questions=ASKED[:1]).failed == 0


# --- failures ----------------------------------------------------------------------------------------


def test_failed_questions_are_retried_only_on_request(tmp_path):
    def weak(messages, schema):
        if messages[1]['content'].endswith(('mast 1?', 'mast 4?')):
            raise ModelError('model', 'out of memory')
        return say(messages, schema)

    first = bench(tmp_path, Scripted(weak))
    assert (first.done, first.failed, first.ran) == (6, 2, 6)
    again = bench(tmp_path)
    assert (again.failed, again.ran) == (2, 0)
    retried = bench(tmp_path, retry=True)
    assert (retried.failed, retried.ran, retried.accuracy) == (0, 2, 1.0)
    assert len((tmp_path / 'results.jsonl').read_text().splitlines()) == 8  # the failures stay on record


def test_a_bad_document_affects_its_own_questions_only(tmp_path):
    docs = tmp_path / 'docs'
    docs.mkdir()
    (docs / 'good.md').write_text('# Masts\n\nThe height of mast 1 is 11 m.\n')
    (docs / 'bad.pdf').write_bytes(b'%PDF-1.4 broken')
    asked = [
        Question('a', 'What is the height of mast 1?', (('11 m',),), documents=('good.md',)),
        Question('b', 'What is the height of mast 2?', (('12 m',),), documents=('bad.pdf',)),
    ]
    with pytest.warns(UserWarning):
        outcome = bench(tmp_path / 'out', questions=Dataset('two', asked, docs), documents=None)
    assert (outcome.done, outcome.failed, outcome.accuracy) == (2, 1, 1.0)  # the failed one is not wrong
    assert 'bad.pdf' in next(r.error for r in read_results(tmp_path / 'out').values() if r.failed)


def test_a_model_that_does_not_open_ends_it_and_keeps_what_is_done(tmp_path):
    bench(tmp_path)
    with pytest.raises(OpenError):
        bench(tmp_path, str(tmp_path / 'none.gguf'))
    assert len(read_results(tmp_path)) == 6


def test_budgets_reach_the_run(tmp_path):
    forced = run('deepread', ASKED[:1], Scripted(say), tmp_path, CORPUS, Budget(rounds=1), progress=False)
    tokens = run('deepread', ASKED[:1], Scripted(say), tmp_path, CORPUS, Budget(rounds=9, tokens=1), progress=False)
    assert forced.ran == tokens.ran == 1
    assert {r.prediction.stop for r in read_results(tmp_path).values()} == {'forced'}
    assert list(predictions(tmp_path)) == ['deepread, rounds=1, tokens=None', 'deepread, rounds=9, tokens=1']


def test_it_runs_inside_an_event_loop(tmp_path):
    async def notebook():
        return bench(tmp_path)

    assert asyncio.run(notebook()).done == 6


# --- workers -----------------------------------------------------------------------------------------


def test_two_workers_find_what_one_finds_and_a_dead_one_is_replaced(tmp_path):
    systems = ['deepread', 'search_o1']
    bench(tmp_path / 'one', model, systems=systems)
    bench(tmp_path / 'two', model, systems=systems, workers=2)
    assert facts(tmp_path / 'one') == facts(tmp_path / 'two')
    outcome = bench(tmp_path / 'dead', deadly_model, workers=2)
    assert (outcome.done, outcome.failed) == (6, 1)
    assert next(r.error for r in read_results(tmp_path / 'dead').values() if r.failed) == 'the worker died (exit 9)'


def test_an_open_model_is_not_sent_to_workers(tmp_path):
    with pytest.raises(DeepReadError) as refused:
        bench(tmp_path, Scripted(lambda m, s: '', 'open model'), workers=2)
    assert refused.value.thing == 'open model'


def test_a_missing_ray_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'ray', None)
    with pytest.raises(DeepReadError) as refused:
        bench(tmp_path, model, backend='ray')
    assert refused.value.thing == 'ray'


def started_ray():
    "Start Ray; its own limit of 30 seconds for a start is too short on a busy machine."
    ray = pytest.importorskip('ray')
    for _ in range(3):
        try:
            return workers.start_ray()
        except Exception as e:  # Ray raises a plain Exception
            if 'timed out during startup' not in str(e):
                raise
            ray.shutdown()
    pytest.skip('Ray did not start within its 30 seconds, three times')


def test_ray_finds_what_one_worker_finds(tmp_path):
    ray = started_ray()
    bench(tmp_path / 'one', model)
    try:
        bench(tmp_path / 'ray', model, workers=2, backend='ray')
    finally:
        ray.shutdown()
    assert facts(tmp_path / 'ray') == facts(tmp_path / 'one')
    assert len(list((tmp_path / 'ray' / 'runs').glob('*.jsonl'))) == 6


# --- report and command ------------------------------------------------------------------------------


def test_the_report_loads_nothing_and_runs_nothing_of_the_data(tmp_path):
    from plotly.offline import get_plotlyjs

    trap = Question(
        '"><script>alert(1)</script>',
        'What is </script><img src=http://x/y> the height of mast 1?',
        (('<b>11 m</b>',),),
    )
    bench(tmp_path, questions=[*ASKED, trap], systems=['deepread', ('deepread', dict(k=2))])
    page = report(tmp_path, title='</title><script>').read_text(encoding='utf-8')
    rest = page.replace(get_plotlyjs(), '')
    assert (
        '<script>alert' not in rest
        and '<img' not in rest
        and '</title><script>' not in rest.replace('</style><script>', '')
    )
    assert not re.search(r'<(?:script|link|img|iframe|object|embed)[^>]*(?:src|href|data)\s*=|@import|url\(', rest)
    assert "default-src 'none'" in rest and len(re.findall(r'id="figure-\w+"', rest)) == 6


def test_a_table_for_your_own_questions(tmp_path):
    bench(tmp_path, systems=['deepread', 'search_o1'])
    table = frame(tmp_path)
    assert len(table) == 12 and set(table.correct) == {1.0} and set(table.doc_f1) == {1.0}
    assert list(leaderboard(score_bench(tmp_path)).n) == [6, 6]


def test_our_own_data_is_a_dataset():
    ours = load_dataset('deepread_nb', ROOT / 'data')
    assert len(ours.questions) == 40 and ours.folder == ROOT / 'data' and len(ours.documents) == 5
    assert {q.dataset for q in ours.questions} == {'deepread_nb'} and all(
        r.page >= 1 for q in ours.questions for r in q.evidence
    )


def test_the_commands_from_questions_to_report(tmp_path, capsys):
    docs = tmp_path / 'docs'
    docs.mkdir()
    (docs / 'masts.md').write_text(
        '# Masts\n\n' + '\n\n'.join(f'## Mast {i}\n\nThe height of mast {i} is {i + 10} m.' for i in range(6))
    )
    save_questions(docs / 'questions.jsonl', ASKED)
    recording = tmp_path / 'rec.jsonl'
    run(
        'deepread',
        ASKED[:4],
        Recorded(recording, Scripted(say)),
        tmp_path / 'made',
        docs,
        Budget(rounds=8),
        progress=False,
    )
    command = [
        'bench',
        str(docs / 'questions.jsonl'),
        str(docs),
        '--model',
        str(recording),
        '--out',
        str(tmp_path / 'out'),
        '--json',
    ]

    def call(*argv):
        return main(argv), json.loads(capsys.readouterr().out)

    code, first = call(*command)
    assert (code, first['done'], first['failed']) == (3, 6, 2)  # the recording knows four of the questions
    code, again = call(*command, '--retry', '--limit', '4')
    assert (code, again['ran'], again['accuracy']) == (0, 0, 1.0)
    code, page = call('report', str(tmp_path / 'out'), '--json')
    [line] = page['leaderboard']
    assert (code, line['n'], line['answered'], line['failed'], line['accuracy']) == (0, 4, 4, 2, 1.0)
    assert Path(page['html']).stat().st_size > 1_000_000
    assert call('report', str(tmp_path), '--json')[0] == 1
