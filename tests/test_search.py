"""The search floor as an importer uses it: one call over all engines, odd input, explanations that add up."""
import inspect

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from deepread_nb.chunks import ChunkIndex, RaptorIndex
from deepread_nb.core import Corpus, Document, Heading, Page, Paragraph, Region
from deepread_nb.dense import DenseIndex
from deepread_nb.hybrid import HybridIndex, StoreHybrid, explain
from deepread_nb.index import Hits, Index, QueryError
from deepread_nb.late import LateIndex
from deepread_nb.llm import Scripted
from deepread_nb.query import Positions, run_query
from deepread_nb.store import Store


def note(name: str, *texts: str) -> Document:
    return Document.from_blocks(name, [Heading(name, 1), *(Paragraph(t, 'text', (Region(i, None),)) for i, t in enumerate(texts, 1))],
        pages=tuple(Page(i, 612, 792) for i in range(1, len(texts) + 1)))


CORPUS = Corpus([note('a.md', 'oil and lamps', 'the horn'), note('b.md', '', ' '), note('c.md', '灯台守の日誌', 'שלום עולם', 'café ﬁre 🙂 ７7'), Document.from_blocks('none.md', [])])


def letters(texts: list[str]) -> np.ndarray: return np.array([[t.casefold().count(c) for c in 'abcdefghijklmnopqrstuvwxyz灯台守שלום'] for t in texts], float)
def sums_up(messages, schema): return f'summary of {len(messages[0]["content"])} characters'


@pytest.fixture(scope='module')
def engines(tmp_path_factory):
    "Everything that answers search(query, k, scope), over one small corpus."
    folder = tmp_path_factory.mktemp('engines')
    with Store.create(folder/'store', CORPUS) as store:
        yield dict(words=Index(CORPUS).search, word_pages=Index(CORPUS, 'page').search, store=store.search, language=store.find,
            pages=HybridIndex(CORPUS, 'page').search, paragraphs=HybridIndex(CORPUS, 'paragraph').search, voting=HybridIndex(CORPUS, 'page', engines=[_Pages(CORPUS)]).search,
            stored=StoreHybrid(store).search, stored_pages=StoreHybrid(store, 'page').search,
            chunks=ChunkIndex(CORPUS, 8, 4).search, dense_chunks=ChunkIndex(CORPUS, 8, 4, letters).search,
            tree=RaptorIndex(CORPUS, Scripted(sums_up), size=8, dims=2, cache=folder).search)


class _Pages:
    "An engine for a hybrid index of whichever day: page hits, or the places of pages in the corpus."
    def __init__(self, corpus: Corpus): self.index = Index(corpus, 'page')
    def search(self, query, k=10, scope=None):
        hits = self.index.search(query, k, scope)
        if hasattr(HybridIndex, 'place'): return hits
        return [(next(i for i, (h, _, _) in enumerate(self.index.units) if h[::3] == hit[::3]), hit.score) for hit in hits]


NAMES = ['words', 'word_pages', 'store', 'language', 'pages', 'paragraphs', 'voting', 'stored', 'stored_pages', 'chunks', 'dense_chunks', 'tree']
WORDLESS = ['', ' ', '?!', '\0', '\U0001f642', '*', '?', '" "', '"', '()', '\u200f', '\n\t']
ODD = ['the of and', '"oil', '(oil', 'oil)', 'oil AND', 'oil\0lamps', 'oil \U0001f642', 'שלום oil', '灯台', 'x'*10_000, 'oil '*2500, "o'il", 'oil%', 'oil_', 'a.md', '7', 'oil'*1000 + '?']


def sound(hits: Hits, query: str, k: int) -> None:
    "Hits that are what the contract says: few enough, best first, each at a place that is there."
    assert isinstance(hits, Hits) and hits.query == query and len(hits) == len(hits.rows) <= max(0, k)
    assert all(a.score >= b.score for a, b in zip(hits, hits[1:])) and all(h.score == h.score for h in hits)
    for h in hits:
        assert h.coord is not None or h.page is not None
        if h.coord: assert h.coord.doc_id == h.doc_id and CORPUS[h.coord]
        if h.page: assert 1 <= h.page <= len(CORPUS.document(h.doc_id).pages)


@pytest.mark.parametrize('cls', [Index, Store, HybridIndex, StoreHybrid, DenseIndex, LateIndex, ChunkIndex, RaptorIndex])
def test_one_signature(cls):
    asked = inspect.signature(cls.search).parameters
    unit = inspect.signature(cls).parameters.get('unit') or asked.get('unit')
    assert cls is LateIndex or unit is None or unit.default == 'paragraph' # chunks and trees have units of their own, and pictures are of pages
    assert list(asked)[:4] == ['self', 'query', 'k', 'scope'] and asked['k'].default == 10 and asked['scope'].default is None


@pytest.mark.parametrize('k', [0, -1, 1, 10_000])
@pytest.mark.parametrize('name', NAMES)
def test_odd_queries(engines, name, k):
    "Sound hits or a QueryError from every engine, and the same error from all for a query without a word."
    for query in WORDLESS:
        with pytest.raises(QueryError): engines[name](query, k)
    for query in ODD:
        try: hits = engines[name](query, k)
        except QueryError as e: assert name == 'language' and str(e) # only the language has a grammar, and a limit
        else: sound(hits, query, k)


@pytest.mark.parametrize('name', NAMES)
def test_every_script_is_found(engines, name):
    "Accents, ligatures, full-width digits, Hebrew and Japanese, in the document that has them."
    for query in ('灯台守', 'שלום', 'cafe', 'fire'): assert [h.doc_id for h in engines[name](query, 1)] == [3], query
    assert engines[name]('lamps', 1)[0].doc_id == 1


@pytest.mark.parametrize('name', NAMES)
def test_scopes(engines, name):
    for scope in ([1], [1, 3], {2}, (4,)):
        assert {h.doc_id for h in engines[name]('oil lamps horn', 100, scope)} <= set(scope)
    assert engines[name]('oil', 10, []) == [] and engines[name]('oil', 10, [1])
    assert {h.doc_id for h in engines[name]('oil', 10, ['a.md', 'b.md'])} == {1}
    for wrong in ([9], ['z.md'], [0]):
        with pytest.raises(QueryError, match='no such document'): engines[name]('oil', 10, wrong)


@settings(derandomize=True, max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters() | st.sampled_from('oil lamps "()*?灯台'), max_size=40), k=st.integers(-2, 30))
def test_whatever_is_typed(engines, query, k):
    "A QueryError or sound hits from every engine, the same twice."
    for search in engines.values():
        try: hits = search(query, k)
        except QueryError: continue
        sound(hits, query, k)
        assert search(query, k) == hits


def test_store_and_memory_rank_alike(tmp_path):
    "With the same k1 and the same terms, the same scores, for paragraphs of one word and of hundreds."
    texts = [' '.join(('oil lamp horn fog coal tide watch keeper'.split()*50)[i % 7:8 + i*i % 350]) for i in range(60)]
    corpus = Corpus([note('x.md', *texts[:30]), note('y.md', *texts[30:])])
    memory = Index(corpus)
    memory.bm25.k1 = 1.2
    with Store.create(tmp_path/'s', corpus) as store:
        for query in ('oil', 'lamp horn', 'fog coal tide', 'keeper of the watch', 'x md'):
            mine, its = memory.search(query, 100), store.search(query, 100)
            assert {h.coord: pytest.approx(h.score, rel=1e-3) for h in mine} == {h.coord: h.score for h in its}


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


def test_the_store_weighs_as_memory_does(tmp_path):
    "The first hit of the hybrid over a store is that of the hybrid in memory, for every kind of cue that both know."
    corpus = Corpus([note('oil_2017.pdf', 'The lamp burns oil.', 'Table 1 Total assets 90. Current assets 40. Total liabilities 30. Current liabilities 20.'),
                     note('oil_2018.pdf', 'The lamp burns coal.', 'The horn is heard in fog.', 'The ratio of oil to water is current.')])
    with Store.create(tmp_path/'s', corpus) as store:
        for unit in ('paragraph', 'page'):
            memory, kept = HybridIndex(corpus, unit), StoreHybrid(store, unit)
            for query in ('horn in fog', 'the current ratio', 'the lamp of 2018', 'What is on Table 1?', 'lamp on page 1 of oil 2017'):
                mine, its = memory.search(query, 1)[0], kept.search(query, 1)[0]
                assert mine._replace(score=0) == its._replace(score=0), (unit, query)
                assert kept.explain(query, its).score == pytest.approx(its.score)


def test_a_store_that_grows_is_weighed_anew(tmp_path):
    with Store.create(tmp_path/'s', [note('a.md', 'oil')]) as store:
        index = StoreHybrid(store)
        assert [h.doc_id for h in index.search('oil in b')] == [1]
        store.add([note('b.md', 'oil')])
        assert index.search('oil in b')[0].doc_id == 2
        store.remove('b.md')
        assert [h.doc_id for h in index.search('oil in b')] == [1]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(['oil', 'lamp', 'coal']), min_size=1, max_size=3), st.lists(st.text('oil amp', max_size=12), max_size=5))
def test_relaxed_or_not_the_note_says_which(asked, texts):
    found = run_query(Positions(texts), ' '.join(asked))
    assert bool(found.note) == (bool(found.units) and str(found.tree) != ' AND '.join(asked) and len(asked) > 1)
