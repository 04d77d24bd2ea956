"""`python -m tests.chaos --seed 7` performs one story and tells of it; `--seeds 0:100 -j 2` performs many.

Enters: words. Leaves: a table of what was done, and which seeds failed; exit 1 where one did.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from tests.chaos import performing
from tests.chaos.descendants import take_orphans
from tests.chaos.performing import Told, performed, put_away, warm_up
from tests.chaos.stories import story


def vectors() -> list[str]:
    """The ids of all vectors of the suite relay that its reference acts out in edition 0.10, in order."""
    from bindproof import spec

    relay = spec.installed("relay")
    return sorted(one.id for one in spec.vectors(relay) if one.runs_in("0.10", "wire"))


def main() -> int:
    """Perform what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, metavar="N", help="perform one, and tell what it does and what came of it")
    parser.add_argument("--seeds", default="0:100", metavar="A:B", help="perform those from A to B, without B")
    parser.add_argument("-j", type=int, default=1, metavar="N", dest="jobs", help="so many at a time")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the logs there")
    parser.add_argument("--story", action="store_true", help="only tell what it does")
    args = parser.parse_args()
    ids = vectors()
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, performing.OUR_PATHS))
    if args.seed is not None:
        return _one(args.seed, ids, args.keep, only_tell=args.story)
    first, _, last = args.seeds.partition(":")
    seeds = range(int(first), int(last))
    failed: list[Told] = []
    tally: Counter[tuple[str, str]] = Counter()
    slowest: list[tuple[float, int]] = []
    biggest = (0, 0)
    told_of: dict[int, float] = {}
    for told in _many(seeds, ids, args.jobs, args.keep):
        one = told.story
        for what in (
            ("command", one.command),
            ("harness", one.happening),
            *(("adapter", d["deed"]) for d in one.deeds),
        ):
            tally[what] += 1
        for name in one.script["manner"]:
            tally["manner", name] += 1
        slowest = sorted([*slowest, (told.seconds, one.seed)], reverse=True)[:5]
        told_of[one.seed] = told.processor
        biggest = max(biggest, (told.peak, one.seed))
        if told.again:
            print(f"seed {one.seed}, told again with more time: {told.again}", flush=True)
        if told.complaints:
            failed.append(told)
            _tell(told)
    for (kind, name), count in sorted(tally.items()):
        print(f"{kind:<8} {name:<28} {count:>6}")
    print(f"processor: {sum(told_of.values()):.0f} s; most: {_most(told_of)}")
    print(f"slowest: {', '.join(f'{seconds:.1f} s (seed {seed})' for seconds, seed in slowest)}")
    print(f"most memory: {biggest[0] >> 20} MB (seed {biggest[1]})")
    print(f"{len(seeds)} seeds, {len(failed)} failed: {' '.join(str(told.story.seed) for told in failed)}")
    return 1 if failed else 0


def _most(processor: dict[int, float]) -> str:
    most = sorted(processor, key=lambda seed: processor[seed], reverse=True)[:8]
    return ", ".join(f"{processor[seed]:.1f} s (seed {seed})" for seed in most)


def _one(seed: int, ids: list[str], keep: Path | None, *, only_tell: bool) -> int:
    print(story(seed, ids).words(), flush=True)
    if only_tell:
        return 0
    (told,) = _performed([seed], ids, keep)
    print(f"{told.seconds:.1f} s, {told.processor:.1f} s of processor, {told.peak >> 20} MB")
    _tell(told)
    return 1 if told.complaints else 0


def _tell(told: Told) -> None:
    print(f"{told.story.words()}\n  {told.words}" if told.complaints else f"seed {told.story.seed}: all is well")
    if told.again:
        print(f"  told again with more time; the first time: {told.again}")
    for complaint in told.complaints:
        print(f"  WRONG: {complaint}", flush=True)


def _performed(seeds: Iterable[int], ids: list[str], keep: Path | None) -> Iterator[Told]:
    take_orphans()
    with tempfile.TemporaryDirectory(prefix="chaos-") as root:
        slow = warm_up(Path(root) / "cache")
        for seed in seeds:
            folder = (keep or Path(root)) / str(seed)
            folder.mkdir(parents=True)
            yield performed(story(seed, ids), folder, Path(root) / "cache", slow)
        print(f"processor of the reference: {put_away():.1f} s", flush=True)


def _many(seeds: Iterable[int], ids: list[str], jobs: int, keep: Path | None) -> Iterator[Told]:
    """Share seeds out to processes without threads, because each forks harnesses; give what comes back."""
    seeds = list(seeds)
    if jobs == 1:
        yield from _performed(seeds, ids, keep)
        return
    import select

    pipes: dict[int, bytes] = {}
    for share in range(jobs):
        here, there = os.pipe()
        if os.fork() == 0:
            for told in _performed(seeds[share::jobs], ids, None if keep is None else keep / str(share)):
                data = msgspec.json.encode(told) + b"\n"
                while data:
                    data = data[os.write(there, data) :]
            os._exit(0)
        os.close(there)
        pipes[here] = b""
    while pipes:
        ready, _, _ = select.select(list(pipes), [], [])
        for pipe in ready:
            data = os.read(pipe, 1 << 16)
            if not data:
                del pipes[pipe]
                continue
            *lines, pipes[pipe] = (pipes[pipe] + data).split(b"\n")
            yield from (msgspec.json.decode(line, type=Told) for line in lines)


if __name__ == "__main__":
    sys.exit(main())
