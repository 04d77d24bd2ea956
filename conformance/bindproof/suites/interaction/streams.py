"""Handles of streams: their language, how they have to come out, and their logs, read.

Enters: a scenario that is `of` a stream, a log. Leaves: the complete scenario, its Course, a Streamed. Must not know
the requirements, nor the reference.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.own_log import LogOfItsOwn

Does = Literal["delta", "completes", "warns", "breaks", "ends", "reads", "waits", "cancels", "interrupts"]
SENT: Final = ("delta", "completes", "warns")
"""What a provider sends: some text, the whole of it, a word about an error."""

OVER: Final = ("breaks", "ends")
STOPS: Final = {"cancels": "cancelled", "interrupts": "interrupted"}
Kind = Literal["asleep", "completed", "none", "two", "broken", "cancelled", "interrupted"]
MOST_WAITERS: Final = 2


class Act(Struct, frozen=True, forbid_unknown_fields=True):
    """What the provider or the caller does next."""

    does: Does
    text: Annotated[str, msgspec.Meta(max_length=16)] = "a"


class Stream(Struct, frozen=True, forbid_unknown_fields=True):
    """One handle of a stream. interrupts: whether the provider can be interrupted."""

    of: Literal["stream"]
    steps: Annotated[list[Act], msgspec.Meta(min_length=1, max_length=9)]
    interrupts: bool = True


class Course(Struct):
    """How a handle comes out. kind: `asleep` where nobody has it begin; `none` and `two` are completions."""

    kind: Kind = "asleep"
    begun: bool = False
    stopped_first: bool = False
    """Whether it is stopped before it begins."""
    delivered: list[Json] = msgspec.field(default_factory=list)
    """What is to arrive, in order."""
    result: str | None = None
    late: list[int] = msgspec.field(default_factory=list)
    """The acts that stop what is over, by number."""
    readers: list[int] = msgspec.field(default_factory=list)
    waiters: int = 0
    unsupported: list[int] = msgspec.field(default_factory=list)


class Streamed(LogOfItsOwn, frozen=True):
    """A log of a handle, read."""

    course: Course

    @property
    def acts(self) -> list[Json]:
        """What came of each act of the caller."""
        return self.of("act")

    @property
    def told(self) -> list[Json]:
        """What whoever waits and whoever reads is told in the end."""
        return [*self.of("awaited"), *self.of("closed")]


def problem(scenario: Json) -> str | None:
    """Say what of a stream breaks the language, or None."""
    does = [step["does"] for step in scenario["steps"]]
    over = next((at for at, name in enumerate(does) if name in OVER), len(does))
    if any(name in (*SENT, *OVER) for name in does[over + 1 :]):
        return "the provider does nothing more once its stream is over"
    return f"so many wait at most: {MOST_WAITERS}" if does.count("waits") > MOST_WAITERS else None


def course(scenario: Json) -> Course:
    """Return how a handle comes out; what the provider has not ended ends behind the last step."""
    found = Course()
    pending: list[Json] = []
    caller = 0
    steps = list(scenario["steps"])
    if not any(step["does"] in OVER for step in steps):
        steps.append({"does": "ends"})
    for step in steps:
        does = step["does"]
        if does in (*SENT, *OVER):
            pending.append(step)
        else:
            _called(found, does, caller, can=scenario["interrupts"])
            caller += 1
        while found.begun and found.kind == "asleep" and pending:
            _arrives(found, pending.pop(0))
    return found


def _called(found: Course, does: str, number: int, *, can: bool) -> None:
    """Take an act of the caller."""
    if does in STOPS:
        if does == "interrupts" and not can:
            found.unsupported.append(number)
        elif found.kind != "asleep":
            found.late.append(number)
        else:
            found.kind = "cancelled" if does == "cancels" else "interrupted"
            found.stopped_first = not found.begun
        return
    found.waiters += does == "waits"
    if does == "reads":
        found.readers.append(number)
    found.begun = found.begun or does == "waits" or len(found.readers) == 1


def _arrives(found: Course, step: Json) -> None:
    """Take what the provider does."""
    match step["does"]:
        case "breaks":
            found.kind = "broken"
        case "ends":
            found.kind = "none" if found.result is None else "completed"
        case "completes" if found.result is not None:
            found.kind = "two"
        case does:
            found.result = step["text"] if does == "completes" else found.result
            found.delivered.append([does, step["text"]])


def streamed(scenario: Json, log: list[Json]) -> Streamed:
    """Read a log."""
    return Streamed(scenario, log, course(scenario))
