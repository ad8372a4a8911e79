"""Figures that tell the truth: what was never asked counts nowhere, failed runs are a class of their own, one count of
steps, and systems called what they are.
"""

import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from deepread_nb.agent.record import STOPS, Outcome, Step, Trajectory, count_steps, load_trajectory, run_html, run_text
from deepread_nb.bench.ablations import behaviour_table
from deepread_nb.cli import main
from deepread_nb.core.errors import DeepReadError
from deepread_nb.metrics.agreement import disagreement, kappa_matrix
from deepread_nb.metrics.coverage import compared, coverage_text, on_common_questions
from deepread_nb.metrics.effort import accuracy_by_limit, wasted_effort
from deepread_nb.metrics.errors import cascade, cause
from deepread_nb.metrics.frames import compare_systems, frame, frame_of, leaderboard, score_bench
from deepread_nb.metrics.items import item_statistics
from deepread_nb.metrics.kuiper import calibration as effort_calibration
from deepread_nb.metrics.predictions import Move, PageRef, Prediction, Question, Scored, is_right, prediction_of
from deepread_nb.metrics.questions import save_questions
from deepread_nb.metrics.results import BenchFolder, read_results, result_line
from deepread_nb.metrics.scoring import compare, score, summary
from deepread_nb.metrics.submissions import submission_json
from deepread_nb.report import report_html
from deepread_nb.widgets import agreement, calibration, drift, viewer
from deepread_nb.widgets.drawing import figure_svg
from deepread_nb.widgets.overview import run_overview
from deepread_nb.widgets.runs import load_runs, run_labels

ROOT = Path(__file__).parents[1]
BENCH = ROOT / 'data' / 'runs'
PARTLY = ('docdancer', 'sleuth', 'madqa_bm25', 'docv', 'single_pass')  # asked 10 of 40 questions
VIEWS = dict(calibration=calibration, agreement=agreement, drift=drift)


@pytest.fixture(scope='module')
def groups() -> dict[str, list[Scored]]:
    return score_bench(BENCH)


# --- rows made up: a sign for each question ---------------------------------------------------------------------------

QUESTIONS = [
    Question(f'q{i}', f'How high is mast {i}?', ((f'{i} m',),), (PageRef('masts.pdf', i + 1),)) for i in range(12)
]


def prediction(i: int, sign: str, system: str = '') -> Prediction:
    "A right answer for +, a wrong one for -, a refusal for 0, a failed run for x."
    said = {'+': (f'{i} m',), '-': ('a mile',), '0': ('Not answerable.',), 'x': ()}[sign]
    searches = [Move('Retrieve', f'mast {i} {n}', (PageRef('masts.pdf', n + 1),), 90, 9, 1.0) for n in range(1 + i % 3)]
    moves = (*searches, Move('answer', prompt=90, generated=9, seconds=1.0))
    failed = dict(stop='error', error='ModelError: the server is down') if sign == 'x' else dict(stop='answered')
    return Prediction(f'q{i}', said, (PageRef('masts.pdf', i + 1),), system=system, moves=moves, **failed)


def rows_of(signs: str) -> list[Scored]:
    "The rows of a system; a blank is a question that it was not asked."
    given_ = [prediction(i, sign) for i, sign in enumerate(signs) if sign != ' ']
    return score(QUESTIONS[: len(signs)], given_)


def systems_of(signs: dict[str, str]) -> dict[str, list[Scored]]:
    return {system: rows_of(own) for system, own in signs.items()}


patterns = st.text('+-0', min_size=12, max_size=12)
holey = st.text('+-0x ', min_size=12, max_size=12)
some = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
few = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def figures_of(rows: list[Scored]) -> str:
    "All figures of one system, as text that compares."
    c = effort_calibration(rows, trials=50)
    found = summary(rows)._replace(total=0, missing=0, errors=0, ungraded=0, all_questions=None)
    limits = accuracy_by_limit(rows)
    return repr((found, c.kuiper, c.tied_floor, c.p_value, limits, cascade(rows).counts, wasted_effort(rows)[:3]))


@some
@given(patterns, holey, st.sets(st.integers(0, 11)))
def test_removing_answers_of_one_system_hurts_no_other(whole, holes, removed):
    before = systems_of(dict(a=whole, b=holes))
    cut = ''.join(' ' if i in removed else sign for i, sign in enumerate(holes))
    after = systems_of(dict(a=whole, b=cut))
    # each over its own questions: nothing changes for the other
    assert figures_of(after['a']) == figures_of(before['a'])
    own = leaderboard(after, over='own').set_index('system')
    assert own.accuracy['a'] == sum(sign == '+' for sign in whole) / 12
    # and the system itself has the accuracy of what is left
    left = [sign for sign in cut if sign in '+-0']
    assert own.answered['b'] == len(left)
    assert (
        (sum(sign == '+' for sign in left) / len(left) == own.accuracy['b']) if left else math.isnan(own.accuracy['b'])
    )


@some
@given(holey, holey, st.sets(st.integers(0, 11)))
def test_what_is_removed_adds_nothing_that_could_be_significant(a, b, removed):
    "Every question that tells two systems apart was answered by both; removing answers can only take such away."
    cut = ''.join(' ' if i in removed else sign for i, sign in enumerate(b))
    [before], [after] = (compare_systems(systems_of(dict(a=a, b=own))).to_dict('records') for own in (b, cut))
    assert after['only_first'] <= before['only_first'] and after['only_second'] <= before['only_second']
    assert after['n'] == sum(x in '+-0' and y in '+-0' for x, y in zip(a, cut))
    assert after['n'] or math.isnan(after['p'])
    seen = disagreement(rows_of(a), rows_of(cut))
    assert len(seen.only_first) == after['only_first'] and len(seen.only_second) == after['only_second']


@some
@given(patterns, st.sets(st.integers(0, 11), max_size=11))
def test_a_system_is_never_significantly_different_from_a_part_of_itself(whole, removed):
    part = ''.join(' ' if i in removed else sign for i, sign in enumerate(whole))
    found = compare(rows_of(whole), rows_of(part))
    assert (found.difference.mean, found.only_a, found.only_b, found.p) == (0, 0, 0, 1)
    assert found.difference.n == 12 - len(removed)
    assert kappa_matrix(systems_of(dict(whole=whole, part=part))).kappa.tolist() == [[1, 1], [1, 1]]


@some
@given(patterns, holey)
def test_a_failed_run_changes_no_figure(a, b):
    without = systems_of(dict(a=a, b=b.replace('x', ' ')))
    with_failures = systems_of(dict(a=a, b=b))
    assert figures_of(without['b']) == figures_of(with_failures['b'])
    assert kappa_matrix(without).n == kappa_matrix(with_failures).n
    assert repr(item_statistics(without)) == repr(item_statistics(with_failures))
    columns = ['system', 'n', 'accuracy', 'page_f1', 'steps', 'kuiper', 'p']
    assert leaderboard(without)[columns].equals(leaderboard(with_failures)[columns])
    # but it is counted, and is neither wrong nor a refusal
    assert compared(with_failures).coverage[1].failed == b.count('x') == len(compared(with_failures).failed)
    assert [cause(r) for r in with_failures['b'] if r.how == 'error'] == ['error'] * b.count('x')


@few
@given(st.dictionaries(st.sampled_from('abcd'), holey, min_size=1))
def test_every_view_shows_rows_with_holes(signs):
    groups_ = systems_of(signs)
    answered = {s: {i for i, sign in enumerate(own) if sign in '+-0'} for s, own in signs.items()}
    answered = {s: own for s, own in answered.items() if own}
    assume(answered)
    common = set.intersection(*answered.values())
    for show in (calibration.show, agreement.show, drift.show):
        view = show(groups_)
        own = [{int(r.question.id[1:]) for r in rows} for rows in view.loaded.groups.values()]
        assert own == ([common] * len(answered) if common else list(answered.values()))
        lines = compared(groups_).coverage
        assert [line.system for line in lines] == list(signs)
        assert any(line.answered < line.total for line in lines) == (coverage_text(lines) in view.lead)
        assert ('failed' in view.lead) == any('x' in cells for cells in signs.values())
        assert not re.search(r'[^a-zA-Z]nan[^a-z]|NaN', view.body)
    page = report_html(groups_)
    wrong = sum(sign in '-0' for cells in signs.values() for sign in cells)
    assert page.count('<td class="wrong">') == wrong
    table = frame_of(groups_)
    assert len(table) == sum(sign != ' ' for cells in signs.values() for sign in cells)
    assert behaviour_table(groups_).n.max() == (len(common) or max(map(len, answered.values())))


def test_no_common_question_is_no_comparison():
    apart = systems_of(dict(a='++++      ++', b='    ------  '))
    seen = compared(apart)
    assert (
        not seen.common
        and 'do not compare' in seen.note
        and {s: len(r) for s, r in seen.groups.items()} == dict(a=6, b=6)
    )
    assert kappa_matrix(apart).n == 0 and item_statistics(apart) == []
    [pair] = compare_systems(apart).to_dict('records')
    assert pair['n'] == 0 and math.isnan(pair['p'])
    with pytest.raises(DeepReadError):
        compare(apart['a'], apart['b'])
    assert 'kappa' not in agreement.show(apart).panels and 'do not compare' in calibration.show(apart).lead


def test_questions_without_gold_are_neither_right_nor_wrong():
    hidden = Question('h', 'How deep is the harbour?')
    known = QUESTIONS[0]
    rows = score([known, hidden], [prediction(0, '+'), Prediction('h', ('9 m',))])
    assert [r.how for r in rows] == ['rule' if rows[0].how == 'rule' else 'exact', 'ungraded']
    assert summary(rows).accuracy == summary(rows[:1]).accuracy and summary(rows).ungraded == 1
    assert math.isnan(frame_of(dict(a=rows)).correct[1]) and cause(rows[1]) == 'ungraded'
    assert cascade(rows).counts['right'] == cascade(rows).n == 1
    with pytest.raises(DeepReadError):
        calibration.show(dict(a=rows[1:]))


def test_one_system_is_over_its_own_questions_and_says_so():
    view = calibration.show(systems_of(dict(a='+-+       x ')))
    assert 'Over the 3 questions that a answered. a: 3 of 12 questions, 1 failed.' in view.lead
    assert 'ModelError: the server is down' in view.lead
    picture = figure_svg(view.panels['curves'].figure)
    assert 'Over the 3 questions' in picture


# --- a bench on disk --------------------------------------------------------------------------------------------------


def bench_of(folder: Path, signs: dict[str, str]) -> Path:
    bench = BenchFolder(folder).make()
    save_questions(bench.questions, QUESTIONS)
    for system, cells in signs.items():
        for i, sign in enumerate(cells):
            if sign != ' ':
                p = prediction(i, sign, system)
                bench.append(result_line(f'{system}-{i}', p, QUESTIONS[i].question, error=p.error))
    return folder


def test_a_bench_tells_failed_runs_from_wrong_answers(tmp_path, capsys):
    bench = bench_of(tmp_path, {'whole': '+-+-+-+-+-+-', 'part(k=2)': '++xx        '})
    table = frame(bench)
    assert len(table) == 16 and table[table.system == 'part(k=2)'].correct.mean() == 1.0
    assert table[table.cause == 'error'].error.tolist() == ['ModelError: the server is down'] * 2
    assert main(['report', str(bench), '--json']) == 0
    said = json.loads(capsys.readouterr().out)
    lines = {line['system']: line for line in said['leaderboard']}
    assert (lines['part(k=2)']['accuracy'], lines['part(k=2)']['n'], lines['part(k=2)']['failed']) == (1.0, 2, 2)
    assert 'part(k=2): 2 of 12 questions, 2 failed' in said['over']
    page = (bench / 'report.html').read_text()
    assert page.count('not asked</small>') == 8 and page.count('<i>failed</i>') == 2
    assert main(['report', str(bench), '--system', 'whole']) == 0
    assert 'Over the 12 questions that whole answered.' in capsys.readouterr().out
    assert main(['compare', str(bench), '--json']) == 0
    [pair] = json.loads(capsys.readouterr().out)['pairs']
    assert (pair['n'], pair['only_first'], pair['only_second'], pair['p']) == (2, 0, 1, 1.0)


def test_a_failed_try_does_not_undo_an_answer(tmp_path):
    bench = bench_of(tmp_path, dict(a='++-'))
    before = leaderboard(score_bench(bench))
    p = prediction(0, 'x', 'a')
    BenchFolder(bench).append(result_line('again', p, QUESTIONS[0].question, error=p.error))
    assert leaderboard(score_bench(bench)).equals(before)


def test_score_counts_what_a_submission_answers(tmp_path, capsys):
    save_questions(tmp_path / 'gold.jsonl', QUESTIONS)
    lines = [submission_json(prediction(i, sign)) for i, sign in enumerate('++-x')]
    (tmp_path / 'theirs.jsonl').write_text('\n'.join(map(json.dumps, lines)))
    command = ['score', str(tmp_path / 'theirs.jsonl'), '--gold', str(tmp_path / 'gold.jsonl')]
    assert main([*command, '--json']) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said['n'], said['missing'], said['errors'], said['total']) == (3, 8, 1, 12)
    assert said['accuracy']['mean'] == pytest.approx(2 / 3) and said['all_questions']['mean'] == pytest.approx(2 / 12)
    assert main(command) == 0
    assert capsys.readouterr().out.startswith('theirs: 3 of 12 questions, 1 failed')


# --- the runs that are stored -----------------------------------------------------------------------------------------


def test_a_system_that_was_asked_a_part_is_measured_on_that_part(groups):
    "The view said: docdancer 0.075, 40 questions, p 0.012. It was asked 10, and had 3 right."
    own = {label: [r for r in rows if r.marked] for label, rows in groups.items()}
    assert {label: len(rows) for label, rows in own.items() if len(rows) != 40} == dict.fromkeys(PARTLY, 10)
    found = effort_calibration(groups['docdancer'])
    assert (found.n, found.accuracy.mean, found.missing) == (10, 0.3, 30) and found.p_value > 0.05
    view = calibration.show(BENCH)
    assert 'docdancer, sleuth, madqa_bm25, docv, single_pass: 10 of 40 questions' in view.lead
    assert '<th scope="row">docdancer</th><td>0.300' in view.lead and not re.search(
        '(?<!no )more than chance', view.lead
    )
    assert all(cascade(groups[label]).counts['refusal'] <= 10 for label in PARTLY)
    assert leaderboard(groups).n.tolist() == [10] * 10


def test_comparisons_are_over_the_questions_that_the_shown_systems_answered(groups):
    assert len(on_common_questions(groups)['deepread']) == 10 and kappa_matrix(groups).n == 10
    pairs = compare_systems(groups).set_index(['first', 'second'])
    assert pairs.n['deepread', 'search_o1'] == 40 and pairs.n['deepread', 'docdancer'] == 10
    assert len(calibration.show(BENCH, systems=['deepread', 'oracle']).loaded.groups['oracle']) == 40
    shown = agreement.show(BENCH, systems=['deepread', 'docdancer'])
    assert shown.figure('kappa').layout.title.text == "Cohen's kappa (10 questions)"
    assert 'of 40 questions' in shown.figure('kappa').layout.title.subtitle.text


def test_all_views_count_the_same_steps(groups):
    "A frame said 4 and the viewer 5: the answer is no step."
    table = frame(BENCH).set_index('path')
    exported = {r.prediction.path: submission_json(r.prediction) for r in read_results(BENCH).values()}
    segments_ = {}
    for rows in groups.values():
        for r in rows:
            if r.prediction:
                segments_[r.prediction.path] = r.prediction.effort('steps')
    assert len(exported) == 250
    for path, line in exported.items():
        run = load_trajectory(BENCH / path)
        tools = [s.action.get('tool', '') for s in run.steps]
        steps = max(1, len(tools) - tools.count('answer'))
        said = [
            run.step_count,
            count_steps(tools),
            prediction_of(run, 'q').effort('steps'),
            table.steps[path],
            segments_[path],
            line['iterations'],
            max(1, len(line['search_history'])),
            int(re.match(r'(\d+) step', run_overview(run, 'r')['cost'])[1]),
            int(re.search(r'(\d+) steps?\b', run_text(run).splitlines()[1])[1]),
        ]
        assert said == [steps] * len(said)


def test_systems_are_called_what_they_are_in_every_view():
    runs = load_runs(BENCH)
    labels = {r.prediction.path.rpartition('/')[2]: r.system for r in read_results(BENCH).values()}
    assert run_labels(runs) == [labels[run.path.name] for run in runs]
    view = viewer.show(BENCH)
    for n in (0, 39):
        names = [v['name'] for v in view.opening(n)['runs']]
        assert len(set(names)) == len(names) and set(names) <= set(labels.values())
    assert not re.search(r'\(\d+\)', ' '.join(view.names))
    picked = viewer.show(BENCH, systems=['deepread', 'oracle'])
    assert {v['name'] for v in picked.opening()['runs']} == {'deepread', 'oracle'} and len(picked.runs) == 80
    with pytest.raises(DeepReadError, match='Choose from'):
        viewer.show(BENCH, systems='deepred')


def test_options_that_all_share_are_told_once():
    quick = ['deepread(looks=0, stop_loops=False)', 'search_o1(looks=0, stop_loops=False)']
    view = calibration.show(BENCH, systems=quick)
    assert list(view.loaded.groups) == ['deepread', 'search_o1']
    assert 'All with looks=0, stop_loops=False.' in view.lead
    assert view.open('deepread', 'deepread_nb_01').runs[0].header['params']['looks'] == 0


def test_names_fit_the_axes_and_the_legend_has_them_in_full():
    view = agreement.show(BENCH)
    for name in ('cascade', 'kappa', 'recovery'):
        picture = figure_svg(view.panels[name].figure)
        labels = re.findall(r'<text[^>]*>([^<]*deepread[^<]*)<title>([^<]*)</title>', picture)
        assert labels and all(len(short) <= 20 for short, _ in labels)
        assert ('deepread(looks=0…)', 'deepread(looks=0, stop_loops=False)') in labels
        assert 'deepread(looks=0, stop_loops=False)' in picture
    assert 'deepread(looks=0…)' in view.figure('kappa').layout.xaxis.ticktext


def test_a_choice_of_systems_makes_a_view_anew():
    view = calibration.show(BENCH)
    assert view.widget.children[0] is view.choice and len(view.choice.options) == 10
    view.choice.value = ('deepread', 'search_o1')
    assert 'Over the 40 questions that both systems answered.' in view.live.body
    assert json.loads(view.live.data)['systems'] == ['deepread', 'search_o1']


@pytest.mark.parametrize('stop', [s for s in STOPS if s != 'answered'])
def test_the_end_of_a_run_is_explained_where_it_is_printed(stop):
    run = Trajectory(dict(question='Why?', system='deepread'))
    run.add(Step(1, '', dict(tool='Retrieve', query='a'), seconds=0.25))
    run.end(Outcome(stop, '' if stop in ('error', 'interrupted', 'malformed') else 'So.'))
    assert STOPS[stop] in run_text(run) and STOPS[stop] in run_html(run)
    assert STOPS[stop] in viewer.show(run).in_words()
    assert viewer.show(run).opening()['runs'][0]['stop_text'].startswith(STOPS[stop])


def test_seconds_in_tables_are_written_with_their_unit():
    "So that the comparison of stored outputs knows a clock when it sees one."
    run = Trajectory(dict(question='Why?'))
    run.add(Step(1, '', dict(tool='Retrieve', query='a'), seconds=0.25))
    assert '>0.2 s</td>' in run_html(run) and 'seconds' not in run_html(run)


def test_a_repeated_run_is_numbered_in_words_and_the_loss_is_told():
    def made(answer):
        run = Trajectory(dict(question='Why?', system='deepread', documents=[]))
        run.add(Step(1, '', dict(tool='Retrieve', query='a')))
        return run.end(Outcome('answered', answer))

    runs, gold = [made('So.'), made('Because.')], [Question('q', 'Why?', (('Because.',),))]
    assert viewer.show(runs).names == ['deepread, run 1', 'deepread, run 2']
    with pytest.warns(UserWarning, match='more than once'):
        view = calibration.show(runs, gold)
    assert [is_right(r) for r in view.loaded.groups['deepread']] == [True]
