"""The check of the chapter *Events* (EVT) about the order in which subscribers are told of what a program does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from bindproof.core.model import Evidence
from bindproof.suites.relay.checks.common import Check, Found, judged, register
from bindproof.suites.relay.observation.deliveries import Life
from bindproof.suites.relay.observation.in_flight import names_of_cancelled
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import audience, ends_of, listeners, registrations
from bindproof.suites.relay.observation.transcript import Act, Entry, Event, Transcript

CHECKS: dict[str, Check] = {}


class Emitted(Struct, frozen=True):
    """What the program emitted, and what a subscriber was told of it."""

    at: int
    """Where in the log it did."""
    act: Act
    what: str
    told: list[Event]
    counted: bool
    """Whether it has to be told once: of calls and marks other rules say so."""


@register(CHECKS, "EVT-015")
def events_are_told_in_order(reading: Reading) -> Found:
    """Starts, ends and marks of the program are told in the order of its steps; those of its own scopes and calls once.

    Of a stream that is closed early it is not known when it ended.
    """
    found = [
        (subscriber, sorted(_emitted(reading, subscriber), key=lambda one: one.at))
        for subscriber in {act.step["as"]: None for act, _ in registrations(reading.transcript, "subscriber")}
    ]
    return judged(
        [evidence for one in found for evidence in (*_out_of_order(*one), *_uncounted(*one))],
        [emitted for _, emitted in found if emitted],
    )


def _out_of_order(subscriber: str, emitted: list[Emitted]) -> Iterator[Evidence]:
    told = [(one, at) for one in emitted for at, _ in one.told[:1]]
    for (before, earlier), (one, at) in pairwise(told):
        if at < earlier:
            yield Evidence(
                subscriber,
                "events are told in order",
                at,
                f"behind the {before.what} of {before.act.step['as']}",
                f"the {one.what} of {one.act.step['as']}",
                also=(earlier,),
            )


def _uncounted(subscriber: str, emitted: list[Emitted]) -> Iterator[Evidence]:
    for one in emitted:
        if one.counted and len(one.told) != 1:
            places = [at for at, _ in one.told]
            yield Evidence(
                subscriber,
                f"the {one.what} of {one.act.step['as']} is told once",
                places[0] if places else one.at,
                1,
                len(places),
                also=tuple(places[1:]),
                about=() if places else (one.act.step["as"],),
            )


def _is_there(transcript: Transcript, subscriber: str, at: int) -> bool:
    return subscriber in listeners(transcript, at)


def _runs_beside(within: Entry | None) -> bool:
    """Tell whether a callback runs beside the program: in a call in the background, or where chunks are handed over."""
    return within is not None and (bool(within.step.get("background")) or within.part in ("source", "llm.stream"))


def _emitted(reading: Reading, subscriber: str) -> Iterator[Emitted]:
    """Yield what the program emitted when the subscriber was there, and the events that it was told."""
    transcript = reading.transcript
    steps = [act for kind in ("mark", "start") for act in transcript.of_kind(kind)]
    for act in [act for act in steps if act.error is None and not _runs_beside(act.within)]:
        if subscriber in audience(transcript, act):
            yield from _of_step(reading, subscriber, act)
    late = names_of_cancelled(transcript)
    calls = [act for act in transcript.of_kind("call") if act.step.get("as") and not act.step.get("background")]
    for act in [act for act in calls if act.started and not act.stood and act.step["name"] not in late]:
        if act.done is not None and subscriber in audience(transcript, act):
            yield from _of_call(reading, subscriber, act)


def _of_step(reading: Reading, subscriber: str, act: Act) -> Iterator[Emitted]:
    if act.step["step"] == "mark":
        event = reading.deliveries.marked.get(act, {}).get(subscriber)
        yield Emitted(act.done or 0, act, "mark", [event] if event else [], False)
        return
    life = reading.deliveries.lives.get(act, {}).get(subscriber) or Life()
    yield Emitted(act.done or 0, act, "start", life.starts, True)
    ends = [end.done for end in ends_of(reading.transcript, act) if end.error is None and end.done is not None]
    over = [at for at in ends if _is_there(reading.transcript, subscriber, at)]
    for number, at in enumerate(over):
        # A program may end what it started more than once: each is told, and the last answers for what is too many.
        told = life.ends[number:] if at == over[-1] else life.ends[number : number + 1]
        yield Emitted(at, act, "end", told, True)


def _of_call(reading: Reading, subscriber: str, act: Act) -> Iterator[Emitted]:
    life = reading.deliveries.lives.get(act, {}).get(subscriber) or Life()
    yield Emitted(act.started_at, act, "start", life.starts, False)
    stream = next((one for one in reading.streams if one.act is act), None)
    over = act.done if stream is None or stream.step["drain"] else stream.over()
    if over is not None:
        yield Emitted(over, act, "end", life.ends, False)
