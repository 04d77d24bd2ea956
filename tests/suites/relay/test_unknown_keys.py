"""What follows where a tool's reply with an unknown key is taken, or refused by a constructor (TOL-018, MRK-008)."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suite_api import Lenient, Prepared
from bindproof_reference.relay.resolve import resolve
from tests.relay import NEWEST, broken, call, judged, lawful, plain, prepare, through_json

Json = Any

BOGUS: Json = {"op": "edit", "set": {"/bogus": 1}}
OWNED: Json = {"op": "edit", "append": {"/pending_marks": [{"name": "m", "uuid": "u"}]}}
SANITIZER: Json = {"step": "register", "as": "z", "family": "tool.sanitize_response", "name": "z"}
HEARD: Json = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}


TAKEN: Json = call("c", kind="tool", provider=[BOGUS])


def around(*ops: Json) -> Json:
    """An execution intercept, which does these ops."""
    return {"step": "register", "as": "x", "family": "tool.execution", "name": "x", "do": list(ops)}


def lenient(prepared: Prepared, taken: str, dialect: str) -> list[Json]:
    """The log of a binding that takes what a callback of step `c` replies."""
    assert isinstance(prepared, Lenient)
    prediction = prepared.accepting(frozenset({f"c/{taken}"}))
    log: list[Json] = through_json(resolve(through_json(prediction), 1, plain(dialect)))
    return log


@pytest.mark.parametrize(
    ("steps", "taken", "requirement"),
    [
        ([HEARD, SANITIZER, TAKEN, call("d", kind="tool")], "c.provider", "TOL-018"),
        ([HEARD, SANITIZER, around(BOGUS), call("c", kind="tool")], "x", "TOL-018"),
        ([HEARD, SANITIZER, around(), TAKEN, call("d", kind="tool")], "c.provider", "TOL-018"),
        ([HEARD, SANITIZER, around(OWNED), call("c", kind="tool"), call("d", kind="llm")], "x", "MRK-008"),
    ],
)
def test_all_that_follows_is_explained_and_nothing_else(steps: list[Json], taken: str, requirement: str) -> None:
    prepared = prepare(*steps, dialect="node")
    log = lenient(prepared, taken, "node")
    assert list(broken(judged(prepared, log, NEWEST, "node"))) == [requirement]
    told = next(record for record in log if record["fact"] == "enter" and record["callback"] == "z.sanitize")
    told["given"]["result"] = "of another call"
    assert broken(judged(prepared, log, NEWEST, "node")).keys() - {requirement}


def test_two_entries_whose_reply_is_refused_may_overlap() -> None:
    """The step of a callback that is in two calls at once is that of the entry which replies, refused or not."""
    gone: Json = {"op": "step", "step": {"step": "deregister", "as": "g", "of": "z"}}
    prepared = prepare(
        SANITIZER,
        around({"op": "next"}, BOGUS, gone),
        call("c", kind="tool", provider=[{"op": "wait", "latch": "l"}], background=True),
        call("d", kind="tool"),
        {"step": "open", "latch": "l"},
        dialect="python",
    )
    log = [
        {**record, "fact": "refused", "error": {"type": "TypeError", "message": "got a key `bogus`"}}
        if record["fact"] == "leave" and record["callback"] == "x"
        else record
        for record in lawful(prepared, 1, "python")
    ]
    assert [record["k"] for record in log if record["fact"] == "refused"] == [1, 0]
    prepared.observe(log)


def test_a_refusal_of_a_callback_is_not_that_of_a_step_which_builds() -> None:
    prepared = prepare(
        call("c", kind="tool", provider=[BOGUS]),
        {"step": "build", "as": "b", "object": "tool_result", "value": {"result": 1, "bogus": 1}},
        dialect="python",
    )
    message = "ToolExecutionResult.__new__() got an unexpected keyword argument 'bogus'"
    error = {"type": "TypeError", "message": message}
    log = lawful(prepared, 1, "python")
    for record in log:
        if record["fact"] in ("leave", "refused"):
            record |= {"fact": "refused", "error": error}
        if "error" in record and record["fact"] == "done":
            record["error"] = {**error, "code": None, "same_as": None}
    assert broken(judged(prepared, log, NEWEST, "python")) == {}
