"""What several chapters' checks say in the same way: the register of predicates, and a layer that changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.interceptors.view import Call, Passage, View, Visit

Found = list[Evidence] | None
Check = Callable[[View], Found]

EVERY_LANE = "*"
"""Lane of an evidence that explains differences anywhere: what should have been refused went on."""


def register(table: dict[str, Check], requirement: str) -> Callable[[Check], Check]:
    """Return a decorator that puts a predicate into a chapter's table."""

    def put(predicate: Check) -> Check:
        table[requirement] = predicate
        return predicate

    return put


def each(passages: Iterable[Passage], judge: Callable[[Passage], Iterable[Evidence]]) -> Found:
    """Return the evidence that a judge finds in each passage; None where there is no passage."""
    found = list(passages)
    return [evidence for one in found for evidence in judge(one)] if found else None


def differs(call: Call, text: str, record: int | None, expected: Json, observed: Json) -> Iterator[Evidence]:
    """Yield evidence unless both are the same."""
    if not same(expected, observed):
        lane = "program" if record == call.done else call.lane  # the end of a call is seen at its step
        yield Evidence(lane, text, record, expected, observed)


def unchanged(one: Passage) -> Iterator[Evidence]:
    """Yield evidence where a layer that changes nothing did: the request, the result, the time, the number of runs."""
    call = one.call
    if len(one.inner) != 1:
        yield Evidence(call.lane, "the layer runs the rest once", one.outer.left, 1, len(one.inner))
        return
    inner = one.inner[0]
    handed = call.handed(one.place + 1, one.outer.given)
    yield from differs(call, "the layer hands its input on", inner.entered, handed, inner.given)
    yield from differs(call, "the layer hands the result back", one.outer.left, inner.reply, one.outer.reply)
    yield from differs(call, "the layer takes no time before the rest", inner.entered, one.outer.began, inner.began)
    yield from differs(call, "the layer takes no time after the rest", one.outer.left, inner.ended, one.outer.ended)


def pairs(visits: list[Visit]) -> list[tuple[int, Visit, Visit]]:
    """Return each visit that ended with the next one, and its number from 1."""
    return [(n, one, after) for n, (one, after) in enumerate(pairwise(visits), 1) if one.finished]
