"""What has to hold after any story: each function gives what is wrong, in words, nothing where all is well.

Enters: a story, how the harness ended, its log, what the proxy noted. Leaves: complaints. Must not know how a story is
performed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bindproof.core.errors import LogError
from bindproof.core.model import ADAPTER_FAULTS
from bindproof.results import AdapterLine, FindingLine, Line, RunLine, SummaryLine, VerdictLine, encode, read
from tests.chaos.harness import EndedRun
from tests.chaos.stories import Story

WILD, HEALTHY = "wild", "healthy"
RESTARTS = 5
MOST_MEMORY = 350 << 20
MOST_REPORTED = 3000
"""Lines of a report on so few scenarios."""


class Seen(msgspec.Struct):
    """A log, read, and what the proxy noted: the scenarios that it did not answer truly."""

    lines: list[Line]
    hits: set[str]

    @property
    def whole(self) -> bool:
        """Whether the run came to its end."""
        return bool(self.lines) and isinstance(self.lines[-1], SummaryLine)

    def verdicts(self, adapter: str) -> list[VerdictLine]:
        """The verdicts on an adapter."""
        return [line for line in self.lines if isinstance(line, VerdictLine) and line.adapter == adapter]

    def adapter(self, name: str) -> AdapterLine | None:
        """The last line of an adapter."""
        return next((one for one in reversed(self.lines) if isinstance(one, AdapterLine) and one.name == name), None)


def seen(log: Path, notes: Path, *, cut_short: bool = False) -> Seen:
    """Read a log; raises LogError."""
    hits = set()
    for line in notes.read_bytes().splitlines() if notes.exists() else ():
        if line.startswith(b"hit "):
            params = json.loads(line[4:])["params"]
            if "scenario" in params:
                hits.add(as_text(params["scenario"]))
    return Seen(list(read(log, cut_short=cut_short)), hits)


LEFT_OUT: dict[str, tuple[Any, ...]] = {
    "append": ({}, None), "remove": ([], None), "set": ({}, None), "as_is": (False, True, None),
}  # fmt: skip
"""What an adapter is not sent of an edit, where it is so; how it is to be spelled is done before, and never sent."""


def as_text(scenario: Any) -> str:
    """A scenario, so that equal ones are equal, as it is sent and as it is logged."""
    return json.dumps(_as_sent(scenario), sort_keys=True)


def _as_sent(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_sent(one) for key, one in value.items() if one not in LEFT_OUT.get(key, ())}
    return [_as_sent(one) for one in value] if isinstance(value, list) else value


def of_any_run(run: EndedRun) -> Iterator[str]:
    """What holds however a run ended."""
    if run.code is None:
        yield f"it hung: {run.seconds:.0f} s"
    if run.code not in (0, 1, 2, 3, 4, 130, 141, None) and not (run.killed or (run.code < 0 and run.code > -16)):
        yield f"it ended with {run.code}"
    if "Traceback" in run.err or "This is a bug in bindproof" in run.err + run.out:
        yield f"it speaks of a bug of its own:\n{run.err[-3000:]}"
    if run.left:
        yield f"still alive: {run.left}"
    printed = run.err if run.out.startswith('{"type":"run"') else run.out + run.err  # JSON lines are for programs
    for sign in ("\x1b", "\x07", "\u202e"):
        if sign in printed:
            yield f"the terminal was sent {sign!r}"
    if run.peak is not None and run.peak > MOST_MEMORY:
        yield f"it took {run.peak >> 20} MB"


def of_a_whole_run(story: Story, run: EndedRun, log: Seen) -> Iterator[str]:
    """What holds for a run that came to its end, perhaps in several starts."""
    if not log.whole:
        yield "the log has no summary"
        return
    if story.command == "run" and story.report == "requirements" and run.out.count("\n") > MOST_REPORTED:
        yield f"its report has {run.out.count(chr(10))} lines"
    yield from _exit_code(run, log)
    yield from _one_verdict_each(story, log)
    if story.healthy:
        yield from _healthy(story, log)
    yield from _wild(story, log)


def _exit_code(run: EndedRun, log: Seen) -> Iterator[str]:
    verdicts = [line for line in log.lines if isinstance(line, VerdictLine)]
    adapters = {line.name: line for line in log.lines if isinstance(line, AdapterLine)}
    outcomes = {line.outcome for line in verdicts}
    if "harness_error" in outcomes:
        wrong = next(line for line in verdicts if line.outcome == "harness_error")
        yield f"a harness_error: {wrong.plan}: {wrong.reason}"
    if outcomes & ADAPTER_FAULTS or any(one.state == "failed" for one in adapters.values()):
        expected = 4
    elif outcomes & {"diverges", "not_run"} or any(line.demanded for line in verdicts):
        expected = 1
    elif not outcomes & {"conforms"}:
        expected = 3
    else:
        expected = 0
    summary = log.lines[-1]
    assert isinstance(summary, SummaryLine)
    if {summary.exit, run.code} != {expected}:
        counts = dict(Counter(one.outcome for one in verdicts))
        yield f"exit {run.code}, in the log {summary.exit}, should be {expected}: {counts}"


def _one_verdict_each(story: Story, log: Seen) -> Iterator[str]:
    counts = Counter((one.adapter, one.suite, one.came_from) for one in log.lines if isinstance(one, VerdictLine))
    if twice := [key for key, count in counts.items() if count > 1]:
        yield f"several verdicts for one scenario: {twice[:3]}"
    for name in (WILD, HEALTHY) if story.healthy else (WILD,):
        line = log.adapter(name)
        if line is None:
            yield f"no line of {name}"
            continue
        selected, verdicts = sum(speaks.selected for speaks in line.suites), log.verdicts(name)
        if selected != len(verdicts):
            yield f"{name}: {selected} selected, {len(verdicts)} verdicts"
        if story.command == "run" and line.suites and not {*story.vectors} <= {one.plan for one in verdicts}:
            yield f"{name}: no verdict on {sorted({*story.vectors} - {one.plan for one in verdicts})}"
        if silent := [one.plan for one in verdicts if one.outcome != "conforms" and not one.reason]:
            yield f"{name}: no reason is given on {silent}"


def _healthy(story: Story, log: Seen) -> Iterator[str]:
    line, verdicts = log.adapter(HEALTHY), log.verdicts(HEALTHY)
    if line is None or line.state != "ready":
        yield f"{HEALTHY} is not ready: {line}"
    elif not verdicts and story.command != "seconds":
        yield f"{HEALTHY} was not judged"
    for one in verdicts:
        if (one.outcome != "conforms" or not one.held) and not _beyond_words(one):
            yield f"{HEALTHY} {one.outcome} on {one.plan}: {one.reason}"


def _wild(story: Story, log: Seen) -> Iterator[str]:
    line, verdicts = log.adapter(WILD), log.verdicts(WILD)
    if line is None:
        return
    own = all("scenario" in one or "nth" in one for one in story.deeds)
    may_be = story.may_be if own else frozenset()
    blamed = [one for one in verdicts if one.outcome not in ("conforms", "not_run") and not _beyond_words(one)]
    garbles_its_start = any(one.get("method") == "initialize" for one in story.deeds)
    for one in blamed:
        if garbles_its_start:  # what comes when a scenario was just sent may be that scenario's, for all we know
            continue
        if as_text(one.scenario) not in log.hits:
            yield f"an innocent scenario {one.outcome}: {one.plan}: {one.reason}"
        elif one.outcome not in may_be:
            yield f"{one.plan} {one.outcome}, and may be {sorted(may_be)}: {one.reason}"
    if line.state == "failed" and story.settled and story.command != "seconds":  # there may be no time to find out
        yield f"the adapter was blamed, and scenarios did it: {line.reason}"
    if line.state == "failed" and not story.deeds:
        yield f"the adapter did nothing: {line.reason}"
    yield from _held_alike(story, log)
    yield from _not_run(story, log, blamed)
    if story.settled and "conforms" not in may_be and line.suites and story.command == "run":
        missed = log.hits - {as_text(one.scenario) for one in verdicts if one.outcome != "conforms"}
        if missed:
            yield f"{len(missed)} scenarios were not answered truly, and conform"


def _beyond_words(verdict: VerdictLine) -> bool:
    """A generated scenario that the dialect cannot say is not sent."""
    return verdict.outcome == "inexpressible" and verdict.reason.startswith("the dialect cannot express")


def _held_alike(story: Story, log: Seen) -> Iterator[str]:
    beside = {(one.suite, one.came_from): one.held for one in log.verdicts(HEALTHY)}
    for one in log.verdicts(WILD):
        key = one.suite, one.came_from
        if one.outcome == "conforms" and key in beside and beside[key] != one.held and "conforms" not in story.may_be:
            yield f"{one.plan} conforms in other requirements than on {HEALTHY}"


def _not_run(story: Story, log: Seen, blamed: list[VerdictLine]) -> Iterator[str]:
    """A scenario is left out beside a twin that was blamed; else only where the adapter was given up."""
    given_up = len(blamed) > RESTARTS or not story.settled
    for one in log.verdicts(WILD):
        if one.outcome == "not_run" and not given_up and "twin" not in one.reason:
            yield f"{one.plan} was not run: {one.reason}"


def of_one_that_was_cut_short(run: EndedRun, log: Path) -> Iterator[str]:
    """What holds for a log at the moment at which its harness was gone."""
    if not log.exists() or not log.stat().st_size:
        return
    data = log.read_bytes()
    if not data.endswith(b"\n") and not run.killed:
        yield f"the log ends in {data[-40:]!r}"
    try:
        lines = list(read(log, cut_short=True))
    except LogError as error:
        if b"\n" in data:
            yield f"the log cannot be read: {error}"
        return
    if not isinstance(lines[0], RunLine):
        yield "the log does not begin with its run"


def kept(before: list[Line], after: list[Line]) -> Iterator[str]:
    """What was finished stands as it stood."""
    now = {encode(line) for line in after}
    for line in before:
        finished = isinstance(line, VerdictLine) and not line.unexpected and not line.found
        if finished and encode(line) not in now:
            yield f"a finished result has changed: {encode(line)[:300].decode()}"


def alike(one: list[Line], other: list[Line]) -> Iterator[str]:
    """Two logs of one run say the same, in whatever order; what was on stderr by when is nobody's promise."""
    mine, theirs = (Counter(map(_comparable, lines)) for lines in (one, other))
    for which, more in (("without disturbance", theirs - mine), ("this time", mine - theirs)):
        for line in list(more)[:2]:
            yield f"only {which}: {line[:600].decode()}"


def _comparable(line: Line) -> bytes:
    if isinstance(line, RunLine):
        return b""
    if isinstance(line, VerdictLine | AdapterLine | FindingLine):
        line = msgspec.structs.replace(line, stderr="", evidence=None)
    return encode(line)
