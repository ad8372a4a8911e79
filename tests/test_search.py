"""The search floor as an importer uses it: one call over all engines, odd input, explanations that add up."""

import inspect

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from deepread_nb.search.chunks import ChunkIndex, RaptorIndex
from deepread_nb.core.document import Corpus, Document, Heading, Page, Paragraph, Region
from deepread_nb.search.dense import DenseIndex
from deepread_nb.search.hybrid import HybridIndex, StoreHybrid, explain
from deepread_nb.search.index import Hits, Index, QueryError, searchable
from deepread_nb.search.late import LateIndex
from deepread_nb.llm.chat import Scripted
from deepread_nb.search.query import Positions, run_query
from deepread_nb.search.store import Store


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
            voting=HybridIndex(CORPUS, 'page', engines=[_Pages(CORPUS)]).search,
            stored=StoreHybrid(store).search,
            stored_pages=StoreHybrid(store, 'page').search,
            chunks=ChunkIndex(CORPUS, 8, 4).search,
            dense_chunks=ChunkIndex(CORPUS, 8, 4, letters).search,
            tree=RaptorIndex(CORPUS, Scripted(sums_up), size=8, dims=2, cache=folder).search,
        )


class _Pages:
    "An engine for a hybrid index of whichever day: page hits, or the places of pages in the corpus."

    def __init__(self, corpus: Corpus):
        self.index = Index(corpus, 'page')

    def search(self, query, k=10, scope=None):
        hits = self.index.search(query, k, scope)
        if hasattr(HybridIndex, 'place'):
            return hits
        return [
            (next(i for i, (h, _, _) in enumerate(self.index.units) if h[::3] == hit[::3]), hit.score) for hit in hits
        ]


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


def sound(hits: Hits, query: str, k: int) -> None:
    "Hits that are what the contract says: few enough, best first, each at a place that is there."
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
    "Sound hits or a QueryError from every engine, and the same error from all for a query without a word."
    for query in WORDLESS:
        with pytest.raises(QueryError):
            engines[name](query, k)
    for query in ODD:
        try:
            hits = engines[name](query, k)
        except QueryError as e:
            assert name == 'language' and str(e)  # only the language has a grammar, and a limit
        else:
            sound(hits, query, k)


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
        with pytest.raises(QueryError, match='no such document'):
            engines[name]('oil', 10, wrong)


@pytest.mark.parametrize('name', NAMES)
def test_what_is_no_number_and_no_scope(engines, name):
    "The same error from every engine, whatever lies behind it."
    for odd in ('5', 2.5, None, True, float('inf'), [3]):
        with pytest.raises(QueryError, match='no number of hits. Give a whole number'):
            engines[name]('oil', odd)
    for odd in (2.0, b'a.md', [None], [True], [['a.md']], [2.5]):
        with pytest.raises(QueryError, match='no scope. Give documents by number or by name'):
            engines[name]('oil', 10, odd)
    for odd in (None, 5, b'oil', ['oil']):
        with pytest.raises(QueryError, match='this is no query. Ask with words'):
            engines[name](odd)


@settings(derandomize=True, max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters() | st.sampled_from('oil lamps "()*?灯台'), max_size=40), k=st.integers(-2, 30))
def test_whatever_is_typed(engines, query, k):
    "A QueryError or sound hits from every engine, the same twice."
    for search in engines.values():
        try:
            hits = search(query, k)
        except QueryError:
            continue
        sound(hits, query, k)
        assert search(query, k) == hits


def test_store_and_memory_rank_alike(tmp_path):
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


def test_the_store_weighs_as_memory_does(tmp_path):
    "The first hit of the hybrid over a store is that of the hybrid in memory, for every kind of cue that both know."
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
    "Two documents: one with printed page numbers, a table that goes on over three pages, and words on its last page that the table has, too."

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
def test_the_store_knows_printed_pages_and_tables_that_go_on(tmp_path, unit):
    "Named pages, the last page, and the pages of one table come first in the order in which memory has them, and explanations add up."
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
            if unit == 'page':
                assert score[4] == pytest.approx(0.5 * score[3]) and score[5] == pytest.approx(0.25 * score[3])
            alone = {
                h.page: h.score
                for h in reversed(
                    type(index)(corpus if index is memory else store, unit, index.signals - {'neighbours'}).search(
                        'harbour gauge tide', 20
                    )
                )
            }
            assert alone[4] < score[4] and alone[3] == score[3]


def test_a_page_that_goes_on_is_weighed_beyond_the_pool(tmp_path):
    "The second page of a table is worth half of the first, though a hundred others have more of the words."
    with Store.create(tmp_path / 's', almanac(), progress=False) as store:
        wide, narrow = StoreHybrid(store, 'page'), StoreHybrid(store, 'page', pool=1)
        score = {h.page: h.score for h in narrow.search('harbour gauge tide', 1)} | {
            r['page']: 0 for r in narrow.candidates(narrow.read('harbour gauge tide'), 1)
        }
        assert set(score) == {3, 4} and wide.search('harbour gauge tide', 1)[0].page == 3


def filings() -> Corpus:
    "Two annual reports among news that have more of the words of any question about them."
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
def test_a_document_that_is_named_is_asked_too(tmp_path, unit):
    "Though others have more of the words than the pool has room for; with the signal left out, only they are found."
    with Store.create(tmp_path / 's', filings(), progress=False) as store:
        index = StoreHybrid(store, unit, pool=3)
        asked = 'what was the current ratio of Skarrow in 2018'
        assert index.meant(index.read(asked)) == {'SKARROW_2018_10K.pdf'}
        first = index.search(asked, 1)[0]
        assert (first.doc_id, first.page) == (2, 3) and index.explain(asked, first, k=1).score == pytest.approx(
            first.score
        )
        without = StoreHybrid(store, unit, index.signals - {'name'}, pool=3)
        assert {h.doc_id for h in without.search(asked, 3)} <= set(range(3, 15))


def test_a_statement_is_found_in_a_scope_by_its_lines(tmp_path):
    "A balance sheet with no word of the question but the name of its file, beyond the pool."
    with Store.create(tmp_path / 's', filings(), progress=False) as store:
        index = StoreHybrid(store, 'page', pool=1)
        for scope in (['SKARROW_2018_10K.pdf'], [2]):
            hits = index.search('acid test', 3, scope)
            assert [(h.doc_id, h.page) for h in hits] == [(2, 3)] and [
                h for h in StoreHybrid(store, 'page', index.signals - {'statements'}).search('acid test', 3, scope)
            ] == []
            assert {r.part for r in index.explain('acid test', hits[0], scope)} >= {'statements'}


def test_every_hit_of_a_long_list_is_explained(tmp_path):
    "Also one that only a larger k has found."
    corpus = Corpus([note(f'{n}.md', *(f'oil lamp {i} ' + 'fog ' * i for i in range(20))) for n in 'ab'])
    with Store.create(tmp_path / 's', corpus, progress=False) as store:
        index = StoreHybrid(store, pool=5)
        hits = index.search('oil lamp', 40)
        assert len(hits) == 40 and all(index.explain('oil lamp', h, k=40).score == pytest.approx(h.score) for h in hits)


@pytest.mark.parametrize('unit', ['page', 'paragraph'])
def test_engines_and_a_reranker_have_their_say_over_a_store(tmp_path, unit):
    corpus = almanac()
    with Store.create(tmp_path / 's', corpus, progress=False) as store:
        options = dict(engines=[Index(corpus, unit)], reranker=lambda question, texts: [len(t) for t in texts], depth=3)
        for used in ({'engines'}, {'reranker'}, {'engines', 'reranker'}):
            some = {k: v for k, v in options.items() if k in used | {'depth'}}
            memory, kept = HybridIndex(corpus, unit, **some), StoreHybrid(store, unit, **some)
            for query in ('harbour gauge tide', 'the moon'):
                its = kept.search(query, 3)
                assert [h._replace(score=0) for h in its[:1]] == [
                    h._replace(score=0) for h in memory.search(query, 1)
                ], (used, query)
                assert all(kept.explain(query, h).score == pytest.approx(h.score) for h in its)
                assert all(where and start for where, start in its.rows)
        with pytest.raises(QueryError, match='does not find it'):
            kept.explain('harbour', StoreHybrid(store, unit).search('quiet')[0])


def test_an_engine_of_another_corpus_has_no_vote(tmp_path):
    with Store.create(tmp_path / 's', [note('a.md', 'oil')], progress=False) as store:

        class Elsewhere:
            def search(self, query, k=10, scope=None):
                return [h for h, _, _ in searchable(almanac(), 'page')]

        assert [(h.doc_id, h.page) for h in StoreHybrid(store, 'page', engines=[Elsewhere()]).search('oil')] == [(1, 1)]


def test_a_store_that_grows_is_weighed_anew(tmp_path):
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
def test_relaxed_or_not_the_note_says_which(asked, texts):
    found = run_query(Positions(texts), ' '.join(asked))
    assert bool(found.note) == (bool(found.units) and str(found.tree) != ' AND '.join(asked) and len(asked) > 1)
