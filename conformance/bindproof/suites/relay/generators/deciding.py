"""Conditionals of generated programs that register a subscriber: who comes while one runs is told of no guardrail.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, some conditionals with an op
that does a step. It is drawn last.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices

SILENT = ("c", "go", "go-upstream")
"""Dialects in which nothing may fail inside a conditional: its second run finds the name taken."""

LISTENING_PERCENT = 15
"""Of a hundred conditionals so many register a subscriber, in a program without calls in flight."""


def with_listeners(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; conditionals register a subscriber now and then."""
    if dialect in SILENT or any(step.get("background") for step in steps):
        return steps
    return [_listening(choices, index, step) for index, step in enumerate(steps)]


def _listening(choices: Choices, index: int, step: Json) -> Json:
    if step["step"] != "register" or not step["family"].endswith(".conditional") or step.get("odd"):
        return step
    if not choices.chance(LISTENING_PERCENT):
        return step
    name = f"w{index}"
    inner = {"step": "register", "as": name, "family": "subscriber", "name": name}
    return step | {"do": [{"op": "step", "step": inner}, *step.get("do", [])]}
