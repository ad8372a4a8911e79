"What several test files stand on."

import pytest
from browsing import CHROMIUM, FLAGS


@pytest.fixture
def home(tmp_path, monkeypatch):
    "Nothing of a test stays in the user's cache."
    monkeypatch.setenv('DEEPREAD_HOME', str(tmp_path / 'home'))
    return tmp_path / 'home'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / 'files').mkdir()
    return tmp_path / 'files'


@pytest.fixture(scope='module')
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
