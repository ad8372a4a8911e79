"One pytest run for notebooks and tests: a notebook passes if its cells run and its stored outputs are true."

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent / 'tests'))
from stored_outputs import NotebookFailed, check_outputs

# the same examples in every run, and none of them fails for being slow on a busy machine
settings.register_profile('steady', deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile('steady')


class Notebook(pytest.File):
    "A notebook as a file of one test."

    def collect(self):
        yield NotebookItem.from_parent(self, name=self.path.stem)


class NotebookItem(pytest.Item):
    "Runs all cells of a notebook; `#| eval: false` and the flags of settings.ini are honoured."

    def runtest(self):
        check_outputs(self.path)

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value) if excinfo.errisinstance(NotebookFailed) else super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, 0, f'notebook: {self.name}'


def pytest_collect_file(file_path: Path, parent):
    if file_path.suffix == '.ipynb' and not file_path.name.startswith(('_', '.')):
        return Notebook.from_parent(parent, path=file_path)
