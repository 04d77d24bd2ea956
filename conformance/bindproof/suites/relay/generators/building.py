"""Objects that generated programs build.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, and a few that build an object
and read it back. As questions are, they are drawn last.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.parts import Parts

BUILDING: dict[str | None, tuple[str, ...]] = {
    "python": ("request", "mark", "outcome", "tool_outcome"),
    "node": ("request",),
    "rust": ("request", "mark", "outcome", "tool_result", "tool_outcome"),
    None: ("request", "mark", "outcome", "tool_result", "tool_outcome"),
}
"""Dialect → the objects that programs of its language build; None: all may be said."""

BUILD_PERCENT = 10
"""Of a hundred programs so many build an object."""

WRONG_PERCENT = 20
"""Of a hundred objects so many are malformed."""

WRONG = (None, 5, "text")
"""What is neither an object nor a list."""

OF_THE_WRONG_TYPE = {"request": "headers", "mark": "name", "outcome": "request", "tool_outcome": "pending_marks"}
"""Object → a member of it that can have a wrong type."""


def with_objects(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, now and then with one that builds an object."""
    objects = BUILDING.get(dialect, ())
    if not objects or not choices.chance(BUILD_PERCENT):
        return steps
    name, at = choices.pick(objects), choices.integer(0, len(steps))
    value = _value(Parts(choices), name)
    if dialect not in ("node", "rust") and choices.chance(WRONG_PERCENT):
        value = _malformed(choices, name, value)
    return [*steps[:at], {"step": "build", "object": name, "value": value}, *steps[at:]]


def _value(parts: Parts, name: str) -> Json:
    if name == "request":
        return parts.request()
    if name == "mark":
        return parts.mark()
    if name == "outcome":
        made: Json = {"request": parts.request()}
        if parts.choices.chance(50):
            made["annotated_request"] = parts.annotation()
    else:
        made = {"result": parts.value()}
    if name != "tool_result" and parts.choices.chance(50):
        made["pending_marks"] = [parts.mark() for _ in range(parts.choices.integer(0, 2))]
    return made


def _malformed(choices: Choices, name: str, value: Json) -> Json:
    """Spoil an object: a member of the wrong type, or one that it does not have."""
    if name != "request" and (name not in OF_THE_WRONG_TYPE or choices.chance(50)):
        return value | {"bogus": 1}
    return value | {OF_THE_WRONG_TYPE[name]: choices.pick(WRONG[:2] if name == "mark" else WRONG)}
