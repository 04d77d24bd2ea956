"""Checks of the chapter *Middleware* (MID): conditionals, and what is told of them: guardrails, marks of rejections."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register, rewrites, working
from bindproof.suites.relay.observation.guardrails import Guarded, Listening, guarded, listening
from bindproof.suites.relay.observation.outcomes import lets_pass
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import listeners
from bindproof.suites.relay.observation.transcript import Act, Entry, Event
from bindproof.suites.relay.scenario.families import CONDITIONALS

CHECKS: dict[str, Check] = {}


def verdicts(reading: Reading) -> list[tuple[Act, Entry]]:
    """The conditionals that replied with a text."""
    return [
        (act, run)
        for act in working(reading)
        for run in act.of(*CONDITIONALS)
        if run.replied and isinstance(run.reply, str)
    ]


@register(CHECKS, "MID-009")
def each_conditional_is_a_scope(reading: Reading) -> Found:
    """Each conditional that runs is a guardrail scope of its name, whose end says what it decided.

    The name of a plugin's conditional ends with its own.
    """
    found = guarded(reading.transcript)
    return judged([evidence for one in found for evidence in _as_scopes(reading, one)], found)


def _as_scopes(reading: Reading, one: Guarded) -> Iterator[Evidence]:
    if one.scopes is None:
        seen = [event.get("name") for _, event in one.starts]
        text, also = "each conditional is a scope", tuple(at for at, _ in one.starts)
        yield Evidence(EVERY_LANE, text, one.due[0].at, [due.name for due in one.due], seen, also=also)
        return
    for at, _ in one.ends[len(one.starts) :]:
        yield Evidence(one.subscriber, "a guardrail ends once", at, len(one.starts), len(one.ends))
    for due, (at, _), end in one.scopes:
        if end is not None and not due.fits(end):
            yield Evidence(one.subscriber, "a guardrail's end has its name", end[0], due.name, end[1].get("name"))
        if end is None or end[0] < at:
            also = () if end is None else (end[0],)
            yield Evidence(one.subscriber, "a guardrail ends behind its start", at, "an end behind it", None, also=also)
            continue
        if due.run is None or any(rewrites(reading, at, "end.sanitize") for at in (due.at, due.act.done)):
            continue
        allowed = part(end[1], "data", "allowed")
        if allowed is not lets_pass(due.run):
            yield Evidence(EVERY_LANE, "a guardrail's end says what it decided", at, due.run.reply, end)


@register(CHECKS, "MID-026")
def guardrails_are_told_to_who_was_there(reading: Reading) -> Found:
    """Who comes or goes while conditionals run is told of the guardrails of a step as it was there when these began."""
    found = listening(reading.transcript)
    text = "guardrails are told to who was there when they began"
    miscounted = [(one, seen) for one in found for seen in (one.starts, one.ends) if len(seen) != one.due]
    return judged([_miscounted(text, one, seen) for one, seen in miscounted], found)


def _miscounted(text: str, one: Listening, seen: list[Event]) -> Evidence:
    places = [at for at, _ in seen] if len(seen) > one.due else []
    return Evidence(one.subscriber, text, next(iter(places), None), one.due, len(seen), also=tuple(places[1:]))


@register(CHECKS, "MID-010")
def a_rejected_call_leaves_a_mark(reading: Reading) -> Found:
    """Of a call that was rejected there is one mark of its name, which says so, with the reason, and nothing else."""
    found = [
        (act, run, subscriber, subscriber in listeners(reading.transcript, run.left or act.done))
        for act, run in verdicts(reading)
        if act.step["step"] == "call" and act.done is not None
        for subscriber in sorted(reading.transcript.events)
    ]
    return judged([evidence for one in found for evidence in _marked(reading, *one)], found)


def _marked(reading: Reading, act: Act, run: Entry, subscriber: str, due: bool) -> Iterator[Evidence]:
    told = reading.deliveries.rejected.get(act, {}).get(subscriber)
    if told is None and due:
        yield Evidence(EVERY_LANE, "a rejected call leaves a mark", act.done, run.reply, None)
    if told is not None and not due:
        yield Evidence(subscriber, "a rejection is told to who is there", told[0], None, told[1])
    if told is None:
        return
    at, event = told
    bare: Json = {"category": None, "data_schema": None}
    if not rewrites(reading, act.done, "mark.sanitize"):
        bare |= {"category_profile": None, "data": {"rejected": True, "rejection_reason": run.reply}}
    seen = {member: event.get(member) for member in bare}
    if not same(bare, seen):
        yield Evidence(EVERY_LANE, "a rejection says why, and nothing else", at, bare, seen)


@register(CHECKS, "MID-011")
def conditionals_see_what_the_caller_sent(reading: Reading) -> Found:
    """Conditionals are given the call's name and what the caller handed in, before any intercept."""
    found = [(act, run) for act in working(reading) for run in act.of(*CONDITIONALS)]
    found = [(act, run) for act, run in found if "$get" not in str(act.step.get(_subject(run)))]
    return judged(
        [
            Evidence(EVERY_LANE, "what the caller handed in", run.entered, act.step.get(_subject(run)), run.given)
            for act, run in found
            if not same(act.step.get(_subject(run)), run.given.get(_subject(run)))
        ]
        + [
            Evidence(EVERY_LANE, "the call's name", run.entered, act.step["name"], run.given.get("name"))
            for act, run in found
            if run.given.get("name", act.step["name"]) != act.step["name"]
        ],
        found,
    )


def _subject(run: Entry) -> str:
    return "args" if run.part.startswith("tool.") else "request"


@register(CHECKS, "EVT-028")
def guardrails_bear_the_calls_metadata(reading: Reading) -> Found:
    """Start and end of a conditional's scope, and the mark of a rejection, have the call's metadata."""
    scopes = [scope for one in guarded(reading.transcript) if one.scopes is not None for scope in one.scopes]
    found = [
        (due.act, event)
        for due, start, end in scopes
        for at, event, family in ((due.at, start, "start.sanitize"), (due.over, end, "end.sanitize"))
        if event is not None and not rewrites(reading, at, family, "event.metadata")
    ]
    found += [
        (act, event)
        for act, events in reading.deliveries.rejected.items()
        if not rewrites(reading, act.done, "mark.sanitize", "event.metadata")
        for event in events.values()
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "a guardrail bears the call's metadata", at, given, event.get("metadata"))
            for act, (at, event) in found
            if not same(given := act.step.get("metadata"), event.get("metadata"))
        ],
        found,
    )
