"""How fast the store is at scale, compared with raw LanceDB on the same rows; the last line is a JSON object.

usage: retrieval_speed.py [--paragraphs 1000000] [--words 60] [--documents 1000] [--repeats 20] [--folder DIR [--keep]]
The paragraphs are synthetic: words drawn by a Zipf law from a vocabulary of 50,000, eight paragraphs per page. Times
are medians in milliseconds. Both tables have the same words and the same kind of index; raw is a plain table with one
text column. Ours and raw take turns, query by query, in a process that only reads, so that other load on the machine
slows both. Beside wall-clock time there is CPU time (cpu_ms), which such load hardly changes.
hybrid_ms is StoreHybrid's search, which has no counterpart: six words and a document's name over the whole store, with
all features that a store has (words, pairs, names, documents); hybrid_scope_ms the same within one document, and
hybrid_cues_ms questions that also name a table, a page and a financial statement; hybrid_first_ms is the first search.
opening is opening and the first query, each time in a new process that has loaded everything it imports.
With --keep the filled tables stay in the folder, and a later run with --keep measures them without filling them again.
peak_mb is the memory of a process that opens the store and makes all these searches.
"""

import argparse
import contextlib
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.index import FTS
from lancedb.query import BooleanQuery, MatchQuery, Occur, PhraseQuery

from deepread_nb.core.document import Document, Heading, Paragraph
from deepread_nb.core.text import word_stem
from deepread_nb.search.store import Store
from deepread_nb.search.store_hybrid import StoreHybrid
from deepread_nb.search.store_tables import EVERY_TEXT

FTS_SETTINGS = FTS(
    with_position=True,
    base_tokenizer='whitespace',
    max_token_length=None,
    lower_case=False,
    stem=False,
    remove_stop_words=False,
    ascii_folding=False,
)


def name(n: int) -> str:
    "The n-th word: letters only, and its own stem."
    letters = ''
    for _ in range(4):
        n, r = divmod(n, 20)
        letters += 'bcdfghjklmnpqrtvwxz'[r % 19] + 'aou'[r % 3]
    return letters + 'k'


def texts(n: int, words: int, seed: int = 0):
    "Batches of paragraphs whose words follow a Zipf law."
    rng = np.random.default_rng(seed)
    vocabulary = np.array(sorted({name(i) for i in range(50_000)}, key=hash_of))
    share = 1 / np.arange(1, len(vocabulary) + 1)
    share /= share.sum()
    for start in range(0, n, 20_000):
        size = min(20_000, n - start)
        yield start, [' '.join(row) for row in vocabulary[rng.choice(len(vocabulary), (size, words), p=share)]]


def hash_of(word: str) -> int:
    "A fixed shuffle of the vocabulary."
    return sum((i + 1) * 7919 ** (i % 3) * ord(c) for i, c in enumerate(word)) % 1_000_003


def timed(run: Callable[[int], object], i: int) -> tuple[float, float]:
    "Milliseconds of one call, wall-clock and CPU."
    start, cpu = time.perf_counter(), time.process_time()
    run(i)
    return 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - cpu)


def in_turns(
    ours: Callable[[int], object], theirs: Callable[[int], object], repeats: int
) -> tuple[float, float, float, float]:
    "Medians: ours and theirs on the wall clock, then both on the CPU."
    timed(ours, 0)
    timed(theirs, 0)
    times = [timed(ours, i) + timed(theirs, i) for i in range(1, repeats + 1)]
    mine, cpu, its, its_cpu = (statistics.median(column) for column in zip(*times))
    return mine, its, cpu, its_cpu


def fill(store: Store, raw, args) -> dict[str, float]:
    "The same paragraphs into both, written in bulk; seconds of indexing."
    each = -(-args.paragraphs // args.documents)
    seen: set[str] = set()
    for start, batch in texts(args.paragraphs, args.words):
        at = range(start, start + len(batch))
        version = [f'v{i // each:06d}' for i in at]
        place, page = [i % each + 1 for i in at], [i % each // 8 + 1 for i in at]
        shown = [
            json.dumps([v, 1, n, p, [str(p)], n, False, False, t[:160], t])
            for v, n, p, t in zip(version, place, page, batch)
        ]
        store.tables['paragraphs'].add(
            pa.table(
                dict(
                    version=version,
                    sec_id=pa.array([1] * len(batch)),
                    para_idx=place,
                    page=page,
                    called=[[str(p)] for p in page],
                    shown=shown,
                    text=batch,
                    stems=batch,
                    forms=[f'{t} {EVERY_TEXT}' for t in batch],
                )
            )
        )
        raw.add(pa.table(dict(doc=version, text=batch)))
        seen.update(w for t in batch for w in t.split())
    rows = [
        dict(name=f'doc{d}', title='', version=f'v{d:06d}', serial=d, state='ready', hash='', parser='')
        for d in range(args.documents)
    ]
    store.tables['documents'].add(rows)
    store.tables['vocabulary'].add([dict(form=w, stem=word_stem(w)) for w in sorted(seen)])
    store._reload()
    start = time.perf_counter()
    raw.create_index('text', config=FTS_SETTINGS)
    raw_seconds, start = time.perf_counter() - start, time.perf_counter()
    store.tables.make_indexes('paragraphs')
    seconds = time.perf_counter() - start
    store.seal.write()
    return dict(raw_index_s=raw_seconds, ours_index_s=seconds)


def queries(args) -> list[list[str]]:
    "For each repeat six consecutive words of one paragraph."
    rng, rows = np.random.default_rng(1), []
    for _, batch in texts(min(20_000, args.paragraphs), args.words):
        for t in batch[: args.repeats + 1]:
            words = t.split()
            at = int(rng.integers(0, len(words) - 6))
            rows.append(words[at : at + 6])
    return rows


def measure(store: Store, raw, args) -> dict[str, tuple[float, float, float, float]]:
    "For each kind of search the milliseconds of ours and of raw LanceDB, wall-clock and CPU."
    asked, k = queries(args), 10

    def plain(q, where=None):
        build = raw.search(q).limit(k)
        return (build.where(where, prefilter=True) if where else build).to_list()

    def match(words):
        return MatchQuery(' '.join(words), 'text')

    kinds = dict(
        ranked_or_6=(lambda i: store.search(' '.join(asked[i]), k), lambda i: plain(match(asked[i]))),
        and_3=(
            lambda i: store.find(' '.join(asked[i][:3]), k),
            lambda i: plain(BooleanQuery([(Occur.MUST, match([w])) for w in asked[i][:3]])),
        ),
        phrase_2=(
            lambda i: store.find(f'"{asked[i][0]} {asked[i][1]}"', k),
            lambda i: plain(PhraseQuery(' '.join(asked[i][:2]), 'text')),
        ),
        one_document=(
            lambda i: store.search(' '.join(asked[i]), k, scope=['doc7']),
            lambda i: plain(match(asked[i]), "doc = 'v000007'"),
        ),
    )
    return {kind: in_turns(ours, theirs, args.repeats) for kind, (ours, theirs) in kinds.items()}


def peak_mb() -> float:
    "Peak memory of this process; on Linux from /proc, since getrusage includes its parent's."
    status = Path('/proc/self/status')
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith('VmHWM')) / 1024


def opened(folder: str, whose: str) -> tuple[float, float]:
    "Milliseconds of opening and a first query, wall-clock and CPU; runs in a new process."
    if whose == 'ours':
        return timed(lambda i: Store.open(f'{folder}/ours').search('quixotic'), 0)
    return timed(
        lambda i: (
            lancedb.connect(f'{folder}/raw').open_table('p').search(MatchQuery('quixotic', 'text')).limit(10).to_list()
        ),
        0,
    )


def fresh(run: Callable, *args) -> object:
    "What a function returns in a new process."
    with ProcessPoolExecutor(1, multiprocessing.get_context('spawn')) as pool:
        return pool.submit(run, *args).result()


def opening(folder: str, repeats: int = 5) -> dict[str, float]:
    "Medians of opening and a first query, in turns; the first of each, when the disk may be cold, is dropped."
    times = [fresh(opened, folder, 'ours') + fresh(opened, folder, 'raw') for _ in range(repeats + 1)]
    ours, cpu, theirs, its_cpu = (statistics.median(column) for column in zip(*times[1:]))
    print(line('opening', ours, theirs, cpu, its_cpu), flush=True)
    return dict(opening_ms=ours, opening_ratio=ours / theirs, opening_cpu_ms=cpu, opening_cpu_ratio=cpu / its_cpu)


def line(kind: str, ours: float, theirs: float, cpu: float, its_cpu: float) -> str:
    wall = f'{kind:14s} ours {ours:8.2f} ms   raw LanceDB {theirs:8.2f} ms   ratio {ours / theirs:.2f}'
    return f'{wall}   on the CPU {cpu:8.2f} and {its_cpu:8.2f} ms, ratio {cpu / its_cpu:.2f}'


def reader(folder: str, args) -> dict[str, float]:
    "Measures a program that only opens and searches; runs in a new process."
    base, store, out = peak_mb(), Store.open(f'{folder}/ours'), {}
    raw = lancedb.connect(f'{folder}/raw').open_table('p')
    for kind, (ours, theirs, cpu, its_cpu) in measure(store, raw, args).items():
        out |= {
            f'{kind}_ms': ours,
            f'{kind}_ratio': ours / theirs,
            f'{kind}_cpu_ms': cpu,
            f'{kind}_cpu_ratio': cpu / its_cpu,
        }
        print(line(kind, ours, theirs, cpu, its_cpu), flush=True)
    out |= hybrid(store, args)
    wildcards = ['bafo* OR dafu*', '*fobak', 'b?fob?b?k']
    wild = [timed(lambda i: store.find(wildcards[i]), i)[0] for i in range(len(wildcards))]
    print(f'memory at most {peak_mb():.0f} MB, of which {base:.0f} before opening', flush=True)
    return out | dict(wildcards_ms=statistics.median(wild), peak_mb=peak_mb(), before_opening_mb=base)


def hybrid(store: Store, args) -> dict[str, float]:
    "Milliseconds of the hybrid over the same store: medians, and the worst of the whole store."
    index, asked = StoreHybrid(store), queries(args)
    out = dict(hybrid_first_ms=timed(lambda i: index.search(' '.join(asked[i])), 0)[0])
    kinds = dict(
        hybrid=lambda i: index.search(f'{" ".join(asked[i])} in doc{i}'),
        hybrid_scope=lambda i: index.search(' '.join(asked[i]), scope=['doc7']),
        hybrid_cues=lambda i: index.search(f'{" ".join(asked[i])} on page 3 in Table {i}: what is the current ratio?'),
    )
    for kind, run in kinds.items():
        timed(run, 0)
        times, cpu = zip(*(timed(run, i) for i in range(1, args.repeats + 1)))
        out |= {
            f'{kind}_ms': statistics.median(times),
            f'{kind}_worst_ms': max(times),
            f'{kind}_cpu_ms': statistics.median(cpu),
        }
        wall = f'{kind:14s} ours {out[f"{kind}_ms"]:8.2f} ms, at worst {max(times):.2f} ms'
        print(f'{wall}   on the CPU {out[f"{kind}_cpu_ms"]:8.2f} ms', flush=True)
    return out


def changes(store: Store) -> dict[str, float]:
    "Milliseconds to add a document of 50 paragraphs, to find it, and to remove it; the store is left as it was."
    doc = Document.from_blocks(
        'new.md', [Heading('New', 1), *(Paragraph(f'quixotic paragraph {i}') for i in range(50))]
    )
    times = []
    for _ in range(8):  # the first fills caches
        start, cpu = time.perf_counter(), time.process_time()
        store.add([doc])
        added, added_cpu = time.perf_counter(), time.process_time()
        assert len(store.search('quixotic', 5)) == 5
        found, found_cpu = time.perf_counter(), time.process_time()
        store.remove('new.md')
        removed, removed_cpu = time.perf_counter(), time.process_time()
        assert not store.search('quixotic', 5)
        times.append([added - start, found - added, removed - found, added_cpu - cpu, removed_cpu - found_cpu])
    add, find, remove, add_cpu, remove_cpu = (1000 * statistics.median(column) for column in list(zip(*times[1:])))
    added_in = f'a document added in {add:.1f} ms ({add_cpu:.1f} on the CPU)'
    print(f'{added_in}, found in {find:.1f} ms, removed in {remove:.1f} ms ({remove_cpu:.1f} on the CPU)', flush=True)
    return dict(
        add_ms=add,
        find_ms=find,
        remove_ms=remove,
        add_cpu_ms=add_cpu,
        remove_cpu_ms=remove_cpu,
        first_add_ms=1000 * times[0][0],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--paragraphs', type=int, default=1_000_000)
    parser.add_argument('--words', type=int, default=60)
    parser.add_argument('--documents', type=int, default=1000)
    parser.add_argument('--repeats', type=int, default=20)
    parser.add_argument('--folder', type=Path)
    parser.add_argument('--keep', action='store_true', help='keep the filled tables in the folder, or use kept ones')
    args = parser.parse_args()
    if args.keep and not args.folder:
        parser.error('--keep needs a --folder')
    with contextlib.nullcontext(args.folder) if args.keep else tempfile.TemporaryDirectory(dir=args.folder) as folder:
        out: dict[str, float] = {}
        if not Path(folder, 'ours').exists():
            raw = lancedb.connect(f'{folder}/raw').create_table(
                'p', schema=pa.schema([('doc', pa.string()), ('text', pa.string())])
            )
            with Store.create(f'{folder}/ours') as store:
                out = fill(store, raw, args)
        out |= opening(str(folder), min(5, args.repeats)) | fresh(reader, str(folder), args)
        with Store.open(f'{folder}/ours', writable=True) as store:
            out |= changes(store)
    print(json.dumps({k: round(v, 3) for k, v in out.items()}))


if __name__ == '__main__':
    main()
