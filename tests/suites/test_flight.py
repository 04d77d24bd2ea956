"""Calls in flight: which scenarios are refused, and how a log of them is read."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.relay.scenario.complete import ScenarioError
from bindproof_reference.relay import resolve
from tests.relay import NEWEST, SPEC, SUB, SUITE, broken, judged, lawful, prepare

Json = Any

WIRE = SPEC.dialects["wire"].as_json()


def wait(latch: str = "x") -> Json:
    return {"op": "wait", "latch": latch}


def call(name: str, *provider: Json, **more: Json) -> Json:
    """A step that makes a call."""
    return {"step": "call", "as": name, "name": name, "provider": list(provider), **more}


def flying(name: str, *provider: Json, **more: Json) -> Json:
    """A step that makes a call in the background."""
    return call(name, *provider, background=True, **more)


def opened(latch: str = "x") -> Json:
    return {"step": "open", "latch": latch}


def around(*ops: Json, name: str = "i", family: str = "llm.execution") -> Json:
    """A step that registers what wraps an execution."""
    return {"step": "register", "as": name, "family": family, "name": name, "do": list(ops)}


def cancelling(call: str) -> Json:
    return {"step": "cancel", "of": call}


FLUSH: Json = {"step": "flush"}
HELPER: Json = {"step": "helper", "name": "t", "kind": "tool.request"}
CONSENT = around(wait(), family="llm.conditional")
STREAM: Json = {"step": "call", "as": "t", "name": "t", "kind": "llm_stream"}


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([call("c", wait())], "its provider waits at no latch"),
        ([opened(), call("c", wait())], "its provider waits at no latch"),
        ([around(wait(), family="llm.stream")], "llm.stream waits at no latch"),
        ([around(wait(), family="mark.sanitize")], "the program opens the latch 'x' behind this step"),
        ([around(wait(), family="llm.request"), call("c"), opened()], "it would never come back"),
        ([around(wait(), family="tool.conditional"), call("c", kind="tool")], "it would never come back"),
        ([around(wait(), family="tool.request"), HELPER, opened()], "waits for this helper, and what 'i' registered"),
        ([around(wait("y"), family="llm.request"), flying("a"), FLUSH, opened("y")], "first open y"),
        ([CONSENT, flying("a"), flying("b"), cancelling("a"), cancelling("b")], "one call is cancelled"),
        ([CONSENT, {**flying("a"), "name": "i"}, cancelling("a")], "a call is called 'i' too"),
        ([around(wait()), call("c"), opened()], "it would never come back"),
        ([around(wait()), flying("a"), call("c"), opened()], "opened later or never"),
        ([around(wait(), wait("y")), opened(), call("c"), opened("y")], "waits at 'y'"),
        ([around(wait(), family="tool.execution"), call("c", kind="tool")], "it would never come back"),
        ([around({"op": "step", "step": around(wait(), name="j")}), call("c")], "is registered by the program"),
        ([flying("a"), opened()], "nothing waits at a latch 'x'"),
        ([flying("a", wait()), FLUSH, opened()], "first open x"),
        ([around(wait("y")), flying("a"), FLUSH, opened("y")], "first open y"),
        ([flying("a"), STREAM], "there are no streams"),
        ([{**STREAM, "background": True}], "`background` means nothing to the kind 'llm_stream'"),
    ],
)
def test_a_scenario_that_would_hang_is_refused(steps: list[Json], why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        SUITE.complete({"steps": steps})


@pytest.mark.parametrize(
    "steps",
    [
        [flying("a", wait()), call("b"), opened()],
        [flying("a", wait())],
        [around(wait()), opened(), call("c")],
        [opened(), around(wait()), call("c")],
        [around(wait(), family="tool.execution"), call("c"), opened()],
        [around(wait(), family="tool.request"), call("c"), {**HELPER, "kind": "tool.conditional"}, opened()],
        [CONSENT, flying("a"), flying("b"), cancelling("a"), opened()],
        [around(wait()), flying("a"), flying("b"), opened(), call("c")],
        [flying("a", wait()), opened(), FLUSH, flying("b", wait())],
        [FLUSH, flying("a", wait()), opened()],
    ],
)
def test_others_are_not(steps: list[Json]) -> None:
    assert log_of(steps)[-1] == {"fact": "settled"}


def log_of(steps: list[Json], seed: int = 1) -> list[Json]:
    prepared = SUITE.prepare(SUITE.complete({"steps": [SUB, *steps]}), NEWEST, "wire")
    return resolve(prepared.prediction, seed, WIRE)


def facts(log: list[Json]) -> list[str]:
    """What happened in the program, in short."""
    return [
        f"{record['fact']} {record.get('callback') or record.get('step')}" for record in log if "event" not in record
    ]


def test_who_stands_at_a_latch_goes_on_in_order_of_arrival() -> None:
    log = log_of([flying("a", wait(), wait("y")), flying("b", wait()), opened()])
    found = [fact for fact in facts(log) if fact.startswith(("wait", "resume", "done"))]
    first = ["done s", "wait a.provider", "wait b.provider", "resume a.provider", "wait a.provider"]
    assert found == [*first, "resume b.provider", "done b", "done #3", "resume a.provider", "done a"]


def test_what_stands_in_the_end_is_let_go() -> None:
    log = log_of([flying("a", wait()), flying("b", wait("y")), flying("c", wait())])
    assert [fact for fact in facts(log) if fact.startswith("done")] == ["done s", "done a", "done c", "done b"]


def test_a_story_has_each_callback_in_its_own_call() -> None:
    steps = [around(wait(), {"op": "next"}), flying("a"), flying("b", wait("y")), opened(), opened("y")]
    full = SUITE.complete({"steps": [SUB, *steps]})
    prepared = SUITE.prepare(full, NEWEST, "wire")
    _, reading = prepared.observe(resolve(prepared.prediction, 3, WIRE))
    calls = {act.step["as"]: act for act in reading.transcript.calls("llm")}
    assert {name: [run.asked[0].inside[0].callback for run in act.runs] for name, act in calls.items()} == {
        "a": ["a.provider"],
        "b": ["b.provider"],
    }
    assert all(run.replied for act in calls.values() for run in act.runs)


def test_a_scenario_that_cannot_be_acted_out_leaves_no_thread_behind() -> None:
    import threading

    full = SUITE.complete({"steps": [flying("a", wait()), call("b", request={"content": {"$get": "a"}})]})
    before = threading.active_count()
    with pytest.raises(ValueError, match="nothing is called 'a'"):
        SUITE.prepare(full, NEWEST, "wire")
    for thread in threading.enumerate():
        if thread.daemon and thread.name.startswith("Thread-"):
            thread.join(timeout=5)
    assert threading.active_count() <= before


SCOPE: Json = {"step": "start", "as": "T", "name": "T"}
ACTING: Json = {"op": "step", "step": {"step": "start", "as": "T", "name": "T"}}


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([call("a"), cancelling("a")], "'a' is in the background no call"),
        ([cancelling("a"), flying("a", wait())], "no call that was made before"),
        ([cancelling("s")], "no call step is called so"),
        ([flying("a", wait()), cancelling("a"), SCOPE], "flush first"),
        ([flying("a", wait()), cancelling("a"), around()], "flush first"),
        ([SCOPE, flying("a", wait()), cancelling("a"), {"step": "end", "of": "T"}], "flush first"),
        ([around(family="end.sanitize"), flying("a", wait()), cancelling("a")], "would be given the end"),
        (
            [
                around(family="llm.sanitize_response"),
                {**flying("a", wait()), "kind": "llm", "data": {"d": 1}},
                cancelling("a"),
            ],
            "would be given the data of 'a'",
        ),
        ([flying("a", wait()), flying("b", wait("y")), cancelling("a"), FLUSH], "first open y"),
        ([flying("a", wait()), call("b", ACTING), cancelling("a")], "callbacks do no step but `mark`"),
        (
            [flying("a", wait()), {**flying("b", wait()), "name": "a"}, cancelling("a"), cancelling("b")],
            "two calls in flight are called 'a', and one is cancelled",
        ),
    ],
)
def test_a_cancelling_of_which_nobody_knows_what_comes_is_refused(steps: list[Json], why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        SUITE.complete({"steps": [SUB, *steps]})


@pytest.mark.parametrize("seed", range(8))
def test_only_when_a_cancelled_call_is_told_of_is_open(seed: int) -> None:
    log = log_of([around({"op": "next"}), flying("a", wait()), flying("b", wait()), cancelling("a"), FLUSH][:4], seed)
    told = {record["callback"] for record in log if record["fact"] == "cancelled"}
    ends = [record["event"]["name"] for record in log if record.get("event", {}).get("scope_category") == "end"]
    assert told == {"i", "a.provider"}
    assert sorted(ends) == ["a", "b"]
    before = log.index(next(record for record in log if record.get("step") == "#4"))
    assert all(log.index(record) < before for record in log if record["fact"] == "cancelled")


def test_a_call_that_is_over_is_not_cancelled() -> None:
    log = log_of([flying("a", wait()), opened(), cancelling("a")])
    assert [fact for fact in facts(log) if fact.startswith(("done", "cancelled"))][1:] == [
        "done a",
        "done #2",
        "done #3",
    ]


@pytest.mark.parametrize(("edition", "missed"), [("0.4", set()), ("0.5", {"TOL-007"})])
def test_a_subscriber_that_is_taken_back_during_a_tool_call_misses_its_end_in_the_first_edition_alone(
    edition: str, missed: set[str]
) -> None:
    prepared = prepare(
        SUB, flying("c", wait(), kind="tool"), {"step": "deregister", "of": "s"}, edition=edition, dialect="python"
    )
    log = lawful(prepared, 0, "python")
    untold = [one for one in log if one["fact"] != "event" or one["event"]["scope_category"] != "end"]

    assert [one["event"]["scope_category"] for one in untold if one["fact"] == "event"] == ["start"]
    assert set(broken(judged(prepared, untold, edition, "python"))) - {"REF-000"} == missed


WAITING: Json = {"step": "register", "as": "k", "family": "llm.conditional", "name": "k", "do": [wait()]}
LATE: Json = {"step": "register", "as": "late", "family": "subscriber", "name": "late"}


def test_who_comes_while_a_call_waits_before_its_start_is_told_of_it() -> None:
    steps = [SUB, WAITING, flying("a"), LATE, opened()]
    prepared = prepare(*steps)
    assert broken(judged(prepared, lawful(prepared, 1, "wire"), NEWEST, "wire")) == {}


def test_what_waits_lets_other_calls_come_back_though_it_is_awaited() -> None:
    steps = [SUB, {**WAITING, "async": True}, flying("a"), {**call("t"), "kind": "tool"}, opened()]
    prepared = prepare(*steps)
    log = lawful(prepared, 1, "wire")
    assert broken(judged(prepared, log, NEWEST, "wire")) == {}
    entered = next(at for at, record in enumerate(log) if record.get("callback") == "a.provider")
    resumed = next(at for at, record in enumerate(log) if record["fact"] == "resume")
    log.insert(resumed, log.pop(entered))
    assert "MID-017" in broken(judged(prepared, log, NEWEST, "wire"))


def test_a_call_that_is_cancelled_comes_back_before_what_it_awaits_or_behind_that() -> None:
    waiting = {**around(wait(), name="r", family="tool.request"), "async": True}
    prepared = prepare(waiting, {**flying("a"), "kind": "tool"}, {**call("b"), "kind": "llm"}, cancelling("a"))
    firsts = set()
    for seed in range(20):
        log = lawful(prepared, seed, "wire")
        assert broken(judged(prepared, log, NEWEST, "wire")) == {}
        told = [record["fact"] for record in log if record.get("callback") == "r" or record.get("step") == "a"]
        firsts.add(told[told.index("wait") + 1])
    assert firsts == {"cancelled", "done"}


def test_a_guardrail_that_is_cancelled_may_be_told_later_and_its_call_has_neither_start_nor_end() -> None:
    steps = [SUB, WAITING, flying("a"), cancelling("a"), {"step": "mark", "name": "m"}, FLUSH]
    prepared = prepare(*steps)
    log = lawful(prepared, 1, "wire")
    assert broken(judged(prepared, log, NEWEST, "wire")) == {}
    told = {record["event"]["name"]: at for at, record in enumerate(log) if record["fact"] == "event"}
    last = max(told.values())
    log.insert(last, log.pop(told["k"])) if told["k"] < last else log.insert(told["m"], log.pop(told["k"]))
    assert broken(judged(prepared, log, NEWEST, "wire")) == {}
    assert "a" not in told
