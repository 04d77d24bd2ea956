"""What happened, call by call: the normalised log ordered into the shape in which the chapters speak.

Enters: a complete scenario, its normalised log, the dialect's spelling. Leaves: a View with calls, their callbacks
and events,
in canonical names. It states facts and judges nothing; the reference is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from bindproof.model import Json
from bindproof.suites.relay.spelling import Spelling

Event = tuple[int, Json]
"""Where an event stands in the log, and the event."""


@dataclass(slots=True)
class Invocation:
    """One entry of a callback. left: index of its `leave` or `refused` record; reply is canonical, None unless
    `replied`.

    refused: the binding's own constructor would not take the reply, so it was never returned.
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


@dataclass(slots=True)
class Life:
    """What one subscriber was told of one call: start, pending marks and end events, each with its place in the log."""

    starts: list[Event] = field(default_factory=list)
    marks: list[Event] = field(default_factory=list)
    ends: list[Event] = field(default_factory=list)

    def events(self) -> list[Event]:
        """All events, in the order of the log."""
        return sorted(self.starts + self.marks + self.ends, key=lambda event: event[0])


@dataclass(slots=True)
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

    @property
    def intercepted(self) -> bool:
        """True when the interception succeeded: the provider was reached, or the step has a value."""
        return bool(self.providers) or (self.done is not None and self.error is None)

    @property
    def final(self) -> Json:
        """The last accepted outcome as the intercept gave it, or one made of the call's own request."""
        if self.intercepts:
            return self.intercepts[-1].reply
        annotation = self.decodes[-1].reply if self.decodes else None
        return {"request": self.step["request"], "annotated_request": annotation, "pending_marks": []}

    @property
    def pending_marks(self) -> list[Json]:
        """The marks of all intercepts of this call that replied with a list of them, in order."""
        return [mark for one in self.intercepts if one.replied for mark in marks_of(one.reply)]


@dataclass(slots=True)
class View:
    """One observation, ready to be judged.

    log and raw: the same records, normalised and as recorded. unowned: events that belong to no call, with their
    subscriber.
    intercepts: registration steps by callback id. schemas: name of a contract object → whether a value satisfies its
    schema.
    """

    edition: str
    spelling: Spelling
    log: list[Json]
    raw: list[Json]
    calls: list[Call]
    unowned: list[tuple[str, Event]]
    intercepts: dict[str, Json]
    schemas: Mapping[str, Callable[[Json], bool]]

    def events(self) -> Iterator[tuple[str, Event]]:
        """Every event with its subscriber, in the order of the log."""
        for index, record in enumerate(self.log):
            if record["fact"] == "event":
                yield record["subscriber"], (index, record["event"])


def marks_of(outcome: Json) -> list[Json]:
    """Return the pending marks that a reply states, or none when it states no list of objects."""
    marks = outcome.get("pending_marks") if isinstance(outcome, dict) else None
    return [mark for mark in marks if isinstance(mark, dict)] if isinstance(marks, list) else []


def view(
    full: Json,
    log: list[Json],
    raw: list[Json],
    edition: str,
    spelling: Spelling,
    schemas: Mapping[str, Callable[[Json], bool]],
) -> View:
    """Order a normalised log into calls.

    Program records belong to the top-level step that is done next. LLM scopes are given to the calls of their name that
    reached the provider, first come first served; surplus ones to calls that should have none; marks by their parent.
    """
    builder = _Builder(full, spelling)
    for index, record in enumerate(log):
        builder.take(index, record)
    builder.finish()
    unowned = _give_events(log, builder.calls)
    return View(edition, spelling, log, raw, builder.calls, unowned, builder.intercepts, schemas)


class _Builder:
    """Reads the program's records in order."""

    def __init__(self, full: Json, spelling: Spelling) -> None:
        self.spelling = spelling
        self.steps = {step["as"]: step for step in full["steps"]}
        self.inner = {
            op["step"]["as"]: op["step"]
            for step in full["steps"]
            for ops in (step.get("do", []), step.get("provider", []))
            for op in ops
            if op["op"] == "step"
        }
        self.intercepts = {
            key: step for key, step in {**self.steps, **self.inner}.items() if step.get("family") == "llm.request"
        }
        self.queue = [step for step in full["steps"] if step["step"] in ("call", "helper")]
        self.calls: list[Call] = []
        self.subscribers: list[str] = []
        self.current: Call | None = None
        self.open: dict[tuple[str, int], Invocation] = {}

    def take(self, index: int, record: Json) -> None:
        """Add one record."""
        fact = record["fact"]
        if fact == "enter":
            self._enter(index, record)
        elif fact in ("leave", "refused"):
            self._leave(index, record)
        elif fact == "done":
            self._done(index, record)

    def finish(self) -> None:
        """Close a call that was never done."""
        if self.current is not None:
            self.calls.append(self.current)

    def _call(self) -> Call | None:
        if self.current is None and self.queue:
            step = self.queue.pop(0)
            codec = step["step"] == "call" and step["codec"] != "none"
            self.current = Call(step, step["step"] == "helper", codec, audience=list(self.subscribers))
        return self.current

    def _enter(self, index: int, record: Json) -> None:
        call = self._call()
        callback, raw = record["callback"], record["given"]
        given = raw
        if callback in self.intercepts:
            given = self.spelling.canonical_argument(raw)
        elif callback.endswith(".encode"):
            given = self.spelling.canonical_encode(raw)
        one = Invocation(callback, index, given, raw)
        self.open[callback, record["k"]] = one
        if call is None:
            return
        if callback in self.intercepts:
            call.intercepts.append(one)
        else:
            kind = callback.rpartition(".")[2]
            {"decode": call.decodes, "encode": call.encodes, "provider": call.providers}.get(kind, []).append(one)

    def _leave(self, index: int, record: Json) -> None:
        one = self.open.get((record["callback"], record["k"]))
        if one is None:
            return
        one.left = index
        one.refused = record["fact"] == "refused"
        one.raised = record.get("raised")
        if "reply" in record:
            one.replied, one.raw_reply = True, record["reply"]
            intercept = one.callback in self.intercepts
            one.reply = self.spelling.canonical_reply(one.raw_reply) if intercept else one.raw_reply

    def _done(self, index: int, record: Json) -> None:
        step = self.steps.get(record["step"]) or self.inner.get(record["step"])
        if step is None:
            return
        if step["step"] == "register" and step["family"] == "subscriber" and "error" not in record:
            self._subscribed(step["as"])
        if step["step"] in ("call", "helper"):
            call = self._call()
            if call is not None:
                call.done, call.error, call.raw_value = index, record.get("error"), record.get("value")
                call.value = self.spelling.canonical_helper(call.raw_value) if call.helper else call.raw_value
                self.calls.append(call)
                self.current = None

    def _subscribed(self, subscriber: str) -> None:
        self.subscribers.append(subscriber)
        if self.current is not None:
            late = bool(self.current.providers)
            (self.current.latecomers if late else self.current.audience).append(subscriber)


def _give_events(log: list[Json], calls: list[Call]) -> list[tuple[str, Event]]:
    """Give each event to the call that it is about; returns those that are about none."""
    found = [
        (record["subscriber"], (at, record["event"])) for at, record in enumerate(log) if record["fact"] == "event"
    ]
    owners = _owners(found, calls)
    started: dict[str, Call] = {}
    unowned: list[tuple[str, Event]] = []
    for subscriber, (index, event) in found:
        scope = event.get("kind") == "scope"
        owner = owners.get(event.get("uuid") if scope else event.get("parent_uuid"))
        if owner is None and not scope:
            owner = started.get(subscriber)
        if owner is None:
            unowned.append((subscriber, (index, event)))
            continue
        life = owner.lives.setdefault(subscriber, Life())
        if not scope:
            life.marks.append((index, event))
        elif event.get("scope_category") == "start":
            started[subscriber] = owner
            life.starts.append((index, event))
        else:
            life.ends.append((index, event))
    return unowned


def _owners(events: list[tuple[str, Event]], calls: list[Call]) -> dict[Json, Call]:
    """LLM scope → the call that it is of.

    The first of its name that has none, and whose audience has the subscriber.
    """
    managed = [call for call in calls if not call.helper]
    waiting = [call for call in managed if call.providers] + [call for call in managed if not call.providers]
    owners: dict[Json, Call] = {}
    for subscriber, (_, event) in events:
        label = event.get("uuid")
        if event.get("kind") != "scope" or event.get("category") != "llm" or label in owners:
            continue
        named = [call for call in waiting if call.step["name"] == event.get("name")]
        owner = next((call for call in named if subscriber in call.audience), named[0] if named else None)
        if owner is not None:
            waiting.remove(owner)
            owners[label] = owner
    return owners
