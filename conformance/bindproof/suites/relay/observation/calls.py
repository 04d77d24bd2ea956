"""One call or helper as the chapters speak of it: its callbacks, its outcome, and what each subscriber was told.

Enters: what `view` reads from a log. Leaves: facts in canonical names. Must not know checks or the reference.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import itemgetter

from bindproof.core.model import Json
from bindproof.suites.relay.observation.once import once

Event = tuple[int, Json]
"""Where an event stands in the log, and the event."""

UNJUDGED = "?"
"""The fault of a reply that nobody has looked at yet."""


@dataclass(eq=False, slots=True)
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


@dataclass(eq=False)
class Life:
    """What one subscriber was told of one call: start, pending marks and end events, each with its place in the log."""

    starts: list[Event] = field(default_factory=list)
    marks: list[Event] = field(default_factory=list)
    ends: list[Event] = field(default_factory=list)

    @once
    def _in_order(self) -> list[Event]:
        return sorted(self.starts + self.marks + self.ends, key=itemgetter(0))

    def events(self) -> list[Event]:
        """All events, in the order of the log."""
        return self._in_order


@dataclass(eq=False)
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
        """The marks of all intercepts of this call that replied with a list of them, in order.

        Without those whose name is an object or a list: no event can be told by it.
        """
        found = [mark for one in self.intercepts if one.replied for mark in marks_of(one.reply)]
        return [mark for mark in found if not isinstance(mark.get("name"), dict | list)]


def marks_of(outcome: Json) -> list[Json]:
    """Return the pending marks that a reply states, or none when it states no list of objects."""
    marks = outcome.get("pending_marks") if isinstance(outcome, dict) else None
    return [mark for mark in marks if isinstance(mark, dict)] if isinstance(marks, list) else []


def names_of_marks(outcome: Json) -> list[Json]:
    """Return the names of the pending marks that a reply states, in order."""
    return [mark.get("name") for mark in marks_of(outcome)]
