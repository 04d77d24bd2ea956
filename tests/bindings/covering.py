"""Vectors that between them have whatever a vector has: for what takes too long with all of them.

Enters: vectors. Leaves: fewer, such that each pair of words of a scenario stands in one of them, and each member with
each type of value, of what names a function, a kind or a codec each name. Another vector with no more than that asks
the boundary for nothing new: it differs in texts, numbers, how deep and how often a thing is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from bindproof.spec import Vector
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.rules.program import words
from tests.relay import SUITE

Json = Any

NAMES = frozenset({"codec", "family", "function", "kind", "op", "response_codec"})
"""The members whose texts are one of a few."""


def covering(vectors: Iterable[Vector]) -> list[Vector]:
    """Fewer vectors with all that these have; that which has most of what is left is taken next."""
    own = [(vector, had(vector)) for vector in sorted(vectors, key=lambda one: one.id)]
    left = set[tuple[str, ...]]().union(*(each for _, each in own))
    taken = []
    while left:
        vector, each = max(own, key=lambda one: len(one[1] & left))
        taken.append(vector)
        left -= each
    return taken


def had(vector: Vector) -> set[tuple[str, ...]]:
    """What a vector has: pairs of words, and members with what stands there."""
    steps = all_steps(SUITE.complete(vector.scenario))
    return {*combinations(sorted(words(steps)), 2), *(place[-2:] for place in places(vector.scenario))}


def places(value: Json, *at: str) -> Iterator[tuple[str, ...]]:
    """The places below one, without indices, each with the type of what is there, or with its name."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from places(item, *at, key)
    elif isinstance(value, list) and value:
        for item in value:
            yield from places(item, *at)
    elif at[-1] in NAMES and isinstance(value, str):
        yield (*at, value)
    else:
        yield (*at, type(value).__name__)
