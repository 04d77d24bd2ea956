"""What injectors may add, and what failing sanitizers leave, by edition."""

from __future__ import annotations

from typing import Any

import pytest

from tests.relay import SUB, prepare

Json = Any


def registered(family: str, *ops: Json, name: str = "z") -> Json:
    return {"step": "register", "as": name, "family": family, "name": name, "do": list(ops)}


def told(*steps: Json, edition: str = "0.10") -> Json:
    """The first event that the subscriber is told."""
    return prepare(SUB, *steps, edition=edition).prediction["lanes"]["s"][0]["event"]


MARK: Json = {"step": "mark", "as": "m", "name": "m", "data": 1, "metadata": {"k": 1}}


@pytest.mark.parametrize(
    ("reply", "added"),
    [
        ({"a": "x"}, True),
        ({"a.b-c_9": [1, 1.5]}, True),
        ({"a": []}, True),
        ({"a": [1, True]}, False),
        ({"a": None}, False),
        ({"a..b": 1}, False),
        ({"ж": 1}, False),
        ({"": 1}, False),
        ([], False),
    ],
)
def test_only_flat_metadata_are_added(reply: Json, added: bool) -> None:
    event = told(registered("event.metadata", {"op": "edit", "set": {"": reply}}), MARK)
    assert event["metadata"] == ({**reply, "k": 1} if added else {"k": 1})


@pytest.mark.parametrize(("edition", "data"), [("0.6", 2), ("0.7", None)])
def test_after_a_sanitizer_that_fails_none_runs_from_0_7_on(edition: str, data: Json) -> None:
    failing = registered("mark.sanitize", {"op": "raise", "text": "boom-1!"})
    second = registered("mark.sanitize", {"op": "edit", "set": {"/data": 2}}, name="z2")
    event = told(failing, second, MARK, edition=edition)
    assert (event["data"], event["metadata"]) == (data, None)


@pytest.mark.parametrize(("edition", "data"), [("0.6", {"q": 1}), ("0.7", None)])
def test_a_call_sanitizer_that_raises_leaves_nothing_from_0_7_on(edition: str, data: Json) -> None:
    failing = registered("tool.sanitize_request", {"op": "raise", "text": "boom-1!"})
    call = {"step": "call", "as": "t", "kind": "tool", "name": "t", "args": {"q": 1}}
    assert told(failing, call, edition=edition)["data"] == data


@pytest.mark.parametrize(("edition", "runs"), [("0.6", True), ("0.7", False)])
def test_nothing_is_rewritten_that_nobody_is_told_from_0_7_on(edition: str, runs: bool) -> None:
    lanes = prepare(registered("mark.sanitize"), MARK, edition=edition).prediction["lanes"]
    assert bool(lanes.get("publication")) is runs


def test_a_request_that_a_sanitizer_changed_is_decoded_again() -> None:
    sanitizer = registered("llm.sanitize_request", {"op": "edit", "set": {"/content": {"messages": []}}})
    request = {"content": {"messages": [{"role": "user", "content": "secret"}]}}
    event = told(sanitizer, {"step": "call", "as": "c", "name": "gpt", "codec": {}, "request": request})
    assert event["category_profile"]["annotated_request"] == {"messages": []}


def test_a_severity_needs_metadata_that_are_an_object() -> None:
    lanes = prepare({**MARK, "metadata": [1], "severity": "info"}).prediction["lanes"]
    assert lanes["program"][0]["error"]["kind"] == "invalid_argument"
