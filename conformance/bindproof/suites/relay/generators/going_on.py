"""Steps of generated programs that go on with what an execution intercept was lent, when its call is over.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, and some `go_on` among them. It
is drawn last but one.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.scenario.families import AROUND

LENT_FOR_A_TIME = ("c", "go", "go-upstream")
"""Dialects in which what an intercept goes on with may not be kept."""

GOING_ON_PERCENT = 30
"""Of a hundred programs with an execution intercept, and without calls in flight, so many go on later."""


def with_going_on(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; behind a call of a few, one goes on with what an intercept was lent."""
    lent = [step["as"] for step in steps if step["step"] == "register" and step.get("family") in AROUND]
    calls = [index for index, step in enumerate(steps) if step["step"] == "call" and step.get("drain", True)]
    if dialect in LENT_FOR_A_TIME or not lent or not calls or any(step.get("background") for step in steps):
        return steps
    if not choices.chance(GOING_ON_PERCENT):
        return steps
    at = choices.pick(tuple(calls)) + 1
    return [*steps[:at], {"step": "go_on", "as": f"go-on-{at}", "of": choices.pick(tuple(lent))}, *steps[at:]]
