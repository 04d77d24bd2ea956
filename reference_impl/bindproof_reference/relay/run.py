"""One run in progress: the lanes, the callbacks that are played, the errors that steps end with.

Enters: records and scripted callbacks. Leaves: lanes of records with matchers, and which record comes after which.
Knows no chapter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bindproof_reference.relay import callbacks, dialects, events
from bindproof_reference.relay.callbacks import Raised, Replied
from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.flight import CancelledError, Latches
from bindproof_reference.relay.values import ANY, Json, literal

PROGRAM = "program"
"""The lane of the steps, and of the callbacks that they run."""

PUBLICATION = "publication"
"""The lane of the callbacks that run when events are published."""


class FailedError(Exception):
    """A step failed; carries the error as a matcher."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["kind"])
        self.error = error


def failed(kind: str, *, message: Json = None, same_as: Json = None) -> FailedError:
    """Return the failure of a kind; what the contract does not say of the error stays open."""
    of_class = ANY if same_as is None else CLASS
    return FailedError(
        {"kind": kind, "type": of_class, "message": message or ANY, "code": ANY, "same_as": same_as or ANY}
    )


CLASS: Json = {"$id": "class"}
"""The class of what callbacks raise where the caller is given the very exception: an adapter raises one (EVT-055)."""


@dataclass
class Beside:
    """What runs beside the program: it comes after the program's record `since` and what `causes` have last."""

    stream: str
    """The call's identity."""
    since: int
    causes: tuple[str, ...] = ()
    maybe: dict[str, list[Json]] | None = None
    """The records that may be missing, by lane; None while nothing is."""


@dataclass
class Run:
    """The records so far, in lanes; what has finished; how often each callback was entered."""

    rules: Rules
    dialect: Json
    lanes: dict[str, list[Json]] = field(default_factory=lambda: {PROGRAM: []})
    after: list[list[Json]] = field(default_factory=list)
    told: dict[str, None] = field(default_factory=dict)
    """The lanes of what subscribers were told, in the order in which they first were."""
    doing: tuple[str, ...] = ()
    """The steps that are being done, the outermost first."""
    belongs: dict[str, list[list[str]]] = field(default_factory=dict)
    """Of each record, lane by lane, these steps and the part of the innermost that it is: `c/i` for what callback `i`
    does in step `c`, `c/start` for an event."""
    finished: dict[str, Json] = field(default_factory=dict)
    entered: dict[str, int] = field(default_factory=dict)
    said: dict[tuple[str, str], int] = field(default_factory=dict)
    """Lane and other lane → the last record of the other that a record of the lane is said to come after."""
    beside: Beside | None = None
    """Set while a stream runs beside the program."""
    aside: str = ""
    """What follows a subscriber's id in the lane of what it is told now."""
    cancels: frozenset[str] = frozenset()
    """The names of the calls that some step cancels."""
    accepted: frozenset[str] = frozenset()
    """What is let pass that must not be: `c/i` for what callback `i` of step `c` answers, or hands over as a chunk,
    `c/no_json` for what step `c` hands over and JSON lacks, as null, `*/i` for what callback `i` replies so wherever
    it runs, and `unheard` for events of managed calls that are rewritten though nobody is told."""
    cancelled: list[str] = field(default_factory=list)
    """The lanes of what the callbacks of the call are told that is cancelled now."""
    lent: dict[str, Callable[[], Json]] = field(default_factory=dict)
    """What each execution intercept goes on with, unchanged, as its last entry was lent it."""
    in_hand: tuple[str | None, Json] | None = None
    """The built-in codec that the sanitizer gets which runs now, if it gets one, and the payload that it is given."""
    uncounted: set[str] = field(default_factory=set)
    """The callbacks of which an entry may be missing."""
    held: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Latch at which publication stands, or a subscriber → its lane, and where in that it is said to go on."""
    standing: dict[str, list[str]] = field(default_factory=dict)
    """Subscriber → the latches at which it stands."""
    apart: frozenset[str] = frozenset()
    """The callbacks of which several entries may be at the same time."""
    at_once: list[str] = field(default_factory=list)
    """The lanes of their entries since something went on several times at once."""
    in_some_order: list[list[str]] = field(default_factory=list)
    """Lanes whose records may be any of each other's, but for the number of the entry; each time that something did."""
    latches: Latches = field(default_factory=Latches)
    act: Callable[[Json], None] = lambda step: None

    def policy(self, name: str) -> bool:
        """Tell whether the dialect has a policy, which is false where it does not state it."""
        return bool(self.dialect.get("policies", {}).get(name, False))

    def record(self, record: Json) -> None:
        """Add a record to the program's lane."""
        self.add(PROGRAM, record)

    def add(self, lane: str, record: Json) -> None:
        """Add a record to a lane: it belongs to the steps that are being done."""
        self.lanes.setdefault(lane, []).append(record)
        self.belongs.setdefault(lane, []).append([*self.doing, *self._part(record)])

    def _part(self, record: Json) -> tuple[str, ...]:
        """Return the name of what a record is of in the step that is being done, where it has one."""
        if "callback" in record:
            return (f"{self.doing[-1]}/{record['callback']}",) if self.doing else ()
        if "event" in record:
            event = record["event"]
            name, phase = event["uuid"]["$id"], event.get("scope_category")
            return (f"{name}/{phase}" if phase else name,)
        return ()

    def flush(self) -> None:
        """Let the program's next record come behind what was told of all that was emitted so far (EVT-043)."""
        for lane in (PUBLICATION, *self.told):
            self.is_after(PROGRAM, lane)

    def enter(self, callback: str, given: Json, shown: Json = None, lane: str = PROGRAM) -> int:
        """Record that a callback was entered. shown: what `given` looks like as a matcher, where that differs."""
        count = self.entered.get(callback, 0)
        self.entered[callback] = count + 1
        if lane != PROGRAM:
            self.lanes.setdefault(lane, [])
            self._is_caused(lane)
        shown = literal(given) if shown is None else shown
        self.put(lane, {"fact": "enter", "callback": callback, "k": self._k(callback, count), "given": shown})
        return count

    def _k(self, callback: str, count: int) -> Json:
        """Return an entry's number, which is less where entries before it may be missing and are."""
        return {"$counted": {"all": count, "of": callback}} if callback in self.uncounted else count

    def leave(self, callback: str, count: int, reply: Replied | Raised, lane: str = PROGRAM) -> None:
        """Record what a callback replied or raised."""
        result = {"raised": reply.text} if isinstance(reply, Raised) else {"reply": literal(reply.reply)}
        self.put(lane, {"fact": "leave", "callback": callback, "k": self._k(callback, count), **result})

    def play(
        self, callback: str, ops: list[Json], given: Json, natural: Json, shown: Json = None, lane: str = PROGRAM
    ) -> Replied | Raised:
        """Run one callback from its entry to its end."""
        count = self.enter(callback, given, shown, lane)
        names = {**self.finished, "given": given}
        wait = self.holder(callback, count) if lane == PUBLICATION else self.waiter(callback, count)
        try:
            reply = callbacks.run(callback, callbacks.of_entry(ops, count), natural, names, self.act, wait)
        except CancelledError:
            self.cancel(callback, count)
            raise
        self.leave(callback, count, reply, lane)
        return reply

    def provide(self, call: str, ops: list[Json], given: Json, natural: Json) -> Replied | Raised:
        """Run a call's provider. Where it may run several times at once each entry has a lane of its own."""
        callback = f"{call}.provider"
        if callback not in self.apart:
            return self.play(callback, ops, given, natural)
        lane = f"{callback}.{self.entered.get(callback, 0)}"
        reply = self.play(callback, ops, given, natural, lane=lane)
        self.is_after(PROGRAM, lane)
        self.at_once.append(lane)
        return reply

    def in_any_order(self, goings: Sequence[Callable[[], Json]]) -> list[Json]:
        """Go on several times at once; return the answers, which are told when all are there.

        Which of what it goes on to is entered first is open: each of these entries may be any of them.
        """
        lanes: list[str] = []
        self.at_once = lanes
        answers = [go() for go in goings]
        self.at_once = []
        for at, records in enumerate(zip(*(self.lanes[lane] for lane in lanes), strict=True)):
            for lane, own in zip(lanes, records, strict=True):
                self.lanes[lane][at] = {"$one_of": [record | {"k": own["k"]} for record in records]}
        self.after += [[lane, 0, before, 0] for before, lane in pairwise(lanes)]
        self.in_some_order.append(lanes)
        return answers

    def must_be_callable(self, step: Json) -> None:
        """Raise what calling something gives that cannot be called (MID-020)."""
        if step.get("odd"):
            raise failed("callback_raised")

    def waiter(self, callback: str, count: int) -> Callable[[str], None]:
        """Return what one entry of a callback waits at a latch with: it tells so where the latch is closed."""

        def wait(latch: str) -> None:
            if latch not in self.latches.open:
                self.record({"fact": "wait", "callback": callback, "k": count, "latch": latch})
                doing = self.doing
                try:
                    self.latches.wait(latch)
                finally:
                    self.doing = doing
                self.record({"fact": "resume", "callback": callback, "k": count})

        return wait

    def holder(self, callback: str, count: int) -> Callable[[str], None]:
        """Return what waits at a latch when an event is published: what is told behind it comes later (EVT-057)."""
        return lambda latch: self.hold(PUBLICATION, callback, count, latch)

    def hold(self, lane: str, callback: str, count: int, latch: str) -> None:
        """Let what is told wait at a latch: once, for what comes behind it finds the latch open."""
        if latch not in self.latches.open and latch not in self.held:
            self.put(lane, {"fact": "wait", "callback": callback, "k": count, "latch": latch})
            self.put(lane, {"fact": "resume", "callback": callback, "k": count})
            self.held[latch] = lane, len(self.lanes[lane]) - 1

    def lift(self, latch: str) -> None:
        """Open a latch. What is held up at it stands there by then, and goes on when it is opened (EVT-057/058)."""
        self.latches.lift(latch)
        if latch in self.held:
            (lane, resumed), done = self.held.pop(latch), len(self.lanes[PROGRAM])
            self.after += [[PROGRAM, done, lane, resumed - 1], [lane, resumed, PROGRAM, done - 1]]

    def cancel(self, callback: str, count: int) -> None:
        """Tell a callback that its call is cancelled (FLT-010): of several of them it is open who is told first."""
        lane = f"{callback}.cancelled"
        self.lanes.setdefault(lane, [])
        self.is_after(lane, PROGRAM)
        self.put(lane, {"fact": "cancelled", "callback": callback, "k": count})
        self.cancelled.append(lane)

    def may_be_refused(self, lane: str = PROGRAM) -> None:
        """Let the last reply be refused by the binding's constructor as well as at return."""
        left = self.lanes[lane].pop()
        self.belongs[lane].pop()
        refused = {**left, "fact": "refused", "error": ANY}
        self.add(lane, {"$one_of": [left, refused]})

    def in_json(self, callback: str, reply: Json) -> Json:
        """Return what is read of a callback's reply; raises FailedError where JSON lacks what is in it (DLC-013)."""
        if not dialects.lacks_json(reply):
            return reply
        if f"{self.doing[-1]}/{callback}" in self.accepted:
            return dialects.as_null(reply)
        self.may_be_refused()
        raise failed("outcome_malformed")

    def played_and_read(
        self, callback: str, ops: list[Json], given: Json, natural: Json, shown: Json = None, lane: str = PROGRAM
    ) -> Replied | Raised:
        """Run one callback whose failures have rules of their own: a reply with what JSON lacks is one (DLC-014)."""
        reply = self.play(callback, ops, given, natural, shown, lane)
        if isinstance(reply, Raised) or not dialects.lacks_json(reply.reply):
            return reply
        if f"*/{callback}" in self.accepted:
            return Replied(dialects.as_null(reply.reply))
        self.may_be_refused(lane)
        return Raised("")

    def raised(self, callback: str, reply: Raised) -> FailedError:
        """Return the failure that a callback's error is to whoever called it (OUT-012)."""
        identity = self.rules.original_exception and self.policy("exception_identity")
        return failed("callback_raised", message={"$text": reply.text}, same_as=callback if identity else None)

    def failure(self, metadata: Json, error: Json) -> Json:
        """Return the metadata of the end of a call that failed with an error. metadata: the caller's."""
        return events.failure(metadata, error, self.rules, classed=self.policy("exceptions_have_classes"))

    def deliver(self, subscriber: str, event: Json) -> None:
        """Tell a subscriber of an event: after what the program did, and after the event was published."""
        lane = subscriber + self.aside
        self.lanes.setdefault(lane, [])
        self.told[lane] = None
        if self.aside:
            self.is_after(lane, subscriber)  # whatever was published before the call was let go of is told before
        self.is_after(lane, PUBLICATION)
        self._is_caused(lane)
        self.put(lane, {"fact": "event", "subscriber": subscriber, "event": event})
        for latch in self.standing.get(subscriber, ()):
            callback = f"{subscriber}.told"
            count = self.entered.get(callback, 0)
            self.entered[callback] = count + 1
            self.hold(lane, callback, count, latch)

    def put(self, lane: str, record: Json) -> None:
        """Add a record to a lane; one that may be missing is kept until `settle_maybe`."""
        if self.beside is not None and self.beside.maybe is not None:
            self.beside.maybe.setdefault(lane, []).append(record)
        else:
            self.add(lane, record)

    def settle_maybe(self, first: str = "") -> None:
        """Add what was kept to its lanes: all of it is there, or nothing.

        first: the lane whose part of it is over before the others have theirs that publish and tell; without that part
        nothing is published.
        """
        if self.beside is not None and self.beside.maybe is not None:
            for lane, records in self.beside.maybe.items():
                counts = Counter(record["callback"] for record in records if record["fact"] == "enter")
                self.uncounted.update(counts)
                self.add(lane, {"$maybe": records, "of": self.beside.stream, "counts": dict(counts)})
            later = [lane for lane in self.beside.maybe if lane in (PUBLICATION, *self.told)]
            if first in self.beside.maybe:
                at = len(self.lanes[first]) - 1
                self.after += [[lane, len(self.lanes[lane]) - 1, first, at] for lane in later]
                if PUBLICATION in later:
                    self.lanes[PUBLICATION][-1]["with"] = [first, at]
            self.beside.maybe = {}

    def _is_caused(self, lane: str) -> None:
        """Say that the next record of a lane comes after the program's last one, or what else caused it."""
        self.is_after(lane, PROGRAM)
        for cause in () if self.beside is None else self.beside.causes:
            self.is_after(lane, cause)

    def come_this_far(self) -> None:
        """Say that what runs beside the program comes after the program's last record from now on."""
        if self.beside is not None:
            self.beside.since = len(self.lanes[PROGRAM]) - 1

    def is_after(self, lane: str, other: str) -> None:
        """Say that the next record of a lane comes after the last one of another, unless that has been said."""
        last = len(self.lanes.get(other, ())) - 1
        if self.beside is not None:
            if self.beside.maybe is not None:
                return
            if other == PROGRAM:
                last = min(last, self.beside.since)
        if last > self.said.get((lane, other), -1):
            self.said[lane, other] = last
            self.after.append([lane, len(self.lanes[lane]), other, last])
