"""A binding that goes on behind what failed is named by the rule that says it must not."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.relay import NEWEST, SUB, broken, judged, lawful, prepare

Json = Any

DIALECT = "python"
KINDS = ("tool", "llm", "llm_stream")
WRAPS = {"tool": "tool.execution", "llm": "llm.execution", "llm_stream": "llm.stream"}
RAISE: Json = {"op": "raise", "text": "boom-1!"}
NOT_ON: Json = {"op": "next", "edits": []}
SCOPE: Json = {"step": "start", "as": "S", "name": "S"}
OVER: Json = {"step": "end", "as": "e", "of": "S"}


def registered(family: str, name: str, *do: Json, **more: Json) -> Json:
    return {"step": "register", "as": name, "family": family, "name": name, "do": list(do), **more}


def a_call(kind: str, **more: Json) -> Json:
    return {"step": "call", "as": "c", "kind": kind, "name": "t", **more}


def family(kind: str, what: str) -> str:
    return f"{kind.removesuffix('_stream')}.{what}"


def swallowed(steps: list[Json], name: str) -> dict[str, str]:
    """What a binding breaks that takes a callback for one that answered as it does by itself, where that raises."""
    prepared = prepare(*steps, dialect=DIALECT)
    assert broken(judged(prepared, lawful(prepared, 0, DIALECT), NEWEST, DIALECT)) == {}
    other = copy.deepcopy(steps)
    for step in [step for step in other if step.get("as") == name]:
        step["do"] = [op for op in step["do"] if op["op"] != "raise"]
    log = lawful(prepare(*other, dialect=DIALECT), 0, DIALECT)
    ended = [record for record in log if record.get("callback") == name][-1]
    del ended["how" if ended["fact"] == "over" else "reply"]
    ended["raised"] = RAISE["text"]
    return broken(judged(prepared, log, NEWEST, DIALECT))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("before", "more", "behind", "over"),
    [
        ([SUB], {}, [], []),
        ([], {}, [], []),
        ([SUB], {"async": True}, [], []),
        ([SUB], {"break_chain": True}, [], []),
        ([SUB, SCOPE], {"scope": "S"}, [], [OVER]),
        ([SUB], {}, ["request"], []),
        ([SUB], {}, ["wraps"], []),
    ],
)
def test_a_request_intercept_that_raises_fails_the_call(
    kind: str, before: list[Json], more: Json, behind: list[str], over: list[Json]
) -> None:
    families = {"request": family(kind, "request"), "wraps": WRAPS[kind]}
    others = [registered(families[what], "other", priority=1) for what in behind]
    steps = [*before, registered(families["request"], "r", RAISE, **more), *others, a_call(kind), *over]
    assert [*swallowed(steps, "r")] == ["MID-008" if kind == "tool" else "OUT-007"]


@pytest.mark.parametrize("kind", ["tool", "llm"])
def test_so_it_is_of_a_call_in_the_background(kind: str) -> None:
    steps = [registered(family(kind, "request"), "r", RAISE), a_call(kind, background=True)]
    assert [*swallowed(steps, "r")] == ["MID-008" if kind == "tool" else "OUT-007"]


@pytest.mark.parametrize(
    ("kind", "rule"), [("tool", "TOL-012"), ("llm", "MID-019"), ("llm_stream", "STR-015")], ids=KINDS
)
@pytest.mark.parametrize("before", [[SUB], []], ids=["told", "untold"])
def test_what_raises_behind_next_fails_what_goes_on(kind: str, rule: str, before: list[Json]) -> None:
    inner = registered(WRAPS[kind], "i", NOT_ON, RAISE, priority=1)
    assert [*swallowed([*before, registered(WRAPS[kind], "o"), inner, a_call(kind)], "i")] == [rule]


def test_so_it_is_while_a_stream_is_read() -> None:
    ops = {"op": "next", "edits": [{}]}, {"op": "yield", "chunks": [{"n": 1}]}, RAISE
    inner = registered("llm.stream", "i", *ops, priority=1)
    steps = [SUB, registered("llm.stream", "o"), inner, a_call("llm_stream")]
    assert [*swallowed(steps, "i")] == ["STR-015"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["request", "conditional"])
def test_nothing_is_told_of_a_call_that_failed_so(kind: str, what: str) -> None:
    steps = [SUB, registered(family(kind, what), "r", RAISE), a_call(kind)]
    prepared = prepare(*steps, dialect=DIALECT)
    log = lawful(prepared, 0, DIALECT)
    told = [one for one in lawful(prepare(SUB, a_call(kind), dialect=DIALECT), 0, DIALECT) if one["fact"] == "event"]
    at = next(at for at, one in enumerate(log) if one["fact"] == "done" and one["step"] == "c")
    rule = "OUT-007" if (what, kind) in (("request", "llm"), ("request", "llm_stream")) else "MID-008"
    ours = [one for one in told if one["event"]["kind"] == "scope"]
    assert [*broken(judged(prepared, [*log[:at], *ours, *log[at:]], NEWEST, DIALECT))] == [rule, "EVT-051"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_guardrail_of_its_name_tells_nothing_of_a_call(kind: str) -> None:
    guard = registered(family(kind, "conditional"), "g") | {"name": "t"}
    steps = [SUB, guard, registered(family(kind, "request"), "r", RAISE), a_call(kind)]
    prepared = prepare(*steps, dialect=DIALECT)
    assert broken(judged(prepared, lawful(prepared, 0, DIALECT), NEWEST, DIALECT)) == {}
