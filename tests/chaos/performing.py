"""Performs a story and holds what came of it against what has to hold.

Enters: a story, a folder. Leaves: complaints, none where all is well. Must not know how a seed becomes a story.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from bindproof.core.errors import LogError
from bindproof.results import Line, SummaryLine
from bindproof.spec.kept import load_kept
from bindproof.spec.models import Spec
from tests.chaos import harness, invariants
from tests.chaos.harness import EndedRun, Harness, Surroundings
from tests.chaos.invariants import HEALTHY, WILD
from tests.chaos.reference import ready
from tests.chaos.stories import Story

REPOSITORY = Path(__file__).resolve().parents[2]
ADAPTER = REPOSITORY / "adapters" / "reference" / "adapter.py"
WIRE = REPOSITORY / "spec" / "relay" / "dialects" / "wire.toml"
PATHS = [REPOSITORY, REPOSITORY / "adapters" / "sdk" / "python", REPOSITORY / "reference_impl"]
OUR_PATHS = [REPOSITORY / "conformance", *PATHS]

PYTHON = ["env", f"PYTHONPATH={os.pathsep.join(map(str, PATHS))}", sys.executable, "-S"]
"""Without installed packages: a faster JSON library takes longer to import than it saves on so few scenarios."""

REFERENCE = [str(ADAPTER), "--suite", "relay", "bindproof_reference.relay", "0.10", str(WIRE)]
PROXY = ["-c", "from tests.chaos.proxy import main; main()"]
"""Imported, and so compiled once."""

HANDING_ON = ["-c", "import sys; from tests.chaos.reference import hand_on; hand_on(sys.argv[1])"]


FULL = "/dev/full"
MEMORY = 400_000 << 10
"""As of `ulimit -v 400000`."""


class Told(msgspec.Struct):
    """What came of a story."""

    story: Story
    complaints: list[str]
    seconds: float
    processor: float
    peak: int
    words: str
    again: list[str] = []
    """What was wrong the first time, where it was told again with more time."""


OF_TIME = ("timeout", "did not answer", "no reply within", "before the time was up", "it hung", "still alive")
"""A complaint with one of these may be the machine's: others had the processor while somebody was waited for."""

AGAIN = 8.0
"""So much longer everything may take when a story is told again."""


def wild(story: Story, notes: Path, reference: list[str]) -> str:
    """The command line of the adapter that the story is about."""
    script = json.dumps({**story.script, "notes": str(notes)}, separators=(",", ":"))
    return shlex.join([*PYTHON, *PROXY, script, *reference])


def words(story: Story, notes: Path, log: Path | None, slow: float = 1.0, ready: Path | None = None) -> list[str]:
    """The command line of the story.

    slow: everything may take so many times as long as it says. ready: the socket of a reference, else it is started.
    """
    program = wild(story, notes, REFERENCE if ready is None else [str(ready)])
    healthy = [*PYTHON, *REFERENCE] if ready is None else [*PYTHON, *HANDING_ON, str(ready)]
    if story.command == "smoke":
        return ["smoke", program, "--suite", "relay"]
    found = ["run" if story.command == "run" else "fuzz", "--suite", "relay", "--adapter-command", f"{WILD}={program}"]
    found += ["--adapter-command", f"{HEALTHY}={shlex.join(healthy)}"] if story.healthy else []
    found += ["--timeout", f"{story.timeout * slow:g}", "--jobs", str(story.jobs), "--report", story.report]
    if story.command == "run":
        found += [word for name in story.vectors for word in ("--vector", name)]
    else:
        found += ["--seed", str(story.seed)]
        found += ["--examples", "15"] if story.command == "fuzz" else ["--seconds", f"{3 * slow:g}", "--examples", "40"]
    return found if log is None else [*found, "--results", str(log)]


class Stage:
    """A folder in which one story is performed. warm: a cache that was used before. slow: as of `words`."""

    def __init__(self, story: Story, folder: Path, warm: Path, slow: float) -> None:
        self.story, self.folder, self.slow = story, folder, slow
        self.log = folder / "run.jsonl"
        self.notes = folder / "notes"
        self.ready = None if story.afresh else socket_beside(warm)
        self.around = Surroundings(cache=warm, afresh=story.afresh, slow=slow)
        self.runs: list[EndedRun] = []

    def complaints(self) -> Iterator[str]:
        """Perform it; yield what is wrong."""
        happening = self.story.happening
        if self.story.command == "smoke":
            yield from self._smoked()
        elif happening in {"interrupted", "killed", "killed-with-a-cold-cache"}:
            yield from self._disturbed()
        elif happening in {"file-limit", "full-log"}:
            yield from self._without_room()
        elif happening.startswith("two-on"):
            yield from self._two()
        elif happening.startswith(("full-", "closed-")) or happening == "reader-leaves":
            yield from self._unheard()
        else:
            yield from self._undisturbed()

    def _words(self, notes: Path, log: Path | None) -> list[str]:
        return words(self.story, notes, log, self.slow, self.ready)

    def _ended(self, harness: Harness, others: tuple[Harness, ...] = ()) -> EndedRun:
        run = harness.ended(others)
        self.runs.append(run)
        return run

    def _seen(self, *, cut_short: bool = False) -> invariants.Seen:
        return invariants.seen(self.log, self.notes, cut_short=cut_short)

    def _whole(self, run: EndedRun) -> Iterator[str]:
        yield from invariants.of_any_run(run)
        try:
            log = self._seen()
        except LogError as error:
            yield f"exit {run.code}, and the log cannot be read: {error}; {run.err[-500:]}"
        else:
            yield from invariants.of_a_whole_run(self.story, run, log)

    def _smoked(self) -> Iterator[str]:
        run = self._ended(Harness(self._words(self.notes, None), self.folder, self.around))
        yield from invariants.of_any_run(run)
        if run.code not in {0, 1, 4}:
            yield f"smoke ended with {run.code}: {run.err[-500:]}"
        if not self.story.deeds and run.code != 0:
            yield f"smoke ended with {run.code}: {run.out}"

    def _undisturbed(self) -> Iterator[str]:
        story = self.story
        limits: dict[str, dict[str, Any]] = {
            "wall-clock-jumps": {"jumps": story.seed, "afresh": False},
            "memory-limit": {"memory_limit": MEMORY, "afresh": True},
        }
        around = msgspec.structs.replace(self.around, **limits.get(story.happening, {}))
        harness = Harness(self._words(self.notes, self.log), self.folder, around)
        if story.happening in {"stopped", "all-stopped"}:
            everybody = story.happening == "all-stopped"
            harness.when(
                lambda: self._has_lines(story.at[0]), lambda: harness.pause(2.5 * self.slow, everybody=everybody)
            )
        yield from self._whole(self._ended(harness))

    def _has_lines(self, count: int) -> bool:
        try:
            return self.log.read_bytes().count(b"\n") >= count
        except OSError:
            return False

    def _disturbed(self) -> Iterator[str]:
        story = self.story
        if story.happening == "killed-with-a-cold-cache":
            self.around = msgspec.structs.replace(self.around, cache=self.folder / "cold")
        number = story.signal if story.happening == "interrupted" else signal.SIGKILL
        command, before = self._words(self.notes, self.log), None
        for count in story.at:
            harness = Harness(command, self.folder, self.around)
            harness.when(partial(self._has_lines, count), partial(harness.send, number))
            run = self._ended(harness)
            yield from invariants.of_any_run(run)
            if not run.killed and run.code not in {0, 1, 4, 130, -story.signal}:
                yield f"{signal.Signals(number).name}: it ended with {run.code}: {run.err[-500:]}"
            yield from invariants.of_one_that_was_cut_short(run, self.log)
            before = self._lines_so_far() or before
            command = self._continuing()
        yield from self._continued(before)

    def _lines_so_far(self) -> list[Line] | None:
        try:
            return self._seen(cut_short=True).lines
        except LogError:
            return None

    def _continuing(self) -> list[str]:
        """Go on, or begin where there is no line to go on from."""
        if self._lines_so_far() is None:
            return self._words(self.notes, self.log)
        return ["run", "--continue", str(self.log), "--trust-log", "--jobs", str(self.story.jobs)]

    def _continued(self, before: list[Line] | None) -> Iterator[str]:
        run = self._ended(Harness(self._continuing(), self.folder, self.around))
        yield from self._whole(run)
        try:
            after = self._seen().lines
        except LogError:
            return
        yield from invariants.kept(before or [], after)
        if self.story.settled:
            yield from self._as_undisturbed(after)

    def _as_undisturbed(self, after: list[Line]) -> Iterator[str]:
        other = self.folder / "undisturbed.jsonl"
        around = msgspec.structs.replace(self.around, afresh=False)
        run = self._ended(Harness(self._words(self.notes, other), self.folder, around))
        yield from invariants.of_any_run(run)
        yield from invariants.alike(after, invariants.seen(other, self.notes).lines)

    def _without_room(self) -> Iterator[str]:
        story = self.story
        around, log = self.around, self.log
        if story.happening == "full-log":
            log = Path(FULL)
        else:
            around = msgspec.structs.replace(around, file_limit=story.limit, stdout="/dev/null", stderr="/dev/null")
        run = self._ended(Harness(self._words(Path(os.devnull), log), self.folder, around))
        yield from invariants.of_any_run(run)
        if story.happening == "full-log":
            if run.code != 2 or "No space left" not in run.err:
                yield f"a full device: exit {run.code}: {run.err[-500:]}"
            return
        if run.code not in {2, *((0, 1, 4) if self.log.exists() and self._is_whole() else ())}:
            yield f"a full disk: exit {run.code}"
        yield from invariants.of_one_that_was_cut_short(run, self.log)
        yield from self._continued(self._lines_so_far())

    def _is_whole(self) -> bool:
        lines = self._lines_so_far()
        return bool(lines) and invariants.Seen(lines or [], set()).whole

    def _unheard(self) -> Iterator[str]:
        """What should be heard is not: the log is whole, and one sentence says what is wrong, where it can."""
        every: dict[str, dict[str, Any]] = {
            "full-stdout": {"stdout": FULL},
            "full-stderr": {"stderr": FULL},
            "closed-stdout": {"stdout": None},
            "closed-stderr": {"stderr": None},
            "closed-all": {"stdout": None, "stderr": None, "stdin": False},
            "reader-leaves": {"reader_leaves_after": self.story.limit % 3000},
        }
        around = msgspec.structs.replace(self.around, **every[self.story.happening])
        run = self._ended(Harness(self._words(self.notes, self.log), self.folder, around))
        yield from invariants.of_any_run(run)
        printed = "stderr" not in self.story.happening
        if printed and run.code not in {2, 141, *((0, 1, 4) if self.story.happening == "reader-leaves" else ())}:
            yield f"{self.story.happening}: exit {run.code}"
        if self.story.report == "json" and printed:
            return  # the run ends where nobody takes its lines
        try:
            log = self._seen()
        except LogError as error:
            yield f"the log cannot be read: {error}"
            return
        last = log.lines[-1]
        if isinstance(last, SummaryLine):
            run.code = last.exit if printed else run.code
            yield from invariants.of_a_whole_run(self.story, run, log)
        else:
            yield "the log has no summary"

    def _two(self) -> Iterator[str]:
        story = self.story
        if story.happening == "two-on-one-log":
            both = [Harness(self._words(self.notes, self.log), self.folder, self.around) for _ in range(2)]
        else:
            around = msgspec.structs.replace(self.around, cache=self.folder / "cold")
            logs = self.log, self.folder / "other.jsonl"
            both = [Harness(self._words(self.notes, log), self.folder, around) for log in logs]
        first = self._ended(both[0], (both[1],))
        second = self._ended(both[1])
        if story.happening == "two-on-one-log":
            refused = [run for run in (first, second) if "another bindproof is writing its results there" in run.err]
            if len(refused) != 1 or refused[0].code != 2:
                yield f"two on one log ended with {first.code} and {second.code}: {first.err}{second.err}"
            yield from invariants.of_any_run(refused[0] if refused else first)
            yield from self._whole(second if first in refused else first)
            return
        yield from self._whole(first)
        self.log = logs[1]
        yield from self._whole(second)


def socket_beside(warm: Path) -> Path:
    """Where the reference is ready for all stories of a process."""
    return warm.with_name("reference")


def warm_up(warm: Path) -> float:
    """Do once, in this process, what every harness does: those that are forked from it have it behind them.

    Return how busy the machine is: the seconds of an undisturbed run ÷ those of processor that it took, at least 1.
    """
    from bindproof.cli import main

    os.environ["BINDPROOF_CACHE"] = str(warm)
    _keep_what_is_read()
    process, held = ready(str(socket_beside(warm)), REFERENCE, [str(path) for path in PATHS])
    harness.apart[process] = held
    log = ["--results", str(warm.with_name("warm.jsonl"))]
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        for words in (
            ["fuzz", "--examples", "1", "--report", "json"],
            ["run", "--vector", "relay/marks/two-in-order", "--report", "verdicts"],
            ["run", "--vector", "relay/marks/two-in-order", *log],
        ):
            began, before = time.monotonic(), _processor()
            if main([*words, "--suite", "relay", "--adapter", "reference"]) != 0:
                raise RuntimeError("the reference does not conform without any chaos")
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
    gc.collect()
    gc.freeze()  # else each harness that is forked looks through, and so copies, all that is here
    return max(1.0, (time.monotonic() - began) / (_processor() - before))


def put_away() -> float:
    """End the reference that `warm_up` made ready; return the seconds of processor that it and its forks took."""
    before = _processor()
    while harness.apart:
        process, held = harness.apart.popitem()
        os.close(held)
        os.waitpid(process, 0)
    return _processor() - before


def _keep_what_is_read() -> None:
    """A suite is read once for each cache, by whoever is first to; in a cold one by each harness, as by a user's."""

    @cache
    def loaded(_: str, root: Path, name: str) -> Spec:
        return load_kept(root, name)

    module: Any = import_module("bindproof.spec.installed")
    module.load_kept = lambda root, name: loaded(os.environ["BINDPROOF_CACHE"], root, name)


def performed(story: Story, folder: Path, warm: Path, slow: float) -> Told:
    """Perform a story in a folder of its own; once more, and slower, where what is wrong may be the machine's.

    slow: what takes longer than it should is waited for so many times as long.
    """
    first = _performed(story, folder / "first", warm, slow)
    if not any(word in complaint for complaint in first.complaints for word in OF_TIME):
        return first
    second = _performed(story, folder / "again", warm, slow * AGAIN)
    return msgspec.structs.replace(second, again=first.complaints)


def _performed(story: Story, folder: Path, warm: Path, slow: float) -> Told:
    folder.mkdir()
    stage, before = Stage(story, folder, warm, slow), _processor()
    try:
        complaints = list(stage.complaints())
    except Exception as error:  # a test that cannot judge is no pass
        complaints = [f"this test itself failed: {type(error).__name__}: {error}"]
        if os.environ.get("CHAOS_RAISES"):
            raise
    seconds = sum(run.seconds for run in stage.runs)
    peak = max((run.peak or 0 for run in stage.runs), default=0)
    command = shlex.join(["bindproof", *words(story, stage.notes, stage.log, slow)])
    return Told(story, complaints, seconds, _processor() - before, peak, command)


def _processor() -> float:
    """Seconds of processor that this process and its children took, the latter as far as they have ended."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)
