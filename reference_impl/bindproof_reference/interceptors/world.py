"""What happens in virtual time: a clock, the deadlines that are running, and the records so far.

Enters: waits and records. Leaves: records with their instants. Nothing sleeps: a wait moves the clock. Must not know
what a layer is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from bindproof_reference.interceptors.durations import ticks
from bindproof_reference.interceptors.values import ANY, Json, literal

PROGRAM = "program"


class ExpiredError(Exception):
    """A deadline has come while something inside it was still waiting. owner: the deadline."""

    def __init__(self, owner: object) -> None:
        super().__init__("a deadline has come")
        self.owner = owner


@dataclass(eq=False)
class Deadline:
    """An instant after which nothing inside may go on."""

    at: int


@dataclass
class World:
    """One run in progress."""

    between: Callable[[int, int], int] | None = None
    """Chooses an instant from a range that jitter leaves open, or None where all of them are meant; from then on
    instants are not known and every one matches."""
    now: int = 0
    blurred: bool = False
    call: str | None = None
    """The call_id whose lane records go to, None for the program's."""
    lanes: dict[str, list[Json]] = field(default_factory=lambda: {PROGRAM: []})
    order: list[tuple[str, Json]] = field(default_factory=list)
    """All records with their lanes."""
    deadlines: list[Deadline] = field(default_factory=list)
    since: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Of each lane the last instant and what the prediction calls it; a lane's first one is measured from `origin`."""
    origin: tuple[str, int] | None = None
    doing: str = ""
    """The step that is being done."""
    belongs: dict[str, list[list[str]]] = field(default_factory=dict)
    """Of each record, lane by lane, its step, and what of the step it is of: `c/c.operation` for an operation, `c/log`
    for what is logged."""
    together: list[tuple[int, int]] = field(default_factory=list)
    """The ranges of it in which lanes run at once."""
    entered: dict[str, int] = field(default_factory=dict)
    shared: dict[str, int] = field(default_factory=dict)

    def wait(self, duration: Fraction) -> None:
        """Let time pass. Raises ExpiredError at the earliest deadline before the end, of equal ones the innermost."""
        end = self.now + ticks(duration)
        first = min(reversed(self.deadlines), key=lambda one: one.at, default=None)
        if first is not None and end > first.at:
            self.now = max(self.now, first.at)
            raise ExpiredError(first)
        self.now = end

    def wait_between(self, least: Fraction, most: Fraction) -> None:
        """Let a time pass that the contract leaves open."""
        low, high = ticks(least), ticks(most)
        if self.between is None:
            self.blurred = self.blurred or low != high
            self.now += high
        else:
            self.now += self.between(low, high)

    @contextmanager
    def deadline(self, duration: Fraction) -> Iterator[Deadline]:
        """Run a block that has to end in this time."""
        one = Deadline(self.now + ticks(duration))
        self.deadlines.append(one)
        try:
            yield one
        finally:
            self.deadlines.pop()

    def record(self, fact: str, **members: Json) -> None:
        """Add a record with the present instant to the lane that is being written."""
        own = {} if self.call is None else {"call": self.call}
        lane = self.call or PROGRAM
        self.put(lane, {"fact": fact, **members, **own, "at": self.instant(lane)})

    def instant(self, lane: str = PROGRAM) -> Json:
        """Return the present instant, or a matcher: so long after the one before, so that who waits too long is told so
        once; any, where it is not known.
        """
        if self.between is not None:
            return self.now
        if self.blurred:
            return ANY
        before = self.since.get(lane, self.origin)
        name = f"{lane}/{len(self.lanes.get(lane, ()))}"
        self.since[lane] = name, self.now
        measured = {"equal": self.now} if before is None else {"of": before[0], "equal": self.now - before[1]}
        return {"$time": {"as": name, **measured}}

    def put(self, lane: str, record: Json) -> None:
        """Add a record to a lane as it is."""
        self.lanes.setdefault(lane, []).append(record)
        self.belongs.setdefault(lane, []).append(self._names(record))
        self.order.append((lane, record))

    def _names(self, record: Json) -> list[str]:
        if not self.doing:
            return []
        part = record.get("callback") or ("log" if record.get("fact") == "log" else None)
        return [self.doing, f"{self.doing}/{part}"] if part else [self.doing]

    def enter(self, callback: str, given: Json) -> int:
        """Record that something of the scenario's own was entered; return how often it had been in this call."""
        count = self.entered.get(callback, 0)
        self.entered[callback] = count + 1
        self.record("enter", callback=callback, k=count, given=literal(given))
        return count

    @contextmanager
    def inside(self, callback: str, count: int) -> Iterator[None]:
        """Run the rest of such a thing; what cuts it short drops it."""
        try:
            yield
        except BaseException:
            self.record("dropped", callback=callback, k=count)
            raise

    def leave(self, callback: str, count: int, reply: Json) -> Json:
        """Record its reply, and return it."""
        self.record("leave", callback=callback, k=count, reply=reply)
        return reply
