"The stored outputs of a notebook have to be what its cells give now, apart from clocks, addresses and identifiers."

import difflib
import json
import re
from collections.abc import Iterator

# Formats that hold the identifiers of a session, not what a reader sees.
NOT_COMPARED = ('application/vnd.jupyter.widget', 'image/')
MASKS = [
    (r'\b\d{4}-\d\d-\d\d[T _]\d\d:?\d\d:?\d\d(?:\.\d+)?(?:\+\d\d:\d\d|Z)?', '<time>'),
    (r'\b0x[0-9a-f]{6,}\b', '<address>'),
    (r'\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b', '<id>'),
    (r'\b\d[\d,]*(?:\.\d+)?(?:e-\d+)? ?(?:s|ms|µs|seconds?|minutes?|min)\b', '<duration>'),
    (r'(?<="seconds": )[\d.e-]+', '<duration>'),
    (r'\b\d[\d,]*(?:\.\d+)? (?:KB|kB|MB|GB)\b', '<size>'),
]


def mask(text: str) -> str:
    "A text without what changes from run to run."
    for pattern, instead in MASKS:
        text = re.sub(pattern, instead, text)
    return text.strip()


def texts(outputs: list[dict]) -> Iterator[tuple[str, str]]:
    "The masked texts of the outputs of a cell with their kinds; pieces of one stream are joined."
    streams: dict[str, str] = {}
    for output in outputs:
        if output['output_type'] == 'stream':
            streams[output['name']] = streams.get(output['name'], '') + ''.join(output['text'])
        for kind, data in sorted(output.get('data', {}).items()):
            if not kind.startswith(NOT_COMPARED):
                yield kind, mask(''.join(data) if isinstance(data, (list, str)) else json.dumps(data, sort_keys=True))
    if streams.get('stdout'):
        yield 'stdout', mask(streams['stdout'])


def differences(stored: list[dict], ran: list[dict]) -> list[str]:
    "The cells whose stored outputs are not what they gave, each with the first lines that differ."
    found = []
    for before, after in zip(stored, ran, strict=True):
        kept = list(texts(before.get('outputs') or []))
        given = dict(texts(after.get('outputs') or []))
        for kind, text in kept:
            if given.get(kind) == text:
                continue
            lines = difflib.unified_diff(
                text.splitlines(), given.get(kind, '').splitlines(), 'stored', 'now', n=0, lineterm=''
            )
            found.append(f'cell {before["id"]}, {kind}:\n' + '\n'.join(line[:300] for line in list(lines)[:12]))
    return found
