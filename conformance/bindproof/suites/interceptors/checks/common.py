"""What several chapters' checks say in the same way: the register of predicates, and a layer that changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.interceptors.reading import Invocation, Passage, Reading, Visit

Found = list[Evidence] | None
Check = Callable[[Reading], Found]


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


def differs(
    call: Invocation, text: str, record: int | None, expected: Json, observed: Json, also: tuple[int, ...] = ()
) -> Iterator[Evidence]:
    """Yield evidence unless both are the same. also: further records that are wrong where this one is."""
    if not same(expected, observed):
        lane = "program" if record == call.done else call.lane  # the end of a call is seen at its step
        yield Evidence(lane, text, record, expected, observed, also=also)


def given(call: Invocation, text: str, run: Visit, expected: Json, observed: Json) -> Iterator[Evidence]:
    """Yield evidence unless a visit was given what it should be; what it hands on is wrong then too."""
    yield from differs(call, text, run.entered, expected, observed, run.entries())


def gave(call: Invocation, text: str, visit: Visit, expected: Json, observed: Json) -> Iterator[Evidence]:
    """Yield evidence unless a visit gave what it should; what those around it give is wrong then too."""
    yield from differs(call, text, visit.left, expected, observed, call.ends(visit))


def runs(call: Invocation, text: str, outer: Visit, place: int, wanted: int, made: list[Visit]) -> Iterator[Evidence]:
    """Yield evidence unless the layer at a place ran as often inside a visit as it should."""
    if len(made) != wanted:
        surplus = tuple(at for run in made[wanted:] for at in (*run.records(), *call.logged(run)))
        lane = "program" if outer.left == call.done else call.lane
        also = (*surplus, *call.ends(outer))
        yield Evidence(
            lane, text, outer.left, wanted, len(made), also=also, about=missing(call, place, wanted, len(made))
        )


def again(one: Passage, most: int) -> tuple[int, ...]:
    """Return the records of what ran inside a passage more often than so."""
    return tuple(at for run in one.inner[most:] for at in (*run.records(), *one.call.logged(run)))


def missing(call: Invocation, place: int, wanted: int, made: int) -> tuple[str, ...]:
    """Return the names of what is missing where the layer at a place ran less often than it should."""
    if made >= wanted:
        return ()
    inside = range(place, len(call.layers))
    logs = [f"{call.step['as']}/log"] if any(call.layers[one]["layer"] == "logging" for one in inside) else []
    return (*(call.part(one) for one in inside), *logs)


def unchanged(one: Passage) -> Iterator[Evidence]:
    """Yield evidence where a layer that changes nothing did: the request, the result, the time, the number of runs."""
    call = one.call
    if len(one.inner) != 1:
        yield from runs(call, "the layer runs the rest once", one.outer, one.place + 1, 1, one.inner)
        return
    inner = one.inner[0]
    handed = call.handed(one.place + 1, one.outer.given)
    yield from given(call, "the layer hands its input on", inner, handed, inner.given)
    yield from gave(call, "the layer hands the result back", one.outer, inner.reply, one.outer.reply)
    logs = call.logged(one.outer)
    yield from differs(
        call, "the layer takes no time before the rest", inner.entered, one.outer.began, inner.began, logs
    )
    yield from differs(
        call, "the layer takes no time after the rest", one.outer.left, inner.ended, one.outer.ended, logs
    )


def pairs(visits: list[Visit]) -> list[tuple[int, Visit, Visit]]:
    """Return each visit that ended with the next one, and its number from 1."""
    return [(n, one, after) for n, (one, after) in enumerate(pairwise(visits), 1) if one.finished]
