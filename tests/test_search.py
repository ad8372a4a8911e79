"""The search floor as an importer uses it: one call over all engines, odd input, explanations that add up."""
import pytest
from hypothesis import given, settings, strategies as st

from deepread_nb.core import Corpus, Document, Heading, Page, Paragraph, Region
from deepread_nb.hybrid import HybridIndex, explain
from deepread_nb.index import Index, QueryError
from deepread_nb.query import Positions, run_query
from deepread_nb.store import Store


def note(name: str, *texts: str) -> Document:
    return Document.from_blocks(name, [Heading(name, 1), *(Paragraph(t, 'text', (Region(i, None),)) for i, t in enumerate(texts, 1))],
        pages=tuple(Page(i, 612, 792) for i in range(1, len(texts) + 1)))


@pytest.fixture
def shelf(tmp_path):
    with Store.create(tmp_path/'shelf', [note('a.md', 'oil and lamps', 'the horn'), note('b.md', 'coal only')]) as store: yield store


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
