"""The search floor as an importer uses it: a store with several programs at its door, killed writers, odd input."""
import signal
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given, settings, strategies as st

from deepread_nb.core import Corpus, Document, Heading, Page, Paragraph, Region
from deepread_nb.hybrid import HybridIndex, explain
from deepread_nb.index import Index, QueryError
from deepread_nb.query import Positions, run_query
from deepread_nb.store import Store, StoreError, UNITS


def note(name: str, *texts: str) -> Document:
    return Document.from_blocks(name, [Heading(name, 1), *(Paragraph(t, 'text', (Region(i, None),)) for i, t in enumerate(texts, 1))],
        pages=tuple(Page(i, 612, 792) for i in range(1, len(texts) + 1)))


@pytest.fixture
def shelf(tmp_path):
    with Store.create(tmp_path/'shelf', [note('a.md', 'oil and lamps', 'the horn'), note('b.md', 'coal only')]) as store: yield store


def child(code: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, '-c', textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


PRELUDE = '''
import os, signal, sys
from deepread_nb.core import Document, Heading, Paragraph
from deepread_nb.store import Store
new = Document.from_blocks('a.md', [Heading('a.md', 1), Paragraph('nothing but whales')])
'''


@pytest.mark.parametrize('step', ['_write', '_turn', '_clear'])
def test_a_killed_writer_loses_nothing(tmp_path, step):
    "Killed before its n-th write, before the change, or before the clearing away: the store is as before or as after."
    Store.create(tmp_path/'s', [note('a.md', 'oil and lamps'), note('b.md', 'coal')]).close()
    ran = child(PRELUDE + f'''
store = Store.open({str(tmp_path/"s")!r}, writable=True)
setattr(store, {step!r}, lambda *args: os.kill(os.getpid(), signal.SIGKILL))
store.add([new])
''')
    ran.communicate(timeout=100)
    assert ran.returncode == -signal.SIGKILL
    done = step == '_clear' # the change was made, only the old rows were left
    for writable in (False, True):
        with Store.open(tmp_path/'s', writable=writable) as store:
            assert store.names == ['a.md', 'b.md']
            assert [len(store.search(q)) for q in ('whales', 'lamps', 'coal')] == [int(done), int(not done), 1]
            assert len(store.corpus()) == 2
    with Store.open(tmp_path/'s') as store: assert {n: store.tables[t].count_rows() for n, t in UNITS.items()}['section'] == 2


def test_two_writers_and_a_reader(shelf):
    ran = child(PRELUDE + f'''
from deepread_nb.store import StoreError
try: Store.open({shelf.uri!r}, writable=True)
except StoreError as e: print(e)
print(len(Store.open({shelf.uri!r}).search('oil')))
''')
    out, err = ran.communicate(timeout=100)
    assert 'another program is writing' in out and out.rstrip().endswith('1'), err


def test_a_store_that_cannot_be_written(shelf, monkeypatch):
    def full(*_): raise OSError('No space left on device')
    monkeypatch.setattr(shelf, '_write', full)
    with pytest.raises(StoreError, match='adding c.md failed .No space left'): shelf.add([note('c.md', 'new')])
    monkeypatch.undo()
    assert shelf.names == ['a.md', 'b.md'] and len(shelf.search('oil')) == 1
    shelf.add([note('c.md', 'new')])
    assert len(shelf.search('new')) == 1


@pytest.mark.parametrize('table', ['documents', 'paragraphs', 'about'])
def test_a_damaged_store_says_so(shelf, table, tmp_path):
    for file in (tmp_path/'shelf'/f'{table}.lance'/'_versions').iterdir(): file.write_bytes(b'x')
    with pytest.raises(StoreError): Store.open(shelf.uri)


ODD = ['', ' ', '?!', 'the of and', '"', '"oil', '(oil', 'oil)', 'oil AND', '\0', 'oil\0lamps', '\U0001f642', 'שלום oil', '灯台', 'x'*10_000, 'oil '*3000, '*', '?', '" "', "o'il", "%", "_"]


@pytest.mark.parametrize('k', [0, -1, 1, 10_000])
def test_odd_queries(shelf, k):
    "Empty results or a QueryError from every engine, and never more than k."
    corpus = Corpus([note('a.md', 'oil and lamps', 'the horn'), note('b.md', '', ' ')])
    for search in (shelf.search, shelf.find, HybridIndex(corpus).search, Index(corpus).search):
        for query in ODD:
            try: hits = search(query, k)
            except QueryError as e: assert str(e)
            else: assert len(hits) <= max(0, k)


def test_empty_corpora(tmp_path):
    with Store.create(tmp_path/'empty') as store: assert store.search('oil') == [] and store.find('oil') == [] and len(store) == 0
    with Store.create(tmp_path/'blank', [Document.from_blocks('x.md', [Paragraph('')])]) as store: assert store.search('oil') == []
    assert HybridIndex(Corpus([Document.from_blocks('x.md', [Paragraph('')])])).search('oil') == []


words = st.sampled_from(['oil', 'lamp', 'coal', 'page 2', 'Table 1', 'current ratio', 'a.md', 'whale', 'the'])


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(words, min_size=1, max_size=5).map(' '.join))
def test_an_explanation_adds_up(query):
    index = HybridIndex(Corpus([note('a.md', 'oil lamp Table 1', 'coal total assets current assets'), note('b.md', 'lamp lamp', 'oil')]))
    for hit in index.search(query): assert explain(index, query, hit).score == pytest.approx(hit.score)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(['oil', 'lamp', 'coal']), min_size=1, max_size=3), st.lists(st.text('oil amp', max_size=12), max_size=5))
def test_relaxed_or_not_the_note_says_which(asked, texts):
    found = run_query(Positions(texts), ' '.join(asked))
    assert bool(found.note) == (bool(found.units) and str(found.tree) != ' AND '.join(asked) and len(asked) > 1)
