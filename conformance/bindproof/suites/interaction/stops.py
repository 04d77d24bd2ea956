"""Runs that are stopped wherever they are: their language, what is due of them, and their logs, read.

Enters: a scenario that is `of` a stop, a log. Leaves: the complete scenario, a Stopped. Must not know the requirements,
nor the reference.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.language import Plain, Stop
from bindproof.suites.interaction.own_log import LogOfItsOwn

At = Literal[
    "step_started", "pre_llm", "policy", "asked", "llm_called", "called", "post_llm", "runtime_state", "llm_completed",
    "tool",
]  # fmt: skip
"""Where a run may be: an event that it tells or a checkpoint that it keeps, or in the midst of what it does."""

PLACES: Final[tuple[str, ...]] = get_args(At)
"""In the order in which a step comes to them."""


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """What the model answers in a step. All answers but the last call the tool."""

    text: Plain = "done"


class Stopping(Struct, frozen=True, forbid_unknown_fields=True):
    """One run. how: whether it is cancelled or interrupted; at, step: where it is then."""

    of: Literal["stop"]
    steps: Annotated[list[Said], msgspec.Meta(min_length=1, max_length=4)]
    how: Stop
    at: At
    step: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1


class Stopped(LogOfItsOwn, frozen=True):
    """A log of such a run, read. calls, used: how many models it may call, and how many tools it may use."""

    calls: int
    used: int

    @property
    def outcome(self) -> str:
        """What came of the run: `nothing`, the kind of an error, a state, or that it hangs."""
        end = next(iter(self.of("ended")), None)
        if end is None:
            return "it hangs"
        if "error" in end:
            return str(end["error"]["kind"])
        return "nothing" if end["value"] is None else str(end["value"])

    @property
    def last_event(self) -> str | None:
        """What the run tells last of how it ends."""
        return next((str(one["type"]) for one in reversed(self.of("event"))), None)


def problem(scenario: Json) -> str | None:
    """Say what of a stop breaks the language, or None."""
    last = len(scenario["steps"])
    if scenario["step"] > last:
        return f"the run is stopped in step {scenario['step']}, and there are {last}"
    if scenario["at"] == "tool" and scenario["step"] == last:
        return "the last step calls no tool in which the run could be stopped"
    return None


def stopped(scenario: Json, log: list[Json]) -> Stopped:
    """Read a log."""
    before = scenario["step"] - 1
    has_called = PLACES.index(scenario["at"]) >= PLACES.index("called")
    return Stopped(scenario, log, before + has_called, before + (scenario["at"] == "tool"))
