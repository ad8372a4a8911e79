"One pytest run for the notebooks in nbs/ and the tests here: each notebook is a test, as nbdev_test would run it."

import os
from pathlib import Path

import pytest
from hypothesis import settings

# the same examples in every run, and none of them fails for being slow on a busy machine
settings.register_profile('steady', deadline=None, derandomize=True)
settings.load_profile('steady')


class Notebook(pytest.File):
    "A notebook as a file of one test."

    def collect(self):
        yield NotebookItem.from_parent(self, name=self.path.stem)


class NotebookItem(pytest.Item):
    "Runs all cells of a notebook; `#| eval: false` and the flags of settings.ini are honoured."

    def runtest(self):
        from nbdev.config import get_config
        from nbdev.test import test_nb

        cfg = get_config()
        ok, _ = test_nb(
            self.path,
            skip_flags=cfg.tst_flags.split(),
            force_flags=os.environ.get('NB_FLAGS', '').split(),
            basepath=cfg.config_path,
        )
        if not ok:
            raise NotebookFailed(self.path.name)

    def repr_failure(self, excinfo, style=None):
        if excinfo.errisinstance(NotebookFailed):
            return f'{excinfo.value} failed: see the captured output'
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, 0, f'notebook: {self.name}'


class NotebookFailed(Exception):
    "A cell of the notebook raised."


def pytest_collect_file(file_path: Path, parent):
    if file_path.suffix == '.ipynb' and not file_path.name.startswith(('_', '.')):
        return Notebook.from_parent(parent, path=file_path)
