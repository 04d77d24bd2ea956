"""What several chapters' checks say in the same way: the register of predicates, and evidence.

Enters: readings. Leaves: evidence. Checks never call the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bindproof.suite_api import Evidence, Json, same
from bindproof.suites.cells.observation import lane_of
from bindproof.suites.cells.reading import Answer, Reading

Found = list[Evidence] | None
Check = Callable[[Reading], Found]
Judge = Callable[[Reading, Answer], Iterable[Evidence]]

OUTCOME = "/outcome"


def register(table: dict[str, Check], requirement: str) -> Callable[[Check], Check]:
    """Return a decorator that puts a predicate into a chapter's table."""

    def put(predicate: Check) -> Check:
        table[requirement] = predicate
        return predicate

    return put


def differs(
    reading: Reading, index: int, text: str, expected: Json, observed: Json, also: tuple[int, ...] = ()
) -> list[Evidence]:
    """Return evidence unless both are the same. also: further records that are wrong where this one is."""
    return [] if same(expected, observed) else [wrong(reading, index, text, expected, observed, also)]


def wrong(
    reading: Reading, index: int, text: str, expected: Json, observed: Json, also: tuple[int, ...] = ()
) -> Evidence:
    """Return evidence about a record."""
    return Evidence(lane_of(reading.log[index]), text, index, expected, observed, also=also)


def each(reading: Reading, answers: Iterable[Answer], judge: Judge) -> Found:
    """Return the evidence that a judge finds in each answer; None where there is none."""
    found = list(answers)
    return [evidence for one in found for evidence in judge(reading, one)] if found else None


def known(reading: Reading) -> Iterable[Answer]:
    """Return the answers about cells of the scenario, from their own sessions while those were open."""
    return (one for one in reading.answers if one.cell in reading.cells and not one.foreign and not one.shut)
