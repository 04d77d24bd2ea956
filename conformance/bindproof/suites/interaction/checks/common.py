"""What several chapters' checks say in the same way: the register of predicates, and evidence.

Enters: readings. Leaves: evidence. Checks never call the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bindproof.suite_api import EVERY_LANE, Evidence, Json, same
from bindproof.suites.interaction.fates import FAILING
from bindproof.suites.interaction.observation import PROGRAM
from bindproof.suites.interaction.reading import Part, Reading

Found = list[Evidence] | None
Check = Callable[[Any], Found]


def register(table: dict[str, Check], requirement: str, of: type = Reading) -> Callable[[Check], Check]:
    """Return a decorator that puts a predicate into a chapter's table; of: the one kind of log that it judges."""

    def put(predicate: Check) -> Check:
        table[requirement] = lambda reading: predicate(reading) if isinstance(reading, of) else None
        return predicate

    return put


def differs(index: int, at: str, text: str, expected: Json, observed: Json) -> list[Evidence]:
    """Return evidence about a place in a record, which is wrong in itself, unless both are the same."""
    return [] if same(expected, observed) else [Evidence(PROGRAM, text, index, expected, observed, at)]


def astray(text: str, expected: Json, observed: Json) -> Evidence:
    """Return evidence about the way that a run takes: what follows from there is wrong for the same reason."""
    return Evidence(EVERY_LANE, text, None, expected, observed)


def goes(text: str, expected: Json, observed: Json) -> list[Evidence]:
    """Return evidence about the run's way unless both are the same."""
    return [] if same(expected, observed) else [astray(text, expected, observed)]


def each(parts: Iterable[Part], judge: Callable[[Part], Iterable[Evidence]]) -> Found:
    """Return the evidence that a judge finds in each step; None where there is none."""
    found = list(parts)
    return [evidence for part in found for evidence in judge(part)] if found else None


def outcome(reading: Reading) -> Json:
    """Return what came of a run: a state, the kind of an error, `nothing`, or None while it has not ended."""
    if reading.end is None:
        return None
    record = reading.log[reading.end]
    if "error" in record:
        return record["error"]["kind"]
    value = record["value"]
    return value.get("state") if isinstance(value, dict) else "nothing"


def comes_to(reading: Reading, text: str, expected: str) -> Found:
    """Return evidence unless the run comes to this; None while it has not ended."""
    found = outcome(reading)
    return None if found is None else goes(text, expected, found)


def fails_under(policy: str) -> bool:
    """Tell whether a run that lacks an answer fails under a policy."""
    return policy in FAILING


def is_last(reading: Reading, kind: str) -> bool:
    """Tell whether the run is to end by this, and took no step beyond."""
    return reading.last is not None and reading.last.kind == kind and not reading.beyond
