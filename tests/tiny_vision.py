"""A vision-language model of a few hundred kilobytes with random weights, for tests that put pictures into llama.cpp.

It is a Llama of two layers that reads bytes, and a LLaVA-style CLIP projector for it, written with the gguf package.
It understands nothing, but to llama.cpp it is a real model: its replies depend on every byte and every patch.
"""

from pathlib import Path

import gguf
import numpy as np

# the language model
WIDTH, LAYERS, HEADS, FEED_FORWARD = 64, 2, 4, 128
# the vision encoder: a picture has 8 x 8 patches
VISION_WIDTH, VISION_LAYERS, SIDE, PATCH = 32, 2, 112, 14

CONTROL = ('<|im_start|>', '<|im_end|>')
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)


def byte_letters() -> list[str]:
    "The printable character with which byte-level tokenizers (GPT-2) write each byte."
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(b) if b in printable else chr(next(others)) for b in range(256)]


class RandomWeights:
    "Adds random tensors to a GGUF file; the same seed gives the same tensors."

    def __init__(self, writer, seed, scale):
        self.writer, self.scale = writer, scale
        self.random = np.random.default_rng(seed)

    def noise(self, name, *shape):
        self.writer.add_tensor(name, (self.random.standard_normal(shape) * self.scale).astype('float32'))

    def ones(self, name, *shape):
        self.writer.add_tensor(name, np.ones(shape, 'float32'))

    def write(self):
        "Write the file."
        self.writer.write_header_to_file()
        self.writer.write_kv_data_to_file()
        self.writer.write_tensors_to_file()
        self.writer.close()


def language_model(path: Path) -> Path:
    "Write a Llama that reads bytes."
    tokens = [*byte_letters(), *CONTROL]
    w = gguf.GGUFWriter(str(path), 'llama')
    w.add_context_length(8192)
    w.add_embedding_length(WIDTH)
    w.add_block_count(LAYERS)
    w.add_feed_forward_length(FEED_FORWARD)
    w.add_head_count(HEADS)
    w.add_head_count_kv(HEADS)
    w.add_layer_norm_rms_eps(1e-5)
    w.add_rope_dimension_count(WIDTH // HEADS)
    w.add_vocab_size(len(tokens))
    w.add_file_type(0)
    w.add_tokenizer_model('gpt2')
    w.add_tokenizer_pre('default')
    w.add_token_list(tokens)
    w.add_token_merges(['Ġ t'])
    w.add_token_types([gguf.TokenType.NORMAL] * 256 + [gguf.TokenType.CONTROL] * 2)
    w.add_bos_token_id(256)
    w.add_eos_token_id(257)
    w.add_add_bos_token(False)
    w.add_chat_template(TEMPLATE)
    t = RandomWeights(w, 1, 0.3)
    t.noise('token_embd.weight', len(tokens), WIDTH)
    t.ones('output_norm.weight', WIDTH)
    t.noise('output.weight', len(tokens), WIDTH)
    for i in range(LAYERS):
        for name in ('attn_norm', 'ffn_norm'):
            t.ones(f'blk.{i}.{name}.weight', WIDTH)
        for name in ('attn_q', 'attn_k', 'attn_v', 'attn_output'):
            t.noise(f'blk.{i}.{name}.weight', WIDTH, WIDTH)
        for name in ('ffn_gate', 'ffn_up'):
            t.noise(f'blk.{i}.{name}.weight', FEED_FORWARD, WIDTH)
        t.noise(f'blk.{i}.ffn_down.weight', WIDTH, FEED_FORWARD)
    t.write()
    return path


def projector(path: Path) -> Path:
    "Write a CLIP encoder of two layers followed by an MLP, as in LLaVA."
    w = gguf.GGUFWriter(str(path), 'clip')
    flags = dict(has_vision_encoder=True, has_text_encoder=False, has_llava_projector=True, use_gelu=True)
    for key, value in flags.items():
        w.add_bool(f'clip.{key}', value)
    w.add_string('clip.projector_type', 'mlp')
    w.add_file_type(0)
    sizes = dict(
        image_size=SIDE,
        patch_size=PATCH,
        embedding_length=VISION_WIDTH,
        feed_forward_length=2 * VISION_WIDTH,
        block_count=VISION_LAYERS,
        projection_dim=WIDTH,
    )
    for key, value in (sizes | {'attention.head_count': 4}).items():
        w.add_uint32(f'clip.vision.{key}', value)
    w.add_float32('clip.vision.attention.layer_norm_epsilon', 1e-5)
    w.add_array('clip.vision.image_mean', [0.5, 0.5, 0.5])
    w.add_array('clip.vision.image_std', [0.25, 0.25, 0.25])
    t = RandomWeights(w, 2, 0.3)

    def layer(name, out, into):
        t.noise(f'{name}.weight', out, into)
        t.noise(f'{name}.bias', out)

    def norm(name):
        t.ones(f'{name}.weight', VISION_WIDTH)
        t.noise(f'{name}.bias', VISION_WIDTH)

    t.noise('v.class_embd', VISION_WIDTH)
    t.noise('v.patch_embd.weight', VISION_WIDTH, 3, PATCH, PATCH)
    t.noise('v.position_embd.weight', (SIDE // PATCH) ** 2 + 1, VISION_WIDTH)
    norm('v.pre_ln')
    norm('v.post_ln')
    for i in range(VISION_LAYERS):
        for name in ('attn_q', 'attn_k', 'attn_v', 'attn_out'):
            layer(f'v.blk.{i}.{name}', VISION_WIDTH, VISION_WIDTH)
        for name in ('ln1', 'ln2'):
            norm(f'v.blk.{i}.{name}')
        layer(f'v.blk.{i}.ffn_up', 2 * VISION_WIDTH, VISION_WIDTH)
        layer(f'v.blk.{i}.ffn_down', VISION_WIDTH, 2 * VISION_WIDTH)
    layer('mm.0', WIDTH, VISION_WIDTH)
    layer('mm.2', WIDTH, WIDTH)
    t.write()
    return path
