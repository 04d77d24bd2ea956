"""What several chapters' checks say in the same way: equality, refusals, failures, the register of predicates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.core.pointer import pointer_to
from bindproof.suites.relay.observation.deliveries import Life, lives, sort_of
from bindproof.suites.relay.observation.in_flight import cancellings
from bindproof.suites.relay.observation.reading import Entry, LlmCall, Reading
from bindproof.suites.relay.observation.scopes import effective, end_of
from bindproof.suites.relay.observation.spans import families
from bindproof.suites.relay.observation.transcript import EXECUTING, Act, Event, Transcript

Found = list[Evidence] | None
Check = Callable[[Reading], Found]

PROGRAM = "program"
PUBLICATION = "publication"
EVERY_LANE = "*"
"""Lane of an evidence that explains differences anywhere: a call went on that should have failed, or the reverse."""

OWNED_HEADERS = ("traceparent", "tracestate")
"""Headers that the runtime may set, replace or remove (LIF-010, LIF-011)."""

AGENT_HEADERS = ("x-dynamo-session-id", "x-dynamo-parent-session-id")
"""Headers that the runtime sets inside an agent's scope (LIF-017)."""


CREDENTIALS = ("authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "anthropic-api-key")
"""Headers that a start does not show from some edition on, in any case (LIF-026)."""


def register(table: dict[str, Check], requirement: str) -> Callable[[Check], Check]:
    """Return a decorator that puts a predicate into a chapter's table."""

    def put(predicate: Check) -> Check:
        table[requirement] = predicate
        return predicate

    return put


def judged(found: list[Evidence], subjects: object) -> Found:
    """Return what was found, or None where there was nothing to judge: what was found has been judged."""
    return found if found or subjects else None


def each_has(found: list[tuple[Event, Json]], member: str, text: str) -> Found:
    """Judge events by what each has to have as a member.

    found: each event with that. text: what is so, in words.
    """
    return judged(
        [
            Evidence(EVERY_LANE, text, at, wanted, event.get(member))
            for (at, event), wanted in found
            if event.get(member) != wanted
        ],
        found,
    )


def working(reading: Reading) -> list[Act]:
    """Return the calls and helpers in which something ran."""
    return reading.transcript.working


def accepted(call: LlmCall) -> list[Entry]:
    """Return the intercepts whose outcome was accepted: all that replied, where the interception succeeded."""
    return [one for one in call.intercepts if one.returned] if call.intercepted else []


def failed_of_an_outcome(call: LlmCall) -> bool:
    """Tell whether a step failed as of a malformed outcome, and not of a reply behind it that JSON lacks (DLC-013)."""
    behind = [one for one in call.act.everything if one.part in EXECUTING and one.refused]
    return part(call.error, "kind") == "outcome_malformed" and not behind


def must_fail(call: LlmCall, kind: str, why: str) -> Iterator[Evidence]:
    """Yield evidence unless the step ended with an error of the kind."""
    if call.error is None:
        text, spans = f"{why}, yet the step succeeded", (call.step["as"],)
        also = went_on(call.transcript, call.act)
        yield Evidence(EVERY_LANE, text, call.done, {"error": kind}, {"value": call.value}, also=also, about=spans)
    elif call.error.get("kind") != kind:
        yield Evidence(PROGRAM, f"{why}, but the error is of another kind", call.done, kind, call.error)


def went_on(transcript: Transcript, act: Act) -> tuple[int, ...]:
    """Return the records of what a call leaves behind where it goes on: its events, and the steps of its callbacks."""
    told = [at for life in lives(transcript, act).values() for at, _ in (*life.starts, *life.marks, *life.ends)]
    inner = [one.done for one in transcript.acts if one.within in act.everything and one.done is not None]
    return (*told, *inner)


def nothing_after(call: LlmCall, one: Entry, why: str) -> Iterator[Evidence]:
    """Yield evidence for each thing that happened although the call had failed at this intercept."""
    position = call.intercepts.index(one)
    for name, later in (
        ("a later intercept ran", call.intercepts[position + 1 :]),
        ("the codec encoded", call.encodes),
        ("its execution began", call.executions),
    ):
        for invocation in later[:1]:
            yield Evidence(EVERY_LANE, f"{why}, yet {name}", invocation.entered, None, invocation.given)
    for subscriber, life in call.lives.items():
        told = starts_and_ends(call.act, life)
        also = tuple(at for at, _ in told[1:])
        for index, event in told[:1]:
            yield Evidence(subscriber, f"{why}, yet an event of the call was emitted", index, None, event, also=also)


def starts_and_ends(act: Act, life: Life) -> list[Event]:
    """Return the starts and ends that are a call's own: a guardrail of its name may be taken for one that never was."""
    category = sort_of(act)[0]
    return [event for event in life.starts + life.ends if event[1].get("category") == category]


LATER = ("content_changed", "annotation_missing")
"""Kinds of the errors that only an outcome has which was read as one."""


def refused_outcome(call: LlmCall, one: Entry, why: str) -> Iterator[Evidence]:
    """Yield evidence unless a malformed outcome failed the step as OUT-007 says; one alone where it was accepted."""
    later = list(nothing_after(call, one, why)) if call.error is not None else []
    name = call.step["as"]
    if call.error is not None and not later and call.error.get("kind") not in LATER:
        yield from must_fail(call, "outcome_malformed", why)
        return
    also = (
        *went_on(call.transcript, call.act),
        *(evidence.record for evidence in later if evidence.record is not None),
    )
    yield Evidence(
        EVERY_LANE,
        f"{why}, yet the step succeeded" if call.error is None else f"{why}, yet the call goes on",
        call.done,
        {"error": "outcome_malformed"},
        {"value": call.value} if call.error is None else {"error": call.error},
        also=also,
        about=(name,),
        accepted=(f"{name}/{one.callback}",),
    )


def free_headers(headers: Json) -> Json:
    """Return headers less those that the runtime may own."""
    if not isinstance(headers, dict):
        return headers
    owned = OWNED_HEADERS + AGENT_HEADERS
    return {name: value for name, value in headers.items() if name.lower() not in owned}


def rewrites(reading: Reading, at: int | None, *named: str) -> bool:
    """Tell whether something of these families is registered at a place in the log, and so may rewrite what is told.

    at: None where it is not known when that is told: what was registered at any time counts then.
    """
    there = families(reading.transcript).intersection(named)
    if not there or at is None:
        return bool(there)
    return any(effective(reading.transcript, family, at) for family in there)


def start_is_rewritten(reading: Reading, act: Act, *named: str) -> bool:
    """Tell whether something of these families is there when a step starts."""
    return rewrites(reading, act.started_at, *named)


def end_is_rewritten(reading: Reading, act: Act, *named: str) -> bool:
    """Tell whether something of these families is there when the end of what a step started is emitted."""
    return rewrites(reading, end_of(reading.transcript, act), *named)


def is_cancelled(reading: Reading, call: LlmCall) -> bool:
    """Tell whether a call was cancelled in flight: how it ends is FLT-009 to FLT-011's."""
    return call.act in cancellings(reading.transcript)


def is_that_error(reading: Reading, error: Json, raised: str | None) -> bool:
    """Tell whether an error is the one that a callback ended with: it has its text, or is of the kind that has none."""
    if error is None or part(error, "kind") == "callback_raised":
        return error is not None
    message, text = str(part(error, "message")), raised or ""
    return all(own in message for own in reading.raises if own and own in text)


def part(value: Json, *path: str) -> Json:
    """Return a member of nested objects, or None where one is missing."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def apart(expected: Json, seen: Json, at: str) -> Iterator[tuple[str, Json, Json]]:
    """Yield the places at which two values differ, as pointers, with what each has there.

    Of a member that one of two objects lacks it is the object's place, with what they do not have both.
    """
    if not isinstance(expected, dict) or not isinstance(seen, dict):
        if not same(expected, seen):
            yield at, expected, seen
        return
    for key in sorted(expected.keys() | seen.keys()):
        if key in expected and key in seen:
            yield from apart(expected[key], seen[key], at + pointer_to([key]))
        else:
            left, right = ({key: value[key]} if key in value else {} for value in (expected, seen))
            yield at, left, right
