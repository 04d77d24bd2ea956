"""Storms: what is refused, what a lawful one is judged by, and that one crossing among a thousand calls is found."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from bindproof.suite_api import ObservationError
from bindproof.suites import Prepared
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators.storms import storm_scenario
from bindproof.suites.relay.scenario.complete import ScenarioError
from tests.relay import NEWEST, SUB, SUITE, broken, judged, lawful, plain, prepare, through_json

Json = Any

RULES = ("FLT-012", "FLT-013", "FLT-014", "FLT-015")
FAULTS = sorted(name for name, fault in SUITE.faults.items() if fault.breaks[0] in RULES)
MARK: Json = {"name": "m", "data": {"call": {"$get": "given/name"}}}


def call(name: str, **more: Json) -> Json:
    """The step of a program's call."""
    answers = [{"op": "edit", "set": {"/call": name}}]
    return {
        "step": "call", "as": name, "name": name, "request": {"content": {"call": name}}, "provider": answers, **more
    }  # fmt: skip


def tool(name: str) -> Json:
    """The step of a program's call, of a tool."""
    answers = [{"op": "edit", "set": {"/result/call": name}}]
    return {"step": "call", "as": name, "name": name, "kind": "tool", "args": {"call": name}, "provider": answers}


def program(number: int, *inside: Json) -> list[Json]:
    """A program that does this in its scope, or makes its call."""
    scope = f"p{number}"
    start = {"step": "start", "as": scope, "name": scope}
    return [start, *(inside or [call(f"c{number}")]), {"step": "end", "as": f"e{number}", "of": scope}]


def storm(*programs: list[Json], on: str = "threads") -> Json:
    """The step of a storm."""
    return {"step": "storm", "as": "w", "on": on, "programs": list(programs) or [program(0), program(1)]}


def before(*ops: Json, family: str = "llm.request") -> Json:
    """What is registered before."""
    return {"step": "register", "as": "i", "family": family, "name": "i", "do": list(ops)}


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([storm(), SUB], "a storm is the last step"),
        ([{"step": "flush"}, storm()], "nothing but `register`"),
        ([before(family="llm.conditional"), storm()], "plain global registrations alone"),
        ([before({"op": "raise", "text": "boom-1!"}), storm()], "nothing but `edit`"),
        ([before({"op": "edit", "set": {"/request/content/call": 1}}), storm()], "could hide which call"),
        ([before({"op": "edit", "append": {"/pending_marks": [{"name": "m"}]}}), storm()], "a pending mark with"),
        ([storm(program(0), [call("c1")])], "a program starts a scope, makes one call"),
        ([storm(program(0), program(1, call("c1"), call("c2")))], "a program starts a scope, makes one call"),
        ([storm(program(0), program(1, call("c1", metadata={}, background=True)))], "in the program's own scope"),
        ([storm(program(0), program(1, call("c1", codec={})))], "without a codec"),
        ([storm(program(0), program(1, call("c0", **{"as": "c1"})))], "'c0' is the name of two things"),
        ([storm(program(0), program(1, call("c1", request={"content": {"call": "c0"}})))], "its argument says"),
        ([storm(program(0), program(1, call("c1", provider=[])))], "its provider says"),
        ([storm(program(0))], "length >= 2"),
    ],
)
def test_a_storm_whose_programs_cannot_be_told_apart_is_refused(steps: list[Json], why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        SUITE.complete({"steps": steps})


def judged_as(steps: Sequence[Json], change: Any) -> dict[str, str]:
    """What a changed lawful log of a storm breaks."""
    prepared = prepare(*steps)
    log = lawful(prepared, 1, "wire")
    change(log)
    return broken(judged(prepared, log, NEWEST, "wire"))


def test_of_a_lawful_storm_the_four_rules_are_judged_and_no_others() -> None:
    prepared = prepare(SUB, before({"op": "edit", "append": {"/pending_marks": [MARK]}}), storm())
    found = judged(prepared, lawful(prepared, 3, "wire"), NEWEST, "wire")
    assert [one.requirement for one in found] == list(RULES)
    assert broken(found) == {}


def test_the_programs_of_a_run_lie_in_each_other_and_each_seed_has_another_order() -> None:
    prepared = prepare(SUB, storm(*(program(number) for number in range(8))))
    orders = {
        tuple(record["step"] for record in lawful(prepared, seed, "wire") if record["fact"] == "done")
        for seed in range(5)
    }
    assert len(orders) == 5
    assert all(order[1:4] != ("p0", "c0", "e0") for order in orders)


def test_a_log_whose_steps_are_out_of_order_is_none() -> None:
    def end_first(log: list[Json]) -> None:
        at = [index for index, record in enumerate(log) if record.get("step") in ("p0", "e0")]
        log[at[0]], log[at[1]] = log[at[1]], log[at[0]]

    def over_before(log: list[Json]) -> None:
        log.insert(1, log.pop(next(at for at, record in enumerate(log) if record.get("step") == "w")))

    with pytest.raises(ObservationError, match="one before it in its program is not"):
        judged_as([SUB, storm()], end_first)
    with pytest.raises(ObservationError, match="not all of its programs are"):
        judged_as([SUB, storm()], over_before)


def test_an_event_of_nobody_is_found() -> None:
    def disown(log: list[Json]) -> None:
        event = next(record["event"] for record in log if record["fact"] == "event")
        log.insert(len(log) - 1, {"fact": "event", "subscriber": "s", "event": {**event, "name": "x"}})

    assert broken_texts(judged_as([SUB, storm()], disown)) == ["this is told of none of the calls"]


def broken_texts(found: dict[str, str]) -> list[str]:
    """The texts of what is broken."""
    return list(found.values())


def test_a_program_whose_scope_cannot_be_opened_is_found() -> None:
    error = {"type": "Error", "message": "no scope", "code": None, "same_as": None}

    def fail(log: list[Json]) -> None:
        at = next(at for at, record in enumerate(log) if record.get("step") == "p0")
        log[at] = {"fact": "done", "step": "p0", "error": error}

    assert list(judged_as([SUB, storm()], fail)) == ["FLT-015"]


@cache
def thousand() -> tuple[Json, Prepared, list[list[Json]]]:
    """A storm of 64 calls, of which one fails, and sixteen lawful runs of it."""
    calls = [tool(f"c{number}") if number % 3 == 2 else call(f"c{number}") for number in range(64)]
    calls[4]["provider"] = [{"op": "raise", "text": "boom-4!"}]
    marking = before({"op": "edit", "append": {"/pending_marks": [MARK]}})
    full = SUITE.complete({"steps": [SUB, marking, storm(*map(program, range(64), calls))]})
    prepared = SUITE.prepare(full, NEWEST, "wire")
    return full, prepared, [lawful(prepared, seed, "wire") for seed in range(16)]


@pytest.mark.long
def test_a_thousand_calls_at_once_are_lawful() -> None:
    _, prepared, logs = thousand()
    assert [broken(judged(prepared, log, NEWEST, "wire")) for log in logs] == [{}] * 16


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_one_crossing_in_a_thousand_calls_is_found(fault: str) -> None:
    """One of the runs has two calls crossed, in a few records, and breaks the rule that speaks of it and no other."""
    full, prepared, logs = thousand()
    planted, log = SUITE.faults[fault], logs[7]
    spoiled = planted.plant(full, log, plain("wire"), NEWEST)
    assert spoiled is not None
    assert 1 <= sum(map(differs, log, spoiled)) <= 4
    assert list(broken(judged(prepared, spoiled, NEWEST, "wire"))) == list(planted.breaks)


def differs(one: Json, other: Json) -> bool:
    """Tell whether two records differ."""
    return bool(one != other)


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["python", "node", "c"])
def test_generated_storms_are_of_the_language_and_lawful(dialect: str) -> None:
    for seed in range(10):
        full = SUITE.complete(storm_scenario(SeededChoices(seed), dialect))
        assert SUITE.complete(through_json(SUITE.brief(full))) == full
        prepared = SUITE.prepare(full, NEWEST if dialect != "node" else "0.10", dialect)
        assert broken(judged(prepared, lawful(prepared, seed, dialect), NEWEST, dialect)) == {}


@pytest.mark.parametrize(
    ("dialect", "way"),
    [("python", "threads"), ("rust", "threads"), ("go", "threads"), ("c", "threads"), ("node", "tasks")],
)
def test_what_is_as_the_language_has_it_is_sent_as_what_that_is(dialect: str, way: str) -> None:
    edition = NEWEST if dialect != "node" else "0.10"
    own = prepare(SUB, storm(on="own"), edition=edition, dialect=dialect)
    assert own.spelled["steps"][-1]["on"] == way
    assert own.spelled == prepare(SUB, storm(on=way), edition=edition, dialect=dialect).spelled


def test_of_storms_for_all_languages_each_acts_out_most() -> None:
    drawn = [SUITE.complete(storm_scenario(SeededChoices(seed), None)) for seed in range(100)]
    assert {full["steps"][-1]["on"] for full in drawn} == {"own", "tasks"}
    for dialect in ("python", "go", "c"):
        prepared = [SUITE.prepare(full, NEWEST, dialect) for full in drawn]
        assert sum(1 for one in prepared if "storm" in one.prediction) > 70
    assert all("storm" in SUITE.prepare(full, "0.10", "node").prediction for full in drawn)
