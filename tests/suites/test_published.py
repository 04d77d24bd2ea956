"""Which callback of a publication is of which event."""

from __future__ import annotations

from typing import Any

from bindproof.suites.relay.observation.published import publications
from tests.relay import SUB
from tests.suites.test_reading import done, enter, leave, seen

Json = Any

SANITIZER: Json = {"step": "register", "as": "z", "family": "mark.sanitize", "name": "z"}
MARKS: list[Json] = [{"step": "mark", "as": "a", "name": "m"}, {"step": "mark", "as": "b", "name": "m"}]


def mark(uuid: str, time: str = "2026-01-01T00:00:00+00:00", name: str = "m") -> Json:
    return {"kind": "mark", "name": name, "uuid": uuid, "scope_category": None, "timestamp": time}


def looked_at(k: int, event: Json) -> list[Json]:
    """The records of the sanitizer's look at an event."""
    return [enter("z.sanitize", k, event=event), leave("z.sanitize", k, reply={"data": k})]


def told(event: Json) -> Json:
    return {"fact": "event", "subscriber": "s", "event": event}


def runs(*log: Json) -> dict[str, list[int]]:
    """The uuid of each event that was told, with the numbers of the sanitizer's looks at it."""
    found = seen([SUB, SANITIZER, *MARKS], done("s"), done("z"), done("a"), done("b"), *log)
    return {one.told[1]["uuid"]: [run.k for run in one.sanitizers] for one in publications(found.transcript)}


def test_each_look_is_of_the_event_with_its_uuid() -> None:
    log = [*looked_at(0, mark("u1")), told(mark("u1")), *looked_at(1, mark("u2")), told(mark("u2"))]
    assert runs(*log) == {"u1": [0], "u2": [1]}


def test_a_look_at_an_event_that_is_lost_is_of_no_other_of_the_same_moment() -> None:
    log = [*looked_at(0, mark("u1")), *looked_at(1, mark("u2")), told(mark("u2"))]
    assert runs(*log) == {"u2": [1]}


def test_a_look_at_an_event_whose_uuid_is_told_otherwise_is_of_that_event() -> None:
    log = [*looked_at(0, mark("u1")), told(mark("other")), *looked_at(1, mark("u2")), told(mark("u2"))]
    assert runs(*log) == {"other": [0], "u2": [1]}
