"""Search as an importer uses it: one call for all engines, odd input, explanations that add up."""

import inspect

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deepread_nb.core.corpus import Corpus
from deepread_nb.core.document import Document, Heading, Page, Paragraph, Region
from deepread_nb.llm.scripted import Scripted
from deepread_nb.search.chunks import ChunkIndex
from deepread_nb.search.dense import DenseIndex
from deepread_nb.search.hybrid import HybridIndex, explain
from deepread_nb.search.index import Index
from deepread_nb.search.late import LateIndex
from deepread_nb.search.protocol import Hits, QueryError
from deepread_nb.search.query import Positions, run_query
from deepread_nb.search.raptor import RaptorIndex
from deepread_nb.search.store import Store
from deepread_nb.search.store_hybrid import StoreHybrid
from deepread_nb.search.units import iter_units


def note(name: str, *texts: str) -> Document:
    return Document.from_blocks(
        name,
        [Heading(name, 1), *(Paragraph(t, 'text', (Region(i, None),)) for i, t in enumerate(texts, 1))],
        pages=tuple(Page(i, 612, 792) for i in range(1, len(texts) + 1)),
    )


CORPUS = Corpus(
    [
        note('a.md', 'oil and lamps', 'the horn'),
        note('b.md', '', ' '),
        note('c.md', '灯台守の日誌', 'שלום עולם', 'café ﬁre 🙂 ７7'),
        Document.from_blocks('none.md', []),
    ]
)


def letters(texts: list[str]) -> np.ndarray:
    return np.array([[t.casefold().count(c) for c in 'abcdefghijklmnopqrstuvwxyz灯台守שלום'] for t in texts], float)


def sums_up(messages, schema):
    return f'summary of {len(messages[0]["content"])} characters'


@pytest.fixture(scope='module')
def engines(tmp_path_factory):
    "Everything that answers search(query, k, scope), over one small corpus."
    folder = tmp_path_factory.mktemp('engines')
    with Store.create(folder / 'store', CORPUS) as store:
        yield dict(
            words=Index(CORPUS).search,
            word_pages=Index(CORPUS, 'page').search,
            store=store.search,
            language=store.find,
            pages=HybridIndex(CORPUS, 'page').search,
            paragraphs=HybridIndex(CORPUS, 'paragraph').search,
            voting=HybridIndex(CORPUS, 'page', engines=[Index(CORPUS, 'page')]).search,
            stored=StoreHybrid(store).search,
            stored_pages=StoreHybrid(store, 'page').search,
            chunks=ChunkIndex(CORPUS, 8, 4).search,
            dense_chunks=ChunkIndex(CORPUS, 8, 4, letters).search,
            tree=RaptorIndex(CORPUS, Scripted(sums_up), size=8, dims=2, cache=folder).search,
        )


NAMES = [
    'words',
    'word_pages',
    'store',
    'language',
    'pages',
    'paragraphs',
    'voting',
    'stored',
    'stored_pages',
    'chunks',
    'dense_chunks',
    'tree',
]
WORDLESS = ['', ' ', '?!', '\0', '\U0001f642', '*', '?', '" "', '"', '()', '\u200f', '\n\t']
ODD = [
    'the of and',
    '"oil',
    '(oil',
    'oil)',
    'oil AND',
    'oil\0lamps',
    'oil \U0001f642',
    'שלום oil',
    '灯台',
    'x' * 10_000,
    'oil ' * 2500,
    "o'il",
    'oil%',
    'oil_',
    'a.md',
    '7',
    'oil' * 1000 + '?',
]


def check_hits(hits: Hits, query: str, k: int) -> None:
    "Check what the protocol promises: at most `k` hits, best first, each at an address that exists."
    assert isinstance(hits, Hits) and hits.query == query and len(hits) == len(hits.rows) <= max(0, k)
    assert all(a.score >= b.score for a, b in zip(hits, hits[1:])) and all(h.score == h.score for h in hits)
    for h in hits:
        assert h.coord is not None or h.page is not None
        if h.coord:
            assert h.coord.doc_id == h.doc_id and CORPUS[h.coord]
        if h.page:
            assert 1 <= h.page <= len(CORPUS.document(h.doc_id).pages)


@pytest.mark.parametrize(
    'cls', [Index, Store, HybridIndex, StoreHybrid, DenseIndex, LateIndex, ChunkIndex, RaptorIndex]
)
def test_one_signature(cls):
    asked = inspect.signature(cls.search).parameters
    unit = inspect.signature(cls).parameters.get('unit') or asked.get('unit')
    assert (
        cls is LateIndex or unit is None or unit.default == 'paragraph'
    )  # chunks and trees have units of their own, and pictures are of pages
    assert (
        list(asked)[:4] == ['self', 'query', 'k', 'scope']
        and asked['k'].default == 10
        and asked['scope'].default is None
    )


@pytest.mark.parametrize('k', [0, -1, 1, 10**12])
@pytest.mark.parametrize('name', NAMES)
def test_odd_queries(engines, name, k):
    "Proper hits or a QueryError from every engine; all refuse a query without a word."
    for query in WORDLESS:
        with pytest.raises(QueryError):
            engines[name](query, k)
    for query in ODD:
        try:
            hits = engines[name](query, k)
        except QueryError as e:
            assert name == 'language' and str(e)  # only the language has a grammar, and a limit
        else:
            check_hits(hits, query, k)


@pytest.mark.parametrize('name', NAMES)
def test_every_script_is_found(engines, name):
    "Accents, ligatures, full-width digits, Hebrew and Japanese, in the document that has them."
    for query in ('灯台守', 'שלום', 'cafe', 'fire'):
        assert [h.doc_id for h in engines[name](query, 1)] == [3], query
    assert engines[name]('lamps', 1)[0].doc_id == 1


@pytest.mark.parametrize('name', NAMES)
def test_scopes(engines, name):
    for scope in ([1], [1, 3], {2}, (4,)):
        assert {h.doc_id for h in engines[name]('oil lamps horn', 100, scope)} <= set(scope)
    assert engines[name]('oil', 10, []) == [] and engines[name]('oil', 10, [1])
    assert {h.doc_id for h in engines[name]('oil', 10, ['a.md', 'b.md'])} == {1}
    for wrong in ([9], ['z.md'], [0]):
        with pytest.raises(QueryError) as raised:
            engines[name]('oil', 10, wrong)
        assert raised.value.thing == repr(wrong[0])


@pytest.mark.parametrize('name', NAMES)
def test_wrong_arguments(engines, name):
    "A QueryError from every engine, about the argument that is wrong."
    for odd in ('5', 2.5, None, True, float('inf'), [3]):
        with pytest.raises(QueryError) as raised:
            engines[name]('oil', odd)
        assert raised.value.thing == repr(odd)
    for odd in (2.0, b'a.md', [None], [True], [['a.md']], [2.5]):
        with pytest.raises(QueryError) as raised:
            engines[name]('oil', 10, odd)
        assert raised.value.thing == repr(odd)
    for odd in (None, 5, b'oil', ['oil']):
        with pytest.raises(QueryError) as raised:
            engines[name](odd)
        assert raised.value.thing == f'{type(odd).__name__} {odd!r}'


@settings(derandomize=True, max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters() | st.sampled_from('oil lamps "()*?灯台'), max_size=40), k=st.integers(-2, 30))
def test_any_input(engines, query, k):
    "Proper hits or a QueryError from every engine, and the same again."
    for search in engines.values():
        try:
            hits = search(query, k)
        except QueryError:
            continue
        check_hits(hits, query, k)
        assert search(query, k) == hits


def test_store_and_memory_score_alike(tmp_path):
    "With the same k1 and the same terms, the same scores, for paragraphs of one word and of hundreds."
    texts = [
        ' '.join(('oil lamp horn fog coal tide watch keeper'.split() * 50)[i % 7 : 8 + i * i % 350]) for i in range(60)
    ]
    corpus = Corpus([note('x.md', *texts[:30]), note('y.md', *texts[30:])])
    memory = Index(corpus)
    memory.bm25.k1 = 1.2
    with Store.create(tmp_path / 's', corpus) as store:
        for query in ('oil', 'lamp horn', 'fog coal tide', 'keeper of the watch', 'x md'):
            mine, its = memory.search(query, 100), store.search(query, 100)
            assert {h.coord: pytest.approx(h.score, rel=1e-3) for h in mine} == {h.coord: h.score for h in its}


def test_empty_corpora(tmp_path):
    with Store.create(tmp_path / 'empty') as store:
        assert store.search('oil') == [] and store.find('oil') == [] and len(store) == 0
    with Store.create(tmp_path / 'blank', [Document.from_blocks('x.md', [Paragraph('')])]) as store:
        assert store.search('oil') == []
    assert HybridIndex(Corpus([Document.from_blocks('x.md', [Paragraph('')])])).search('oil') == []


words = st.sampled_from(['oil', 'lamp', 'coal', 'page 2', 'Table 1', 'current ratio', 'a.md', 'whale', 'the'])


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(words, min_size=1, max_size=5).map(' '.join))
def test_an_explanation_adds_up(query):
    index = HybridIndex(
        Corpus([note('a.md', 'oil lamp Table 1', 'coal total assets current assets'), note('b.md', 'lamp lamp', 'oil')])
    )
    for hit in index.search(query):
        assert explain(index, query, hit).score == pytest.approx(hit.score)


def test_a_store_ranks_first_what_memory_ranks_first(tmp_path):
    "StoreHybrid and HybridIndex agree on the first hit, for every kind of feature that both have."
    corpus = Corpus(
        [
            note(
                'oil_2017.pdf',
                'The lamp burns oil.',
                'Table 1 Total assets 90. Current assets 40. Total liabilities 30. Current liabilities 20.',
            ),
            note(
                'oil_2018.pdf',
                'The lamp burns coal.',
                'The horn is heard in fog.',
                'The ratio of oil to water is current.',
            ),
        ]
    )
    with Store.create(tmp_path / 's', corpus) as store:
        for unit in ('paragraph', 'page'):
            memory, kept = HybridIndex(corpus, unit), StoreHybrid(store, unit)
            for query in (
                'horn in fog',
                'the current ratio',
                'the lamp of 2018',
                'What is on Table 1?',
                'lamp on page 1 of oil 2017',
            ):
                mine, its = memory.search(query, 1)[0], kept.search(query, 1)[0]
                assert mine._replace(score=0) == its._replace(score=0), (unit, query)
                assert kept.explain(query, its).score == pytest.approx(its.score)


def almanac() -> Corpus:
    "Two documents: one has printed page numbers, a table over three pages, and words of that table on its last page."

    def on(page: int, text: str, kind: str = 'text') -> Paragraph:
        return Paragraph(text, kind, (Region(page, None),))

    blocks = [
        Heading('Almanac', 1, Region(1, None)),
        on(1, 'For the keepers.'),
        Heading('Moon', 2, Region(2, None)),
        on(2, 'The moon is new.'),
        Heading('Tides', 2, Region(3, None)),
        on(3, 'Tide harbour gauge May | 4.2', 'table'),
        on(4, 'tide June | 4.1', 'table'),
        on(5, 'tide July | 4.4', 'table'),
        on(5, 'tide tables end'),
        Heading('Notes', 2, Region(6, None)),
        on(6, 'Every tide is a guess.'),
    ]
    labels = ('i', 'ii', '1', '2', '3', '4')
    return Corpus(
        [
            Document.from_blocks(
                'almanac.pdf',
                blocks,
                title='Saltmarsh almanac',
                pages=tuple(Page(n, 612, 792, label=label) for n, label in enumerate(labels, 1)),
            ),
            note('log.md', 'A quiet night.', 'The moon and a tide.'),
        ]
    )


@pytest.mark.parametrize('unit', ['page', 'paragraph'])
def test_a_store_knows_printed_pages_and_continued_tables(tmp_path, unit):
    "Named pages, the last page, and the pages of one table rank as in memory, and explanations add up."
    corpus = almanac()
    with Store.create(tmp_path / 's', corpus, progress=False) as store:
        memory, kept = HybridIndex(corpus, unit), StoreHybrid(store, unit)
        for query, first in (
            ('What is on page 2?', {2, 4}),
            ('the tide on page 4', {4, 6}),
            ('the last page of the Saltmarsh almanac', {6}),
            ('harbour gauge tide', {3}),
        ):
            mine, its = memory.search(query, 20), kept.search(query, 20)
            assert {h.page for h in its[: len(first)]} == {h.page for h in mine[: len(first)]} == first, query
            assert all(kept.explain(query, h).score == pytest.approx(h.score) for h in its)
        for index in (memory, kept):
            score = {h.page: h.score for h in reversed(index.search('harbour gauge tide', 20))}
            source = corpus if index is memory else store
            without = type(index)(source, unit, index.features - {'neighbours'})
            alone = {h.page: h.score for h in reversed(without.search('harbour gauge tide', 20))}
            if unit == 'page':
                assert score[4] == pytest.approx(0.5 * score[3]) and score[5] == pytest.approx(0.25 * score[3])
            assert alone[4] < score[4] and alone[3] == score[3]


def test_a_continuing_page_is_weighed_beyond_the_pool(tmp_path):
    "The second page of a table is weighed, though other pages have more of the words than the pool has room for."
    with Store.create(tmp_path / 's', almanac(), progress=False) as store:
        wide, narrow = StoreHybrid(store, 'page'), StoreHybrid(store, 'page', pool=1)
        question = narrow.parse('harbour gauge tide')
        weighed = {row['page'] for row in narrow.find_candidates(question, 1)}
        assert weighed == {3, 4} and narrow.search('harbour gauge tide', 1)[0].page == 3
        assert wide.search('harbour gauge tide', 1)[0].page == 3


def filings() -> Corpus:
    "Two annual reports, and news items that have more of the words of any question about them."
    sheet = (
        'Total assets 90. Current assets 40. Total liabilities 30. Current liabilities 20. Inventories 5. Goodwill 1.'
    )
    reports = [
        note(
            f'SKARROW_{year}_10K.pdf',
            'Of the company.',
            'The lamps were lit.',
            f'Consolidated statement of things. {sheet}',
        )
        for year in (2017, 2018)
    ]
    return Corpus(
        [
            *reports,
            *(
                note(f'news{i}.md', 'In 2018 the current ratio of Skarrow was a quick ratio, and lamps were lit.')
                for i in range(12)
            ),
        ]
    )


@pytest.mark.parametrize('unit', ['page', 'paragraph'])
def test_a_named_document_is_searched_too(tmp_path, unit):
    "Even if the pool is full of others with more of the words; without the feature, only those are found."
    with Store.create(tmp_path / 's', filings(), progress=False) as store:
        index = StoreHybrid(store, unit, pool=3)
        asked = 'what was the current ratio of Skarrow in 2018'
        assert index.document_names.named(index.parse(asked)) == {'SKARROW_2018_10K.pdf'}
        first = index.search(asked, 1)[0]
        assert (first.doc_id, first.page) == (2, 3)
        assert index.explain(asked, first, k=1).score == pytest.approx(first.score)
        without = StoreHybrid(store, unit, index.features - {'name'}, pool=3)
        assert {h.doc_id for h in without.search(asked, 3)} <= set(range(3, 15))


def test_a_statement_is_found_in_a_scope_by_its_lines(tmp_path):
    "A balance sheet that has no word of the question except in the name of its file, beyond the pool."
    with Store.create(tmp_path / 's', filings(), progress=False) as store:
        index = StoreHybrid(store, 'page', pool=1)
        for scope in (['SKARROW_2018_10K.pdf'], [2]):
            hits = index.search('acid test', 3, scope)
            assert [(h.doc_id, h.page) for h in hits] == [(2, 3)]
            without = StoreHybrid(store, 'page', index.features - {'statements'})
            assert without.search('acid test', 3, scope) == []
            assert {r.part for r in index.explain('acid test', hits[0], scope)} >= {'statements'}


def test_every_hit_of_a_long_list_is_explained(tmp_path):
    "Including one that only a larger k finds."
    corpus = Corpus([note(f'{n}.md', *(f'oil lamp {i} ' + 'fog ' * i for i in range(20))) for n in 'ab'])
    with Store.create(tmp_path / 's', corpus, progress=False) as store:
        index = StoreHybrid(store, pool=5)
        hits = index.search('oil lamp', 40)
        assert len(hits) == 40 and all(index.explain('oil lamp', h, k=40).score == pytest.approx(h.score) for h in hits)


@pytest.mark.parametrize('unit', ['page', 'paragraph'])
def test_engines_and_a_reranker_over_a_store(tmp_path, unit):
    corpus = almanac()
    with Store.create(tmp_path / 's', corpus, progress=False) as store:
        options = dict(engines=[Index(corpus, unit)], reranker=lambda question, texts: [len(t) for t in texts], depth=3)
        for used in ({'engines'}, {'reranker'}, {'engines', 'reranker'}):
            some = {k: v for k, v in options.items() if k in used | {'depth'}}
            memory, kept = HybridIndex(corpus, unit, **some), StoreHybrid(store, unit, **some)
            for query in ('harbour gauge tide', 'the moon'):
                its = kept.search(query, 3)
                mine = memory.search(query, 1)
                assert its[0]._replace(score=0) == mine[0]._replace(score=0), (used, query)
                assert all(kept.explain(query, h).score == pytest.approx(h.score) for h in its)
                assert all(where and start for where, start in its.rows)
        with pytest.raises(QueryError):
            kept.explain('harbour', StoreHybrid(store, unit).search('quiet')[0])


def test_an_engine_of_another_corpus_has_no_vote(tmp_path):
    with Store.create(tmp_path / 's', [note('a.md', 'oil')], progress=False) as store:

        class Elsewhere:
            def search(self, query, k=10, scope=None):
                return [h for h, _, _ in iter_units(almanac(), 'page')]

        assert [(h.doc_id, h.page) for h in StoreHybrid(store, 'page', engines=[Elsewhere()]).search('oil')] == [(1, 1)]


def test_a_store_that_grows_is_searched_anew(tmp_path):
    with Store.create(tmp_path / 's', [note('a.md', 'oil')]) as store:
        index = StoreHybrid(store)
        assert [h.doc_id for h in index.search('oil in b')] == [1]
        store.add([note('b.md', 'oil')])
        assert index.search('oil in b')[0].doc_id == 2
        store.remove('b.md')
        assert [h.doc_id for h in index.search('oil in b')] == [1]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(['oil', 'lamp', 'coal']), min_size=1, max_size=3),
    st.lists(st.text('oil amp', max_size=12), max_size=5),
)
def test_the_note_says_whether_a_query_was_relaxed(asked, texts):
    found = run_query(Positions(texts), ' '.join(asked))
    assert bool(found.note) == (bool(found.units) and str(found.tree) != ' AND '.join(asked) and len(asked) > 1)
