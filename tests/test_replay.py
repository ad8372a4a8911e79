"""Every run in data/runs, asked again with the replies recorded then.

Prompts, schemas, steps and answers are the same, byte for byte. Of the systems in `CONTENTS_IN_RULES` the prompts are
left out: their runs were made when titles and file names stood in the system prompt.
"""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

import pytest

from deepread_nb.agent.library import Library
from deepread_nb.agent.loop import Budget
from deepread_nb.agent.record import Trajectory, load_trajectory, prompts
from deepread_nb.core.messages import Reply
from deepread_nb.core.quoting import CLOSE, OPEN
from deepread_nb.llm.chat import Chat
from deepread_nb.metrics.questions import load_questions
from deepread_nb.parse.folder import parse_folder
from deepread_nb.systems.registry import make_system

ROOT = Path(__file__).parent.parent
KEPT = ROOT / 'data' / 'runs'
RESULTS = [json.loads(line) for line in (KEPT / 'results.jsonl').read_text(encoding='utf-8').splitlines()]
OTHER_PARSE = {'sleuth'}  # its runs were made on an earlier parse of data/
OTHER_CODE = {
    '31eccd0996507800850606a4e853663c'
}  # kept from the code before: it searched other words in its second look
OTHER_SEARCH = {  # terms are folded and numbers kept whole since, so other paragraphs are found or shown
    '19a0a820632a7068b3c57ad3dab0c949',
    '64f0b5ea3d330cb66b534ef89de53c8f',
    '6d6e8f7f7fccae3d58e86df24e15682d',
    '7e4bb72adf05ac22041dbf5ea24237ed',
    'b987f6cea7d70f9b38f98295b9bda981',
    'bfa4fd11c5e051463b4ade272b8611e3',
    'cbe92ef49cafa64c8924228631eaac6d',
    'e2778535969f2d2d05e119e66a7418c9',
    'ec86bf8d76f27cc92235999d5e3ca63b',
}
OTHER_QUOTE = {  # with the same terms, another sentence of the cited paragraph is quoted, or it is found on its page
    '1394556e56b6b8fa8db6ead4a4f5887e',
    '19249938c9ef864fa09903e43afdf4e7',
    '330cf31ea30e320f73e6dbf0fce71bdc',
    '550a214d6fd9babdf83c4f025fd3d61d',
    '6f0ea21b07d93492d5ef56448e886b71',
    'b7fa1423fd0b96bb9a2f8eceaadfee1a',
    'c3e3669beca6e5a209c35ace25b9f8a3',
}
OTHER_RUN = OTHER_CODE | OTHER_SEARCH | OTHER_QUOTE

CONTENTS_IN_RULES = {'deepread', 'search_o1', 'docdancer', 'madqa_bm25'}


class Replay(Chat):
    "Gives the replies of a recorded run, and notices any prompt that is not the recorded one."

    def __init__(self, run: Trajectory):
        model, self.system = run.header['model'], run.header['system']
        self.name, self.n_ctx, self.left = model['name'], model['n_ctx'], list(prompts(run))

    def __call__(self, messages, schema=None, max_tokens=512, on_text=None):
        call, prompt = self.left.pop(0)
        if self.system not in CONTENTS_IN_RULES:
            assert list(messages) == prompt
        else:
            assert [m['role'] for m in messages] == [m['role'] for m in prompt]
        assert (schema, max_tokens) == (call.schema, call.max_tokens)
        return Reply(call.reply, call.usage)


@cache
def library() -> Library:
    return Library(parse_folder(ROOT / 'data', progress=False))


def without_marks(observation: str) -> str:
    return ''.join(observation.replace(OPEN, '').replace(CLOSE, '').split())


def told(run: Trajectory) -> dict:
    "What a run did, as JSON, without its clocks."
    data = json.loads(json.dumps(dict(steps=[asdict(s) for s in run.steps], outcome=asdict(run.outcome))))
    for part in [data['outcome'], *data['steps']]:
        part.pop('seconds')
    for step in data['steps']:
        if run.header['system'] in CONTENTS_IN_RULES:
            step['observation'] = without_marks(step['observation'])
            for call in step['calls']:
                call['sent'] = [message['role'] for message in call['sent']]
    return data


@pytest.mark.parametrize(
    'result',
    [r for r in RESULTS if r['system'] not in OTHER_PARSE and r['key'] not in OTHER_RUN],
    ids=lambda r: f'{r["system"]}-{r["prediction"]["id"]}-{r["key"][:6]}',
)
def test_a_kept_run_replays(result):
    kept = load_trajectory(KEPT / result['prediction']['path'])
    question = next(q for q in load_questions(KEPT / 'questions.jsonl') if q.id == result['prediction']['id'])
    system = make_system(kept.header['system'], **result['parameters']).with_gold_pages(
        [(r.document, r.page) for r in question.evidence]
    )
    chat = Replay(kept)
    run = system.run(kept.question, library(), chat, Budget(**result['budget']))
    assert chat.left == []
    assert told(run) == told(kept)
