"""Checks of the chapter *Calls in flight* (FLT): cancelled calls. None applies where none was cancelled in flight."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, PROGRAM, Check, Found, judged, part, register
from bindproof.suites.relay.observation.in_flight import cancellings, managed_spans, scopes_look_like_calls
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.spans import ToldSpan, started, steady
from bindproof.suites.relay.observation.status import DESCRIPTION, STATUS
from bindproof.suites.relay.observation.transcript import Act, Transcript

CHECKS: dict[str, Check] = {}

AT_WORK = ("enter", "leave", "refused", "next", "answer", "resume")
"""Facts of a callback that is at work."""


@register(CHECKS, "FLT-009")
def the_caller_is_told(reading: Reading) -> Found:
    """The error of a cancelled call is of the kind `cancelled`."""
    found = cancellings(reading.transcript)
    return judged(
        [
            Evidence(PROGRAM, "a cancelled call fails as cancelled", call.done, "cancelled", call.error or call.value)
            for call in found
            if part(call.error, "kind") != "cancelled"
        ],
        found,
    )


@register(CHECKS, "FLT-010")
def nothing_goes_on(reading: Reading) -> Found:
    """Whoever had not left is told once, and nothing of the call is seen at work any more."""
    found = cancellings(reading.transcript)
    return judged([evidence for call in found for evidence in _going_on(reading, call)], found)


def _going_on(reading: Reading, call: Act) -> Iterator[Evidence]:
    left = [run for run in call.all() if run.left is None]
    for run in left:
        if len(run.told) != 1:
            text = "a callback is told once that its call is cancelled"
            yield Evidence(EVERY_LANE, text, call.done, 1, len(run.told))
    callbacks = {(run.callback, reading.log[run.entered]["k"]) for run in left}
    for index, record in enumerate(reading.log):
        if index > (call.done or 0) and record["fact"] in AT_WORK:
            own = record["callback"].startswith(f"{call.step['as']}.")
            if own or (record["callback"], record["k"]) in callbacks:
                yield Evidence(EVERY_LANE, "nothing of a cancelled call goes on", index, None, record)


@register(CHECKS, "FLT-011")
def it_ends_once_as_an_error(reading: Reading) -> Found:
    """A cancelled call has one end, with the status ERROR that says so, and no marks behind it."""
    cancelled = cancellings(reading.transcript)
    found = [span for span in managed_spans(reading.transcript) if span.act in cancelled]
    return judged([evidence for span in found for evidence in _ended(span)], found)


def _ended(span: ToldSpan) -> Iterator[Evidence]:
    if len(span.ends) != 1:
        yield Evidence(EVERY_LANE, "a cancelled call has one end", span.start[0], 1, len(span.ends))
    for at, end in span.ends:
        status = part(end, "metadata", STATUS)
        if status != "ERROR":
            yield Evidence(EVERY_LANE, "its end is an error", at, "ERROR", status)
        elif "cancelled" not in str(said := part(end, "metadata", DESCRIPTION)):
            yield Evidence(EVERY_LANE, "its end says that it was cancelled", at, "cancelled", said)
    ended = min((at for at, _ in span.ends), default=None)
    for at, mark in span.marks:
        if ended is not None and at > ended:
            yield Evidence(EVERY_LANE, "no marks after it", at, None, mark)


@register(CHECKS, "FLT-017")
def one_that_has_not_started_is_not_told(reading: Reading) -> Found:
    """Of a name there are no more starts, and no more ends, than calls of it that started."""
    transcript = reading.transcript
    names = {(act.step["kind"], act.step["name"]) for act in cancellings(transcript) if not act.started}
    found = [
        (kind, name, subscriber, since)
        for kind, name in sorted(names)
        for subscriber, since in steady(transcript).items()
        if not scopes_look_like_calls(transcript)
    ]
    return judged([evidence for one in found for evidence in _not_told(transcript, *one)], found)


def _not_told(transcript: Transcript, kind: str, name: str, subscriber: str, since: int) -> Iterator[Evidence]:
    own = [act for act in started(transcript, kind) if act.step["name"] == name and act.started_at >= since]
    for phase in ("start", "end"):
        told = [at for at, event in transcript.events.get(subscriber, ()) if _is_of(event, kind, name, phase)]
        if len(told) > len(own):
            text = f"a call that is cancelled before its start has no {phase}"
            yield Evidence(EVERY_LANE, text, told[-1], len(own), len(told))


def _is_of(event: Json, kind: str, name: str, phase: str) -> bool:
    return (event.get("category"), event.get("name"), event.get("scope_category")) == (kind, name, phase)
