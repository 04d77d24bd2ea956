"""A storm as it went: of each program what was told of it, who was called in it, and what it was given.

Records of programs that run at once come in any order. Each is told apart by the call that it says it is of (see
`scenario.storms`), and never by when it came.

Enters: a complete scenario, its normalised log, the dialect's spelling. Leaves: a Story: for each program its records
in their order, and what is of none. It states facts and judges nothing; the reference is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from bindproof.core.model import Json
from bindproof.suites.relay.observation.records import Done, Enter, Event, Record
from bindproof.suites.relay.scenario.callbacks import callback_named
from bindproof.suites.relay.scenario.storms import OWN, Program, marks_before, programs_of

Told = tuple[int, Json]
"""Where an event stands in the log, and the event."""


class Visit(Struct, frozen=True):
    """One entry of a callback. `says`: which calls what it was given is of, by every part that says so."""

    at: int
    callback: str
    part: str
    given: Json
    says: frozenset[str]


class Part(Struct, frozen=True):
    """What was seen of one program."""

    program: Program
    told: dict[str, list[Told]] = field(default_factory=dict)
    """Subscriber → what it was told of the program, in order."""
    visits: list[Visit] = field(default_factory=list)
    """The entries of callbacks in its call."""
    done: dict[str, tuple[int, Done]] = field(default_factory=dict)
    """Step → where it came back, and with what."""

    @property
    def provided(self) -> Visit:
        """The first entry of its provider."""
        return next(visit for visit in self.visits if visit.part == "provider")

    def of_call(self, phase: str, subscriber: str) -> list[Told]:
        """Return the starts or the ends of its call that a subscriber was told."""
        return [one for one in self.told[subscriber] if _is(one[1], phase, self.program.name)]

    def of_scope(self, phase: str, subscriber: str) -> list[Told]:
        """Return the starts or the ends of its scope that a subscriber was told."""
        return [one for one in self.told[subscriber] if _is(one[1], phase, str(self.program.scope["name"]))]

    def pending(self, subscriber: str) -> list[Told]:
        """Return the marks that a subscriber was told which no step of the program emits."""
        own = {step["name"] for step in self.program.steps if step["step"] == "mark"}
        return [one for one in self.told[subscriber] if kind_of(one[1]) == "mark" and one[1].get("name") not in own]


class Story(Struct, frozen=True):
    """What was seen of a storm."""

    parts: list[Part]
    subscribers: list[str]
    inline: dict[str, str]
    """The callbacks that each call of a kind enters once → that kind."""
    marks: list[str]
    """The names of the marks that intercepts state in every LLM call."""
    nobodys: list[tuple[str, Told]]
    """Subscriber → events that are of no program."""
    failed: list[tuple[int, Json]]
    """Where the storm itself came back with an error, and which."""

    def lives(self) -> Iterator[tuple[Part, str]]:
        """Yield each program with each subscriber."""
        for part in self.parts:
            for subscriber in self.subscribers:
                yield part, subscriber


INLINE = {
    "llm.request": "llm",
    "llm.execution": "llm",
    "tool.request": "tool",
    "tool.execution": "tool",
}
"""Family whose callbacks are entered once in each call → the kind of these calls."""


def kind_of(event: Json) -> str:
    """Return `start`, `end` or `mark`, or what an event says in its place."""
    return "mark" if event.get("kind") == "mark" else str(event.get("scope_category"))


def own_names(value: Json) -> frozenset[str]:
    """Return the names of calls that a value says it is of, at any depth."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if isinstance(one.get(OWN), str):
                found.add(one[OWN])
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return frozenset(found)


def story(full: Json, records: list[Record]) -> Story:
    """Read a storm."""
    *before, storm = full["steps"]
    parts = [Part(one, {}) for one in programs_of(storm)]
    subscribers = [step["as"] for step in before if step["family"] == "subscriber"]
    for part in parts:
        part.told.update({name: [] for name in subscribers})
    reader = _Reader(parts, {step["as"]: step["family"] for step in before})
    nobodys: list[tuple[str, Told]] = []
    for at, record in enumerate(records):
        reader.read(at, record, nobodys)
    inline = {step["as"]: INLINE[step["family"]] for step in before if step["family"] in INLINE}
    done = [(at, one) for at, one in enumerate(records) if isinstance(one, Done) and one.step == storm["as"]]
    failed = [(at, one.error) for at, one in done if one.error]
    return Story(parts, subscribers, inline, marks_before(full), nobodys, failed)


class _Reader:
    def __init__(self, parts: list[Part], families: dict[str, str]) -> None:
        self.families = families
        self.by_step = {step["as"]: part for part in parts for step in part.program.steps}
        self.by_name = {str(step["name"]): part for part in parts for step in part.program.steps if "name" in step}

    def read(self, at: int, record: Record, nobodys: list[tuple[str, Told]]) -> None:
        match record:
            case Done(step=step) if step in self.by_step:
                self.by_step[step].done[step] = at, record
            case Event(subscriber=subscriber, event=event):
                part = self.of_event(event)
                if part is None or subscriber not in part.told:
                    nobodys.append((subscriber, (at, event)))
                else:
                    part.told[subscriber].append((at, event))
            case Enter():
                self.enter(at, record)

    def of_event(self, event: Json) -> Part | None:
        """Return the program that an event is of: it has a name of it, or says in its data of which call it is."""
        name = event.get("name")
        if isinstance(name, str) and name in self.by_name:
            return self.by_name[name]
        said = [self.by_name[name] for name in own_names(event.get("data")) if name in self.by_name]
        return said[0] if len(said) == 1 else None

    def enter(self, at: int, record: Enter) -> None:
        step, part = callback_named(record.callback)
        given = record.given
        if isinstance(given.get("event"), dict):
            return  # what is asked of an event that is published is told with it
        says = own_names(given)
        if isinstance(given.get("name"), str):
            says |= {given["name"]}
        family = part if step in self.by_step else self.families.get(step, "")
        own = self.by_step.get(step)  # a provider is the call's own, whoever it was called for
        found = own or next((self.by_name[name] for name in sorted(says) if name in self.by_name), None)
        if found is not None:
            found.visits.append(Visit(at, record.callback, family, given, says))


def _is(event: Json, phase: str, name: str) -> bool:
    return kind_of(event) == phase and event.get("name") == name
