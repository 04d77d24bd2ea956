from __future__ import annotations

from typing import Any

from bindproof_reference.relay.editions import rules
from bindproof_reference.relay.lifecycle import Call, end_with_answer, end_with_error, marks, start

Json = Any

REQUEST: Json = {"headers": {"h": 1}, "content": {"messages": []}}
ROOT: Json = {"$id": "root"}
NOW = rules("0.10")
SHARED: Json = {
    "atof_version": "0.1",
    "attributes": [],
    "category": "llm",
    "data_schema": None,
    "kind": "scope",
    "name": "gpt",
    "parent_uuid": ROOT,
    "propagation_root_uuid": ROOT,
    "uuid": {"$id": "c"},
}
LATER: Json = {"$time": {"as": "c/end", "of": "c/start", "at_least": 1000}}
PLAIN = Call("c", "gpt", None, REQUEST, None, NOW)
FULL = Call("c", "gpt", "m", REQUEST, {"messages": []}, NOW)


def test_a_start_carries_the_resolved_request() -> None:
    assert start(PLAIN) == SHARED | {
        "scope_category": "start",
        "category_profile": {},
        "data": REQUEST,
        "metadata": None,
        "timestamp": {"$time": {"as": "c/start"}},
    }


def test_model_and_annotation_are_in_the_profile_of_the_start_and_the_model_in_that_of_the_end() -> None:
    assert start(FULL)["category_profile"] == {"model_name": "m", "annotated_request": {"messages": []}}
    assert end_with_answer(FULL, 1)["category_profile"] == {"model_name": "m"}


def test_an_end_carries_the_answer() -> None:
    assert end_with_answer(PLAIN, {"ok": True}) == SHARED | {
        "scope_category": "end",
        "category_profile": {},
        "data": {"ok": True},
        "metadata": {"otel.status_code": "OK"},
        "timestamp": LATER,
    }


def test_an_end_after_a_failure_has_no_data() -> None:
    end = end_with_error(PLAIN)
    assert end["data"] is None
    assert end["metadata"] == {"$contains": {"otel.status_code": "ERROR"}}
    assert end["timestamp"] == LATER


def test_each_mark_is_a_child_of_the_call_and_a_microsecond_after_its_start() -> None:
    first, second = marks(PLAIN, [{"name": "a", "data": {"$any": True}}, {"name": "b"}])
    assert first == {
        "atof_version": "0.1",
        "kind": "mark",
        "name": "a",
        "category": None,
        "category_profile": None,
        "data": {"$literal": {"$any": True}},
        "data_schema": None,
        "metadata": None,
        "uuid": {"$id": "c/mark/0"},
        "parent_uuid": {"$id": "c"},
        "propagation_root_uuid": ROOT,
        "timestamp": {"$time": {"of": "c/start", "equal": 1000}},
    }
    assert second["uuid"] == {"$id": "c/mark/1"}


def test_without_marks_there_are_none() -> None:
    assert marks(PLAIN, ()) == []


def test_values_that_read_as_matchers_are_wrapped() -> None:
    assert end_with_answer(PLAIN, {"$none": 1})["data"] == {"$literal": {"$none": 1}}
    odd = Call("c", "gpt", None, {"headers": {}, "content": {"$id": "x"}}, None, NOW)
    assert start(odd)["data"] == {"$literal": odd.request}


def test_before_0_9_no_event_names_its_root() -> None:
    old = Call("c", "gpt", None, REQUEST, None, rules("0.8"))
    for event in (start(old), *marks(old, [{"name": "a"}]), end_with_answer(old, 1), end_with_error(old)):
        assert "propagation_root_uuid" not in event
    assert start(old)["parent_uuid"] == ROOT
