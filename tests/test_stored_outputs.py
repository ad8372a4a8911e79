"The comparison of stored outputs sees what a reader would, and nothing that changes from run to run."

import pytest
from stored_outputs import differences


def cells(kind: str, text: str) -> list[dict]:
    "A notebook of one cell with one output."
    if kind == 'stdout':
        output = dict(output_type='stream', name='stdout', text=[text])
    else:
        output = dict(output_type='execute_result', data={kind: [text]})
    return [dict(id='c1', cell_type='code', outputs=[output])]


@pytest.mark.parametrize('kind', ['stdout', 'text/plain', 'text/html', 'application/json'])
def test_another_word_is_a_difference(kind):
    [found] = differences(cells(kind, 'two hits'), cells(kind, 'three hits'))
    assert found.startswith(f'cell c1, {kind}') and 'three hits' in found


def test_a_missing_output_is_a_difference():
    assert differences(cells('stdout', 'two hits'), [dict(id='c1', cell_type='code', outputs=[])])


def test_an_output_that_is_not_stored_is_none():
    assert differences([dict(id='c1', cell_type='code', outputs=[])], cells('stdout', 'two hits')) == []


@pytest.mark.parametrize(
    'stored, now',
    [
        ('done in 0.3 s', 'done in 12 s'),
        ('<Index at 0x7f00aa12cd34>', '<Index at 0x7f11bb12cd34>'),
        ('2026-01-01T10:00:00+00:00', '2026-11-30T23:59:59+00:00'),
        ('[0.41, 3.7903785225225195]', '[0.41000000000000003, 3.790378522522519]'),
        ('1,117 MB', '1,200 MB'),
    ],
)
def test_what_changes_from_run_to_run_is_no_difference(stored, now):
    assert differences(cells('text/plain', stored), cells('text/plain', now)) == []


@pytest.mark.parametrize('stored, now', [('3.41', '3.42'), ('step 3', 'step 4'), ('k=10', 'k=11')])
def test_a_figure_is_a_difference(stored, now):
    assert differences(cells('text/plain', stored), cells('text/plain', now))


def test_the_time_of_a_run_is_no_difference_and_a_bare_number_is():
    "Tables of runs write times with their unit."
    run = '<tr><th>step</th><th>time</th></tr><tr><td>1</td><td style="text-align:left">{}</td></tr>'
    assert differences(cells('text/html', run.format('0.0 s')), cells('text/html', run.format('12.3 s'))) == []
    assert differences(cells('text/html', run.format('0.0')), cells('text/html', run.format('12.3')))
