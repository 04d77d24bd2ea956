"""What is registered and does not run is named by the rule that it does, also where its call fails or goes on beside
others; and what is gone and runs for a later step is named without a flush."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.acted import FAULTS
from bindproof.suites.relay.tables.cells import Level
from bindproof.suites.relay.tables.place import Place
from tests.relay import NEWEST, SUB, SUITE, broken, call, intercept, judged, lawful, prepare

pytestmark = pytest.mark.long

Json = Any

DIALECT = "python"

RAISES: Json = [{"op": "raise", "text": "boom-1!"}]
WAITS: Json = [{"op": "wait", "latch": "y"}]
OPENS: Json = {"step": "open", "latch": "y"}
TOOL: Json = {"kind": "tool", "args": {}}


def registered(family: str, name: str = "r", **more: Json) -> Json:
    return {"step": "register", "as": name, "family": family, "name": name, **more}


def found(fault: str, family: Family, steps: list[Json], level: Level = "global") -> set[str]:
    """The rules that a binding breaks which has a fault in one family."""
    full = SUITE.complete({"steps": steps})
    prepared = SUITE.prepare(full, NEWEST, DIALECT)

    def act(other: Json) -> list[Json]:
        return lawful(SUITE.prepare(other, NEWEST, DIALECT), 7, DIALECT)

    log = act(full)
    assert broken(judged(prepared, log, NEWEST, DIALECT)) == {}
    spoiled = next(one for one in FAULTS if one.name == fault).acted(Place(full, log, family, level, act))
    assert spoiled is not None
    return {*broken(judged(prepared, spoiled, NEWEST, DIALECT))}


@pytest.mark.parametrize("family", ["start.sanitize", "end.sanitize", "event.metadata", "llm.sanitize_request"])
def test_what_is_due_at_an_event_of_a_call_that_fails_is_missed(family: Family) -> None:
    assert "MID-025" in found("silent", family, [SUB, registered(family), call(provider=RAISES)])


@pytest.mark.parametrize("family", ["start.sanitize", "end.sanitize", "event.metadata", "tool.sanitize_request"])
def test_what_is_due_at_an_event_of_a_call_in_flight_is_missed(family: Family) -> None:
    steps = [SUB, registered(family), call(**TOOL, provider=WAITS, background=True), OPENS]
    assert "MID-025" in found("silent", family, steps)


def test_a_sanitizer_of_marks_is_missed_beside_a_call_in_flight() -> None:
    flying = call(**TOOL, provider=WAITS, background=True)
    steps = [SUB, registered("mark.sanitize"), flying, {"step": "mark", "as": "m", "name": "m"}, OPENS]
    assert "MID-025" in found("silent", "mark.sanitize", steps)


def test_an_intercept_is_missed_in_a_call_whose_request_is_not_encoded() -> None:
    steps = [SUB, intercept(), call(codec={"decode": [], "encode": RAISES})]
    assert "MID-025" in found("silent", "llm.request", steps)


def test_an_intercept_is_missed_in_a_call_in_flight_that_came_past_it() -> None:
    assert "MID-025" in found("silent", "llm.request", [intercept(), call(provider=WAITS, background=True), OPENS])


def test_what_wraps_is_missed_where_the_provider_ran_and_failed() -> None:
    assert "MID-025" in found("silent", "llm.execution", [registered("llm.execution"), call(provider=RAISES)])


def test_of_two_that_tie_the_first_is_missed_where_the_second_ends_the_call() -> None:
    steps = [SUB, intercept(name="i"), intercept(RAISES[0], name="j"), call()]
    assert "MID-025" in found("names", "llm.request", steps)


def test_what_is_told_of_a_later_step_is_told_too_late_without_a_flush() -> None:
    steps = [SUB, registered("subscriber"), {"step": "deregister", "as": "d", "of": "r"}, call()]
    assert "MID-007" in found("stays", "subscriber", steps)


def test_what_runs_for_an_event_of_a_later_step_runs_too_late_without_a_flush() -> None:
    steps = [SUB, registered("mark.sanitize"), {"step": "deregister", "as": "d", "of": "r"}]
    steps.append({"step": "mark", "as": "m", "name": "m"})
    assert "MID-007" in found("stays", "mark.sanitize", steps)


def test_a_source_that_is_closed_before_its_end_has_not_handed_all_over() -> None:
    reads = [{"op": "yield", "chunks": [1, 2]}]
    prepared = prepare(SUB, call(kind="llm_stream", provider=reads), dialect=DIALECT)
    log = lawful(prepared, 7, DIALECT)
    assert broken(judged(prepared, log, NEWEST, DIALECT)) == {}
    closed = [record | {"how": "closed"} if record["fact"] == "over" else record for record in log]
    assert "STR-001" in broken(judged(prepared, closed, NEWEST, DIALECT))
