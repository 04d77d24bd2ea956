"""Asynchronous callbacks of generated programs, and registrations of what cannot be called.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, some of their callbacks
asynchronous, and now and then one that registers what is no function. As questions are, they are drawn last.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.legal import where_legal
from bindproof.suites.relay.scenario.families import BEFORE, OF_ONE_KIND

AWAITING = ("python", "node", None)
"""Dialects of the languages in which callbacks may be plain or asynchronous; None: all may be said."""

ASYNC_PERCENT = 20
"""Of a hundred registrations so many are of asynchronous callbacks, in a language that has them."""

ODD_PERCENT = 4
"""Of a hundred programs so many register what cannot be called: after it hardly a call succeeds."""


def with_promises(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; callbacks that may be asynchronous are now and then."""
    if dialect not in AWAITING:
        return steps
    return [_promising(choices, step) for step in steps]


def _promising(choices: Choices, step: Json) -> Json:
    if step["step"] != "register" or step["family"] in OF_ONE_KIND or not choices.chance(ASYNC_PERCENT):
        return step
    return step | {"async": True}


def with_odd(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, rarely with a registration of what cannot be called."""
    if dialect not in AWAITING or not choices.chance(ODD_PERCENT):
        return steps
    odd = choices.pick(("no_function",) if dialect == "node" else ("no_function", "no_parameters"))
    family, at = choices.pick(BEFORE), choices.integer(0, len(steps))
    step = {"step": "register", "as": "odd", "family": family, "name": "odd", "odd": odd}
    return where_legal([*steps[:at], step, *steps[at:]], steps)
