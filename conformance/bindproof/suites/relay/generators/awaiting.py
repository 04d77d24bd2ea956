"""Asynchronous callbacks of generated programs.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, some of their callbacks
asynchronous. As questions are, they are drawn last.
"""

from __future__ import annotations

from bindproof.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.language import AROUND, STREAMING

AWAITING = ("python", "node", None)
"""Dialects of the languages in which callbacks may be plain or asynchronous; None: all may be said."""

OF_ONE_KIND = (*AROUND, STREAMING, "subscriber")

ASYNC_PERCENT = 20
"""Of a hundred registrations so many are of asynchronous callbacks, in a language that has them."""


def with_promises(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; callbacks that may be asynchronous are now and then."""
    if dialect not in AWAITING:
        return steps
    return [_promising(choices, step) for step in steps]


def _promising(choices: Choices, step: Json) -> Json:
    if step["step"] != "register" or step["family"] in OF_ONE_KIND or not choices.chance(ASYNC_PERCENT):
        return step
    return step | {"async": True}
