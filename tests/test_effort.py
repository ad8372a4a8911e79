"Effort, behaviour, errors and items as properties that hold for any rows, and formulas derived again from the papers."

import json
import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepread_nb.metrics.agreement import disagreement, kappa, kappa_matrix, outcomes
from deepread_nb.metrics.behaviour import (
    accuracy_by_queries,
    consumption,
    drift,
    first_query,
    found_by_iteration,
    locate_read,
    queries,
    query_drift,
    recovery,
)
from deepread_nb.metrics.effort import (
    Price,
    accuracy_by_limit,
    accuracy_cost,
    cold_start,
    efforts,
    pareto_frontier,
    prediction_cost,
    wasted_effort,
)
from deepread_nb.metrics.embeddings import NgramEmbed
from deepread_nb.metrics.errors import CAUSES, cascade, cascades, cause, funnel, group_by_property
from deepread_nb.metrics.items import (
    BINS,
    Item,
    distance_effect,
    evidence_distances,
    guessability,
    item_statistics,
    lexical_solvability,
    rank_agreement,
    select_split,
    spectrum,
)
from deepread_nb.metrics.kuiper import (
    bridge_tail,
    calibration,
    calibration_by_measure,
    curve,
    effort_correlations,
    kuiper,
    kuiper_null,
    noise_floor,
)
from deepread_nb.metrics.predictions import EFFORTS, Move, PageRef, Prediction, Question, Scored, is_right
from deepread_nb.metrics.scoring import score
from deepread_nb.metrics.statistics import Interval, MetricError, bootstrap, ranks, spearman
from deepread_nb.metrics.submissions import load_submission

few = settings(max_examples=25)  # for tests that draw whole tables of rows: they take milliseconds each

# --- rows of any kind ---------------------------------------------------------------------------------

PAGES = [PageRef(d, p) for d in ('a.pdf', 'b.pdf') for p in (1, 2, 3)]
moves = st.builds(
    Move,
    st.sampled_from(['Retrieve', 'ReadSection', '', 'answer']),
    st.sampled_from(['', 'fog horn', 'fog', '?!', 'prix du pétrole']),
    st.lists(st.sampled_from(PAGES), max_size=3).map(tuple),
    st.integers(0, 9000),
    st.integers(0, 300),
    st.floats(0, 60),
    st.booleans(),
)
predictions = st.builds(
    lambda answer, made, steps: Prediction('', answer, moves=made, steps=steps, model='m'),
    st.sampled_from([(), ('',), ('Not answerable.',), ('14 crowns',), ('a', 'b')]),
    st.lists(moves, max_size=5).map(tuple),
    st.none() | st.integers(0, 12),
)
questions = st.builds(
    lambda gold, domain, form: Question('', 'What is it?', (('14',),), gold, domain=domain, answer_format=form),
    st.lists(st.sampled_from(PAGES), max_size=3).map(tuple),
    st.sampled_from(['', 'ships', 'lamps']),
    st.sampled_from(['', 'Str', 'None']),
)


@st.composite
def scored(draw, least=0, most=14):
    "Rows with ids 0, 1, 2, ..., some without a prediction."
    rows = []
    for i in range(draw(st.integers(least, most))):
        q, p = draw(questions), draw(st.none() | predictions)
        marks = draw(
            st.tuples(st.sampled_from([0, 0.25, 0.5, 1]), st.sampled_from([0, 0.4, 1]), st.sampled_from([0, 0.5, 1]))
        )
        q = Question(str(i), q.question, q.answer_variants, q.evidence, domain=q.domain, answer_format=q.answer_format)
        p = p and Prediction(str(i), p.answer, moves=p.moves, steps=p.steps, model='m', seconds=None)
        rows.append(
            Scored(
                q,
                p,
                marks[0] if p else math.nan,
                'exact' if p else 'missing',
                marks[1],
                max(marks[1:]) if marks[1] else marks[2],
            )
        )
    return rows


pairs = st.lists(st.tuples(st.integers(0, 12), st.booleans()), max_size=60)
untied = st.lists(st.tuples(st.integers(0, 10**6), st.booleans()), min_size=1, max_size=60, unique_by=lambda p: p[0])


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


# --- the Kuiper statistic -----------------------------------------------------------------------------


def by_the_paper(spent, right):
    "MADQA Eq. 13-16 in fractions, question by question."
    mean, d, seen = Fraction(sum(right), len(right)), Fraction(0), [Fraction(0)]
    for i in sorted(range(len(spent)), key=lambda i: spent[i]):
        d += int(right[i]) - mean
        seen.append(d)
    return max(seen) - min(seen)


@given(untied)
def test_without_ties_kuiper_is_the_papers(rows):
    spent, right = zip(*rows)
    assert abs(kuiper(spent, right) - float(by_the_paper(spent, right))) < 1e-9


@given(pairs, st.randoms(use_true_random=False))
def test_kuiper_does_not_depend_on_the_order_of_rows(rows, random):
    mixed = rows.copy()
    random.shuffle(mixed)
    assert kuiper(*zip(*rows)) == kuiper(*zip(*mixed)) if rows else kuiper([], []) == 0


@given(pairs)
def test_kuiper_sees_only_the_order_of_efforts(rows):
    spent, right = [s for s, _ in rows], [y for _, y in rows]
    k = kuiper(spent, right)
    for change in (lambda s: 3 * s + 7, lambda s: s**3, lambda s: math.log1p(s)):
        assert kuiper([change(s) for s in spent], right) == k


@given(pairs)
def test_kuiper_has_bounds_and_its_mirrors(rows):
    spent, right = [s for s, _ in rows], [y for _, y in rows]
    k, share = kuiper(spent, right), sum(right) / max(len(right), 1)
    assert 0 <= k <= len(rows) * share * (1 - share) + 1e-9
    assert abs(kuiper([-s for s in spent], right) - k) < 1e-9  # from the other end
    assert abs(kuiper(spent, [not y for y in right]) - k) < 1e-9  # failures instead of successes


@given(pairs)
def test_ties_as_a_group_peak_no_higher_than_any_order(rows):
    if rows:
        assert kuiper(*zip(*rows)) <= float(by_the_paper(*zip(*rows))) + 1e-9


@given(pairs)
def test_the_curve_begins_and_ends_at_zero(rows):
    c = curve([s for s, _ in rows], [y for _, y in rows])
    assert c.d[0] == c.d[-1] == 0 and c.k[0] == 0 and c.k[-1] == len(rows)
    assert len(c.k) == len(c.d) == len(c.effort) + 1 and (np.diff(c.k) > 0).all() and (np.diff(c.effort) > 0).all()


@pytest.mark.parametrize('right', [[], [True], [True] * 5, [False] * 5])
def test_where_nothing_varies_nothing_is_found(right):
    null = kuiper_null(range(len(right)), right)
    assert (kuiper(range(len(right)), right), null.mean, null.p_value, null.exact) == (0, 0, 1, True)


@few
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=7))
def test_the_exact_null_is_that_of_all_arrangements(rows):
    "Every way to give the right answers to questions, written out."
    spent, right = [s for s, _ in rows], [y for _, y in rows]
    n, null = len(rows), kuiper_null(spent, right)
    all_k = [kuiper(spent, [i in chosen for i in range(n)]) for chosen in combinations(range(n), sum(right))]
    assert null.exact and abs(null.mean - np.mean(all_k)) < 1e-9
    assert abs(null.p_value - np.mean([k >= kuiper(spent, right) - 1e-9 for k in all_k])) < 1e-9


@few
@given(pairs, st.integers(0, 3))
def test_a_sampled_null_is_a_probability_and_repeats(rows, seed):
    spent, right = [s for s, _ in rows], [y for _, y in rows]
    null = kuiper_null(spent, right, trials=50, seed=seed, most=0)
    assert 0 < null.p_value <= 1 and null.mean >= 0 and null == kuiper_null(spent, right, trials=50, seed=seed, most=0)


def test_false_alarms_are_as_rare_as_promised():
    "Under the null hypothesis a p-value is below .05 about one time in twenty."
    rng = np.random.default_rng(0)
    alarms = [
        kuiper_null(rng.integers(1, 11, 200), rng.random(200) < 0.7, trials=200, seed=t).p_value <= 0.05
        for t in range(400)
    ]
    assert 0.02 < np.mean(alarms) < 0.08


def test_the_bridge_is_the_limit_of_random_walks():
    rng = np.random.default_rng(1)
    walks = rng.permuted(np.tile(np.arange(3000) < 2400, (300, 1)), axis=1)
    ranges = np.array([kuiper(np.arange(3000), w) for w in walks])
    assert abs(ranges.mean() / noise_floor(3000, 0.8) - 1) < 0.05
    assert abs((ranges > 1.5 * math.sqrt(3000 * 0.16)).mean() - bridge_tail(1.5)) < 0.07


@given(st.floats(0, 6), st.floats(0, 6))
def test_the_tail_falls(a, b):
    low, high = sorted((a, b))
    assert 1 >= bridge_tail(low) >= bridge_tail(high) - 1e-12 >= -1e-12


def test_a_submission_is_measured_as_the_paper_says(tmp_path):
    "Accuracy, K and wasted effort of a file with a different effort for each line, derived again from the lines."
    rng, lines = np.random.default_rng(2), []
    asked = [Question(f'q{i}', f'What is number {i}?', ((f'{i} crowns',),), (PAGES[i % 6],)) for i in range(120)]
    for _, (q, steps) in enumerate(zip(asked, rng.permutation(500)[:110] + 1)):  # ten were never answered
        right = rng.random() < 0.9 - steps / 800
        lines.append(
            dict(
                id=q.id,
                question=q.question,
                answer=[q.answer_variants[0][0] if right else 'the mole'],
                citations=[],
                iterations=int(steps),
            )
        )
    (tmp_path / 'results_x.jsonl').write_text('\n'.join(map(json.dumps, lines)))
    rows = score(asked, load_submission(tmp_path / 'results_x.jsonl', asked))
    outcome = {d['id']: d['answer'][0] != 'the mole' for d in lines}
    spent = {d['id']: d['iterations'] for d in lines}
    right, wrong = [[d['iterations'] for d in lines if outcome[d['id']] == side] for side in (True, False)]
    found, waste = calibration(rows, trials=50), wasted_effort(rows)
    assert found.accuracy.mean == sum(outcome.values()) / 110 and (found.n, found.missing) == (110, 10)
    by_hand = by_the_paper([spent[i] for i in outcome], list(outcome.values()))  # the ten unanswered ones are left out
    assert abs(found.kuiper - float(by_hand)) < 1e-9
    assert abs(waste.ratio.mean - (sum(wrong) / len(wrong)) / (sum(right) / len(right))) < 1e-9


# --- rank correlation, waste, limits, cost ------------------------------------------------------------


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=30))
def test_spearman_sees_only_ranks(x):
    rho = spearman(x, [v**3 for v in x])
    assert math.isnan(rho) if len(set(x)) == 1 else abs(rho - 1) < 1e-9
    assert ranks(x).sum() == len(x) * (len(x) + 1) / 2
    y = list(reversed(x))
    assert same(spearman(x, y), spearman(y, x)) and not spearman(x, y) > 1 and not spearman(x, y) < -1


@few
@given(scored())
def test_wasted_effort_is_the_ratio_of_two_means(rows):
    waste = wasted_effort(rows)
    given_rows = [
        (r.prediction.effort('steps'), is_right(r))
        for r in rows
        if r.prediction and r.prediction.effort('steps') is not None
    ]
    right, wrong = [s for s, y in given_rows if y], [s for s, y in given_rows if not y]
    if right and wrong and sum(right):
        assert abs(waste.ratio.mean - (sum(wrong) / len(wrong)) / (sum(right) / len(right))) < 1e-9
    else:
        assert math.isnan(waste.ratio.mean)
    assert (waste.right.n, waste.wrong.n, waste.missing) == (
        len(right),
        len(wrong),
        sum(r.prediction is None for r in rows),
    )


@few
@given(scored())
def test_every_row_is_counted_once(rows):
    for measure in EFFORTS:
        found = efforts(rows, measure)
        assert len(found.spent) + found.unmeasured + found.missing == len(rows)
        assert found.missing == sum(r.prediction is None for r in rows)
    assert all(
        c.n + c.unmeasured + c.missing == len(rows) and c.kuiper >= 0 and 0 < c.p_value <= 1
        for c in calibration_by_measure(rows, trials=20).values()
    )
    assert all(math.isnan(c.rho) or -1 <= c.rho <= 1 for c in effort_correlations(rows).values())


@few
@given(scored(least=1))
def test_a_missing_prediction_counts_nowhere(rows):
    "The figures of some rows are those of the same rows beside others that were never asked, or failed."
    gone = [Scored(Question(f'gone {r.question.id}', '?', (('yes',),)), None, math.nan, 'missing') for r in rows]
    crash = Prediction('crashed', moves=(Move('Retrieve', 'x'),), error='ModelError: gone')
    crashed = Scored(Question('crashed', '?', (('yes',),)), crash, math.nan, 'error')
    more = [*gone, *rows, crashed]
    for figure in (
        lambda r: calibration(r, trials=20).accuracy,
        lambda r: calibration(r, trials=20).p_value,
        lambda r: cascade(r).counts,
        accuracy_by_queries,
        cold_start,
        lambda r: wasted_effort(r)[:3],
        lambda r: guessability(r).right,
        lambda r: outcomes(dict(x=r)).right.tolist(),
        lambda r: item_statistics(dict(x=r)),
        lambda r: found_by_iteration(r, 3),
        consumption,
    ):
        assert repr(figure(more)) == repr(figure(rows))
    alone = [*gone, crashed]
    assert math.isnan(calibration(alone).accuracy.mean) and calibration(alone).p_value == 1
    assert cascade(alone).n == 0 and cascade(alone).left_out == dict(missing=len(gone), error=1)


@few
@given(scored())
def test_a_larger_limit_never_costs_accuracy(rows):
    points = accuracy_by_limit(rows)
    means = [p.accuracy.mean for p in points]
    assert means == sorted(means) and [p.limit for p in points] == sorted({p.limit for p in points})
    if points:
        assert cold_start(rows).final.mean >= means[-1] - 1e-12


@few
@given(scored(), st.floats(0, 50), st.floats(0, 50))
def test_cost_is_linear_in_prices(rows, prompt, generated):
    for p in (r.prediction for r in rows if r.prediction):
        paid = prediction_cost(p, dict(m=Price(prompt, generated)))
        if paid is not None:
            assert abs(paid - sum(m.prompt * prompt + m.generated * generated for m in p.moves) / 1e6) < 1e-9
    point = accuracy_cost(dict(x=rows), dict(m=Price(prompt, generated)))[0]
    assert point.total >= 0 and point.per_question.n + point.unmeasured == sum(r.prediction is not None for r in rows)
    assert pareto_frontier([point]) == [point]


def test_an_unknown_model_has_no_price():
    with pytest.raises(MetricError, match='Add one'):
        prediction_cost(Prediction('q', moves=(Move('Retrieve', 'x', prompt=1),), model='other'), {})


# --- behaviour ----------------------------------------------------------------------------------------


@few
@given(scored())
def test_behaviour_counts_fit_together(rows):
    rows = [r for r in rows if r.marked]
    n, split = len(rows), accuracy_by_queries(rows)
    assert sum(i.n for i in split) == n
    found = query_drift(rows, NgramEmbed(dim=64))
    assert found.mean.n == split.multi.n == found.right.n + found.wrong.n == len(found.values)
    assert all(0 <= v <= 1 + 1e-6 for v in found.values.values())  # counts are not negative, so no angle is obtuse
    first, after = first_query(rows), recovery(rows)
    assert first.after_hit.n + first.after_miss.n == first.hit.n and after.found.n <= first.after_miss.n
    shape = locate_read(rows)
    assert 0 <= shape.search_then_read.n <= n and shape.searches == sum(
        len([m for m in r.prediction.moves if m.query and m.tool != 'answer']) for r in rows if r.prediction
    )
    assert consumption(rows).calls.n <= n


@few
@given(scored(), st.sampled_from(['page', 'document']), st.sampled_from(['any', 'all']))
def test_evidence_once_found_stays_found(rows, level, need):
    course = [i.mean for i in found_by_iteration(rows, 6, level, need)]
    if rows and not math.isnan(course[0]):
        assert course == sorted(course)
    weaker = found_by_iteration(rows, 6, 'document', 'any')
    assert all(math.isnan(a) or a <= b.mean for a, b in zip(course, weaker))


@given(st.lists(st.sampled_from(['fog', 'fog horn', 'horn fog', 'price of oil', '霧笛']), min_size=2, max_size=5))
def test_drift_is_the_papers_mean(asked):
    v = NgramEmbed()(asked).astype(float)
    by_hand = sum(
        1 - v[i] @ v[i + 1] / math.sqrt((v[i] @ v[i]) * (v[i + 1] @ v[i + 1])) for i in range(len(asked) - 1)
    ) / (len(asked) - 1)
    assert abs(drift(v) - by_hand) < 1e-9
    assert drift(NgramEmbed()([asked[0]] * 3)) < 1e-6


def test_queries_are_embedded_once():
    seen = []

    def embed(texts):
        seen.extend(texts)
        return NgramEmbed()(texts)

    rows = [
        Scored(
            Question(i, '?'), Prediction(i, ('a',), moves=(Move('s', 'fog'), Move('s', 'horn'), Move('s', 'fog'))), 1
        )
        for i in 'abc'
    ]
    assert (
        query_drift(rows, embed).mean.n == 3
        and sorted(seen) == ['fog', 'horn']
        and [len(queries(r)) for r in rows] == [3] * 3
    )


# --- errors and agreement -----------------------------------------------------------------------------


@few
@given(scored(), st.sampled_from(['cited', 'shown']))
def test_the_cascade_is_a_partition(rows, seen):
    rows = [r for r in rows if r.marked]
    found = cascade(rows, seen)
    assert found.n == len(rows) and sum(found.counts[c] for c in CAUSES) == found.errors == sum(
        not is_right(r) for r in rows
    )
    assert set(found.counts) == {'right', *CAUSES} and found.counts == {c: n for c, n in found.counts.items() if n >= 0}
    stages = list(funnel(found))
    assert stages == sorted(stages, reverse=True) and stages[0] == len(rows) and stages[-1] == found.counts['right']
    for by in ('hop', 'domain'):
        parts = cascades(group_by_property(rows, by), seen).values()
        assert (
            Counter(found.counts) == sum((Counter(p.counts) for p in parts), Counter())
            or not rows
            or sum(p.n for p in parts) == len(rows)
        )


@few
@given(scored())
def test_causes_follow_the_scores_of_the_citations(rows):
    for r in rows:
        found = cause(r)
        if found == 'retrieval':
            assert r.doc_f1 == 0
        if found == 'navigation':
            assert r.doc_f1 > 0 and r.page_f1 == 0
        if found == 'comprehension':
            assert r.page_f1 > 0
        if found == 'right':
            assert r.correct >= 0.5


labels = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40)


@given(labels, st.sampled_from(['none', 'quadratic']))
def test_kappa_is_symmetric_bounded_and_1_with_itself(rows, weights):
    a, b = map(list, zip(*rows))
    k = kappa(a, b, weights)
    assert -1 - 1e-12 <= k <= 1 and abs(k - kappa(b, a, weights)) < 1e-12
    assert kappa(a, a, weights) == 1
    names = {0: 'no', 1: 'half', 2: 'yes'}
    if weights == 'none':
        assert kappa([names[x] for x in a], [names[x] for x in b]) == k


@given(labels)
def test_kappa_by_the_confusion_matrix(rows):
    "The weighted formula of Cohen (1968), 1 - sum(w o)/sum(w e), with 0-1 and with squared weights."
    n, a, b = len(rows), Counter(x for x, _ in rows), Counter(y for _, y in rows)
    for weights, w in (('none', lambda i, j: i != j), ('quadratic', lambda i, j: (i - j) ** 2)):
        observed = sum(w(x, y) for x, y in rows) / n
        expected = sum(w(i, j) * a[i] * b[j] for i in a for j in b) / n**2
        assert abs(kappa(*zip(*rows), weights) - (1 - observed / expected if expected else 1)) < 1e-9


@few
@given(st.integers(1, 12), st.data())
def test_agreement_and_disagreement_count_the_same_questions(n, data):
    marks = data.draw(st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=2, max_size=4))
    groups = {
        f's{k}': [Scored(Question(str(i), '?'), Prediction(str(i), ('x',)), float(m)) for i, m in enumerate(row)]
        for k, row in enumerate(marks)
    }
    found = kappa_matrix(groups)
    assert found.n == n and np.allclose(found.kappa, found.kappa.T) and (np.diag(found.kappa) == 1).all()
    two = disagreement(groups['s0'], groups['s1'][::-1])
    assert two.both + len(two.only_first) + len(two.only_second) + two.neither == n
    assert sum(two.first_fails.values()) == len(two.only_second) and sum(two.second_fails.values()) == len(
        two.only_first
    )
    assert abs(two.kappa.mean - found.kappa[0, 1]) < 1e-12 and not two.kappa.low > two.kappa.high


# --- items --------------------------------------------------------------------------------------------

tables = st.integers(1, 10).flatmap(
    lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=6)
)


def world(marks):
    return {
        f's{k}': [
            Scored(Question(f'q{i:02}', '?'), Prediction(f'q{i:02}', ('x',)), float(m)) for i, m in enumerate(row)
        ]
        for k, row in enumerate(marks)
    }


@few
@given(tables)
def test_item_statistics_by_numpy(marks):
    x = np.array(marks, float)
    for j, item in enumerate(item_statistics(world(marks))):
        rest = np.delete(x, j, axis=1).sum(1)
        assert abs(item.difficulty - x[:, j].mean()) < 1e-12
        if np.ptp(x[:, j]) and np.ptp(rest):
            assert abs(item.discrimination - np.corrcoef(x[:, j], rest)[0, 1]) < 1e-9
        else:
            assert math.isnan(item.discrimination)


items = st.lists(
    st.builds(Item, st.just(''), st.integers(0, 16).map(lambda k: k / 16), st.floats(-1, 1) | st.just(math.nan)),
    max_size=40,
).map(lambda found: [i._replace(id=f'q{n:02}') for n, i in enumerate(found)])


@few
@given(items, st.data())
def test_a_split_takes_what_it_should(found, data):
    size = data.draw(st.integers(0, len(found)))
    split, p = select_split(found, size), {i.id: i.difficulty for i in found}
    assert len(split.chosen) == size == len(set(split.chosen)) and sorted(split.chosen + split.rest) == sorted(p)
    hard = [i for i in found if i.difficulty <= 0.1]
    assert (
        len(split.sentinels) >= min(len(hard), round(0.2 * size))
        and all(p[i] <= 0.1 for i in split.sentinels)
        and all(p[i] > 0.1 for i in split.telling)
    )
    assert max((p[i] for i in split.sentinels), default=0) <= min(
        (i.difficulty for i in hard if i.id not in split.sentinels), default=1
    )
    assert select_split(list(reversed(found)), size).chosen == split.chosen
    assert (
        sum(len(s) for s in (split.sentinels, split.telling)) == size
        and abs(sum(i.mean for i in spectrum(found)[:3]) - 1) < 1e-9
        if found
        else True
    )


def test_all_questions_rank_systems_as_all_questions():
    groups = world(np.tri(6, 9, 2, dtype=bool).tolist())
    assert abs(rank_agreement(groups, [r.question.id for r in groups['s0']]) - 1) < 1e-12


@few
@given(
    st.lists(
        st.sampled_from(['fog horn', 'oil barrel price', 'the', 'night watch fog horn', '']), min_size=1, max_size=6
    ),
    st.lists(st.sampled_from(['the fog horn sounds', 'a barrel of oil', 'night watch', '']), min_size=1, max_size=6),
)
def test_longer_ngrams_match_no_more_pages(asked, pages):
    texts = {PageRef('a.pdf', i): t for i, t in enumerate(pages, 1)}
    rows = [Question(str(i), q, (('x',),), (PageRef('a.pdf', 1),)) for i, q in enumerate(asked)]
    one, two, three = lexical_solvability(rows, texts)
    assert one.pages >= two.pages >= three.pages and one.recall.mean >= two.recall.mean >= three.recall.mean
    assert all(math.isnan(t.precision) or 0 <= t.precision <= 1 for t in (one, two, three))


@few
@given(scored())
def test_distances_cover_the_questions_with_several_pages(rows):
    texts = {p: f'page {p.page} of {p.document}' for p in PAGES}
    found = evidence_distances([r.question for r in rows], texts, NgramEmbed(dim=64))
    assert [d.id for d in found] == [r.question.id for r in rows if len(set(r.question.evidence)) > 1]
    assert all((d.physical is None) == (d.hop == 'cross-document') and 0 <= d.semantic <= 1 + 1e-6 for d in found)
    effect, marked = distance_effect(rows, found), {r.question.id for r in rows if r.marked}
    assert effect.n == sum(d.id in marked for d in found) == sum(b.accuracy.n for b in effect.bins) and len(
        effect.bins
    ) == len(BINS)


@few
@given(st.lists(st.floats(0, 9), min_size=1, max_size=20))
def test_bootstrap_of_a_mean_holds_it(values):
    found = bootstrap(lambda i: float(np.array(values)[i].mean()), len(values), trials=100)
    assert (
        isinstance(found, Interval)
        and min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
        and found.n == len(values)
    )
