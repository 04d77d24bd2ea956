"""Whether logs are the shards of one run: each there once, whole, and of the same making.

Enters: paths of logs. Leaves: what is known of each, in order, and the adapters of the whole; or a LogError that says
what to do. Must not know expectations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from bindproof.core.command_line import command, option
from bindproof.core.errors import LogError
from bindproof.core.origins import TwinOf
from bindproof.core.request import Shard
from bindproof.results import AdapterLine, Fold, RunLine, Speaks, SummaryLine, VerdictLine, joined, read
from bindproof.results.fold import EXIT_USAGE
from bindproof.runner.joining import what_it_is

MADE_OF = {
    "bindproof": "the version of bindproof",
    "spec": "the spec",
    "suites": "the requirements that were chosen",
    "adapters": "the adapters",
}
"""What parts of one run agree on, wherever they run: fields of the run line, and what they are called."""

CHOSEN = {
    "command": "the command",
    "vectors": "the vectors that were chosen",
    "edition": "the edition",
    "fault": "the planted fault",
}
"""What the shards of one run agree on besides: fields of the request."""

OF_A_CAMPAIGN = {
    "seed": "the seed",
    "first": "the number of the first scenario",
    "examples": "the number of scenarios",
    "guided": "the guidance",
    "draw_for": "the dialect that scenarios are drawn for",
    "minimum": "the least number of scenarios for a requirement",
}
"""What the shards of one campaign agree on besides: fields of it."""

LONG = {"spec", "suites"}
"""Those of them that are told by their name alone."""


class ShardLog(Struct, frozen=True):
    """The log of one shard: its first line, its adapters as they ended, and which shard it is."""

    path: Path
    run: RunLine
    shard: Shard
    adapters: dict[str, AdapterLine]
    twins: dict[tuple[str, TwinOf], VerdictLine]
    """The verdicts of positive twins that did not conform, by adapter and twin."""


def survey(path: Path) -> ShardLog:
    """Read one log through; raises LogError when it is not the log of a shard that was run to its end."""
    log = read(path)
    run, shard = log.run, log.run.request.shard
    if shard is None:
        raise LogError(path, 1, "this is the log of a whole run; merge takes the logs of `bindproof run --shard I/N`")
    summary: SummaryLine | None = None
    seen: set[int] = set()
    adapters: dict[str, AdapterLine] = {}
    twins: dict[tuple[str, TwinOf], VerdictLine] = {}
    counted = Fold()
    for line in log:
        counted.add(line)
        if isinstance(line, AdapterLine):
            adapters[line.name] = joined(adapters.get(line.name), line)
        elif isinstance(line, VerdictLine):
            _hold_new(path, line, seen)
            if isinstance(line.origin, TwinOf) and line.outcome != "conforms":
                twins[line.adapter, line.origin] = line
        elif isinstance(line, SummaryLine):
            summary = line
    if summary is None or summary.interrupted:
        finish = command([run.request.command, *option("--continue", path)])
        raise LogError(path, None, f"shard {shard} was cut short; finish it: {finish}")
    if summary.bug is not None or summary.exit == EXIT_USAGE:
        raise LogError(path, None, f"shard {shard} ended early ({summary.why}); run it again")
    if counted.mismatch is not None:
        raise LogError(path, None, f"it is not as it was written ({counted.mismatch}); run this shard again")
    return ShardLog(path, run, shard, adapters, twins)


def _hold_new(path: Path, line: VerdictLine, seen: set[int]) -> None:
    """Raise LogError for a second verdict on a scenario. seen: a number for each; a campaign has a million of them."""
    key = hash((line.adapter, line.suite, line.came_from))
    if key in seen:
        raise LogError(path, None, f"it has two verdicts of {line.adapter} on {line.plan}; run this shard again")
    seen.add(key)


def in_order(logs: Sequence[ShardLog]) -> list[ShardLog]:
    """Return the shards of one run by their numbers; raises LogError when one is missing, doubled or of another run."""
    first = logs[0]
    found: dict[int, ShardLog] = {}
    for log in logs:
        if log.shard.of != first.shard.of:
            raise LogError(log.path, 1, f"this is shard {log.shard}, but {first.path} is shard {first.shard}")
        if (what := difference(first.run, log.run)) is not None:
            raise LogError(log.path, 1, f"this is of another run than {first.path}: {what}")
        if log.shard.number in found:
            raise LogError(log.path, 1, f"this is shard {log.shard} again; {found[log.shard.number].path} is that too")
        found[log.shard.number] = log
    missing = [str(number) for number in range(1, first.shard.of + 1) if number not in found]
    if missing:
        raise LogError(first.path, 1, f"this is shard {first.shard}, and of the others {', '.join(missing)} is missing")
    return [found[number] for number in sorted(found)]


def difference(first: RunLine, other: RunLine) -> str | None:
    """Say what two run lines differ in that parts of one run agree on; None when there is nothing."""
    chosen, others = first.request, other.request
    return (
        difference_of_making(first, other)
        or _difference(CHOSEN, chosen, others)
        or _difference(OF_A_CAMPAIGN, chosen.campaign, others.campaign)
    )


def difference_of_making(first: RunLine, other: RunLine) -> str | None:
    """Say what differs between two machines that do parts of one run; None when there is nothing."""
    return _difference(MADE_OF, first, other)


def _difference(fields: Mapping[str, str], first: object, other: object) -> str | None:
    for field, what in fields.items():
        ours, theirs = getattr(first, field, None), getattr(other, field, None)
        if ours != theirs:
            return f"{what} differs" if field in LONG else f"{what} differs: {_shown(ours)} and {_shown(theirs)}"
    return None


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none chosen"
    return "none" if value is None else str(value)


def joined_adapters(shards: Sequence[ShardLog]) -> dict[str, list[AdapterLine]]:
    """Return the lines of each adapter of the whole: what it is, with all that was selected; then that it failed.

    Raises LogError when shards had different ones under one name, or one had none.
    """
    names = dict.fromkeys(name for shard in shards for name in shard.adapters)
    return {name: _lines_of(name, shards) for name in names}


def _lines_of(name: str, shards: Sequence[ShardLog]) -> list[AdapterLine]:
    first = shards[0]
    for shard in shards:
        if name not in shard.adapters:
            raise LogError(shard.path, None, f"it says nothing of adapter {name}, as other shards do; run it again")
        if (shard.adapters[name].state == "unavailable") != (first.adapters[name].state == "unavailable"):
            here, there = (shard, first) if shard.adapters[name].state == "unavailable" else (first, shard)
            what = f"adapter {name} was unavailable here, but not in {there.path}: {here.adapters[name].reason}"
            raise LogError(here.path, None, f"{what}; run this shard again where it can be had")
    lines = [shard.adapters[name] for shard in shards]
    known = [(shard.path, line) for shard, line in zip(shards, lines, strict=True) if line.suites]
    for path, line in known[1:]:
        _hold_same(known[0], (path, line))
    if not known:
        return [next((line for line in lines if line.state == "failed"), lines[0])]
    whole = msgspec.structs.replace(
        known[0][1],
        state="ready",
        suites=_added([line.suites for _, line in known]),
        reason="",
        evidence=None,
        stderr="",
    )
    failed = [msgspec.structs.replace(line, suites=()) for line in lines if line.state == "failed"]
    return [whole, *failed[:1]]


def _hold_same(first: tuple[Path, AdapterLine], other: tuple[Path, AdapterLine]) -> None:
    ours, theirs = what_it_is(first[1]), what_it_is(other[1])
    if ours != theirs:
        what = f"adapter {other[1].name} is {theirs} here, but {ours} in {first[0]}"
        raise LogError(other[0], None, f"{what}; run the shards again with one and the same")


def _added(each: Sequence[tuple[Speaks, ...]]) -> tuple[Speaks, ...]:
    return tuple(
        msgspec.structs.replace(same[0], selected=sum(speaks.selected for speaks in same))
        for same in zip(*each, strict=True)
    )
