"Doc-V* over the sample PDFs, with text and with pictures: Algorithm 1 step by step, its bounds, and its failures."

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepread_nb.agent.library import Library
from deepread_nb.agent.loop import Budget
from deepread_nb.agent.page_messages import number_pages
from deepread_nb.agent.record import load_trajectory, prompts
from deepread_nb.agent.vision import draw_references
from deepread_nb.core.corpus import Corpus
from deepread_nb.core.errors import ModelError
from deepread_nb.core.quoting import fence_name
from deepread_nb.llm.scripted import Scripted
from deepread_nb.parse.files import parse_file
from deepread_nb.systems.docv import DocV, adaptive_k

DATA = Path(__file__).parent.parent / 'data'
QUESTION = 'How long is the ropeway line, measured along the slope?'


@pytest.fixture(scope='module')
def library():
    return Library(
        Corpus([parse_file(DATA / name, cache=None) for name in ('ropeway_report.pdf', 'night_cars_memo.pdf')])
    )


def turn(tool, first=False, relevant=(), summary='Nothing yet.', **args):
    middle = dict(plan='Look.') if first else dict(relevant_pages=list(relevant))
    return dict(thought=dict(analysis='', **middle, summary=summary), call=dict(tool=tool, **args))


def explorer(tool='retrieval_page', **args):
    "A model that makes the same kind of call each turn, and answers when it is asked for the answer."

    def say(messages, schema):
        if schema is None:
            return '3,260 metres'
        if 'pages' in schema['required']:
            return dict(pages=schema['properties']['pages']['items']['enum'][:1])
        blocks, calls = schema['properties']['thought']['properties'], schema['properties']['call']['anyOf']
        offered = {c['properties']['tool']['const'] for c in calls}
        return turn(tool if tool in offered else 'answer', 'plan' in blocks, **args)

    return say


def test_the_course_of_the_paper(library, tmp_path):
    script = [
        turn('fetch_page', True, summary='A report and a memo.', pages=[3, 10]),
        turn('retrieval_page', relevant=[3], summary='Page 3: 3,260 metres.', query='ropeway line slope'),
        turn('fetch_page', relevant=[5], summary='Page 5 agrees.', pages=[3, 11]),
        turn('answer', summary='3,260 metres it is.'),
        '3,260 metres',
        dict(pages=['ropeway_report.pdf, page 3']),
    ]
    chat = Scripted(script)
    run = DocV().run(QUESTION, library, chat, path=tmp_path / 'run.jsonl')
    assert number_pages(library)[9] == (2, 1)  # the tenth page is the first of the second document
    assert run.steps[0].pages == [(1, 3), (2, 1)]
    assert len(run.steps[1].pages) == adaptive_k(11) == 2 and (1, 3) not in run.steps[1].pages  # only unvisited pages
    assert (
        run.steps[2].observation.startswith('Page 3 already visited.')
        and '[night_cars_memo.pdf, page 2]' in run.steps[2].observation
    )
    told = run.calls[3].sent[-1]['content']
    assert told.index('already visited') < told.index(
        'Working memory:\n1. A report and a memo.\n2. Page 3: 3,260 metres.\n3. Page 5 agrees.\nTurns left: 5.'
    )
    assert [(c.document, c.page, c.verified) for c in run.citations] == [('ropeway_report.pdf', 3, True)]
    assert [p for _, p in prompts(load_trajectory(run.path))] == [m for m, _ in chat.asked]
    relevant = chat.asked[1][1]['properties']['thought']['properties']['relevant_pages']
    assert relevant['items'] == dict(enum=[3, 10])  # judged are the pages that just came


@pytest.mark.parametrize('tool,args', [('retrieval_page', dict(query='ropeway line')), ('fetch_page', dict(pages=[1]))])
def test_eight_turns_and_then_the_answer(library, tool, args):
    run = DocV().run(QUESTION, library, Scripted(explorer(tool, **args), n_ctx=32_000), Budget(rounds=99))
    assert (run.stop, len(run.steps), run.answer) == ('forced', 8, '3,260 metres')
    if tool == 'retrieval_page':
        shown = [p for s in run.steps for p in s.pages]
        assert len(shown) == len(set(shown))
    else:
        assert [s.observation for s in run.steps[1:-1]] == ['Page 1 already visited.'] * 6


@pytest.mark.parametrize('n_ctx', [3000, 4096, 8192])
def test_a_small_context_puts_pages_away_and_says_so(library, n_ctx):
    chat = Scripted(explorer(query='ropeway line station car'), n_ctx=n_ctx)
    run = DocV(limit=2400 if n_ctx == 8192 else 1500).run(QUESTION, library, chat)
    assert run.answer and all(c.usage.prompt + c.max_tokens <= n_ctx for c in run.calls)
    kept = [c.keep for c in run.calls if c.purpose == 'act']
    if n_ctx == 8192:
        assert 2 in kept[2:] and any('put away for lack of room' in c.sent[-1]['content'] for c in run.calls)
    assert [p for _, p in prompts(run)] == [m for m, _ in chat.asked]


def test_pictures_for_a_model_that_sees(library, tmp_path):
    script = [
        turn('fetch_page', True, pages=[3]),
        turn('answer', relevant=[3]),
        '3,260 metres',
        dict(pages=['ropeway_report.pdf, page 3']),
    ]
    chat = Scripted(script, sees=True, n_ctx=16_000)
    run = DocV(overview_room=4000).run(QUESTION, library, chat, path=tmp_path / 'run.jsonl')
    assert run.header['params']['eyes'] == 'pictures' and 'base64' not in run.path.read_text()
    sheet, page = (next(p for p in c.sent[-1]['content'] if p['type'] == 'picture') for c in run.calls[:2])
    assert sheet['sheet'] == [[1, n] for n in range(1, 10)] + [[2, 1], [2, 2]] and sheet['first'] == 1
    assert (page['page'], page['size'][0] * page['size'][1] <= 1024 * 768) == (3, True)
    label = run.calls[1].sent[-1]['content'][0]['text']
    assert label == f"Page 3: ({fence_name('ropeway_report.pdf, page 3')})"
    assert [json.dumps(draw_references(p, library.corpus)) for _, p in prompts(load_trajectory(run.path))] == [
        json.dumps(m) for m, _ in chat.asked
    ]
    assert (run.answer, [c.page for c in run.citations]) == ('3,260 metres', [3])


def test_wrong_calls_are_told_and_the_run_goes_on(library):
    script = [
        turn('fetch_page', True, pages=[99]),
        turn('fetch_page', pages='three'),
        turn('retrieval_page', query='?!'),
        turn('dance'),
        turn('fetch_page'),
        turn('fetch_page', pages=[3]),
        turn('answer', relevant=[3, 7, 'x']),
        '3,260 metres',
        dict(pages=['ropeway_report.pdf, page 3']),
    ]
    run = DocV(question_counts=False).run(QUESTION, library, Scripted(script, n_ctx=16_000))
    assert [s.ok for s in run.steps] == [False] * 5 + [True] * 2 and run.stop == 'answered'
    for step, call in zip(run.steps, run.calls[1:]):  # what went wrong is what the agent is told next
        if not step.ok:
            assert step.observation in call.sent[-1]['content']


@settings(max_examples=25, deadline=None)
@given(rounds=st.integers(1, 10), tokens=st.one_of(st.none(), st.integers(1, 20_000)))
def test_budgets_end_a_run_with_an_answer(library, rounds, tokens):
    run = DocV().run(QUESTION, library, Scripted(explorer(query='ropeway')), Budget(rounds=rounds, tokens=tokens))
    assert (run.stop, run.answer) == ('forced', '3,260 metres') and len(run.steps) <= min(8, rounds)


@settings(max_examples=30, deadline=None)
@given(
    broken=st.integers(0, 9),
    twice=st.booleans(),
    reply=st.sampled_from(
        [
            '',
            'Hm.',
            '{',
            '{"call": {"tool": "answer"}}',
            '{"thought": {"summary": ""}, "call": {"tool": "answer"}}',
            '[]',
        ]
    ),
)
def test_bad_words_are_mended_once_and_end_the_run_the_second_time(library, broken, twice, reply):
    count, bad = iter(range(10_000)), (broken, broken + 1) if twice else (broken,)
    run = DocV().run(
        QUESTION,
        library,
        Scripted(lambda m, s: reply if next(count) in bad else explorer(query='ropeway')(m, s), n_ctx=32_000),
    )
    assert run.stop in ('forced', 'malformed') and run.outcome is not None
    if not twice:
        assert run.stop == 'forced'
    if run.stop == 'malformed':
        assert not run.steps[-1].ok and [c.purpose for c in run.calls][-1] == 'repair'


def test_an_interruption_and_an_error_keep_what_was_done(library, tmp_path):
    for error, name in ((KeyboardInterrupt(), 'a'), (ModelError('server', 'it is down'), 'b')):
        chat = Scripted([turn('fetch_page', True, pages=[3]), error])
        if name == 'a':
            assert DocV().run(QUESTION, library, chat, path=tmp_path / name).stop == 'interrupted'
        else:
            with pytest.raises(ModelError):
                DocV().run(QUESTION, library, chat, path=tmp_path / name)
            assert load_trajectory(tmp_path / name).stop == 'error'
        assert [s.action['tool'] for s in load_trajectory(tmp_path / name).steps] == ['fetch_page']


def test_a_library_without_pages_is_told_at_once():
    from deepread_nb.core.document import Document, Paragraph
    from deepread_nb.core.errors import DeepReadError
    from deepread_nb.systems.sleuth import Sleuth

    memo = Library(Corpus([Document.from_blocks('memo.md', [Paragraph('Lamps.')])]))
    for system in (DocV(), Sleuth()):
        with pytest.raises(DeepReadError):
            system.run('Lamps?', memo, Scripted([]))
