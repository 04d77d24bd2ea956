"""Standalone helpers, and values of finished steps, as the reference predicts them."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.callbacks import ScenarioError
from tests.relay import prepare

Json = Any

SCOPE: Json = {"step": "start", "as": "A", "name": "A", "type": "agent"}


def value(*steps: Json, edition: str) -> Json:
    """What the last step comes back with."""
    return prepare(*steps, edition=edition).prediction["lanes"]["program"][-2]["value"]


def asked(**headers: str) -> Json:
    return {"step": "helper", "as": "h", "name": "gpt", "request": {"headers": headers}}


def test_inside_a_scope_a_helpers_request_names_it() -> None:
    headers = value(SCOPE, asked(TraceParent="x", tracestate="y", k="1"), edition="0.10")["request"]["headers"]
    assert headers == {"k": "1", "x-dynamo-session-id": "A", "traceparent": {"$trace": {"trace": "A", "span": "A"}}}


def test_before_0_8_it_does_not() -> None:
    headers = value(SCOPE, asked(tracestate="y"), edition="0.7")["request"]["headers"]
    assert headers == {"tracestate": "y", "x-dynamo-session-id": "A"}


def test_outside_any_scope_nothing_is_added() -> None:
    assert value(asked(tracestate="y"), edition="0.10")["request"]["headers"] == {"tracestate": "y"}


def test_a_step_takes_what_another_came_to() -> None:
    first: Json = {"step": "helper", "as": "a", "kind": "tool.request", "name": "t", "args": {"k": [1]}}
    assert value(first, {**first, "as": "b", "args": {"$get": "a/k"}}, edition="0.10") == [1]


def test_a_step_cannot_take_what_is_not_there() -> None:
    with pytest.raises(ScenarioError, match=r"step a: .*nothing is called 'z'"):
        prepare({"step": "helper", "as": "a", "kind": "tool.request", "name": "t", "args": {"$get": "z/k"}})
