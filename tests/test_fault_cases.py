"""The fault cases of the project's shared folder, where that is there: small inputs that were read wrong once.

They run as their own command, in processes of their own; `tests/faults` tells it which modules to ask.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SUITES = [folder / 'shared' / 'faults' / 'check.py' for folder in ROOT.parents]
SUITE = next((suite for suite in SUITES if suite.is_file()), None)


@pytest.mark.skipif(SUITE is None, reason='the shared folder with the cases is not here')
def test_every_fault_case_is_right():
    around = os.environ | {'FAULTS_PRODUCT': str(ROOT / 'tests' / 'faults'), 'PYTHONPATH': str(ROOT)}
    ran = subprocess.run(
        [sys.executable, str(SUITE)], cwd=ROOT, env=around, capture_output=True, encoding='utf-8', timeout=900
    )
    assert ran.stdout.strip(), ran.stderr
    wrong = [line for line in ran.stdout.splitlines() if line.startswith('WRONG')]
    counts = json.loads(ran.stdout.splitlines()[-1])
    assert (wrong, counts['right']) == ([], counts['cases'])
