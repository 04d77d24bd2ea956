"""A rule about an LLM call is judged by name, whatever else the call has or stands beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.relay import NEWEST, SUB, broken, call, intercept, judged, lawful, marks, prepare, through_json

Json = Any
Log = list[Json]

ELSEWHERE = "0fa117ed-0000-7000-8000-000000000000"
LATER = "2026-01-02T00:00:00.000000000+00:00"

BESIDE: dict[str, list[Json]] = {
    "nothing": [call()],
    "metadata": [call(metadata={"k": 1})],
    "a tool call": [{"step": "call", "as": "t", "kind": "tool", "name": "t"}, call()],
    "a scope": [{"step": "start", "as": "around", "name": "around"}, call(), {"step": "end", "of": "around"}],
}


def told(log: Log, phase: str, name: str) -> Json:
    """The record by which the subscriber is told of a start or end of this name, or of a mark."""
    return next(
        record
        for record in log
        if record["fact"] == "event"
        and record["event"]["name"] == name
        and (record["event"].get("scope_category") or record["event"]["kind"]) == phase
    )


def move(log: Log, record: Json, place: Json, *, behind: bool) -> None:
    """Put a record before another one, or behind it."""
    log.remove(record)
    log.insert(log.index(place) + behind, record)


def lose_a_mark(log: Log) -> None:
    log.remove(told(log, "mark", "m1"))


def tell_a_mark_twice(log: Log) -> None:
    again = through_json(told(log, "mark", "m1"))
    again["event"]["uuid"] = ELSEWHERE
    log.insert(log.index(told(log, "mark", "m1")), again)


def swap_marks(log: Log) -> None:
    first, second = told(log, "mark", "m1"), told(log, "mark", "m2")
    first["event"], second["event"] = second["event"], first["event"]


def tell_a_mark_behind_the_end(log: Log) -> None:
    move(log, told(log, "mark", "m2"), told(log, "end", "gpt"), behind=True)


def tell_a_mark_before_the_start(log: Log) -> None:
    move(log, told(log, "mark", "m1"), told(log, "start", "gpt"), behind=False)


def date_a_mark_later(log: Log) -> None:
    told(log, "mark", "m1")["event"]["timestamp"] = LATER


def give_a_mark_another_parent(log: Log) -> None:
    told(log, "mark", "m1")["event"]["parent_uuid"] = ELSEWHERE


def start_with_other_data(log: Log) -> None:
    told(log, "start", "gpt")["event"]["data"] = {"headers": {}, "content": {"messages": [], "other": 1}}


def lose_the_start(log: Log) -> None:
    log.remove(told(log, "start", "gpt"))


def lose_the_end(log: Log) -> None:
    log.remove(told(log, "end", "gpt"))


def give_the_provider_another_body(log: Log) -> None:
    entry = next(record for record in log if record["fact"] == "enter" and record["callback"] == "c.provider")
    entry["given"]["request"]["content"] = {"messages": [], "other": 1}


def answer_with_another_value(log: Log) -> None:
    next(record for record in log if record["fact"] == "done" and record["step"] == "c")["value"] = {"other": 1}


CHANGES: list[tuple[Callable[[Log], None], str]] = [
    (lose_a_mark, "MRK-001"),
    (tell_a_mark_twice, "MRK-001"),
    (swap_marks, "MRK-002"),
    (tell_a_mark_behind_the_end, "LIF-002"),
    (tell_a_mark_before_the_start, "LIF-002"),
    (date_a_mark_later, "MRK-003"),
    (give_a_mark_another_parent, "MRK-004"),
    (start_with_other_data, "LIF-004"),
    (lose_the_start, "LIF-001"),
    (lose_the_end, "LIF-001"),
    (give_the_provider_another_body, "AUT-001"),
    (answer_with_another_value, "LIF-006"),
]


def named(beside: str, change: Callable[[Log], None]) -> set[str]:
    """The rules that a changed log breaks. The intercept states two marks, so there are all kinds of events."""
    prepared = prepare(SUB, intercept(marks("m1", "m2")), *BESIDE[beside])
    log = lawful(prepared, 0, "wire")
    assert broken(judged(prepared, log, NEWEST, "wire")) == {}
    change(log)
    return set(broken(judged(prepared, log, NEWEST, "wire")))


@pytest.mark.long
@pytest.mark.parametrize(("change", "rule"), CHANGES)
def test_changed_log_of_a_call_alone_breaks_its_rule(change: Callable[[Log], None], rule: str) -> None:
    assert rule in named("nothing", change)


@pytest.mark.long
@pytest.mark.parametrize("beside", ["metadata", "a tool call", "a scope"])
@pytest.mark.parametrize(("change", "rule"), CHANGES)
def test_changed_log_of_a_call_beside_other_things_breaks_its_rule(
    change: Callable[[Log], None], rule: str, beside: str
) -> None:
    assert rule in named(beside, change)
