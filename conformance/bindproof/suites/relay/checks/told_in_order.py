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
from bindproof.suites.relay.observation.scopes import audience, effective, registrations
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
    return any(one.step["as"] == subscriber for one in effective(transcript, "subscriber", at))


def _runs_beside(within: Entry | None) -> bool:
    """Tell whether a callback runs beside the program: in a call in the background, or where chunks are handed over."""
    return within is not None and (bool(within.step.get("background")) or within.part in ("source", "llm.stream"))


def _emitted(reading: Reading, subscriber: str) -> Iterator[Emitted]:
    """Yield what the program emitted when the subscriber was there, and the events that it was told."""
    transcript, told = reading.transcript, reading.deliveries
    read_out = {stream.act: stream.read_out() for stream in reading.streams}
    late = names_of_cancelled(transcript)
    ends = {act.step["of"]: act for act in transcript.of_kind("end") if act.error is None}
    for act in transcript.acts:
        step = act.step
        if act.error is not None or act.done is None or _runs_beside(act.within):
            continue
        if step["step"] not in ("mark", "start") or subscriber not in audience(transcript, act):
            continue
        life = told.lives.get(act, {}).get(subscriber) or Life()
        if step["step"] == "mark":
            event = told.marked.get(act, {}).get(subscriber)
            yield Emitted(act.done, act, "mark", [event] if event else [], False)
        elif step["step"] == "start":
            yield Emitted(act.done, act, "start", life.starts, True)
            end = ends.get(step["as"])
            if end is not None and end.done is not None and _is_there(transcript, subscriber, end.done):
                yield Emitted(end.done, act, "end", life.ends, True)
    for act in transcript.of_kind("call"):
        step = act.step
        if step.get("background") or not step.get("as") or not act.started or act.stood or step["name"] in late:
            continue
        if act.done is not None and subscriber in audience(transcript, act):
            life = told.lives.get(act, {}).get(subscriber) or Life()
            yield Emitted(act.started_at, act, "start", life.starts, False)
            over = read_out[act] if act in read_out else act.done
            if over is not None:
                yield Emitted(over, act, "end", life.ends, False)
