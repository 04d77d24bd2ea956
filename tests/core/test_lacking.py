"""What JSON lacks of a value is told in words."""

from __future__ import annotations

import pytest

from bindproof.core.lacking import lacking


@pytest.mark.parametrize("value", [None, True, 2**70, 1.5, "ä\U0001f600", [1, (2,), {"a": [None]}], {}])
def test_what_json_says_lacks_nothing(value: object) -> None:
    assert lacking(value) is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({1, 2}, "a set: {1, 2}"),
        ([1, {"a": b"x"}], "a bytes: b'x'"),
        ([float("nan")], 'nan, as {"$float": …}'),
        ({"a": float("-inf")}, '-inf, as {"$float": …}'),
        (["a\ud800"], "a lone surrogate in 'a\\ud800', as {\"$utf16\": […]}"),
        ({1: 2}, "the key 1, which is no text"),
        (object, "a type: <class 'object'>"),
    ],
)
def test_what_it_lacks_is_told(value: object, said: str) -> None:
    assert lacking(value) == said
