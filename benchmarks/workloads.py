"""What is acted out: fixed lists of complete scenarios.

Enters: a suite and its spec. Leaves: scenarios by workload. Must not know adapters or clocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bindproof.core.model import Json
from bindproof.spec import Vector, vectors
from bindproof.spec.models import Spec
from bindproof.suites import Suite

STANDARD: Json = {
    "steps": [
        {"step": "register", "as": "s", "family": "subscriber", "name": "s"},
        {
            "step": "register",
            "as": "i",
            "family": "llm.request",
            "name": "i",
            "do": [{"op": "edit", "append": {"/pending_marks": [{"name": "a", "data": {"n": 1}}, {"name": "b"}]}}],
        },
        {"step": "call", "as": "c", "name": "gpt"},
    ]
}
"""A subscriber, an intercept with two marks, a call: the scenario by which rates are compared."""

LAYERS: Json = {
    "steps": [
        {
            "step": "stack",
            "as": "s",
            "layers": [
                {"layer": "record", "as": "o"},
                {"layer": "retry"},
                {"layer": "timeout", "duration": 100},
                {"layer": "record", "as": "i"},
            ],
        },
        {"step": "call", "as": "c", "does": [{"after": 101}, {"after": 5}]},
    ]
}
"""A retry around a timeout, and a call that is in time the second time: the same for `interceptors`."""

CELLS: Json = {
    "steps": [
        {"step": "open"},
        {"step": "create", "as": "a", "program": [{"do": "text", "text": "1"}, {"do": "latch", "name": "l"}]},
        {"step": "reach", "cell": "a", "call": "l"},
        {"step": "yield", "of": "a"},
        {"step": "await", "of": "a"},
        {"step": "observe", "cell": "a", "as": "o"},
        {"step": "release", "cell": "a", "latch": "l"},
        {"step": "await", "of": "o"},
    ]
}
"""A cell that is observed twice: the same for `cells`."""

INTERACTION: Json = {"fallbacks": ["m2"], "steps": [{"tool": True, "fails": ["m1"]}, {"gate": "approval"}]}
"""A run of two steps, with a fallback and an approval: the same for `interaction`."""


def standard(suite: Suite) -> list[Json]:
    """Return the one standard scenario of a suite."""
    known = {"relay": STANDARD, "interceptors": LAYERS, "cells": CELLS, "interaction": INTERACTION}
    return [suite.complete(known[suite.name])]


def positive_vectors(suite: Suite, spec: Spec, edition: str, dialect: str) -> list[tuple[str, Json]]:
    """Return every vector without a defect that runs in this edition and dialect, with its id."""
    return [(one.id, suite.complete(one.scenario)) for one in vectors(spec) if _is_positive(one, edition, dialect)]


def _is_positive(vector: Vector, edition: str, dialect: str) -> bool:
    return vector.defect is None and vector.runs_in(edition, dialect)


def generated(suite: Suite, dialect: str, count: int) -> list[Json]:
    """Return so many generated scenarios, no two from the same seed."""
    return [suite.generate(_Seeded(seed), dialect) for seed in range(count)]


class _Seeded:
    """Choices (see suites.Choices) from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def pick(self, options: Sequence[Any]) -> Any:
        return self._random.choice(options)

    def chance(self, percent: int) -> bool:
        return self._random.randrange(100) < percent
