"""The wording of the messages that users meet most, held in tests/messages.txt.

Everywhere else tests ask for the kind of an error and the thing it names.
`python tests/test_messages.py` writes the file anew.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from fastcore.xtras import working_directory

import deepread_nb as dr
from deepread_nb.agent.record import load_trajectory
from deepread_nb.core.document import Coord, Heading, Paragraph
from deepread_nb.core.errors import DeepReadError
from deepread_nb.llm.by_name import open_chat
from deepread_nb.metrics.questions import load_questions
from deepread_nb.search.encoders import Embedder
from deepread_nb.search.find import QueryIndex

HELD = Path(__file__).parent / 'messages.txt'


def situations() -> Iterator[tuple[str, Callable[[], object]]]:
    "What users do wrong, each with the call that does it; in a folder with a few small files."
    corpus = dr.Corpus(
        [dr.Document.from_blocks('notice.md', [Heading('Notice', 1), Paragraph('The gate opens at nine.')])]
    )
    Path('empty').mkdir()
    Path('empty.pdf').touch()
    Path('broken.pdf').write_bytes(b'%PDF-1.7\nnothing')
    Path('tool.exe').write_bytes(b'MZ\0\0')
    Path('other.json').write_text('{"a": 1}')
    Path('broken.json').write_text('{"a": ')
    Path('model.gguf').write_bytes(b'no model')
    Path('replies.jsonl').write_text(json.dumps(dict(model=dict(name='m', n_ctx=8192))) + '\n')
    yield 'a folder that is not there', lambda: dr.ask('When?', 'nowhere', dr.Scripted([]), folder=None)
    yield 'a folder without documents', lambda: dr.ask('When?', 'empty', dr.Scripted([]), folder=None)
    yield 'a file that is not there', lambda: dr.parse_file('nowhere.pdf')
    yield 'an empty file', lambda: dr.parse_file('empty.pdf')
    yield 'a damaged PDF', lambda: dr.parse_file('broken.pdf')
    yield 'a kind of file that nothing reads', lambda: dr.parse_file('tool.exe')
    yield 'a corpus file of something else', lambda: dr.load('other.json')
    yield 'a corpus file that was cut off', lambda: dr.load('broken.json')
    yield 'a trajectory of something else', lambda: load_trajectory('other.json')
    yield 'questions of something else', lambda: load_questions('other.json')
    yield 'no question', lambda: dr.ask('  ', corpus, dr.Scripted([]), folder=None)
    yield 'a system that is not there', lambda: dr.make_system('deepred')
    yield 'an option that is not there', lambda: dr.make_system('deepread', hits=3)
    yield 'a budget of nothing', lambda: dr.Budget(rounds=0)
    yield 'a budget of the wrong kind', lambda: dr.Budget(rounds='8')
    yield 'a model that is not there', lambda: open_chat('gpt-9')
    yield 'a model that was not fetched', lambda: open_chat('qwen2.5-coder-1.5b')
    yield 'a model file that is none', lambda: open_chat('model.gguf')
    yield 'an encoder that was not fetched', lambda: Embedder('all-MiniLM-L6-v2')
    yield 'a prompt that was not recorded', lambda: dr.ask('When?', corpus, dr.Recorded('replies.jsonl'), folder=None)
    yield 'an address that is not there', lambda: corpus[Coord(1, 1, 9)]
    yield 'a number of hits that is a word', lambda: dr.Index(corpus).search('gate', '3')
    yield 'a query with a slip', lambda: QueryIndex(dr.Index(corpus)).find('(gate AND nine')


def message(call: Callable[[], object]) -> str:
    "What the user reads."
    try:
        done = call()
    except DeepReadError as e:
        return f'{type(e).__name__}: {e}'
    outcome = getattr(done, 'outcome', None)
    assert outcome is not None and outcome.error, f'{call.__code__.co_names}: {done!r}'
    return outcome.error


def messages() -> str:
    "All of them, a paragraph each."
    with (
        TemporaryDirectory() as folder,
        working_directory(folder),
        patch.dict(os.environ, DEEPREAD_HOME=f'{folder}/home'),
    ):
        told = [f'{name}\n    {message(call)}\n' for name, call in situations()]
        return '\n'.join(told).replace(folder, '~')


def test_messages_are_worded_as_held():
    assert messages() == HELD.read_text(encoding='utf-8')


if __name__ == '__main__':
    HELD.write_text(messages(), encoding='utf-8')
