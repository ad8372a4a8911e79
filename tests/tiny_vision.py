"""A vision-language model of a few hundred kilobytes with random weights, for tests of the path that pictures take:
a Llama of two layers that reads bytes, and a LLaVA-style CLIP projector for it, both written with the gguf package.
It understands nothing, but it is a real model to llama.cpp: what it says depends on every byte and every patch it was given."""

from pathlib import Path
import gguf
import numpy as np

WIDE, DEEP, HEADS, INNER = 64, 2, 4, 128  # of the language model
EYE, EYE_DEEP, SIDE, PATCH = 32, 2, 112, 14  # of the vision encoder: 8 x 8 patches
CONTROL = ('<|im_start|>', '<|im_end|>')
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)


def byte_letters() -> list[str]:
    "The printable letter by which byte-level tokenizers write each byte (GPT-2)."
    plain = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or 174 <= b <= 255]
    others = iter(range(256, 512))
    return [chr(b) if b in plain else chr(next(others)) for b in range(256)]


class Weights:
    "Adds random tensors to a file, the same ones for the same seed."

    def __init__(self, writer, seed, scale):
        self.writer, self.random, self.scale = writer, np.random.default_rng(seed), scale

    def noise(self, name, *shape):
        self.writer.add_tensor(name, (self.random.standard_normal(shape) * self.scale).astype('float32'))

    def ones(self, name, *shape):
        self.writer.add_tensor(name, np.ones(shape, 'float32'))

    def close(self):
        for write in (
            self.writer.write_header_to_file,
            self.writer.write_kv_data_to_file,
            self.writer.write_tensors_to_file,
            self.writer.close,
        ):
            write()


def language_model(path: Path) -> Path:
    "A Llama that reads bytes."
    tokens = [*byte_letters(), *CONTROL]
    w = gguf.GGUFWriter(str(path), 'llama')
    w.add_context_length(8192)
    w.add_embedding_length(WIDE)
    w.add_block_count(DEEP)
    w.add_feed_forward_length(INNER)
    w.add_head_count(HEADS)
    w.add_head_count_kv(HEADS)
    w.add_layer_norm_rms_eps(1e-5)
    w.add_rope_dimension_count(WIDE // HEADS)
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
    t = Weights(w, 1, 0.3)
    t.noise('token_embd.weight', len(tokens), WIDE)
    t.ones('output_norm.weight', WIDE)
    t.noise('output.weight', len(tokens), WIDE)
    for i in range(DEEP):
        for name in ('attn_norm', 'ffn_norm'):
            t.ones(f'blk.{i}.{name}.weight', WIDE)
        for name in ('attn_q', 'attn_k', 'attn_v', 'attn_output'):
            t.noise(f'blk.{i}.{name}.weight', WIDE, WIDE)
        for name in ('ffn_gate', 'ffn_up'):
            t.noise(f'blk.{i}.{name}.weight', INNER, WIDE)
        t.noise(f'blk.{i}.ffn_down.weight', WIDE, INNER)
    t.close()
    return path


def projector(path: Path) -> Path:
    "A CLIP encoder of two layers with an MLP behind it, as LLaVA has."
    w = gguf.GGUFWriter(str(path), 'clip')
    for key, value in dict(
        has_vision_encoder=True, has_text_encoder=False, has_llava_projector=True, use_gelu=True
    ).items():
        w.add_bool(f'clip.{key}', value)
    w.add_string('clip.projector_type', 'mlp')
    w.add_file_type(0)
    sizes = dict(
        image_size=SIDE,
        patch_size=PATCH,
        embedding_length=EYE,
        feed_forward_length=2 * EYE,
        block_count=EYE_DEEP,
        projection_dim=WIDE,
    )
    for key, value in (sizes | {'attention.head_count': 4}).items():
        w.add_uint32(f'clip.vision.{key}', value)
    w.add_float32('clip.vision.attention.layer_norm_epsilon', 1e-5)
    w.add_array('clip.vision.image_mean', [0.5, 0.5, 0.5])
    w.add_array('clip.vision.image_std', [0.25, 0.25, 0.25])
    t = Weights(w, 2, 0.3)

    def layer(name, out, into):
        t.noise(f'{name}.weight', out, into)
        t.noise(f'{name}.bias', out)

    def norm(name):
        t.ones(f'{name}.weight', EYE)
        t.noise(f'{name}.bias', EYE)

    t.noise('v.class_embd', EYE)
    t.noise('v.patch_embd.weight', EYE, 3, PATCH, PATCH)
    t.noise('v.position_embd.weight', (SIDE // PATCH) ** 2 + 1, EYE)
    norm('v.pre_ln')
    norm('v.post_ln')
    for i in range(EYE_DEEP):
        for name in ('attn_q', 'attn_k', 'attn_v', 'attn_out'):
            layer(f'v.blk.{i}.{name}', EYE, EYE)
        for name in ('ln1', 'ln2'):
            norm(f'v.blk.{i}.{name}')
        layer(f'v.blk.{i}.ffn_up', 2 * EYE, EYE)
        layer(f'v.blk.{i}.ffn_down', EYE, 2 * EYE)
    layer('mm.0', WIDE, EYE)
    layer('mm.2', WIDE, WIDE)
    t.close()
    return path
