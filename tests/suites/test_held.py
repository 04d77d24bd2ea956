"""What waits when an event is published: what a scenario may ask of it."""

from __future__ import annotations

import pytest

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.complete import ScenarioError, complete
from tests.relay import NEWEST, SUITE, broken, judged, lawful, plain

SUB: Json = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
MARK: Json = {"step": "mark", "as": "m", "name": "m"}
CALL: Json = {"step": "call", "as": "c", "name": "gpt"}
OPEN: Json = {"step": "open", "as": "o", "latch": "x"}
FLUSH: Json = {"step": "flush", "as": "f"}
REJECTS: Json = {"step": "register", "as": "r", "family": "llm.conditional", "name": "r"}


def _held(family: str = "mark.sanitize", **more: Json) -> Json:
    wait = {"op": "wait", "latch": "x"}
    return {"step": "register", "as": "z", "family": family, "name": "z", "do": [wait], **more}


@pytest.mark.parametrize(
    "steps",
    [
        [SUB, _held(), MARK, CALL, OPEN],
        [SUB, _held("start.sanitize"), CALL, OPEN, FLUSH],
        [SUB, _held("event.metadata"), MARK, OPEN],
        [SUB, _held("llm.sanitize_response"), CALL, OPEN],
        [_held("subscriber"), MARK, OPEN, FLUSH],
        [SUB, CALL, _held("subscriber"), CALL | {"as": "d"}, OPEN],
    ],
)
def test_what_an_event_surely_comes_to_may_wait(steps: list[Json]) -> None:
    complete({"steps": steps})


@pytest.mark.parametrize(
    ("steps", "part"),
    [
        ([_held(), MARK, OPEN], "register a subscriber before it"),
        ([SUB, _held(), OPEN, MARK], "no event surely comes to it"),
        ([SUB, _held(), CALL, OPEN], "no event surely comes to it"),
        ([SUB, _held(), {**MARK, "severity": "info"}, OPEN], "no event surely comes to it"),
        ([SUB, REJECTS, _held("start.sanitize"), CALL, OPEN], "no event surely comes to it"),
        ([SUB, _held("start.sanitize"), {**CALL, "codec": {}}, OPEN], "no event surely comes to it"),
        ([SUB, _held("llm.sanitize_response"), {**CALL, "kind": "tool"}, OPEN], "no event surely comes to it"),
        ([SUB, _held(), MARK, FLUSH, OPEN], "nothing is flushed"),
        ([SUB, _held(), MARK, {"step": "deregister", "as": "d", "of": "s"}, OPEN], "nothing taken back"),
        ([SUB, _held(), MARK], "the program opens the latch 'x'"),
        ([SUB, OPEN, _held(), MARK], "the program opens the latch 'x'"),
        ([SUB, _held(), {**_held("event.metadata"), "as": "y"}, MARK, OPEN], "another such callback"),
        ([SUB, _held(), MARK, {**CALL, "background": True}, OPEN], "waits beside background"),
        ([SUB, {"step": "start", "as": "p", "name": "p"}, _held(scope="p"), MARK, OPEN], "a scope"),
        ([_held("subscriber"), OPEN, MARK], "no event surely comes to it"),
        ([REJECTS, _held("subscriber"), CALL, OPEN], "no event surely comes to it"),
        ([_held("subscriber"), MARK, FLUSH, OPEN], "nothing is flushed"),
        ([SUB, _held("subscriber"), _held() | {"as": "y"}, MARK, OPEN], "another such callback"),
    ],
)
def test_one_that_could_hang_or_never_stand_is_refused(steps: list[Json], part: str) -> None:
    with pytest.raises(ScenarioError, match=part):
        complete({"steps": steps})


@pytest.mark.parametrize("dialect", ["node", "wasm"])
def test_where_a_subscriber_would_keep_the_program_it_cannot_wait(dialect: str) -> None:
    steps = [_held("subscriber"), MARK, OPEN]
    prepared = SUITE.prepare(complete({"steps": steps}), "0.9" if dialect == "node" else "0.4", dialect)
    assert prepared.prediction["inexpressible"]["path"] == "subscriber.wait"


def test_who_has_not_come_back_is_told_nothing_and_keeps_nobody() -> None:
    prepared = SUITE.prepare(
        complete({"steps": [_held("subscriber"), MARK, MARK | {"as": "m2"}, OPEN, FLUSH]}), NEWEST, "python"
    )
    log = lawful(prepared, 0, "python")
    resumed = next(at for at, row in enumerate(log) if row["fact"] == "resume")
    facts = [(row["fact"], row.get("step", row.get("callback", row.get("subscriber")))) for row in log]
    assert facts.index(("wait", "z.told")) == facts.index(("event", "z")) + 1
    assert facts.index(("done", "m2")) < resumed < facts.index(("done", "f"))


@pytest.mark.parametrize(
    ("fault", "at"),
    [("tell_who_waits", "EVT-058"), ("wait_for_who_is_told", "EVT-058"), ("flush_while_one_waits", "EVT-043")],
)
def test_a_fault_of_who_waits_is_named_by_its_rule(fault: str, at: str) -> None:
    full = complete({"steps": [_held("subscriber"), MARK, MARK | {"as": "m2"}, OPEN, FLUSH]})
    prepared = SUITE.prepare(full, NEWEST, "python")
    spoiled = SUITE.faults[fault].plant(full, lawful(prepared, 0, "python"), plain("python"), NEWEST)
    assert spoiled is not None
    assert at in broken(judged(prepared, spoiled, NEWEST, "python"))


def test_who_goes_on_some_time_after_the_latch_was_opened_was_waited_for_by_nobody() -> None:
    """A binding's own thread may come back when the program has done more: no fault is planted there, as none shows."""
    full = complete({"steps": [_held("subscriber"), MARK, OPEN, MARK | {"as": "m2"}, FLUSH]})
    prepared = SUITE.prepare(full, NEWEST, "python")
    log = lawful(prepared, 0, "python")
    for fact, step in (("resume", "m2"), ("wait", "m")):
        row = log.pop(_place(log, fact))
        log.insert(_place(log, "done", step) + 1, row)
    assert not broken(judged(prepared, log, NEWEST, "python"))
    assert SUITE.faults["wait_for_who_is_told"].plant(full, log, plain("python"), NEWEST) is None


def _place(log: list[Json], fact: str, step: str | None = None) -> int:
    return next(at for at, row in enumerate(log) if row["fact"] == fact and row.get("step") == step)
