from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bindproof_reference.relay.callbacks import Raised, Replied, ScenarioError, fill, run
from bindproof_reference.relay.values import PointerError

Json = Any

NATURAL: Json = {"request": {"headers": {}, "content": 1}, "pending_marks": []}
NAMES: Json = {"given": {"request": {"x/y": [7]}}, "h": None}


def act_out(*ops: Json) -> Replied | Raised:
    return run("i", ops, NATURAL, NAMES, lambda step: None)


@pytest.mark.parametrize(
    ("op", "reply"),
    [
        ({}, NATURAL),
        ({"set": {"": None}}, None),
        ({"set": {"": "text"}}, "text"),
        ({"set": {"/request": 1}}, {"request": 1, "pending_marks": []}),
        ({"set": {"/request/headers/a~1b": 2}}, {**NATURAL, "request": {"headers": {"a/b": 2}, "content": 1}}),
        ({"remove": ["/pending_marks"]}, {"request": NATURAL["request"]}),
        ({"append": {"/pending_marks": [1, 2]}}, {**NATURAL, "pending_marks": [1, 2]}),
        ({"append": {"/pending_marks": []}}, NATURAL),
        (
            {"set": {"/pending_marks": [1, 2, 3]}, "remove": ["/pending_marks/0"], "append": {"/pending_marks": [4]}},
            {**NATURAL, "pending_marks": [2, 3, 4]},
        ),
        ({"set": {"": [1], "/0": 2}}, [2]),
        ({"set": {"/request": {"$get": "given/request/x~1y/0"}}}, {"request": 7, "pending_marks": []}),
        ({"append": {"/pending_marks": [{"a": {"$get": "h"}}]}}, {**NATURAL, "pending_marks": [{"a": None}]}),
        ({"set": {"": {"$get": "given"}}}, NAMES["given"]),
    ],
)
def test_an_edit_changes_the_natural_reply(op: Json, reply: Json) -> None:
    before = deepcopy((NATURAL, NAMES, op))
    assert act_out({"op": "edit", **op}) == Replied(reply)
    assert (NATURAL, NAMES, op) == before


def test_ops_are_done_in_their_order_and_nothing_after_a_raise() -> None:
    first = {"op": "edit", "set": {"/request": 1}}
    assert act_out(first, {"op": "edit", "set": {"/request": 2}}) == Replied({"request": 2, "pending_marks": []})
    assert act_out(first, {"op": "raise", "text": "boom-1!"}, {"op": "edit", "remove": ["/no"]}) == Raised("boom-1!")


def test_a_step_inside_is_acted_out() -> None:
    acted: list[Json] = []
    run("i", [{"op": "step", "step": {"as": "j"}}], None, {}, acted.append)
    assert acted == [{"as": "j"}]


@pytest.mark.parametrize(
    ("op", "what"),
    [
        ({"op": "edit", "set": {"/no/where": 1}}, "'/no/where' does not exist"),
        ({"op": "edit", "set": {"/pending_marks/0": 1}}, "'/pending_marks/0' does not exist"),
        ({"op": "edit", "set": {"/request/content/x": 1}}, "'/request/content/x' has no parent to edit"),
        ({"op": "edit", "set": {"request": 1}}, "'request' is no JSON pointer"),
        ({"op": "edit", "remove": ["/nothing"]}, "'/nothing' does not exist"),
        ({"op": "edit", "append": {"/request": [1]}}, "'/request' is no list to append to"),
        ({"op": "edit", "append": {"/nothing": [1]}}, "'/nothing' does not exist"),
        ({"op": "edit", "set": {"/request": {"$get": "given/nothing"}}}, "'/nothing' does not exist"),
        ({"op": "edit", "set": {"/request": {"$get": "later/x"}}}, "nothing is called 'later' here"),
        ({"op": "wait"}, "'wait' is not an op"),
    ],
)
def test_an_op_that_cannot_be_done_is_named(op: Json, what: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        act_out({"op": "edit"}, op)
    assert str(caught.value).startswith("callback i, op 1: ")
    assert what in str(caught.value)


def test_what_get_passes_on_is_a_copy() -> None:
    names: Json = {"given": {"a": []}}
    filled = fill([{"$get": "given/a"}], names)
    filled[0].append(1)
    assert names == {"given": {"a": []}}
    with pytest.raises(PointerError, match="nothing is called 'x'"):
        fill({"$get": "x"}, names)
