"The metrics of answers and evidence as an importer uses them: properties, damaged files, a published scorer."

import asyncio
import json
import random
import sys
from dataclasses import replace
from itertools import permutations
from math import isfinite
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepread_nb.agent.record import Trajectory
from deepread_nb.core.errors import DeepReadError, FormatError, ModelError
from deepread_nb.llm.scripted import Scripted
from deepread_nb.metrics.answers import (
    anls,
    anls_star,
    answer_tokens,
    best_over_variants,
    exact_match,
    list_f1,
    split_items,
    token_f1,
)
from deepread_nb.metrics.evidence import doc_f1, evidence_overlap, page_f1
from deepread_nb.metrics.jsonl import JsonLine, parse_page, parse_page_refs, parse_text, read_json_lines
from deepread_nb.metrics.judge import POINTS, Judge, Verdict, judge_agreement
from deepread_nb.metrics.judge_correction import JudgeCalibration, calibrate_judge, corrected_mean, rogan_gladen
from deepread_nb.metrics.mmlongbench import format_score
from deepread_nb.metrics.predictions import (
    FINAL_TOOL,
    NO_PAGE,
    Move,
    PageRef,
    Prediction,
    Question,
    Scored,
    prediction_of,
)
from deepread_nb.metrics.quantities import find_quantities, is_quantity
from deepread_nb.metrics.questions import load_questions, save_questions
from deepread_nb.metrics.rules import RULES, mark_answer
from deepread_nb.metrics.scoring import compare, mcnemar, score, summary
from deepread_nb.metrics.statistics import mean_ci
from deepread_nb.metrics.submissions import load_submission, save_submission
from deepread_nb.systems.registry import ask

ROOT = Path(__file__).parent.parent
DATA = ROOT / 'data'
SOUND = dict(reason='', **{p: v[0] for p, v in POINTS.items()}, judgment='correct')
WRONG = SOUND | dict(content='different', judgment='incorrect')

texts = st.text(max_size=12) | st.sampled_from(
    [
        'Varnham',
        'varnham ',
        '$1,577 million',
        '1.577 billion',
        '12%',
        '(5.2)',
        'Yes',
        'No',
        '3,260 m',
        'Not answerable',
        '["a", 1]',
        '',
    ]
)
strings = st.lists(texts, max_size=3)
refs = st.builds(PageRef, st.sampled_from(['a.pdf', 'b.pdf', 'c.md']), st.integers(0, 4))
shown = st.lists(refs, max_size=5).map(tuple)
printable = st.text(st.characters(codec='utf-8'), max_size=12)


# --- properties of the rules ---------------------------------------------------------------------------


@given(strings, strings, st.sampled_from(['Int', 'Float', 'Str', 'None', 'List']))
def test_every_mark_lies_between_0_and_1(answer, gold, form):
    for name, rule in RULES.items():
        if name == 'anls_star' and not gold:
            continue
        assert 0 <= rule(answer, gold) <= 1 + 1e-12, name
    assert 0 <= format_score(answer, gold, form) <= 1


@given(strings, strings)
def test_similarities_are_symmetric(a, b):
    for metric in (exact_match, anls, token_f1):
        assert metric(a, b) == pytest.approx(metric(b, a))
    if a and b:
        assert anls_star(a, b) == pytest.approx(anls_star(b, a))


@given(
    st.lists(texts, min_size=2, max_size=4), st.lists(texts, min_size=2, max_size=4), st.randoms(use_true_random=False)
)
def test_lists_have_no_order(answer, gold, rng):
    mixed = rng.sample(answer, len(answer))
    for metric in (exact_match, anls_star):
        assert metric(mixed, gold) == pytest.approx(metric(answer, gold))
    assert list_f1(mixed, gold) == pytest.approx(list_f1(answer, gold))


@given(
    strings,
    st.lists(st.lists(texts, min_size=1, max_size=2), min_size=1, max_size=3),
    st.lists(texts, min_size=1, max_size=2),
)
def test_another_variant_never_lowers_a_mark(answer, variants, more):
    for name, rule in RULES.items():
        assert best_over_variants(rule, answer, [*variants, more]) >= best_over_variants(rule, answer, variants), name


@given(st.lists(texts.filter(str.strip), min_size=1, max_size=3))
def test_the_gold_itself_is_right(gold):
    for metric in (exact_match, anls, anls_star, token_f1):
        assert metric(gold, gold) == pytest.approx(1)


@given(st.text(max_size=60))
def test_text_of_any_kind_can_be_read(text):
    assert all(isinstance(q.number, float) for q in find_quantities(text))
    assert isinstance(answer_tokens(text), tuple) and isinstance(split_items([text]), list)
    assert is_quantity(text) in (True, False)


@pytest.mark.parametrize(
    'text',
    [
        '1,' * 5000,
        '(' * 10000,
        'one ' * 5000,
        ' ' * 20000,
        '9' * 20000,
        '1.' * 5000,
        '$' * 10000,
        'hundred ' * 3000,
        '- ' * 5000,
    ],
    ids=lambda t: t[:4],
)
def test_long_junk_is_read_in_passing(text):
    for metric in (find_quantities, answer_tokens, is_quantity):
        metric(text)
    assert format_score([text], ['a'], 'Str') == 0


@given(
    st.floats(-1e12, 1e12).map(lambda x: round(x, 2)),
    st.sampled_from([('', 1), (' thousand', 1e3), (' million', 1e6), ('bn', 1e9)]),
    st.sampled_from(['', '$', '€']),
)
def test_a_number_is_read_as_written(value, scale, currency):
    name, factor = scale
    text = f'{"-" if value < 0 else ""}{currency}{abs(value):,.2f}{name}'
    (found,) = find_quantities(text)
    assert found.number == pytest.approx(value * factor) and found.unit == {'': '', '$': 'USD', '€': 'EUR'}[currency]


# --- evidence -------------------------------------------------------------------------------------------


@given(shown, shown, st.randoms(use_true_random=False))
def test_evidence_is_a_matter_of_sets(cited, gold, rng):
    for level in ('page', 'document'):
        found = evidence_overlap(cited, gold, level)
        assert all(0 <= x <= 1 for x in found)
        assert evidence_overlap(rng.sample(cited, len(cited)) * 2, gold, level) == found
    if gold:
        assert page_f1(gold, gold) == doc_f1(gold, gold) == 1
    assert page_f1((), gold) == doc_f1((), gold) == page_f1(cited, ()) == 0


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_an_interval_holds_its_mean_whatever_the_order(values, rng):
    found = mean_ci(values)
    assert found == mean_ci(rng.sample(values, len(values))) and found.n == len(values)
    assert (
        found.low - 1e-9 <= found.mean <= found.high + 1e-9 and min(values) <= found.low and found.high <= max(values)
    )
    assert found.mean == pytest.approx(sum(values) / len(values))


@given(st.integers(0, 7), st.integers(0, 7))
def test_mcnemar_counts_the_tosses(b, c):
    "Over all outcomes of b + c tosses, the share as uneven as this one or more."
    n = b + c
    outcomes = [bin(k).count('1') for k in range(2**n)]
    uneven = sum(abs(2 * heads - n) >= abs(b - c) for heads in outcomes) / 2**n
    assert mcnemar(b, c) == mcnemar(c, b) == pytest.approx(uneven)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=20))
def test_a_comparison_turns_round(pairs):
    def system(column):
        return [Scored(Question(f'q{i}', '?'), Prediction(f'q{i}'), p[column]) for i, p in enumerate(pairs)]

    one, other = compare(system(0), system(1)), compare(system(1), system(0))
    assert one.difference.mean == pytest.approx(-other.difference.mean) and (one.only_a, one.only_b, one.p) == (
        other.only_b,
        other.only_a,
        other.p,
    )


# --- MADQA's public scorer, told anew from the paper's formulas ----------------------------------------------


def distance(a: str, b: str) -> int:
    "Edits from a to b, by the table."
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
    return row[-1]


def similarity(a: str, b: str) -> float:
    s = 1 - distance(a, b) / max(len(a), len(b), 1)
    return s if s >= 0.5 else 0.0


def star(answer: list[str], gold: list[str]) -> float:
    "ANLS* of two short lists: the best of all ways to pair them, over pairs and leftovers."
    a, g = sorted(([' '.join(x.lower().split()) for x in side] for side in (answer, gold)), key=len)
    return max(sum(map(similarity, a, order)) for order in permutations(g, len(a))) / len(g)


def f1(found: set, gold: set) -> float:
    both = len(found & gold)
    p, r = both / len(found) if found else 0.0, both / len(gold)
    return 2 * p * r / (p + r) if p + r else 0.0


def submission(rng: random.Random) -> tuple[list[Question], list[dict]]:
    "Questions and the lines of a submission that answers all of them, some well."
    names = ['Ellary', 'Orle', 'Tamsin', 'Isolde Varnham', '$1,577 million', 'in 1931']

    def slip(s):
        return rng.choice([s, s.upper(), s + '!', s[1:], f'It was {s}, as far as one can tell from this page.'])

    questions, lines = [], []
    for n in range(120):
        variants = tuple(tuple(rng.sample(names, rng.randint(1, 3))) for _ in range(rng.randint(1, 3)))
        evidence = tuple(
            dict.fromkeys(PageRef(rng.choice(['a.pdf', 'b.pdf']), rng.randint(1, 4)) for _ in range(rng.randint(1, 3)))
        )
        questions.append(Question(f'q{n}', f'Question {n}?', variants, evidence, dataset='MADQA'))
        pages = [*evidence, PageRef('b.pdf', 9), PageRef('c.pdf', 1)]
        cited = [
            dict(file=p.document, page=rng.choice([p.page, str(p.page)])) for p in rng.sample(pages, rng.randint(0, 3))
        ]
        answer = [slip(s) for s in rng.choice([rng.choice(variants), tuple(rng.sample(names, 2)), ()])]
        lines.append(
            dict(
                id=f'q{n}',
                question=f'Question {n}?',
                answer=answer[0] if len(answer) == 1 else answer,
                citations=cited,
                iterations=rng.randint(1, 9),
            )
        )
    return questions, lines


@pytest.mark.parametrize('seed', range(5))
def test_the_figures_of_a_madqa_submission_are_those_of_its_formulas(tmp_path, seed):
    questions, lines = submission(random.Random(seed))
    path = tmp_path / 'results_x.jsonl'
    path.write_text('\n'.join(map(json.dumps, lines)))
    found = summary(score(questions, load_submission(path, questions)))

    def as_list(a):
        return [a] if isinstance(a, str) else a

    right = [
        max((star(as_list(line['answer']), list(g)) for g in q.answer_variants), default=0.0) >= 0.5
        if line['answer']
        else False
        for q, line in zip(questions, lines)
    ]
    cited = [{(c['file'], int(c['page'])) for c in line['citations']} for line in lines]
    assert found.accuracy.mean == pytest.approx(sum(right) / len(right), abs=1e-9)
    assert found.page_f1.mean == pytest.approx(
        sum(f1(c, set(q.evidence)) for q, c in zip(questions, cited)) / len(lines), abs=1e-9
    )
    assert found.doc_f1.mean == pytest.approx(
        sum(f1({d for d, _ in c}, {e.document for e in q.evidence}) for q, c in zip(questions, cited)) / len(lines),
        abs=1e-9,
    )
    assert 0 < found.accuracy.mean < 1 and 0 < found.page_f1.mean < found.doc_f1.mean


def test_a_leaderboard_cannot_be_won_by_silence(tmp_path):
    "MADQA's public scorer leaves unanswered questions out; one figure here counts them, and the accuracy says its n."
    questions, lines = submission(random.Random(1))
    path = tmp_path / 'x.jsonl'
    path.write_text('\n'.join(map(json.dumps, lines[:60])))
    rows = score(questions, load_submission(path, questions))
    found, half = summary(rows), summary(score(questions[:60], load_submission(path, questions)))
    assert [r.how for r in rows[60:]] == ['missing'] * 60
    assert (found.n, found.total, found.missing) == (60, 120, 60)
    assert found.accuracy == half.accuracy and found.page_f1 == half.page_f1
    assert found.all_questions.mean == pytest.approx(half.accuracy.mean / 2) and found.all_questions.n == 120


# --- files ------------------------------------------------------------------------------------------------------

moves = st.builds(
    Move,
    st.sampled_from(['search', 'answer', '']),
    printable,
    shown,
    st.integers(0, 9999),
    st.integers(0, 999),
    st.floats(0, 99),
    st.booleans(),
)
maybe = st.none() | st.floats(1, 1e6)
predictions = st.builds(
    Prediction,
    st.uuids().map(str),
    st.lists(printable, max_size=3).map(tuple),
    shown,
    st.lists(printable, max_size=2).map(tuple),
    printable.filter(bool),
    printable,
    st.lists(moves, max_size=3).map(tuple),
    st.sampled_from(['answered', 'error', '']),
    maybe,
    st.none() | st.just('runs/a.jsonl'),
    maybe,
    maybe,
    maybe,
)
variants_ = st.lists(st.lists(printable, min_size=1, max_size=2).map(tuple), max_size=2).map(tuple)
questions_ = st.builds(
    Question,
    st.uuids().map(str),
    printable.filter(str.strip),
    variants_,
    shown,
    st.lists(printable, max_size=2).map(tuple),
    st.sampled_from(['', 'Str', 'None']),
    printable,
    printable,
    printable,
)


@settings(deadline=None)
@given(st.lists(predictions, min_size=1, max_size=4))
def test_a_submission_comes_back_as_it_was_written(tmp_path_factory, found):
    path = tmp_path_factory.mktemp('s') / 's.jsonl'
    again = load_submission(save_submission(path, found))
    for a, b in zip(again, found, strict=True):
        assert replace(a, steps=None) == replace(b, steps=None) and a.effort() == b.effort()


@settings(deadline=None)
@given(st.lists(questions_, min_size=1, max_size=4))
def test_questions_come_back_as_they_were_written(tmp_path_factory, found):
    assert load_questions(save_questions(tmp_path_factory.mktemp('q') / 'q.jsonl', found)) == found


scalars = st.none() | st.booleans() | st.integers(-3, 10**400) | st.floats() | st.text(max_size=5)
inner = st.sampled_from(['file', 'page', 'query', 'usage', 'tool_results', 'name', 'x'])
junk = st.recursive(scalars, lambda x: st.lists(x, max_size=2) | st.dictionaries(inner, x, max_size=3), max_leaves=6)
FIELDS = [
    'id',
    'question',
    'answer',
    'citations',
    'search_history',
    'iterations',
    'trajectory',
    'moves',
    'steps',
    'tokens',
    'seconds',
    'quotes',
    'system',
    'model',
    'stop',
    'path',
    'error',
    'answer_variants',
    'evidence',
    'documents',
    'answer_format',
]


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), junk, max_size=5))
def test_a_line_of_junk_loads_or_is_named(tmp_path_factory, line):
    path = tmp_path_factory.mktemp('j') / 'j.jsonl'
    for load, base in ((load_submission, dict(id='q1', answer='a')), (load_questions, dict(id='q1', question='Why?'))):
        path.write_text(
            json.dumps(dict(id='q0', question='How?', answer='b')) + '\n' + json.dumps(base | line), encoding='utf-8'
        )
        try:
            assert len(load(path)) == 2
        except FormatError as e:
            assert 'line 2' in str(e) and e.mend


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_bytes_of_any_kind_load_or_are_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp('b') / 'b.jsonl'
    path.write_bytes(content)
    for load in (load_submission, load_questions):
        with pytest.raises(FormatError):
            load(path)


@pytest.mark.parametrize(
    'content, said',
    [
        ('{"id": "a", "answer": "x"}\n{"id": "a", "answer": "y"}', 'line 2'),
        ('{"answer": "x"}', '"id" is missing'),
        ('{"id": "a", "answer": NaN}', 'NaN'),
        ('{"id": "a", "answer": ["x"], "citations": [{"file": "a.pdf", "page": 0}]}', 'Pages count from 1'),
        ('{"id": "a", "answer": ["x"], "citations": {}}', 'Make "citations" a list'),
        ('{"id": ["a"], "answer": "x"}', '"id" is a list'),
        ('[]', 'one JSON object a line'),
        ('{"id": "a", "answer": "x"}\n{"id": "b", "ans', 'line 2'),
    ],
)
def test_errors_name_the_line_and_the_mend(tmp_path, content, said):
    path = tmp_path / 's.jsonl'
    path.write_text(content)
    with pytest.raises(FormatError, match='line [12]') as error:
        load_submission(path)
    assert said in str(error.value) and error.value.mend


def test_a_byte_order_mark_and_windows_lines_do_no_harm(tmp_path):
    path = tmp_path / 's.jsonl'
    path.write_bytes('\ufeff{"id": "a", "answer": "é"}\r\n\r\n{"id": "b", "answer": "2"}\r\n'.encode())
    assert [p.answer for p in load_submission(path)] == [('é',), ('2',)]
    for encoding in ('utf-16', 'latin-1'):
        path.write_bytes('{"id": "a", "answer": "é"}'.encode(encoding))
        with pytest.raises(FormatError, match='line 1.*UTF-8'):
            load_submission(path)


def test_a_line_without_end_is_refused_without_reading_it_all(tmp_path, monkeypatch):
    monkeypatch.setattr('deepread_nb.metrics.jsonl.MAX_LINE', 1000)
    path = tmp_path / 's.jsonl'
    path.write_text('{"id": "a", "answer": "' + 'x' * 5000)
    with pytest.raises(FormatError, match='line 1: the line is longer'):
        load_submission(path)


# --- judges ----------------------------------------------------------------------------------------------------

FOUNDER = Question('q1', 'Who founded it?', (('Varnham',),), (PageRef('a.pdf', 4),))


@pytest.mark.parametrize(
    'replies',
    [
        ['No.', 'No!'],
        [ModelError('server', 'away')],
        ['{}', '[]'],
        [json.dumps(SOUND)[:-9]] * 2,
        [SOUND | dict(judgment='maybe')] * 2,
    ],
)
def test_a_judge_that_fails_is_counted(replies):
    rows = score([FOUNDER], [Prediction('q1', ('She',))], Judge(Scripted(replies)), progress=False)
    assert (rows[0].how, rows[0].correct, summary(rows).failed) == ('failed', 0, 1)


@settings(deadline=None)
@given(st.data())
def test_verdicts_survive_a_crash_at_any_byte(tmp_path_factory, data):
    path = tmp_path_factory.mktemp('v') / 'v.jsonl'
    answers = ['She', 'Her', 'They']
    first = Judge(Scripted([SOUND, WRONG, SOUND]), path)
    before = [first(FOUNDER, [a]) for a in answers]
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    again = Judge(Scripted(lambda messages, schema: WRONG if '"Her"' in messages[-1]['content'] else SOUND), path)
    assert [again(FOUNDER, [a]) for a in answers] == before
    assert [Judge(Scripted([]), path)(FOUNDER, [a]) for a in answers] == before


@given(st.floats(0, 1), st.floats(0.51, 1), st.floats(0.51, 1))
def test_the_correction_undoes_the_judges_errors(theta, q1, q0):
    assert rogan_gladen(q1 * theta + (1 - q0) * (1 - theta), JudgeCalibration(q1, q0)) == pytest.approx(theta, abs=1e-6)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=60), st.integers(1, 90), st.integers(1, 90))
def test_a_corrected_mean_lies_in_its_interval(scores, m1, m0):
    for c in (JudgeCalibration(), JudgeCalibration(0.9, 0.8, m1, m0)):
        found = corrected_mean(scores, c)
        assert 0 <= found.low <= found.mean <= found.high <= 1 and isfinite(found.mean)


@given(
    st.lists(st.tuples(*[st.sampled_from(['correct', 'partial', 'incorrect', 'failed'])] * 3), min_size=1, max_size=12)
)
def test_unanimity_is_the_rarest_agreement(rows):
    found = judge_agreement({name: [Verdict(r[i]) for r in rows] for i, name in enumerate('abc')})
    assert found.failed + found.unanimous.n == len(rows)
    if found.unanimous.n:
        assert found.unanimous.mean <= min(i.mean for i in found.pairwise.values()) + 1e-12


def test_labels_of_people_calibrate_a_judge():
    c = calibrate_judge(
        [Verdict('correct')] * 9 + [Verdict('incorrect')] * 6 + [Verdict('failed')], [1] * 8 + [0] + [0] * 5 + [1] + [1]
    )
    assert c == JudgeCalibration(8 / 9, 5 / 6, 9, 6)
    with pytest.raises(DeepReadError) as error:
        calibrate_judge([1.0], [1])
    assert error.value.thing == 'the human marks'


# --- whole flows --------------------------------------------------------------------------------------------------


def test_from_a_run_to_its_scores_and_back(tmp_path):
    "A scripted agent answers over Markdown, which has no pages; its run is scored, exported, loaded and scored again."
    (tmp_path / 'docs').mkdir()
    (tmp_path / 'docs' / 'show.md').write_text(
        '# Flower show\n\nHeld in June.\n\n## Prizes\n\nThe first prize is a silver trowel.\n'
    )

    def call(tool, **args):
        return dict(thought='', call=dict(tool=tool, **args))

    chat = Scripted(
        [call('Retrieve', query='first prize'), call('answer'), 'A silver trowel.', dict(citations=['1:2:1'])]
    )
    run = ask('What is the first prize?', tmp_path / 'docs', chat, 'deepread', folder=tmp_path)
    question = Question('q1', 'What is the first prize?', (('silver trowel',),), (PageRef('show.md', NO_PAGE),))
    p = prediction_of(run, 'q1')
    assert (p.effort(), p.moves[0].query, p.moves[-1].tool, p.citations) == (
        1,
        'first prize',
        'answer',
        (PageRef('show.md', NO_PAGE),),
    )
    rows = score([question], [p])
    assert (rows[0].correct, rows[0].page_f1, rows[0].doc_f1) == (1, 1, 1)
    again = load_submission(save_submission(tmp_path / 's.jsonl', [p], [question]), [question])
    assert again == [p] and score([question], again) == [replace(rows[0], prediction=again[0])]


def test_our_questions_mark_their_own_gold():
    questions = load_questions(ROOT / 'data' / 'questions.jsonl')
    gold = [Prediction(q.id, q.answer_variants[0], q.evidence) for q in questions]
    found = summary(score(questions, gold))
    assert (found.accuracy.mean, found.page_f1.mean, found.refusals.mean, found.answer_f1) == (1, 1, 1, 1)
    assert summary(score(questions, [replace(p, answer=('Not answerable',)) for p in gold])).accuracy.mean == 0.1
    sentences = [
        replace(p, answer=(f'The documents say: {" and ".join(p.answer)}.',)) if q.answerable else p
        for p, q in zip(gold, questions)
    ]
    assert summary(score(questions, sentences)).accuracy.mean == 1


def test_scoring_with_a_judge_works_inside_an_event_loop():
    async def notebook():
        return score([FOUNDER], [Prediction('q1', ('She',))], Judge(Scripted([SOUND])))

    assert asyncio.run(notebook())[0].how == 'judge'


def test_an_interrupted_run_is_a_prediction_without_an_answer():
    run = Trajectory(dict(question='Why?', documents=['a.pdf']))
    assert mark_answer(prediction_of(run, 'q1').answer, FOUNDER) == 0 and prediction_of(run, 'q1').effort() is None


# --- damaged lines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    'content, line',
    [
        ('{"a": 1}'.encode('utf-16'), 1),
        ('{}\n{"a": "é"}'.encode('latin-1'), 2),
        (b'{}\n{"a": NaN}', 2),
        (b'[{"a": 1}]', 1),
        (b'{"a": 1', 1),
        (b'{"a":' + b'[' * 100_000, 1),
        (b'PK\x03\x04\0\0', 1),
    ],
)
def test_a_line_that_is_not_a_json_object_is_named(tmp_path, content, line):
    path = tmp_path / 'f.jsonl'
    path.write_bytes(content)
    with pytest.raises(FormatError) as error:
        list(read_json_lines(path))
    assert error.value.thing == f'{path}, line {line}'


@pytest.mark.parametrize(
    'read',
    [
        lambda row: row.text('missing'),
        lambda row: row.text('blank'),
        lambda row: row.text('object'),
        lambda row: row.number('word'),
        lambda row: row.number('negative'),
        lambda row: row.number('huge'),
        lambda row: row.items('object'),
        lambda row: parse_text(1e999, 'answer', row),
        lambda row: parse_text(None, 'answer', row),
        lambda row: parse_page_refs(row, 'strings'),
        lambda row: parse_page_refs(row, 'unnamed'),
    ],
)
def test_a_wrong_field_is_refused_with_its_line(read):
    data = dict(blank=' ', object={}, word='2', negative=-1, huge=10**400, strings=['a.pdf'], unnamed=[dict(page=3)])
    with pytest.raises(FormatError) as error:
        read(JsonLine('f, line 3', data))
    assert error.value.thing == 'f, line 3'


@pytest.mark.parametrize('page', ['xii', 1.5, True, [3], '1e999', 0])
def test_a_page_is_a_whole_number_from_1(page):
    with pytest.raises(FormatError):
        parse_page(page, 'citations', JsonLine('f, line 1', {}))


def test_the_simulated_bench_is_made_by_its_script(tmp_path):
    sys.path.insert(0, str(DATA))
    from make_simulated_bench import make_bench

    made = make_bench(tmp_path / 'bench')
    for name in ('questions.jsonl', 'results.jsonl'):
        assert (made / name).read_bytes() == (DATA / 'simulated_bench' / name).read_bytes()


def test_the_last_move_has_the_name_of_the_answer_tool():
    from deepread_nb.agent.record import ANSWER

    assert FINAL_TOOL == ANSWER
