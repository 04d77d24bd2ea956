"""Which callback of a publication is of which event."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.relay.observation.published import publications
from tests.relay import SUB, broken, judged, lawful, prepare
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


def of_responses(name: str) -> Json:
    return {"step": "register", "as": name, "family": "llm.sanitize_response", "name": name}


TWO_ENDS: list[Json] = [
    SUB,
    of_responses("b"),
    {"step": "start", "as": "m", "name": "t", "kind": "llm"},
    of_responses("a"),
    {"step": "end", "of": "m"},
    {"step": "deregister", "of": "a"},
    {"step": "call", "as": "t", "name": "t", "provider": [{"op": "wait", "latch": "x"}], "background": True},
    of_responses("c"),
]
"""Of the first end one sanitizer fails, as it answers with null; so the other runs for the second end alone."""


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_behind_a_sanitizer_that_failed_comes_the_next_event_where_all_of_its_own_are_left(seed: int) -> None:
    """Some of these runs tell the first event before the next sanitizer runs, and some after."""
    prepared = prepare(*TWO_ENDS)
    assert broken(judged(prepared, lawful(prepared, seed, "wire"), "0.10", "wire")) == {}


def test_a_sanitizer_that_runs_though_one_failed_is_of_the_same_event() -> None:
    prepared = prepare(*TWO_ENDS)
    log = lawful(prepared, 0, "wire")
    failed = next(at for at, one in enumerate(log) if one["fact"] == "leave" and one["callback"] == "a.sanitize")
    entered = next(one for one in log if one["fact"] == "enter" and one["callback"] == "a.sanitize")
    further = [enter("b.sanitize", 0, **entered["given"]), leave("b.sanitize", 0, reply={"ok": True})]
    later = [one | {"k": 1} if one.get("callback") == "b.sanitize" else one for one in log[failed + 1 :]]
    found = broken(judged(prepared, [*log[: failed + 1], *further, *later], "0.10", "wire"))
    assert found["EVT-025"] == "no sanitizer runs after one failed"


BY_HAND_AND_MANAGED: list[Json] = [
    SUB,
    {"step": "register", "as": "z", "family": "tool.sanitize_request", "name": "z"},
    {"step": "start", "as": "M", "name": "by-hand", "kind": "tool"},
    {"step": "call", "as": "c", "name": "managed", "kind": "tool"},
]


@pytest.mark.parametrize(("edition", "blamed"), [("0.6", True), ("0.7", False), ("0.8", True)])
def test_in_one_edition_what_a_call_sanitizes_may_come_before_what_was_given_by_hand(
    edition: str, blamed: bool
) -> None:
    prepared = prepare(*BY_HAND_AND_MANAGED, edition=edition, dialect="python")
    log = lawful(prepared, 0, "python")
    entered = [one["given"] for one in log if one["fact"] == "enter" and one["callback"] == "z.sanitize"]
    for one in log:
        if one["fact"] == "enter" and one["callback"] == "z.sanitize":
            one["given"] = entered[1 - one["k"]]
    found = broken(judged(prepared, log, edition, "python"))
    assert found.keys() == ({"MID-027"} if blamed else set())
