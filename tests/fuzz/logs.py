"""Result logs, of runs and of campaigns, changed: each is read, reported and merged, or refused with file and line.

Enters: a stream of random numbers, a folder to write in. Leaves: nothing, or an AssertionError.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bindproof.core.errors import UsageError
from bindproof.core.request import Campaign, Shard
from bindproof.report import report_of
from bindproof.results import Fold, Line, encode, read
from bindproof.results.fold import EXIT_BUG
from bindproof.runner import RunRequest, execute, merge
from bindproof.runner.earlier import earlier
from tests.fuzz.changes import changed, changed_bytes
from tests.runner.test_execute import program

Json = Any


def _lines(request: RunRequest) -> list[bytes]:
    found: list[Line] = []
    execute(request, found.append, lambda _: None)
    return [encode(line) for line in (*found, Fold.over(found).summary())]


def logs() -> list[list[bytes]]:
    """Return the logs that are changed: with failures and findings, of a whole run, of shards, of a campaign."""
    swaps = ("swaps_marks", program("swaps_marks"))
    some = ("relay/marks/two-in-order", "relay/marks/name-left-out")
    return [
        _lines(RunRequest(adapter_commands=(swaps,), vectors=some)),
        _lines(RunRequest(adapters=("reference",), suite="relay", vectors=some, shard=Shard(1, 1))),
        _lines(RunRequest(adapter_commands=(swaps,), vectors=some, shard=Shard(1, 1))),
        _lines(RunRequest(adapter_commands=(swaps,), suite="relay", campaign=Campaign(examples=30))),
    ]


def changed_log(lines: list[bytes], draw: random.Random) -> bytes:
    """Return a log with something of a line changed, a line gone, doubled or elsewhere, or bytes changed."""
    lines = list(lines)
    how = draw.randrange(5)
    if how == 0:
        return changed_bytes(b"".join(lines), draw)
    at = draw.randrange(len(lines))
    if how == 1:
        line = lines.pop(at)
        for _ in range(draw.randrange(3)):
            lines.insert(draw.randrange(len(lines) + 1), line)
    else:
        value = json.loads(lines[at])
        lines[at] = json.dumps(changed(value, draw)).encode() + b"\n"
    return b"".join(lines)


class Logs:
    """The logs of a few runs."""

    def __init__(self, draw: random.Random, folder: Path) -> None:
        self.draw, self.path, self.given = draw, folder / "changed.jsonl", logs()
        self.asked: tuple[Callable[[], object], ...] = (self._read, self._earlier, self._merge, self._reported)

    def __call__(self) -> None:
        """Change a log, and do with it what a command does."""
        self.path.write_bytes(changed_log(self.draw.choice(self.given), self.draw))
        ask = self.draw.choice(self.asked)
        try:
            ask()
        except UsageError as error:
            assert str(error)
        except Exception as error:
            error.add_note(f"{ask.__name__}: {self.path.read_bytes()!r:.3000}")
            raise

    def _read(self) -> None:
        Fold.over(read(self.path)).summary()

    def _earlier(self) -> None:
        before = earlier(self.path)
        assert before.lines

    def _merge(self) -> None:
        found: list[Line] = []
        merge([self.path], None, found.append)
        assert Fold.over(found).summary().exit != EXIT_BUG or b"harness_error" in self.path.read_bytes()

    def _reported(self) -> None:
        report = report_of(self.draw.choice(("requirements", "verdicts")), io.StringIO())
        for line in read(self.path):
            report.add(line)
        report.end()
