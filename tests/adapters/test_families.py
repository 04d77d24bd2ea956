"""What the SDK says of families: what their callbacks are given, and where a registration stands."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof_adapter import described
from bindproof_adapter.relay import KINDS, asked, family_of, order_of
from bindproof_adapter.relay.families import GIVEN

Json = Any

AROUND = {"llm.execution", "llm.stream", "tool.execution"}
REQUEST: Json = {"headers": {"h": 1}, "content": {"messages": [1], "model": "m", "x": 2}}


@pytest.mark.parametrize(
    ("family", "values", "natural"),
    [
        ("llm.request", ["n", 1, 2], {"request": 1, "annotated_request": 2, "pending_marks": []}),
        ("llm.sanitize_request", [1, {"kind": "none"}], 1),
        ("llm.sanitize_response", [1, {"kind": "none"}], 1),
        ("llm.sanitize_response", [1], 1),
        ("tool.conditional", ["n", 1], None),
        ("tool.sanitize_response", ["n", 1], 1),
        ("mark.sanitize", [1, {"data": 2}], {"data": 2}),
        ("event.metadata", [1], {}),
        ("llm.provider", [REQUEST], {"ok": True}),
        ("tool.provider", [1], {"result": {"ok": True}, "annotation": None}),
        ("decode", [REQUEST], {"messages": [1], "model": "m"}),
        ("decode", [{"headers": {}, "content": 5}], {"messages": []}),
        ("encode", [{"x": 3}, REQUEST], {**REQUEST, "content": {"messages": [1], "model": "m", "x": 3}}),
    ],
)
def test_each_is_given_its_own_and_replies_naturally(family: str, values: list[Json], natural: Json) -> None:
    given, reply = asked(family, *values)
    assert list(given.values()) == values
    assert reply == natural


def test_what_is_given_is_the_very_object() -> None:
    given, _ = asked("llm.conditional", REQUEST)
    assert given["request"] is REQUEST


def test_every_family_has_a_kind_and_what_it_is_given() -> None:
    assert GIVEN.keys() | AROUND >= KINDS.keys() - {"subscriber"}
    assert [family_of(kind) for kind in KINDS.values()] == list(KINDS)
    assert family_of("new_kind") == "new_kind"


@pytest.mark.parametrize(
    ("family", "order"), [("subscriber", []), ("tool.request", [3, True]), ("tool.execution", [3])]
)
def test_where_a_registration_stands(family: str, order: Json) -> None:
    assert order_of({"family": family, "priority": 3, "break_chain": True}) == order


def test_what_a_binding_says_of_itself() -> None:
    said = described("sums", "lib", "1.2", "c", "raw", through="cffi in ")
    assert said["target"]["runtime"].startswith("cffi in ")
    assert said["suites"] == {"sums": {"dialect": "c", "capabilities": ["raw"]}}
    assert described("sums", "lib", "1.2", "c", dialect="wire")["suites"]["sums"]["dialect"] == "wire"
