"""Failures that may have one cause look alike, and others do not."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.likeness import shape_of
from bindproof.core.model import Evidence

Json = Any


def shape(text: str = "another value came out", expected: Json = 1, observed: Json = 2, at: str = "/value") -> str:
    return shape_of(Evidence("program", text, 3, expected, observed, at))


def test_names_numbers_and_values_make_no_difference() -> None:
    assert shape("mark 'm1' of step 3", 1, 7, "/value/3/a") == shape('mark "m2" of step 12', 4, 0.5, "/value/0/a")


@pytest.mark.parametrize(
    "other",
    [
        shape("an error came out"),
        shape(at="/error"),
        shape(observed="2"),
        shape(observed=None),
        shape(observed=True),
        shape(observed={"error": {"kind": "syntax"}}),
        shape(observed={"kind": "type"}),
        shape(observed={"error": {"kind": "unknown", "message": "no attribute 'x'"}}),
        shape(observed={"$number": "NaN"}),
    ],
)
def test_words_place_and_kinds_do(other: str) -> None:
    assert other != shape()


def test_errors_that_nobody_knows_are_told_apart_by_their_words() -> None:
    def of(message: str, kind: str = "unknown") -> str:
        return shape(observed={"error": {"kind": kind, "message": message}})

    assert of("no attribute 'x'") == of("no attribute 'y'") != of("no item 'x'")
    assert of("no attribute 'x'", "type") == of("no item 'x'", "type")
