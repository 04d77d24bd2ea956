"""Changes of a run's state that are asked for: their language, which of them there are, and their logs, read.

Enters: a scenario that is `of` states, a log. Leaves: the complete scenario, a Moved. Must not know the requirements,
nor the reference.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.own_log import LogOfItsOwn

State = Literal["pending", "running", "paused", "cancelling", "cancelled", "degraded", "failed", "completed"]
STATES: Final[tuple[str, ...]] = get_args(State)

EDGES: Final = {
    "pending": ("running", "cancelled", "failed"),
    "running": ("paused", "cancelling", "cancelled", "degraded", "failed", "completed"),
    "paused": ("running", "cancelling", "cancelled", "failed"),
    "cancelling": ("cancelled", "failed"),
    "degraded": ("failed", "completed"),
}
"""State → the states that may follow it, besides itself."""


class Change(Struct, frozen=True, forbid_unknown_fields=True, rename={"state": "from"}):
    """A change that is asked for."""

    state: State
    to: State


class Changes(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes, each asked for by itself."""

    of: Literal["states"]
    steps: Annotated[list[Change], msgspec.Meta(min_length=1, max_length=8)]


class Moved(LogOfItsOwn, frozen=True):
    """A log of such changes."""

    def taken(self, *, may: bool) -> list[tuple[int, Json]]:
        """Return the records of the changes that there are, or that there are not, each with its place."""
        records = [(at, one) for at, one in enumerate(self.log) if one["fact"] == "moved"]
        return [(at, one) for at, one in records if may_follow(one["from"], one["to"]) is may]


def may_follow(state: str, to: str) -> bool:
    """Tell whether a state may become another one."""
    return to == state or to in EDGES.get(state, ())


def moved(scenario: Json, log: list[Json]) -> Moved:
    """Read a log."""
    return Moved(scenario, log)
