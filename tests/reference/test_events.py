from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.events import ERROR, Span, mark, merged
from bindproof_reference.relay.values import Opaque

Json = Any

SPAN = Span("c", "llm", "gpt", "S", "root")
SHARED: Json = {
    "atof_version": "0.1",
    "attributes": [],
    "category": "llm",
    "data_schema": None,
    "kind": "scope",
    "name": "gpt",
    "parent_uuid": {"$id": "S"},
    "propagation_root_uuid": {"$id": "root"},
    "uuid": {"$id": "c"},
}


def test_a_start_carries_what_it_is_given() -> None:
    assert SPAN.start({"x": 1}, {}, None).matcher() == SHARED | {
        "scope_category": "start",
        "category_profile": {},
        "data": {"x": 1},
        "metadata": None,
        "timestamp": {"$time": {"as": "c/start"}},
    }


def test_an_end_is_no_earlier_than_a_microsecond_after_its_start_and_a_second_one_has_its_own_time() -> None:
    end = SPAN.end(None, {}, ERROR).matcher()
    assert end["metadata"] == {"$contains": {"otel.status_code": "ERROR"}}
    assert end["timestamp"] == {"$time": {"as": "c/end", "of": "c/start", "at_least": 1000}}
    assert SPAN.end(None, {}, None, "~1").matcher()["timestamp"]["$time"]["as"] == "c/end~1"


def test_a_mark_is_in_its_parent() -> None:
    fields = {"name": "m", "category": None, "category_profile": None, "data": {"$any": True}}
    event = mark("c/mark/0", {**fields, "data_schema": None, "metadata": None}, "c", "root", {"as": "m"}).matcher()
    assert event["uuid"] == {"$id": "c/mark/0"}
    assert event["parent_uuid"] == {"$id": "c"}
    assert event["data"] == {"$literal": {"$any": True}}


def test_fields_that_are_left_out_are_cleared() -> None:
    event = SPAN.start(1, {"x": 1}, {"y": 1}).rewritten({"data": 2})
    assert event.fields() == {"data": 2, "category_profile": None, "metadata": None}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (None, None, None),
        ({"a": 1}, None, {"a": 1}),
        (None, {"a": 1}, {"a": 1}),
        ({"a": 1, "b": 1}, {"a": 2}, {"a": 2, "b": 1}),
        ([1], {"a": 1}, {"a": 1}),
        ({"a": 1}, 5, 5),
        ({"a": 1}, ERROR, Opaque({"$contains": {"a": 1, "otel.status_code": "ERROR"}})),
        (ERROR, {"a": 1}, Opaque({"$contains": {"a": 1, "otel.status_code": "ERROR"}})),
    ],
)
def test_metadata_is_laid_over_metadata(first: Json, second: Json, expected: Json) -> None:
    assert merged(first, second) == expected
