"""What happened, call by call: the shape in which the chapters speak of an observation.

Enters: what `viewing` read from a log. Leaves: a View with calls, their callbacks and events, in canonical names, and
what several checks ask of them, worked out once. It states facts and judges nothing; the reference is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bindproof.model import Json
from bindproof.suites.relay.once import once
from bindproof.suites.relay.spelling import Spelling

Event = tuple[int, Json]
"""Where an event stands in the log, and the event."""

UNJUDGED = "?"
"""The fault of a reply that nobody has looked at yet."""


@dataclass(slots=True)
class Invocation:
    """One entry of a callback. left: index of its `leave` or `refused` record; reply is canonical, None unless
    `replied`.

    refused: the binding's own constructor would not take the reply, so it was never returned. fault: kept by
    `checks.malformed.fault_of`.
    """

    callback: str
    entered: int
    given: Json
    raw_given: Json
    left: int | None = None
    replied: bool = False
    reply: Json = None
    raw_reply: Json = None
    raised: str | None = None
    refused: bool = False
    fault: str | None = UNJUDGED


@dataclass
class Life:
    """What one subscriber was told of one call: start, pending marks and end events, each with its place in the log."""

    starts: list[Event] = field(default_factory=list)
    marks: list[Event] = field(default_factory=list)
    ends: list[Event] = field(default_factory=list)

    @once
    def events(self) -> list[Event]:
        """All events, in the order of the log."""
        return sorted(self.starts + self.marks + self.ends, key=lambda event: event[0])


@dataclass
class Call:
    """One managed call (`helper` false) or standalone helper: its step, callbacks, outcome and lives by subscriber."""

    step: Json
    helper: bool
    codec: bool
    done: int | None = None
    value: Json = None
    raw_value: Json = None
    error: Json = None
    intercepts: list[Invocation] = field(default_factory=list)
    decodes: list[Invocation] = field(default_factory=list)
    encodes: list[Invocation] = field(default_factory=list)
    providers: list[Invocation] = field(default_factory=list)
    lives: dict[str, Life] = field(default_factory=dict)
    audience: list[str] = field(default_factory=list)
    latecomers: list[str] = field(default_factory=list)

    @once
    def intercepted(self) -> bool:
        """True when the interception succeeded: the provider was reached, or the step has a value."""
        return bool(self.providers) or (self.done is not None and self.error is None)

    @once
    def final(self) -> Json:
        """The last accepted outcome as the intercept gave it, or one made of the call's own request."""
        if self.intercepts:
            return self.intercepts[-1].reply
        annotation = self.decodes[-1].reply if self.decodes else None
        return {"request": self.step["request"], "annotated_request": annotation, "pending_marks": []}

    @once
    def pending_marks(self) -> list[Json]:
        """The marks of all intercepts of this call that replied with a list of them, in order."""
        return [mark for one in self.intercepts if one.replied for mark in marks_of(one.reply)]


@dataclass
class View:
    """One observation, ready to be judged.

    raw: the records as recorded. events: every event with its subscriber, in the order of the log. unowned: those that
    belong to no call. intercepts: registration steps by callback id. schemas: name of a contract object → whether a
    value satisfies its schema.
    """

    spelling: Spelling
    raw: list[Json]
    calls: list[Call]
    events: list[tuple[str, Event]]
    unowned: list[tuple[str, Event]]
    intercepts: Mapping[str, Json]
    schemas: Mapping[str, Callable[[Json], bool]]

    @once
    def managed(self) -> list[Call]:
        """The managed calls."""
        return [call for call in self.calls if not call.helper]

    @once
    def provided(self) -> list[Call]:
        """The managed calls that reached their provider."""
        return [call for call in self.managed if call.providers]

    @once
    def coded(self) -> list[Call]:
        """The managed calls with a codec."""
        return [call for call in self.calls if call.codec]

    @once
    def helpers(self) -> list[Call]:
        """The standalone helpers."""
        return [call for call in self.calls if call.helper]

    @once
    def lived(self) -> list[tuple[Call, str, Life]]:
        """Each call whose interception succeeded with each subscriber of its audience and what that was told."""
        return [
            (call, subscriber, call.lives.get(subscriber) or Life())
            for call in self.managed
            if call.intercepted
            for subscriber in call.audience
        ]

    @once
    def marked(self) -> list[tuple[Call, str, Life]]:
        """The lives of calls whose intercepts stated marks."""
        return [(call, subscriber, life) for call, subscriber, life in self.lived if call.pending_marks]

    @once
    def matched_marks(self) -> list[tuple[str, Json, Event]]:
        """Marks beside their events: the n-th mark of a name with the n-th event of that name."""
        found = []
        for call, subscriber, life in self.marked:
            waiting = list(life.marks)
            for mark in call.pending_marks:
                name = mark.get("name")
                for at, event in enumerate(waiting):
                    if event[1].get("name") == name:
                        found.append((subscriber, mark, waiting.pop(at)))
                        break
        return found

    @once
    def replies(self) -> list[tuple[Call, Invocation]]:
        """Every reply of every intercept with the call that it belongs to."""
        return [(call, one) for call in self.calls for one in call.intercepts if one.replied]

    @once
    def followed(self) -> list[tuple[Call, Invocation, Invocation]]:
        """Each intercept with its call and the intercept that ran after it."""
        return [
            (call, one, after)
            for call in self.calls
            if len(call.intercepts) > 1
            for one, after in zip(call.intercepts, call.intercepts[1:], strict=False)
        ]


def marks_of(outcome: Json) -> list[Json]:
    """Return the pending marks that a reply states, or none when it states no list of objects."""
    marks = outcome.get("pending_marks") if isinstance(outcome, dict) else None
    return [mark for mark in marks if isinstance(mark, dict)] if isinstance(marks, list) else []
