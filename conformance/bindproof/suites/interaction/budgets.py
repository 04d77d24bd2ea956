"""Runs with budgets of tools and of time: their language, what is due of them, and their logs, read.

Enters: a scenario that is `of` a budget, a log. Leaves: the complete scenario, a Budgeted. Must not know the
requirements, nor the reference.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.language import Limit, Plain, Seconds
from bindproof.suites.interaction.own_log import LogOfItsOwn

PATIENCE: Final = 30
"""So many seconds a call may take."""

MODELS: Final = ("m1", "m2", "m3")
"""The primary model, and the chain."""

Kind = Literal["completed", "over_tools", "over_time"]


class Spending(Struct, frozen=True, forbid_unknown_fields=True):
    """A step. silent: so many models give no answer; tools: so many the next one calls at once, which rest so long."""

    silent: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    tools: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    rests: Seconds = 0
    text: Plain = "done"


class Budget(Struct, frozen=True, forbid_unknown_fields=True):
    """One run. most_tools: how many tools it may use; most_time: how many seconds it may take."""

    of: Literal["budget"]
    steps: Annotated[list[Spending], msgspec.Meta(min_length=1, max_length=4)]
    most_tools: Limit | None = None
    most_time: Annotated[int, msgspec.Meta(ge=1, le=200)] | None = None


class OpenQuestionError(ValueError):
    """No document says what becomes of the run; the message says where."""


class Course(Struct):
    """What is due of a run. calls, used: how many models are called, and tools used; text: of the last answer."""

    kind: Kind = "completed"
    calls: int = 0
    used: int = 0
    text: str = "more"


class Budgeted(LogOfItsOwn, frozen=True):
    """A log of such a run, read."""

    course: Course

    @property
    def end(self) -> Json:
        """The record of what came of the run, or None."""
        return next(iter(self.of("ended")), None)

    @property
    def within(self) -> bool:
        """Tell whether no more is called and used than is due."""
        return len(self.of("called")) <= self.course.calls and len(self.of("used")) <= self.course.used


def course(scenario: Json) -> Course:
    """Return what is due of a run. Raises OpenQuestionError."""
    found = Course()
    now = 0
    for number, step in enumerate((*scenario["steps"], {"silent": 0, "tools": 0, "text": "more"}), 1):
        for _ in MODELS[: step["silent"]]:
            found.calls += 1
            now += PATIENCE
            if _is_over(scenario, now, number):
                found.kind = "over_time"
                return found
        found.calls += 1
        found.text = step["text"]
        if not step["tools"]:
            return found
        if scenario["most_tools"] is not None:
            left = scenario["most_tools"] - found.used
            if 0 < left < step["tools"]:
                raise OpenQuestionError(
                    f"step {number}: nothing says whether some of its tools are used where all are too many"
                )
            if left == 0:
                found.kind = "over_tools"
                return found
        found.used += step["tools"]
        now += step["rests"]
        if _is_over(scenario, now, number):
            found.kind = "over_time"
            return found
    return found


def _is_over(scenario: Json, now: int, number: int) -> bool:
    if now == scenario["most_time"]:
        raise OpenQuestionError(f"step {number}: nothing says what comes in the very moment in which the time ends")
    return scenario["most_time"] is not None and now > scenario["most_time"]


def problem(scenario: Json) -> str | None:
    """Say what of a budget breaks the language, or None."""
    for number, step in enumerate(scenario["steps"], 1):
        if not step["tools"] and number < len(scenario["steps"]):
            return f"step {number}: the run ends by an answer without tools; say `tools`, or make it last"
        if step["rests"] and not step["tools"]:
            return f"step {number}: it is the tools that rest; say `tools`"
    try:
        course(scenario)
    except OpenQuestionError as question:
        return str(question)
    return None


def budgeted(scenario: Json, log: list[Json]) -> Budgeted:
    """Read a log."""
    return Budgeted(scenario, log, course(scenario))
