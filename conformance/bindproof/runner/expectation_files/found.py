"""What of a log an expectation could name, and none does: the entries that a file would need.

Enters: the lines of a log. Leaves: entries, a failure that looks alike on several vectors once. Must not know files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from packaging.version import InvalidVersion, Version

from bindproof.core.errors import LogError
from bindproof.core.model import ADAPTER_FAULTS, Evidence, Json
from bindproof.core.origins import TwinOf, vector_of
from bindproof.core.patterns import compile_pattern
from bindproof.core.varying import parts_that_stay
from bindproof.results import TIMES, AdapterLine, Log, SummaryLine, VerdictLine, joined
from bindproof.runner.excused_failures import json_text

LONGEST_EXACT = 400
"""Characters of a value's JSON text; of a longer one an expression has the beginning."""

UNSEEN = frozenset({"not_run", "harness_error"})
"""Outcomes that tell nothing of a binding."""

_AGAIN = re.compile(r"sometimes (\d+)/(\d+)")

GREATEST_INTEGER = 2**63 - 1


class Entry(Struct, frozen=True):
    """A `[[divergence]]` as a file would have it, but for its reason."""

    target: str
    version: str
    requirement: str | None
    verdict: str | None
    """`requirement` and `verdict`: one of the two."""
    sign: tuple[tuple[str, Json], ...]
    """Keys and values that say what a failure looks like."""
    vectors: tuple[str, ...]
    sometimes: tuple[int, int] | None = None
    """How often it was seen, of how many times, where it did not occur each time that it was tried."""


class Findings(Struct, frozen=True):
    """What a log shows that nothing expects."""

    entries: tuple[Entry, ...]
    left: tuple[str, ...]
    """What no entry can be made of, each with the reason."""


def whole_run(log: Log) -> None:
    """Raise LogError unless it is of a whole run: of a part nobody knows what the rest would have shown."""
    request = log.run.request
    parts = {
        "--requirement": request.requirements,
        "--vector": request.vectors,
        "a file": request.files,
        "--shard": request.shard,
        "--fault": request.fault,
        "generated scenarios": request.campaign,
    }
    for name, chosen in parts.items():
        if chosen:
            what = f"this is no log of a whole run, but of one with {name}; run it whole"
            raise LogError(log.path, 1, what if name != "--shard" else f"{what}, or `bindproof merge` all shards")
    end = None
    for line in log:
        end = line
        if isinstance(line, AdapterLine) and line.state == "failed":
            raise LogError(log.path, None, f"adapter {line.name} failed in this run, and nobody saw the rest of it")
    if not isinstance(end, SummaryLine) or end.interrupted:
        raise LogError(log.path, None, f"this run was cut short; finish it: bindproof run --continue {log.path}")
    for verdict in _unseen(log):
        what = f"{verdict.plan} was not judged on {verdict.adapter} ({verdict.outcome})"
        raise LogError(log.path, None, f"{what}; mend that, and run it again")


def _unseen(log: Log) -> list[VerdictLine]:
    """Return the scenarios that nobody saw. A negative is not run where its twin diverges: that is found then."""
    unseen, broken_twins = dict[tuple[str, str], VerdictLine](), set[tuple[str, str]]()
    for line in log:
        if not isinstance(line, VerdictLine):
            continue
        place = line.adapter, vector_of(line.came_from) or line.plan
        if isinstance(line.came_from, TwinOf) and line.outcome != "conforms":
            broken_twins.add(place)
        if line.outcome in UNSEEN:
            unseen[place] = line
    return [line for place, line in unseen.items() if place not in broken_twins]


def findings(log: Log) -> Findings:
    """Return what a log shows that nothing expects."""
    adapters: dict[str, AdapterLine] = {}
    vectors: dict[tuple[str, str, str | None, str | None, str], dict[str, None]] = {}
    signs: dict[str, tuple[tuple[str, Json], ...]] = {}
    chances: dict[tuple[str, str, str | None, str | None, str], tuple[int, int]] = {}
    left: list[str] = []
    for line in log:
        if isinstance(line, AdapterLine):
            adapters[line.name] = joined(adapters.get(line.name), line)
        if not isinstance(line, VerdictLine):
            continue
        target, version = adapters[line.adapter].target, adapters[line.adapter].version
        for requirement, verdict, sign, why in _of(line):
            if sign is None:
                left.append(f"{requirement or verdict} on {line.adapter} in {line.plan}: {why}")
                continue
            key = json_text([list(pair) for pair in sign])
            signs[key] = sign
            entry = (target, version, requirement, verdict, key)
            vectors.setdefault(entry, {})[vector_of(line.came_from) or line.plan] = None
            if (chance := _chance(line)) is not None:
                chances.setdefault(entry, chance)
    entries = [
        Entry(*entry[:4], signs[entry[4]], tuple(sorted(plans)), chances.get(entry)) for entry, plans in vectors.items()
    ]
    return Findings(tuple(entries), tuple(left))


def _chance(line: VerdictLine) -> tuple[int, int] | None:
    """Return how often a failure was seen of how many times, the run's own among them; None where it was each time."""
    again = _AGAIN.fullmatch(line.reproduced or "")
    if again is not None:
        return int(again[1]) + 1, int(again[2]) + 1
    return (1, TIMES + 1) if line.reproduced == "in_company" else None


def versions_of(entry: Entry) -> list[str]:
    """Return the specifier of the release that was seen, none where its version is none that specifiers can say."""
    try:
        return [f"=={Version(entry.version)}"]
    except InvalidVersion:
        return []


_Found = tuple[str | None, str | None, tuple[tuple[str, Json], ...] | None, str]
"""Requirement or verdict, its sign or None, and why there is none."""


def _of(line: VerdictLine) -> Iterator[_Found]:
    """Yield what a verdict shows that nothing expects."""
    if line.outcome in ADAPTER_FAULTS and line.expected_by is None:
        yield None, line.outcome, (), ""
    if line.outcome != "diverges" or line.expected_by is not None:
        return
    for broken in line.broken:
        for failure in broken.failures if broken.expected_by is None else ():
            sign = None if line.cut else tuple(_sign(failure)) or None
            why = f"not all of it is in the log: {line.cut}" if line.cut else "nothing says what it looks like"
            yield broken.requirement, None, sign, why


def _sign(failure: Evidence) -> Iterator[tuple[str, Json]]:
    yield from _side("expected", failure.expected)
    yield from _side("observed", failure.observed)
    if failure.at:
        yield "at", failure.at


def _side(name: str, value: Json) -> Iterator[tuple[str, Json]]:
    """Yield the value itself where TOML has it and it is the same in each run; else an expression that finds it."""
    text = json_text(value)
    if _has_toml(value) and len(text) <= LONGEST_EXACT and len(parts_that_stay(text)) == 1:
        yield name, value
        return
    pattern = _pattern(text)
    if compile_pattern(pattern).search(text):
        yield f"{name}_matches", pattern


def _pattern(text: str) -> str:
    head = text[:LONGEST_EXACT]
    kept = [re.escape(part) for part in parts_that_stay(head)]
    return "^" + '[^"]*'.join(kept) + ("$" if head == text else "")


def _has_toml(value: Json) -> bool:
    if isinstance(value, dict):
        return all(map(_has_toml, value.values()))
    if isinstance(value, list):
        return all(map(_has_toml, value))
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) <= GREATEST_INTEGER
    return value is not None
