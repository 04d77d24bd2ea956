"""Conditionals that ran, beside the guardrail scopes that tell of them.

Enters: a Transcript. Leaves: for each subscriber what is due and what it was told. It states facts and judges nothing.
"""

from __future__ import annotations

from collections import defaultdict
from urllib.parse import quote

from msgspec import Struct

from bindproof.suites.relay.observation.scopes import effective, listeners, registrations
from bindproof.suites.relay.observation.transcript import Act, Entry, Event, Transcript, kept
from bindproof.suites.relay.scenario.families import CONDITIONALS


class Due(Struct, frozen=True):
    """A conditional that ran in a step."""

    act: Act
    name: str
    at: int
    """Where in the log."""
    run: Entry | None
    """None for one that cannot be called: it leaves no record."""
    plugin: bool
    """A plugin's, whose name is longer than its own."""

    @property
    def over(self) -> int:
        """Where in the log it has replied."""
        return self.at if self.run is None or self.run.left is None else self.run.left

    def fits(self, event: Event) -> bool:
        """Tell whether an event has its name."""
        told = str(event[1].get("name"))
        return told.endswith((self.name, quote(self.name, safe=""))) if self.plugin else told == self.name


class Guarded(Struct, frozen=True):
    """What is due of one subscriber, and the guardrails that it was told of."""

    subscriber: str
    due: list[Due]
    starts: list[Event]
    scopes: list[tuple[Due, Event, Event | None]] | None
    """Each conditional with the start and the end that tell of it; None where the starts are others than are due."""
    ends: list[Event]
    """Of guardrails, all of them."""


@kept
def guarded(transcript: Transcript) -> list[Guarded]:
    """Return what each subscriber was told of conditionals, of those to whom something is due.

    Due are all of a step to whoever is there when the first one is about to run. Not those that a conditional brought
    or took away: see `listening`.
    """
    found: dict[str, list[Due]] = defaultdict(list)
    moved = {one.subscriber for one in listening(transcript)}
    for dues in _by_step(transcript):
        for subscriber in listeners(transcript, dues[0].at) - moved:
            found[subscriber] += dues
    guards = []
    for subscriber, own in sorted(found.items()):
        starts, ends = _told(transcript, subscriber)
        due = sorted(own, key=lambda one: one.at)
        guards.append(Guarded(subscriber, due, starts, _scopes(due, starts, ends), ends))
    return guards


def _by_step(transcript: Transcript) -> list[list[Due]]:
    """Return the conditionals that ran, those of each step for themselves."""
    found: dict[Act, list[Due]] = defaultdict(list)
    for one in conditionals_due(transcript):
        found[one.act].append(one)
    return list(found.values())


def _told(transcript: Transcript, subscriber: str) -> tuple[list[Event], list[Event]]:
    """Return the starts and the ends of guardrails that a subscriber was told of."""
    events = [event for event in transcript.events.get(subscriber, []) if event[1].get("category") == "guardrail"]
    starts = [event for event in events if event[1].get("scope_category") == "start"]
    return starts, [event for event in events if event[1].get("scope_category") == "end"]


def _scopes(due: list[Due], starts: list[Event], ends: list[Event]) -> list[tuple[Due, Event, Event | None]] | None:
    if len(due) != len(starts) or not all(one.fits(start) for one, start in zip(due, starts, strict=True)):
        return None
    ended = {str(event[1].get("uuid")): event for event in ends}
    return [(one, start, ended.get(str(start[1].get("uuid")))) for one, start in zip(due, starts, strict=True)]


class Listening(Struct, frozen=True):
    """A subscriber that a conditional registered or took back, and what it was told of guardrails."""

    subscriber: str
    due: int
    """So many conditionals ran in steps whose first one began while it was there."""
    starts: list[Event]
    ends: list[Event]


@kept
def listening(transcript: Transcript) -> list[Listening]:
    """Return the subscribers that came or went while a conditional ran."""
    inside = [act for act in transcript.acts if act.within is not None and act.within.part in CONDITIONALS]
    ids = {act.step["of"] if act.step["step"] == "deregister" else act.step["as"] for act in inside}
    subscribers = {act.step["as"] for act, _ in registrations(transcript, "subscriber")}
    found = []
    for name in sorted(ids & subscribers):
        due = [dues for dues in _by_step(transcript) if name in listeners(transcript, dues[0].at)]
        found.append(Listening(name, sum(map(len, due)), *_told(transcript, name)))
    return found


@kept
def conditionals_due(transcript: Transcript) -> list[Due]:
    """Return the conditionals that ran, in order: calls in flight are done in another order than they begin."""
    found: list[Due] = []
    plugins = {act.step["as"] for act in transcript.of_kind("register") if act.plugin}
    for act in transcript.acts:
        if act.step["step"] not in ("call", "helper") or not act.step["as"]:
            continue
        runs = act.of(*CONDITIONALS)
        found += [Due(act, run.step["name"], run.entered, run, run.callback in plugins) for run in runs]
        odd = _uncallable(transcript, act)
        if odd is not None and all(run.replied and run.reply is None for run in runs):
            at = runs[-1].left if runs else None
            found.append(Due(act, odd.step["name"], act.began if at is None else at, None, odd.step["as"] in plugins))
    return sorted(found, key=lambda one: one.at)


def _uncallable(transcript: Transcript, act: Act) -> Act | None:
    """Return the first conditional that is due in a step and cannot be called, where there is one."""
    kind = act.step["kind"]
    if act.step["step"] == "call":
        kind = "tool.conditional" if kind == "tool" else "llm.conditional"
    if kind not in CONDITIONALS:
        return None
    odd = [one for one in effective(transcript, kind, act.began) if one.step["odd"]]
    return min(odd, key=lambda one: (one.step["priority"], one.step["name"]), default=None)
