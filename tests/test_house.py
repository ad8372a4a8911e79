"The architecture as a test: folders, arrows between them, one meaning for each name."

import house
import pytest


def test_a_folder_imports_only_from_those_below_it():
    assert len(house.arrows()) > 100  # so that the rule is known to have looked
    assert house.upward_arrows() == []


def test_imports_go_round_in_no_circle():
    below = {}
    for a, b in house.arrows():
        below.setdefault(a, set()).add(b)

    def reach(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, ' -> '.join([*path, module])
        for other in below.get(module, ()):
            if other not in done:
                reach(other, (*path, module))
        done.add(module)

    done: set[str] = set()
    for module in below:
        reach(module, ())


def test_a_public_name_has_one_meaning():
    assert house.duplicate_names() == {}


def test_no_line_is_longer_than_a_screen():
    assert house.long_lines() == []


def test_classes_show_their_methods():
    assert house.patched() == []


@pytest.mark.parametrize('module, size', sorted(house.lengths().items()))
def test_a_module_can_be_read_in_one_sitting(module, size):
    assert size <= 520
