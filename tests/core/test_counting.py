"""Counts as people read them."""

from __future__ import annotations

import pytest

from bindproof.core.counting import plural


@pytest.mark.parametrize(
    ("count", "noun", "said"),
    [
        (1, "crash", "1 crash"),
        (2, "crash", "2 crashes"),
        (0, "scenario", "0 scenarios"),
        (3, "not run", "3 not run"),
        (2, "known not run", "2 known not run"),
        (2, "known crash", "2 known crashes"),
    ],
)
def test_a_count_is_said_with_its_noun(count: int, noun: str, said: str) -> None:
    assert plural(count, noun) == said
