"""Callbacks of generated programs that change in place the request that they are given.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, some with the op `mutate`. As
questions are, they are drawn last.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices

HANDING = ("python", "node", None)
"""Dialects of the languages in which a callback is handed objects that it can change; None: all may be said."""

GIVEN_A_REQUEST = ("llm.request", "llm.conditional", "llm.sanitize_request")

MUTATE_PERCENT = 30
"""Of a hundred registrations of these families so many change their request, in a language where that can be."""


def with_mutations(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; callbacks that are given a request change it now and then."""
    if dialect not in HANDING:
        return steps
    return [_mutating(choices, index, step) for index, step in enumerate(steps)]


def _mutating(choices: Choices, index: int, step: Json) -> Json:
    if step.get("family") not in GIVEN_A_REQUEST or not choices.chance(MUTATE_PERCENT):
        return step
    mutate = {"op": "mutate", "at": "/request/headers/x", "text": f"in-place-{index}!"}
    return step | {"do": [mutate, *step.get("do", [])]}
