"Trajectory files: cut at any byte, and damaged in any line."

import json

import pytest

from deepread_nb.agent.record import Call, Outcome, Step, Trajectory, load_trajectory
from deepread_nb.core.errors import DeepReadError, FormatError
from deepread_nb.core.messages import Usage

CALL = Call('act', 0, [dict(role='user', content='?')], '{}', Usage(9, 0, 3, 0.1), 80)
STEP = Step(1, 'Im Nebel … hörbar.', dict(tool='Retrieve', query='fog horn'), calls=[CALL, CALL])


@pytest.fixture
def path(tmp_path):
    "A finished run in a file, with letters of more than one byte."
    run = Trajectory(dict(question='Wie oft tönt das Horn?'), tmp_path / 'cut.jsonl')
    run.add(STEP)
    run.end(Outcome('answered', 'alle 90 Sekunden'))
    return run.path


def fault(path) -> str:
    "What the error of a damaged file is about."
    with pytest.raises(FormatError) as caught:
        load_trajectory(path)
    return caught.value.thing


def test_a_file_cut_at_any_byte_keeps_its_complete_lines(path):
    whole = path.read_bytes()
    ends = [i for i, byte in enumerate(whole) if byte == ord('\n')]
    for size in range(ends[0], len(whole)):
        path.write_bytes(whole[:size])
        cut = load_trajectory(path)
        assert len(cut.steps) == (size >= ends[1])
        assert bool(cut.outcome) == (size >= ends[2])


def test_a_cut_header_is_an_error(path):
    whole = path.read_bytes()
    for size in range(whole.index(b'\n')):
        path.write_bytes(whole[:size])
        assert fault(path) == f'{path}, line 1'


def test_a_damaged_line_is_named(path):
    first, second, third = path.read_bytes().splitlines()
    damaged = [
        b'[1]',
        b'\xff',
        second[:-9],
        b'{"step": {}}',
        b'{"step": 7}',
        second.replace(b'"action": {', b'"action": "Look", "x": {'),
        third.replace(b'"answered"', b'null'),
        third.replace(b'[]', b'[[1]]'),
    ]
    for line in damaged:
        path.write_bytes(b'\n'.join([first, second, line, third, b'']))
        assert fault(path) == f'{path}, line 3'


@pytest.mark.parametrize('key, value', [('question', 7), ('documents', 'all'), ('model', ['m']), ('version', None)])
def test_a_header_of_other_types_is_an_error(path, key, value):
    header = json.loads(path.read_bytes().splitlines()[0])
    path.write_text(json.dumps(header | {key: value}) + '\n')
    assert fault(path) == f'{path}, line 1'


@pytest.mark.parametrize('text', ['{"a": 1}\n', '{"a": \n{}\n', ''])
def test_other_files_are_an_error(tmp_path, text):
    path = tmp_path / 'one.jsonl'
    path.write_text(text)
    assert fault(path) == f'{path}, line 1'


def test_what_is_not_a_path_is_an_error():
    with pytest.raises(DeepReadError):
        load_trajectory(None)
