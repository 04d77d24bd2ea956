"""A long campaign by the command line, and what it holds: `python -m benchmarks.soak --scenarios 1000000`.

Enters: options. Leaves: for each tenth of the scenarios the memory and the open handles of the harness and of all that
it started; exit code 1 where they grew, or where the campaign did not end as it should. What is held at the end of a
tenth is told, and not the most that ever was; of memory the least of the tenth's last looks, as garbage comes and goes.
The first tenth fills what is remembered; growth is that from the second to the last.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

TENTHS = 10

LOOKS = 5
"""Memory is looked at so often in the last part of a tenth."""

MORE = 1.1
"""Memory that is so many times that of the second tenth has grown."""

SMALL = 8.0
"""MiB that come and go, whatever they are a share of."""

VERDICT = b'{"type":"verdict"'

Took = tuple[float, int]
"""MiB of memory, and open handles: files, pipes and sockets."""


@dataclass(frozen=True, slots=True)
class Tenth:
    """What is held when so many scenarios are judged. started: processes below the harness, guards and adapters."""

    scenarios: int
    seconds: float
    harness_memory: float
    harness_handles: int
    started: int
    started_memory: float
    started_handles: int


class Log:
    """A result log that grows; counts its verdicts."""

    def __init__(self, path: Path) -> None:
        self._path, self._at, self._rest, self.verdicts = path, 0, b"", 0

    def look(self) -> int:
        """Read what has come; return how many verdicts there are."""
        if not self._path.exists():
            return 0
        with self._path.open("rb") as file:
            file.seek(self._at)
            while data := file.read(1 << 22):
                self._at += len(data)
                *lines, self._rest = (self._rest + data).split(b"\n")
                self.verdicts += sum(line.startswith(VERDICT) for line in lines)
        return self.verdicts


def main() -> int:
    """Soak, and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--adapter", default="reference", help="the one that is judged (default reference)")
    parser.add_argument("--scenarios", type=int, default=1_000_000, help="so many (default 1,000,000)")
    parser.add_argument("--seed", type=int, default=0, help="of the campaign (default 0)")
    parser.add_argument("--suite", default="relay", help="the suite (default relay)")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each tenth")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        return soaked(args, Path(folder))


def soaked(args: argparse.Namespace, folder: Path) -> int:
    """Perform the campaign, whose log and words go to a folder; return the exit code."""
    log, said = folder / "log.jsonl", folder / "said.txt"
    words = ["fuzz", "--adapter", args.adapter, "--suite", args.suite, "--seed", str(args.seed)]
    command = [sys.executable, "-m", "bindproof", *words, "--examples", str(args.scenarios), "--results", str(log)]
    tenths = []
    with said.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out) as harness:
        try:
            for tenth in _looked_at(harness, Log(log), args.scenarios):
                tenths.append(tenth)
                print(json.dumps(asdict(tenth)) if args.json else _row(tenth), flush=True)
        finally:
            harness.terminate()
    wrong = list(_wrong(tenths, harness.returncode, args.scenarios))
    print(*wrong or [f"nothing grew; {Log(log).look()} verdicts, a log of {log.stat().st_size >> 20} MiB"], sep="\n")
    if harness.returncode:
        print(said.read_text("utf-8", "replace")[-3000:])
    return 1 if wrong else 0


def _looked_at(harness: subprocess.Popen[bytes], log: Log, scenarios: int) -> Iterator[Tenth]:
    """Give each tenth when it is done. What the last one holds is what was held shortly before its end."""
    process = psutil.Process(harness.pid)
    began, done = time.monotonic(), 0
    seen: list[Tenth] = []
    while harness.poll() is None:
        time.sleep(0.2 if scenarios < 100_000 else 1.0)
        judged = log.look()
        with suppress(psutil.Error):  # it has just ended
            now = time.monotonic() - began
            held = _held(process, judged, now)
            seen = [*seen[1 - LOOKS :], held] if held.started else seen  # without adapters it begins, or ends
        if seen and judged * TENTHS // scenarios > done < TENTHS - 1:
            yield _least(seen)
            done, seen = judged * TENTHS // scenarios, []
    if seen:
        yield _least(seen)


def _held(harness: psutil.Process, scenarios: int, seconds: float) -> Tenth:
    below = [taken for one in harness.children(recursive=True) if (taken := _taken(one)) is not None]
    own = _taken(harness)
    if own is None:
        raise psutil.NoSuchProcess(harness.pid)
    memory, handles = sum(one[0] for one in below), sum(one[1] for one in below)
    return Tenth(scenarios, seconds, *own, len(below), memory, handles)


def _taken(process: psutil.Process) -> Took | None:
    """What a process holds; None where it is gone."""
    try:
        with process.oneshot():
            if process.status() == psutil.STATUS_ZOMBIE:
                return None
            return process.memory_info().rss / 2**20, process.num_fds()
    except psutil.Error:
        return None


def _least(seen: list[Tenth]) -> Tenth:
    """The last look, with the least that any look saw."""
    last = seen[-1]
    return Tenth(
        last.scenarios,
        last.seconds,
        min(one.harness_memory for one in seen),
        min(one.harness_handles for one in seen),
        min(one.started for one in seen),
        min(one.started_memory for one in seen),
        min(one.started_handles for one in seen),
    )


def _wrong(tenths: list[Tenth], code: int | None, scenarios: int) -> Iterator[str]:
    """Give what is not as it should be."""
    if code != 0:
        yield f"the campaign ended with {code}"
    if len(tenths) < TENTHS or tenths[-1].scenarios < scenarios * 0.9:
        yield f"only {len(tenths)} tenths of {scenarios} scenarios were seen; ask for more scenarios"
        return
    early, late = tenths[1], tenths[-1]
    for name in ("harness_memory", "started_memory"):
        before, after = getattr(early, name), getattr(late, name)
        if after > max(before * MORE, before + SMALL):
            yield f"{name} grew from {before:.1f} to {after:.1f} MiB, {after / before:.2f} times"
    for name in ("harness_handles", "started", "started_handles"):
        before, after = getattr(early, name), getattr(late, name)
        if after > before:
            yield f"{name} grew from {before} to {after}"


def _row(tenth: Tenth) -> str:
    return (
        f"{tenth.scenarios:>9} scenarios {tenth.seconds:>8.0f} s   "
        f"harness {tenth.harness_memory:>7.1f} MiB {tenth.harness_handles:>4} handles   "
        f"{tenth.started} below it {tenth.started_memory:>7.1f} MiB {tenth.started_handles:>4} handles"
    )


if __name__ == "__main__":
    sys.exit(main())
