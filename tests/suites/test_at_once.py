"""Executions with which an intercept goes on several times at once: what may be asked, and how a log is read."""

from __future__ import annotations

import pytest

from bindproof.core.model import Json
from bindproof.suites.relay.observation.reader import transcript
from bindproof.suites.relay.observation.records import decode
from bindproof.suites.relay.scenario.at_once import providers_apart
from bindproof.suites.relay.scenario.complete import ScenarioError, complete
from bindproof.suites.relay.scenario.spelling import Spelling

EDITS: Json = [{"set": {"/content/n": 1}}, {"set": {"/content/n": 2}}]
GOES: Json = {"op": "next", "at_once": True, "edits": EDITS}
CALL: Json = {"step": "call", "as": "c", "name": "gpt"}
TOOL: Json = {"step": "call", "as": "c", "kind": "tool", "name": "t"}


def _around(*ops: Json, family: str = "llm.execution", name: str = "x") -> Json:
    return {"step": "register", "as": name, "family": family, "name": name, "do": list(ops)}


@pytest.mark.parametrize(
    ("steps", "parts"),
    [
        ([_around({**GOES, "edits": [{}]}), CALL], ["step 'x'", "2 to 16 edits"]),
        ([_around({**GOES, "edits": [{}] * 17}), CALL], ["step 'x'", "2 to 16 edits"]),
        ([_around({**GOES, "catch": True}), CALL], ["step 'x'", "no `catch`"]),
        ([_around(GOES, family="llm.stream"), CALL], ["step 'x'", "llm.stream wraps no execution"]),
        ([_around(GOES), _around(name="y"), CALL], ["step 'x'", "its `priority` is above each other llm.execution's"]),
        ([{**_around(GOES), "priority": 1}, _around(GOES, name="y"), CALL], ["step 'y'", "above each other"]),
        (
            [
                _around(GOES),
                _around({"op": "step", "step": _around(name="z")}, family="tool.execution", name="y"),
                CALL,
            ],
            ["step 'x'", "above each other"],
        ),
        ([_around(GOES), {**CALL, "background": True}], ["step 'x'", "beside background"]),
        ([_around(GOES), CALL, {"step": "go_on", "as": "g", "of": "x"}], ["step 'x'", "beside go_on"]),
        ([_around(GOES), {**CALL, "provider": [{"op": "raise", "text": "t!"}]}], ["step 'c'", "nothing but `edit`"]),
        (
            [_around(GOES, family="tool.execution"), {**TOOL, "provider": [{"op": "edit", "set": {"/bogus": 1}}]}],
            ["step 'c'", "its `result` alone"],
        ),
    ],
)
def test_what_cannot_be_is_told_what_and_where(steps: list[Json], parts: list[str]) -> None:
    with pytest.raises(ScenarioError) as caught:
        complete({"steps": steps})
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


def test_others_may_wrap_it() -> None:
    assert complete({"steps": [{**_around(GOES), "priority": 1}, _around(name="y"), CALL]})


def test_of_the_calls_those_of_its_kind_are_gone_on_with() -> None:
    full = complete({"steps": [_around(GOES), CALL, {**TOOL, "as": "t", "provider": [{"op": "raise", "text": "t!"}]}]})
    assert providers_apart(full["steps"]) == {"c.provider"}


def _log(*order: str) -> list[Json]:
    """Return the log of a call; order: what the entries of its provider do, by the number of the entry."""
    given = {"0": {"request": {"n": 2}}, "1": {"request": {"n": 1}}}
    entries = [
        {"fact": "enter", "callback": "c.provider", "k": int(k), "given": given[k]}
        if does.startswith("e")
        else {"fact": "leave", "callback": "c.provider", "k": int(k), "reply": given[k]["request"]}
        for does, k in ((one[0], one[1]) for one in order)
    ]
    x = {"callback": "x", "k": 0}
    return [
        {"fact": "done", "step": "x", "value": None},
        {"fact": "enter", **x, "given": {}},
        {"fact": "next", **x, "given": {"n": 1}},
        {"fact": "next", **x, "given": {"n": 2}},
        *entries,
        {"fact": "answer", **x, "value": {"n": 1}},
        {"fact": "answer", **x, "value": {"n": 2}},
        {"fact": "leave", **x, "reply": {"n": 2}},
        {"fact": "done", "step": "c", "value": {"n": 2}},
        {"fact": "settled"},
    ]


@pytest.mark.parametrize("order", ["e0 l0 e1 l1", "e0 e1 l0 l1", "e0 e1 l1 l0"])
def test_each_entry_is_of_what_went_on_with_what_it_is_given(order: str) -> None:
    full = complete({"steps": [_around(GOES), CALL]})
    seen = transcript(full, decode(_log(*order.split())), Spelling.of({}))
    (run,) = seen.acts[-1].runs
    assert [(asked.argument, asked.value) for asked in run.asked] == [({"n": 1}, {"n": 1}), ({"n": 2}, {"n": 2})]
    assert [[inner.k for inner in asked.inside] for asked in run.asked] == [[1], [0]]
    assert [inner.reply for asked in run.asked for inner in asked.inside] == [{"n": 1}, {"n": 2}]
    assert run.left is not None
    assert run.reply == {"n": 2}
