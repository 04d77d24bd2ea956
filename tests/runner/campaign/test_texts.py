"""Texts of a language that nobody told us become small."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bindproof.core.smallest import size
from bindproof.core.tokens import tokens
from bindproof.runner.campaign.shrink import MOST, shrink
from bindproof.runner.campaign.texts import shorter_texts

Json = Any


def smallest(text: str, shows: Callable[[str], bool]) -> tuple[str, int]:
    """What is left of a text that shows something, and how many were asked about."""
    asking = shrink({"expression": text, "given": None}, lambda one: set(one) == {"expression", "given"})
    asked = 0
    try:
        batch = next(asking)
        while True:
            asked += len(batch)
            batch = asking.send([isinstance(one["expression"], str) and shows(one["expression"]) for one in batch])
    except StopIteration as stop:
        return stop.value["expression"], asked


def test_tokens_make_up_their_text() -> None:
    text = "foo[?a_1 == `10`].sort_by(@, &b)  | 'é'"
    assert "".join(tokens(text)) == text
    assert tokens("a_1 == 10") == ["a_1", " ", "=", "=", " ", "10"]


@pytest.mark.parametrize(
    ("text", "shows", "left"),
    [
        ("people[?age > `20`].name | sort(@) | [0]", lambda text: "sort(" in text, "sort("),
        ("join(', ', map(&to_string(@), items[*].length(name)))", lambda text: "length(name)" in text, "length(name)"),
        ("a.b[1:2:0].c || d.e[::3]", lambda text: ":0]" in text, ":0]"),
        ("reverse(items[1234].text)", lambda text: text.count("(") == text.count(")") == 1, "()"),
        ("alpha.beta.gamma[17]", lambda text: "[" in text and any(one.isdigit() for one in text), "[0"),
    ],
)
def test_what_is_left_is_what_matters(text: str, shows: Callable[[str], bool], left: str) -> None:
    found, asked = smallest(text, shows)
    assert found == left
    assert asked <= MOST


def test_every_shorter_text_makes_the_document_smaller() -> None:
    document = {"expression": "a[?b == `1`].c", "given": {"a": "x y"}}
    made = list(shorter_texts(document))
    assert made
    assert all(size(one) < size(document) for one in made)


def test_a_word_is_no_text_of_parts() -> None:
    assert list(shorter_texts({"name": "severity", "at": "b"})) == []
