"""What campaigns of mixed programs found wrong in the reference; real packages do each as it is here."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.callbacks import ScenarioError
from tests.relay import SUB, prepare

Json = Any

AGENT: Json = {"step": "start", "as": "agent", "name": "a", "type": "agent"}
OUTER: Json = {"step": "start", "as": "outer", "name": "o"}
TOOL: Json = {"step": "start", "as": "t", "name": "t", "kind": "tool"}


def roots(*steps: Json) -> list[tuple[str, str]]:
    """The name of each event that the subscriber is told, with its root."""
    told = [record["event"] for record in prepare(SUB, *steps).prediction["lanes"]["s"]]
    return [(event["name"], event["propagation_root_uuid"]["$id"]) for event in told]


def program(*steps: Json) -> list[Json]:
    lane: list[Json] = prepare(*steps).prediction["lanes"]["program"]
    return lane


def test_a_step_that_is_done_a_second_time_finds_its_name_taken() -> None:
    late = {"op": "step", "step": {"step": "register", "as": "late", "family": "subscriber", "name": "late"}}
    twice = {"step": "register", "as": "i", "family": "tool.request", "name": "i", "do": [late]}
    calls = [{"step": "call", "kind": "tool", "name": "t"}] * 2
    done = [record for record in program(twice, *calls) if record.get("step") == "late"]
    assert ["error" in record for record in done] == [False, True]


def test_an_end_is_of_the_root_of_its_moment() -> None:
    assert roots(TOOL, AGENT, {"step": "end", "of": "t"}) == [("t", "root"), ("a", "agent"), ("t", "agent")]


def test_what_names_its_parent_is_of_the_innermost_scopes_root() -> None:
    mark = {"step": "mark", "name": "m", "parent": "outer"}
    assert roots(OUTER, AGENT, mark) == [("o", "root"), ("a", "agent"), ("m", "agent")]


def test_an_encode_is_given_the_headers_that_name_the_agents() -> None:
    (given,) = [
        record["given"]["original"]["headers"]
        for record in program(AGENT, {"step": "call", "as": "c", "name": "gpt", "codec": {}})
        if record.get("callback") == "c.encode" and record["fact"] == "enter"
    ]
    assert given == {"x-dynamo-session-id": "a"}


def test_a_parent_that_is_not_started_yet_is_the_scenarios_mistake() -> None:
    with pytest.raises(ScenarioError, match="has started no scope"):
        prepare({"step": "call", "name": "gpt", "parent": "outer"}, OUTER)
