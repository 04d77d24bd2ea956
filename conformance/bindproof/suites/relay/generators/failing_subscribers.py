"""Subscribers of generated programs that raise, at each event or at some.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, some subscribers with ops. It is
drawn last.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices

CANNOT_FAIL = ("c", "go", "go-upstream", "rust")
"""Dialects whose subscribers return nothing, and cannot fail."""

FAILING_PERCENT = 8
"""Of a hundred programs so many may have subscribers that raise."""

HALF = 50
"""Of a hundred subscribers of these so many raise."""


def with_failing_subscribers(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; in a few programs subscribers raise."""
    if dialect in CANNOT_FAIL or not choices.chance(FAILING_PERCENT):
        return steps
    varies = not any(step["step"] == "cancel" for step in steps)
    return [_failing(choices, index, step, varies=varies) for index, step in enumerate(steps)]


def _failing(choices: Choices, index: int, step: Json, *, varies: bool) -> Json:
    if step.get("family") != "subscriber" or step["step"] != "register" or not choices.chance(HALF):
        return step
    raising = {"op": "raise", "text": f"boom-s{index}!"}
    if not varies or choices.chance(HALF):
        return step | {"do": [raising]}
    return step | {"do": [{"op": "each", "ops": choices.pick(([[], [raising]], [[raising], []], [[], [raising], []]))}]}
