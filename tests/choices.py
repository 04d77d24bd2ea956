"""Choices that Hypothesis makes, so that it shrinks what a suite's generator gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

Drawn = TypeVar("Drawn")
Draw = Callable[[st.SearchStrategy[Any]], Any]

STEADY = settings(max_examples=100, deadline=None, derandomize=True, database=None)
"""The same examples on every run and no clock: what a test finds does not depend on the machine's load."""


class DrawnChoices:
    """Choices (see suites.Choices) drawn from Hypothesis; each shrinks towards the first option, false and low."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """Choose a whole number, both ends included."""
        number: int = self._draw(st.integers(low, high))
        return number

    def pick(self, options: Sequence[Any]) -> Any:
        """Choose one of the options."""
        return self._draw(st.sampled_from(options))

    def chance(self, percent: int) -> bool:
        """Choose true in about so many of a hundred cases."""
        return self.integer(0, 99) >= 100 - percent


def json_values() -> st.SearchStrategy[Any]:
    """JSON values of every kind, matchers' look-alikes among them."""
    keys = st.sampled_from(["a", "b", "", "$any", "$id", "$literal", "$one_of", "kind", "ж"])
    scalars = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, 1.0, -1.5, 2.0**60, "", "a", "1"])
    return st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3))
