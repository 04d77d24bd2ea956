"""Choices from a seed: the quick way to drive a suite's generator.

Enters: a seed, or another source of numbers. Leaves: choices, the same ones for the same seed on every machine. Must
not know what is generated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any


class NumberedChoices:
    """Choices (see suites.Choices) that numbers decide, one for each. draw: gives the next, at least 0 and below 1."""

    def __init__(self, draw: Callable[[], float]) -> None:
        self._random = draw

    def integer(self, low: int, high: int) -> int:
        """Choose a whole number, both ends included."""
        return low + int(self._random() * (high - low + 1))

    def pick(self, options: Sequence[Any]) -> Any:
        """Choose one of the options, each as likely as every other."""
        return options[int(self._random() * len(options))]

    def chance(self, percent: int) -> bool:
        """Choose true in so many of a hundred cases."""
        return self._random() * 100 < percent


class SeededChoices(NumberedChoices):
    """Choices that a seed decides."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(Random(seed).random)  # noqa: S311 - a scenario, no secret
