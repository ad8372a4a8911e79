"""Kill a bench at random moments, and check that nothing is lost and nothing is done twice.

usage: crash.py [--kills N] [--questions N] [--seed N]
A bench of invented questions with a scripted model is started again and again, and each time a SIGKILL ends it at a
random moment. When it finishes, its results are compared with those of an undisturbed bench, and the next round begins,
until there were enough kills. The last line is a JSON object:

kills     processes killed while they worked
lost      results that were on the disk and are gone, or differ in the end from those of the undisturbed bench
repeated  questions asked again although they were done, or with two lines in the results
rounds    benches that finished
left      mean number of questions still to do when a bench started
"""

import argparse
import json
import os
import random
import re
import signal
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from deepread_nb.agent.loop import Budget
from deepread_nb.bench.runner import run
from deepread_nb.core.corpus import Corpus
from deepread_nb.core.document import Document, Heading, Paragraph
from deepread_nb.llm.scripted import Scripted
from deepread_nb.metrics.predictions import Question
from deepread_nb.metrics.results import BenchFolder, read_results


def invented(n: int) -> tuple[Corpus, list[Question]]:
    "A document of masts and their heights, and a question about each."
    blocks = [
        b
        for i in range(n)
        for b in (Heading(f'Mast {i}', 2), Paragraph(f'The height of mast {i} is {i * 7 % 90 + 10} m.'))
    ]
    questions = [
        Question(f'q{i:03d}', f'What is the height of mast {i}?', ((f'{i * 7 % 90 + 10} m',),)) for i in range(n)
    ]
    return Corpus([Document.from_blocks('masts.md', [Heading('Masts', 1), *blocks])]), questions


def scripted(log: Path, pause: float) -> Scripted:
    "A model that depends on the question alone, and logs each question."

    def say(messages, schema):
        time.sleep(pause)
        asked = re.search(r'What is the height of mast (\d+)\?', messages[1]['content'])
        mast = int(asked[1])
        if schema is None:
            return f'{mast * 7 % 90 + 10} m.'
        if 'citations' in json.dumps(schema):
            return dict(citations=[f'1:{mast + 2}:1'])
        if len(messages) > 2:
            return dict(thought='', call=dict(tool='answer'))
        with log.open('a') as f:
            f.write(asked[0] + '\n')
        return dict(thought='', call=dict(tool='Retrieve', query=asked))

    return Scripted(say)


def bench(out: Path, log: Path, corpus: Corpus, questions: list[Question], pause: float = 0.0) -> None:
    run('deepread', questions, scripted(log, pause), out, corpus, Budget(rounds=4), progress=False)


def facts(out: Path) -> dict:
    "What must be equal between runs: all but times and the name of the folder."
    return {
        k: (
            r.error,
            r.prediction.answer,
            r.prediction.citations,
            r.prediction.quotes,
            r.prediction.stop,
            tuple(m._replace(seconds=0.0) for m in r.prediction.moves),
        )
        for k, r in read_results(out).items()
    }


def done(out: Path) -> set[str]:
    "The questions that are done: their line is written, or their trajectory has its final name."
    store = BenchFolder(out)
    named = {json.loads(p.read_text().splitlines()[0])['question'] for p in store.runs.glob('*.jsonl')}
    lines = (
        [json.loads(line) for line in store.results.read_bytes().split(b'\n')[:-1]] if store.results.exists() else []
    )
    return named | {line['prediction']['question'] for line in lines}


def run_and_kill(seconds: float, *job) -> bool:
    "Run a bench in a process of its own and kill it after some seconds; return whether it was still at work."
    pid = os.fork()
    if not pid:
        try:
            bench(*job)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])


def run_disturbed(
    folder: Path, rng: random.Random, kills: int, longest: float, corpus: Corpus, questions: list[Question]
) -> dict:
    "Kill one bench again and again until it finishes or was killed often enough; then let it finish."
    out, count = folder / 'bench', dict(kills=0, lost=0, repeated=0, left=[])
    for n in range(10 * kills):
        before, lines, log = done(out), facts(out), folder / f'asked_{n}'
        log.touch()
        at_work = count['kills'] < kills and run_and_kill(rng.uniform(0, longest), out, log, corpus, questions, 0.002)
        count['left'].append(len(questions) - len(before))
        if not at_work:
            bench(out, log, corpus, questions)
        count['kills'] += at_work
        count['repeated'] += len(before & set(log.read_text().splitlines()))
        count['lost'] += len(lines.items() - facts(out).items())
        if not at_work:
            break
    return count


def count_duplicates(out: Path) -> int:
    "Lines of the results beyond the first for a question."
    keys = [json.loads(line)['key'] for line in BenchFolder(out).results.read_text().splitlines()]
    return len(keys) - len(set(keys))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--kills', type=int, default=30)
    parser.add_argument('--questions', type=int, default=60)
    parser.add_argument('--seed', type=int, default=0)
    args = parser.parse_args()
    rng, total, left, rounds = random.Random(args.seed), dict(kills=0, lost=0, repeated=0), [], 0
    corpus, questions = invented(args.questions)
    with TemporaryDirectory() as folder:
        started = time.perf_counter()
        bench(Path(folder) / 'undisturbed', Path(folder) / 'asked', corpus, questions, 0.002)
        longest, wanted = (time.perf_counter() - started) / 3, facts(Path(folder) / 'undisturbed')
        while total['kills'] < args.kills:
            here = Path(folder) / str(rounds)
            here.mkdir()
            count = run_disturbed(here, rng, args.kills - total['kills'], longest, corpus, questions)
            found = facts(here / 'bench')
            count['lost'] += len(wanted.items() - found.items())
            count['repeated'] += count_duplicates(here / 'bench')
            rounds, left = rounds + 1, left + count.pop('left')
            for name in total:
                total[name] += count[name]
            results = f'{len(found)} of {len(wanted)} results'
            faults = f'{count["lost"]} lost, {count["repeated"]} repeated'
            print(f'round {rounds}: {count["kills"]} kills, {results}, {faults}', flush=True)
    print(json.dumps(total | dict(rounds=rounds, left=round(sum(left) / len(left), 1))))


if __name__ == '__main__':
    main()
