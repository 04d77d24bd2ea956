"""References of functions: what they allow, one run of it, and the tokens of a text."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bindproof_reference.functions import Refused, predicting, resolve, same
from bindproof_reference.tokens import END, Tokens

Json = Any

DIALECT = {"error": [{"kind": "syntax"}, {"kind": "syntax", "example": "ParseError: no: x"}]}


@predicting
def half(scenario: Json, edition: str) -> Json:
    if scenario["of"] % 2:
        raise Refused("odd" if edition == "2" else "syntax")
    return scenario["of"] // 2


def run(scenario: Json, edition: str = "1") -> Json:
    return resolve(half(scenario, edition, DIALECT), 0, DIALECT, scenario)


def test_a_value_is_allowed_as_it_is() -> None:
    assert half({"of": 4}, "1", DIALECT)["lanes"] == {"program": [{"fact": "result", "value": {"$literal": 2}}]}
    assert run({"of": 4}) == [{"fact": "result", "value": 2}]


def test_an_error_is_told_in_the_words_of_the_dialect() -> None:
    assert run({"of": 3}) == [{"fact": "result", "error": {"type": "ParseError", "message": "no: x"}}]
    assert run({"of": 3}, "2") == [{"fact": "result", "error": {"type": "", "message": ""}}], (
        "it has none for this kind"
    )


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        ([1, {"a": [0]}], [1.0, {"a": [0.0]}], True),
        ([0], [False], False),
        ({"a": 1}, {"b": 1}, False),
        ([1], [1, 1], False),
        ("1", 1, False),
        (None, None, True),
    ],
)
def test_equal_values_are_the_same(one: Json, other: Json, *, equal: bool) -> None:
    assert same(one, other) is same(other, one) is equal


PATTERN = re.compile(r"\s*(?:(?P<number>\d+)|(?P<sign>[-+()]))")


def tokens(text: str) -> Tokens:
    return Tokens(text, PATTERN, {"number": even}, "syntax")


def even(text: str) -> int:
    if int(text) % 2:
        raise ValueError(text)
    return int(text)


def test_tokens_come_one_after_the_other() -> None:
    found = tokens(" 12 + ( ")
    assert found.next() == ("number", 12)
    assert (found.sees("+"), found.sees("-", "+", at=1), found.sees("(", at=2), found.sees("(", at=9)) == (
        False,
        True,
        True,
        False,
    )
    assert [found.take(), found.take("-", "+"), found.take()] == [("number", 12), ("sign", "+"), ("sign", "(")]
    assert found.next() == (END, None)


@pytest.mark.parametrize("text", ["12 x", "12 3", "x"])
def test_a_text_without_such_tokens_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="syntax"):
        tokens(text)


def test_another_sign_is_refused_and_so_is_what_stands_behind_the_end() -> None:
    with pytest.raises(Refused, match="syntax"):
        tokens("12").take("+")
    with pytest.raises(Refused, match="syntax"):
        tokens("").take()
