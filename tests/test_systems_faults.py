"""Malformed output at every point of every system: asked again once with the reason, then the run ends cleanly.

The first test is the whole table: a working run is recorded for each system, and then every one of its calls is spoilt,
once and twice. The second lets hypothesis choose calls and junk, valid JSON with something wrong in it among them."""

import json
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepread_nb.agent.library import Library
from deepread_nb.agent.loop import Budget
from deepread_nb.agent.record import STOPS, load_trajectory, prompts
from deepread_nb.core.corpus import Corpus
from deepread_nb.core.document import Document, Heading, Page, Paragraph, Region
from deepread_nb.llm.scripted import Scripted
from deepread_nb.systems.deepread import DeepRead
from deepread_nb.systems.registry import make_system, systems

QUESTION = 'How many birds were seen on day 9?'


def log(n: int = 12) -> Corpus:
    def said(i):
        return f'On day {i} the keeper saw {i * 7} birds and wrote a long line about the weather of the day.'

    days = [
        b
        for i in range(1, n + 1)
        for b in (Heading(f'Day {i}', 2, Region(i)), Paragraph(said(i), regions=(Region(i),)))
    ]
    return Corpus(
        [
            Document.from_blocks(
                'log.pdf',
                [Heading('Log', 1, Region(1)), *days],
                pages=tuple(Page(i, 500, 700) for i in range(1, n + 1)),
            )
        ]
    )


LIBRARY = Library(log())
LOOKERS = ('deepread', 'search_o1')  # write a draft before the answer


# --- a model that does what a schema allows, and what may go wrong with it ---------------------------


def instance(schema: dict, done: bool):
    "Something that fits a schema; of several calls `answer` when `done`, else the last of the others."
    if 'const' in schema:
        return schema['const']
    if 'enum' in schema:
        return schema['enum'][0]
    if 'anyOf' in schema:
        ends = [s for s in schema['anyOf'] if s['properties']['tool'].get('const') == 'answer']
        return instance((ends if done and ends else [s for s in schema['anyOf'] if s not in ends] or ends)[-1], done)
    if schema['type'] == 'object':
        return {k: instance(s, done) for k, s in schema['properties'].items()}
    if schema['type'] == 'array':
        return [instance(schema['items'], done)] if schema.get('maxItems', 1) else []
    return {'integer': 1, 'boolean': True}.get(schema['type'], 'birds on day 9')


def good(messages, schema):
    "Two looks, then the answer; what it says depends on what it is asked alone."
    return '63 birds' if schema is None else instance(schema, sum(m['role'] == 'assistant' for m in messages) >= 2)


class Faulty(Scripted):
    "The good model, but some of its replies are spoilt; asked again, it answers as if nothing had happened."

    def __init__(self, spoilt: dict, **more):  # number of a call, from 0 -> a reply, or a function of the good one
        self.spoilt, self.calls = spoilt, count()
        super().__init__(self.say, **more)

    def say(self, messages, schema):
        n = next(self.calls)
        if len(messages) > 2 and str(messages[-1]['content']).startswith(('your reply', 'Write the answer itself')):
            messages = messages[:-2]
        reply = good(messages, schema)
        if n not in self.spoilt:
            return reply
        return self.spoilt[n](reply) if callable(self.spoilt[n]) else self.spoilt[n]


def ask(name: str, chat: Scripted, path: Path | None = None):
    return make_system(name).with_gold_pages([('log.pdf', 9)]).run(QUESTION, LIBRARY, chat, Budget(rounds=8), path)


# --- the table: system x point -----------------------------------------------------------------------


@pytest.mark.parametrize('garbage', ['', '{"thought": "I will', '{}'])
@pytest.mark.parametrize('name', systems())
def test_one_bad_reply_is_mended_and_a_second_ends_the_run(name, garbage):
    ask(name, Faulty({}))  # RAPTOR writes its summaries now, once for the library
    whole = ask(name, Faulty({}))
    assert whole.stop == 'answered' and '63 birds' in whole.answer
    points = [c.purpose for c in whole.calls]
    for i, point in enumerate(points):
        once, twice = ask(name, Faulty({i: garbage})), ask(name, Faulty({i: garbage, i + 1: garbage}))
        assert [c.purpose for c in once.calls][: i + 2] == [*points[: i + 1], 'repair'], point
        reason = once.calls[i + 1].sent[-1]['content']
        assert reason.startswith('your reply: ') and len(once.calls[i + 1].sent) == 1, point
        assert (once.stop, once.answer) == (whole.stop, whole.answer), point
        if point == 'answer' and name in LOOKERS:  # the draft stands
            assert (twice.stop, twice.answer, [c.purpose for c in twice.calls][i:]) == (
                'answered',
                whole.calls[i - 1].reply,
                ['answer', 'repair', 'cite'],
            )
            continue
        assert [c.purpose for c in twice.calls][i:] == [point, 'repair'] or point == 'cite'
        if point == 'cite':
            assert (twice.stop, twice.answer, twice.citations) == (
                'answered',
                whole.answer,
                [],
            )  # no citation is worth an answer
        else:
            assert (twice.stop, twice.answer, twice.citations, twice.steps[-1].ok) == ('malformed', '', [], False), (
                point
            )
        assert twice.outcome.error or point == 'cite'


def test_the_table_has_every_point():
    "So that a call that is added to a system is not left out of the table for want of being reached."
    points = {name: list(dict.fromkeys(c.purpose for c in ask(name, Faulty({})).calls)) for name in systems()}
    assert points['docdancer'] == ['act', 'read', 'answer', 'cite']  # `evidence` where there is a choice: test_systems
    assert points['sleuth'] == ['clues', 'screen', 'assess', 'answer', 'cite']  # `reason` in hard cases: below
    assert points['deepread'] == points['search_o1'] == ['act', 'draft', 'answer', 'cite']
    assert points['madqa_bm25'] == points['docv'] == ['act', 'answer', 'cite']
    assert points['oracle'] == points['single_pass'] == points['rag'] == points['raptor'] == ['answer']
    assert points['itrg'] == ['draft', 'answer']


@pytest.mark.parametrize('garbage', ['', '{"thought": "I will', '{}'])
def test_a_second_look_is_mended_at_every_point_too(garbage):
    def look_twice(faults):
        return DeepRead(k=1).run(QUESTION, LIBRARY, Faulty(faults), Budget(rounds=8))

    whole = look_twice({})
    points = [c.purpose for c in whole.calls]
    assert points == ['act', 'act', 'act', 'draft', 'answer', 'cite'] and '63 birds' in whole.answer
    for i, point in enumerate(points):
        once, twice = look_twice({i: garbage}), look_twice({i: garbage, i + 1: garbage})
        assert [c.purpose for c in once.calls][: i + 2] == [*points[: i + 1], 'repair']
        assert (once.stop, once.answer) == ('answered', whole.answer), point
        if point == 'answer':
            assert (twice.stop, twice.answer) == ('answered', twice.calls[3].reply)  # the draft stands
        elif point != 'cite':
            assert (twice.stop, twice.answer, twice.steps[-1].ok) == ('malformed', '', False), point
        answers = [m for c, m in prompts(once) if c.purpose in ('draft', 'answer')]
        assert all([m['content'] for m in answers[0][:4]] == [m['content'] for m in other[:4]] for other in answers), (
            point
        )  # the part in the model's cache


def test_a_second_look_is_left_out_when_the_budget_is_spent():
    run = DeepRead(k=1).run(QUESTION, LIBRARY, Faulty({}), Budget(rounds=8))
    spent = sum(c.usage.prompt + c.usage.generated for c in run.calls[:3])
    short = DeepRead(k=1).run(QUESTION, LIBRARY, Faulty({}), Budget(rounds=8, tokens=spent + 1))
    assert [c.purpose for c in short.calls] == ['act', 'act', 'act', 'draft', 'cite'] and short.stop == 'answered'


@pytest.mark.parametrize('rounds', [3, 4, 6])
def test_five_looks_stay_within_the_rounds(rounds):
    run = DeepRead(k=1, looks=5, limit=30).run(QUESTION, LIBRARY, Faulty({}), Budget(rounds=rounds))
    assert len(run.steps) == rounds and run.steps[-1].action['tool'] == 'answer'


def test_a_second_look_is_left_out_when_the_context_is_full():
    chat = Faulty({})

    def fill(event):
        if event.kind == 'text' and event.data == whole.calls[3].reply:
            chat.n_ctx = chat.count(chat.asked[-1][0]) + 900  # two answers fit, an observation does not

    whole = DeepRead(k=1).run(QUESTION, LIBRARY, Faulty({}), Budget(rounds=8))
    full = DeepRead(k=1).run(QUESTION, LIBRARY, chat, Budget(rounds=8), watch=fill)
    assert [c.purpose for c in full.calls] == ['act', 'act', 'act', 'draft', 'cite'] and full.stop == 'answered'


@given(st.lists(st.integers(1, 12), max_size=6), st.integers(0, 2), st.sampled_from([30, 60, 500]), st.booleans())
@settings(max_examples=25, deadline=None, derandomize=True)
def test_whatever_was_read_is_there_when_the_answer_is_written(days, looks, limit, circles):
    turns = [dict(thought='', call=dict(tool='Retrieve', query='birds on day 9'))]
    turns += [
        dict(thought=f'Read day {day}.', call=dict(tool='ReadSection', doc_id=1, sec_id=day + 1, start=1, end=1))
        for day in days
    ]
    turns += [turns[-1] | dict(thought='And again.')] * 2 if circles else [dict(thought='', call=dict(tool='answer'))]

    def say(messages, schema):
        if schema is None:
            return f'63 birds on day {len(messages) % 12 + 1}'
        return (
            turns[sum(m['role'] == 'assistant' for m in messages)]
            if 'call' in schema['properties']
            else instance(schema, True)
        )

    run = DeepRead(k=2, looks=looks, limit=limit).run(QUESTION, LIBRARY, Scripted(say), Budget(rounds=20))
    shown, asked = set(), prompts(run)
    for step in run.steps:
        for call in step.calls:
            _, messages = next(asked)
            said = ' '.join(str(m['content']) for m in messages)
            if call.purpose in ('draft', 'answer'):
                assert all(LIBRARY.corpus[c].text in said for c in shown), (call.purpose, shown)
        shown |= set(step.new)
    assert run.stop == ('circling' if circles else 'answered') and shown


@pytest.mark.parametrize('garbage', ['', '{"difficulty_level": 1', '[]'])
def test_sleuths_reasoning_is_asked_for_twice_as_well(garbage):
    def hard(messages, schema):
        reply = good(messages, schema)
        return reply | dict(difficulty_level=1) if isinstance(reply, dict) and 'difficulty_level' in reply else reply

    def spoil(*bad):
        n = count()

        def say(messages, schema):
            told = str(messages[-1]['content']).startswith('your reply')
            return garbage if next(n) in bad else hard(messages[:-2] if told else messages, schema)

        return Scripted(say)

    points = [c.purpose for c in ask('sleuth', Scripted(hard)).calls]
    at = points.index('reason')
    assert points[at - 1 :] == ['assess', 'reason', 'answer', 'cite']
    once, twice = ask('sleuth', spoil(at)), ask('sleuth', spoil(at, at + 1))
    assert (once.stop, once.answer, once.calls[at + 1].purpose) == ('answered', '63 birds', 'repair')
    assert (twice.stop, twice.answer, twice.steps[-1].ok) == ('malformed', '', False)


# --- junk at random points ---------------------------------------------------------------------------

letters = st.characters()  # also those that end a line elsewhere, and halves of a surrogate pair
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(letters, max_size=12),
    st.sampled_from(['answer', 'read', '1', 'log.pdf, page 1', '1:2:1']),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(['call', 'thought', 'tool', 'query', 'pages', 'summary', 'x']), inner, max_size=3
        ),
    ),
    max_leaves=6,
)


def paths(reply, at=()):
    "The ways to every value in a reply."
    yield at
    inside = reply.items() if isinstance(reply, dict) else enumerate(reply) if isinstance(reply, list) else ()
    for key, value in inside:
        yield from paths(value, (*at, key))


def with_one_wrong(reply, which: int, value):
    "A reply in which one of its values is another."
    way = list(paths(reply))
    way = way[which % len(way)]
    if not way:
        return value
    changed = json.loads(json.dumps(reply))
    inside = changed
    for key in way[:-1]:
        inside = inside[key]
    inside[way[-1]] = value
    return changed


spoil = st.one_of(
    st.text(letters, max_size=40),
    values.map(json.dumps),
    st.tuples(st.integers(0, 40), values).map(lambda a: lambda reply: json.dumps(with_one_wrong(reply, *a))),
    st.integers(0, 60).map(lambda n: lambda reply: (reply if isinstance(reply, str) else json.dumps(reply))[:n]),
)  # cut short


@pytest.mark.parametrize('sees', [False, True])
@pytest.mark.parametrize('name', systems())
@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.dictionaries(st.integers(0, 9), spoil, min_size=1, max_size=5))
def test_junk_at_random_points_never_raises_and_leaves_a_valid_trajectory(name, sees, spoilt):
    with TemporaryDirectory() as folder:
        path = Path(folder) / 'run.jsonl'
        chat = Faulty(spoilt, sees=sees, n_ctx=32_000)
        run = ask(name, chat, path)
        again = load_trajectory(path)
    assert run.outcome is not None and run.stop in STOPS and run.stop not in ('error', 'interrupted')
    assert again.steps == run.steps and again.outcome == run.outcome
    assert [s.n for s in run.steps] == list(range(1, len(run.steps) + 1))
    assert all(
        isinstance(s.observation, str) and isinstance(s.thought, str) and isinstance(s.action, dict) for s in run.steps
    )
    assert all(LIBRARY.corpus[c.coord].text and c.document == 'log.pdf' for c in run.citations)
    if name != 'raptor':
        assert [p for _, p in prompts(again)] == [asked for asked, _ in chat.asked]
    if run.stop == 'malformed':
        assert not run.answer and run.outcome.error and not run.steps[-1].ok
