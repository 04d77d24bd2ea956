"""What is recorded of a run: records in lanes, and which of two of different lanes comes first.

Enters: facts. Leaves: a prediction. Nothing here has a clock: order among lanes is open but for what is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = Any
Place = tuple[str, int]
"""A lane, and the index of a record in it."""

PROGRAM = "program"
ANY: Json = {"$any": True}


class RacyError(ValueError):
    """A scenario leaves to chance what comes out of it; the message says which step, and what to do before it."""


@dataclass
class Records:
    """The records so far."""

    lanes: dict[str, list[Json]] = field(default_factory=lambda: {PROGRAM: []})
    after: list[list[Json]] = field(default_factory=list)

    def put(self, lane: str, record: Json, *later_than: Place | None) -> Place:
        """Add a record to a lane; it comes later than the records at these places."""
        kept = self.lanes.setdefault(lane, [])
        kept.append(record)
        place = lane, len(kept) - 1
        self.after += [[*place, *other] for other in later_than if other is not None and other[0] != lane]
        return place

    def done(self, step: int, value: Json, *later_than: Place | None) -> Place:
        """Record that a step is done, and what it gave."""
        return self.put(PROGRAM, {"fact": "done", "step": step, "value": value}, *later_than)

    def refused(self, step: int, kind: str) -> Place:
        """Record that a step was refused."""
        return self.put(PROGRAM, {"fact": "done", "step": step, "error": refusal(kind)})


def refusal(kind: str) -> Json:
    """Return an error of a kind; no document says its words."""
    return {"kind": kind, "type": ANY, "message": ANY}
