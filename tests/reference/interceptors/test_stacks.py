"""The reference's stacks, registries and steps, by what is seen of them."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.interceptors import predict
from bindproof_reference.interceptors.editions import UnknownEditionError
from bindproof_reference.interceptors.schemas import UnknownWordError, satisfies
from tests.interceptors import FLAGGED, call, full, prepare, record, retry, run, stack

Json = Any


def starts(log: list[Json], callback: str) -> list[int]:
    return [one["at"] for one in log if one["fact"] == "enter" and one["callback"] == callback]


def test_a_retry_waits_between_attempts() -> None:
    log = run(stack(retry(4, 10, 25, 2)), call({"after": 1, "gives": FLAGGED}))
    assert starts(log, "c.operation") == [0, 11, 32, 58]
    assert log[-2] == {"fact": "done", "step": "c", "value": FLAGGED, "at": 59}


def test_nested_retries_multiply() -> None:
    log = run(stack(retry(2, 10, 100, 1), retry(3, 1, 100, 2)), call({"gives": FLAGGED}))
    assert starts(log, "c.operation") == [0, 1, 3, 13, 14, 16]


def test_a_timeout_around_a_retry_bounds_it_and_one_inside_bounds_each_attempt() -> None:
    limit = {"layer": "timeout", "duration": 600}
    outside = run(stack(limit, retry(3, 500, 9000, 2)), call({"after": 50, "gives": FLAGGED}))
    assert outside[-2]["value"] == {"error": {"kind": "timeout", "elapsed_ms": 600}}
    assert outside[-2]["at"] == 600
    inside = run(stack(retry(3, 500, 9000, 2), limit), call({"after": 601}))
    assert starts(inside, "c.operation") == [0, 1100, 2700]
    assert inside[-2]["at"] == 3300


def test_what_is_dropped_is_told_from_the_inside_out() -> None:
    log = run(stack({"layer": "timeout", "duration": 5}, record("a"), record("b")), call({"after": 6}))
    assert [one["callback"] for one in log if one["fact"] == "dropped"] == ["c.operation", "b", "a"]


def test_a_retry_without_an_attempt_is_refused_here_or_there() -> None:
    lane = prepare(stack(retry(0, 1, 1, 1)), call()).prediction["lanes"]["program"]
    assert [option.get("error", {}).get("kind") for option in lane[0]["$one_of"]] == [None, "invalid_configuration"]
    assert lane[1]["error"]["kind"] == "invalid_configuration"


def test_parallel_calls_have_lanes_that_begin_together() -> None:
    tools = [{"name": "t", "does": [{"after": 5}]}]
    registry = {"step": "registry", "as": "g", "layers": [record("r")], "tools": tools}
    prediction = prepare(registry, {"step": "all", "as": "c", "inputs": [{}, {}], "parallel": True}).prediction
    assert [prediction["lanes"][f"c/{n}"][0]["at"] for n in (0, 1)] == [
        {"$time": {"as": f"c/{n}/0", "of": "program/0", "equal": 0}} for n in (0, 1)
    ]
    assert prediction["lanes"]["program"][-2]["at"] == {"$time": {"as": "program/1", "of": "program/0", "equal": 5}}
    assert prediction["belongs"]["c/1"] == [["c", "c/r"], ["c", "c/g.t"], ["c", "c/g.t"], ["c", "c/r"]]
    first, last = ["program", 0], ["program", 1]
    assert prediction["after"] == [
        ["c/0", 0, *first],
        [*last, "c/0", 3],
        ["c/1", 0, *first],
        [*last, "c/1", 3],
    ]


def test_arguments_that_a_layer_made_invalid_reach_no_handler() -> None:
    tool = {"name": "t", "schema": {"type": "object"}}
    approval = {"layer": "approval", "as": "a", "decisions": [{"modify": 1}]}
    log = run({"step": "registry", "as": "g", "layers": [approval], "tools": [tool]}, call())
    assert starts(log, "g.t") == []
    assert log[-2]["value"]["is_error"] is True


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({}, None, True),
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, True, False),
        ({"type": "number"}, 1.5, True),
        ({"required": ["n"]}, {}, False),
        ({"required": ["n"]}, [], True),
        ({"properties": {"n": {"type": "string"}}}, {"n": 1}, False),
        ({"properties": {}, "additionalProperties": False}, {"n": 1}, False),
    ],
)
def test_schemas(schema: Json, value: Json, valid: bool) -> None:
    assert satisfies(schema, value) is valid


def test_unknown_words_types_and_editions_are_refused() -> None:
    for schema in ({"minimum": 1}, {"type": "tuple"}):
        with pytest.raises(UnknownWordError):
            satisfies(schema, 1)
    with pytest.raises(UnknownEditionError, match=r"known: 0\.7"):
        predict(full(stack()), "0.6", {})
