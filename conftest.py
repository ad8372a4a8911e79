"One pytest run for notebooks and tests: a notebook passes if its cells run and its stored outputs are true."

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent / 'tests'))

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
        from stored_outputs import differences

        stored = json.loads(self.path.read_text(encoding='utf-8'))['cells']
        if changed := differences(stored, run_cells(self.path)):
            raise NotebookFailed(
                '\n\n'.join(['Stored outputs are not what the cells give now. Run them and save.', *changed])
            )

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value) if excinfo.errisinstance(NotebookFailed) else super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, 0, f'notebook: {self.name}'


class NotebookFailed(Exception):
    "A cell of the notebook raised, or gave another output than the stored one."


def run_cells(path: Path) -> list[dict]:
    "The cells of a notebook with the outputs they give, run in its folder; `NotebookFailed` if one raises."
    from execnb.nbio import nb2dict
    from execnb.shell import CaptureShell
    from fastcore.xtras import working_directory
    from nbdev.config import get_config
    from nbdev.process import NBProcessor

    cfg = get_config()
    skipped = set(cfg.tst_flags.split()) - set(os.environ.get('NB_FLAGS', '').split())
    os.environ['IN_TEST'] = '1'
    if str(cfg.config_path) not in sys.path:
        sys.path.insert(0, str(cfg.config_path))
    notebook = NBProcessor(path, process=True).nb

    def left_out(cell) -> bool:
        directives = getattr(cell, 'directives_', None) or {}
        never = directives.get('eval:', [''])[0].lower() == 'false'
        return cell.cell_type != 'code' or never or bool(skipped & directives.keys())

    shell = CaptureShell(path)
    try:
        with working_directory(path.parent):
            shell.run_all(notebook, exc_stop=True, preproc=left_out)
    except Exception as e:
        raise NotebookFailed(shell.prettytb(fname=path)) from e
    return nb2dict(notebook)['cells']


def pytest_collect_file(file_path: Path, parent):
    if file_path.suffix == '.ipynb' and not file_path.name.startswith(('_', '.')):
        return Notebook.from_parent(parent, path=file_path)
