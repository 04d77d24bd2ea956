"""The check of the chapter *Events* (EVT) about subscribers that raise: the others, and they, are told nonetheless."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence
from bindproof.suites.relay.checks.barriers import EMITTING
from bindproof.suites.relay.checks.common import Check, Found, judged, register
from bindproof.suites.relay.observation.guardrails import guarded
from bindproof.suites.relay.observation.published import identity
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.spans import steady
from bindproof.suites.relay.observation.transcript import FAR, Act, Event, Transcript
from bindproof.suites.relay.scenario.callbacks import ops_of_entry

CHECKS: dict[str, Check] = {}


@register(CHECKS, "EVT-052")
def others_are_told_nonetheless(reading: Reading) -> Found:
    """From the event on at which one raises, those who are told of everything are told of all that it was, and it too.

    What nobody was told of is no matter of who raised: other rules say that it is due.
    """
    raising = first_raised(reading.transcript)
    if not raising:
        return None
    events = reading.transcript.events
    there = _there(reading.transcript)
    pairs = [(raiser, other) for raiser in raising for other in there if other != raiser]
    owners = _owners(reading)
    found: list[Evidence] = []
    for raiser, other in pairs:
        at = raising[raiser]
        found += _missing(events[raiser][at:], events.get(other, []), raiser, other, owners)
        if raiser in there:
            found += _missing(_behind(events, other, events[raiser][at]), events[raiser], raiser, raiser, owners)
    unique = {(one.lane, one.about, str(one.expected)): one for one in found}
    return judged(list(unique.values()), pairs)


def first_raised(transcript: Transcript) -> dict[str, int]:
    """Return the subscribers that raised, each with which of its events it first raised at, counted from 0."""
    found: dict[str, int] = {}
    for act in transcript.of_kind("register"):
        name, ops = act.step["as"], act.step["do"]
        if act.step["family"] == "subscriber" and ops:
            told = range(len(transcript.events.get(name, [])))
            raised = [k for k in told if any(op["op"] == "raise" for op in ops_of_entry(ops, k))]
            if raised:
                found[name] = raised[0]
    return found


def _there(transcript: Transcript) -> list[str]:
    """Return the subscribers that are told of everything that the program emits."""
    began = min((act.began for act in transcript.acts if act.step["step"] in EMITTING), default=FAR)
    return [name for name, since in steady(transcript).items() if since <= began]


def _behind(events: dict[str, list[Event]], subscriber: str, raised: Event) -> list[Event]:
    """Return what a subscriber was told behind an event; where it was not told of that, nothing."""
    keys = [identity(event) for _, event in events.get(subscriber, [])]
    return events[subscriber][keys.index(identity(raised[1])) + 1 :] if identity(raised[1]) in keys else []


def _missing(due: list[Event], told: list[Event], raiser: str, lane: str, owners: dict[str, Act]) -> Iterator[Evidence]:
    """Yield which of the events that are due one was not told of."""
    keys = {identity(event) for _, event in told}
    for _, event in due:
        key = identity(event)
        if key not in keys:
            owner = owners.get(key)
            text = f"{raiser} has raised, and all are told nonetheless"
            yield Evidence(lane, text, None, event, None, about=(owner.step["as"],) if owner is not None else ())


def _owners(reading: Reading) -> dict[str, Act]:
    """Return the step that each event is of."""
    found: dict[str, Act] = {}
    for act, lives in reading.deliveries.lives.items():
        found |= {identity(event): act for life in lives.values() for _, event in life.events()}
    for marks in (reading.deliveries.marked, reading.deliveries.rejected):
        for act, told in marks.items():
            found |= {identity(event): act for _, event in told.values()}
    for guard in guarded(reading.transcript):
        for due, start, end in guard.scopes or ():
            found |= {identity(event[1]): due.act for event in (start, end) if event is not None}
    return found
