"""The checks of the chapter *Events* (EVT) about what a flush waits for, and that it comes to its end."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import PROGRAM, PUBLICATION, Check, Found, judged, register
from bindproof.suites.relay.observation.deliveries import Life
from bindproof.suites.relay.observation.guardrails import guarded
from bindproof.suites.relay.observation.in_flight import is_of_one_time, names_of_cancelled
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.stays import stays_of
from bindproof.suites.relay.observation.streams import streams
from bindproof.suites.relay.observation.transcript import Act, Event, Transcript

CHECKS: dict[str, Check] = {}

Told = tuple[str, int, int, Json]
"""A lane, where in the log something is told or runs there, where in the log its event had been emitted, and what."""

EMITTING = ("call", "helper", "start", "end", "mark")
"""Steps in which something may be emitted."""


@register(CHECKS, "EVT-043")
def a_flush_waits(reading: Reading) -> Found:
    """Nothing is told, nor runs when an event is published, behind a flush before which the event was emitted.

    A subscriber that waits at the event has come back, too.
    """
    flushed = [act for act in reading.transcript.of_kind("flush") if act.done is not None and act.error is None]
    if not flushed:
        return None
    emitted = list(_emitted(reading))
    return judged(
        [
            Evidence(lane, "a flush waits for what was emitted before it", at, None, what, also=(flush.done or 0,))
            for lane, at, since, what in (*emitted, *_run(reading, flushed), *_stood(reading))
            for flush in [one for one in flushed if one.began >= since][:1]
            if at > (flush.done or 0)
        ],
        [since for _, _, since, _ in emitted if since <= flushed[-1].began],
    )


@register(CHECKS, "EVT-048")
def a_flush_comes_to_its_end(reading: Reading) -> Found:
    """No flush fails; of one that does not come back an adapter says so after a while.

    A storm fails by nothing else: each of its programs on a thread flushes at its end, and all else is a step's.
    """
    flushes: list[tuple[int | None, Json]] = [(act.done, act.error) for act in reading.transcript.of_kind("flush")]
    text = "a flush comes to its end, without an error"
    failed = [(at, error) for at, error in flushes if error is not None]
    failed += reading.storm.failed if reading.storm is not None else []
    return judged([Evidence(PROGRAM, text, at, None, error) for at, error in failed], failed or flushes)


def _emitted(reading: Reading) -> Iterator[Told]:
    """Yield what subscribers were told, each with where in the log it had been emitted."""
    transcript = reading.transcript
    for act, lives in reading.deliveries.lives.items():
        until = _over(transcript, act)
        for subscriber, life in lives.items():
            yield from ((subscriber, at, since, event) for (at, event), since in _of_life(transcript, act, life, until))
    for marks in (reading.deliveries.marked, reading.deliveries.rejected):
        for act, events in marks.items():
            if act.done is not None:
                yield from ((subscriber, at, act.done, event) for subscriber, (at, event) in events.items())
    for guard in guarded(transcript):
        for due, start, end in guard.scopes or ():
            over = due.act.done if due.act.step["step"] == "helper" else _over(transcript, due.act)
            if over is not None:
                yield from ((guard.subscriber, one[0], over, one[1]) for one in (start, end) if one is not None)


def _over(transcript: Transcript, act: Act) -> int | None:
    """Return where in the log all events of a call had been emitted; None where it is not known, or no call."""
    if act.step["step"] != "call" or act.step.get("background") or act.step["name"] in names_of_cancelled(transcript):
        return None
    stream = next((one for one in streams(transcript) if one.act is act), None)
    return act.done if stream is None or stream.step["drain"] else stream.over()


def _of_life(transcript: Transcript, act: Act, life: Life, until: int | None) -> Iterator[tuple[Event, int]]:
    """Yield the events of what a step started, each with where in the log it had been emitted."""
    if act.step["step"] == "start":
        yield from ((event, act.done) for event in life.starts if act.done is not None)
        ended = [end.done for end in ends_of(transcript, act) if end.error is None and end.done is not None]
        yield from zip(life.ends, ended, strict=False)
    elif until is not None:
        yield from ((event, until) for event in life.events())


def _run(reading: Reading, flushed: list[Act]) -> Iterator[Told]:
    """Yield what ran at publication behind a flush since which nothing was emitted, as `_emitted` does events.

    A step may emit something before its first record: what ran then may be of the step that is done next.
    """
    if not is_of_one_time(reading.full):
        return
    steps = [act for act in reading.transcript.acts if act.within is None and act.done is not None]
    for run in reading.transcript.published:
        before = [one for one in flushed if (one.done or 0) < run.entered]
        if before and not any(act.step["step"] in EMITTING for act in _between(steps, before[-1], run.entered)):
            yield PUBLICATION, run.entered, before[-1].began, run.given


def _stood(reading: Reading) -> Iterator[Told]:
    """Yield where a subscriber goes on that stood at a latch, as `_emitted` does events."""
    for stay in stays_of(reading):
        if stay.subscriber:
            yield stay.subscriber, stay.ended, stay.began, stay.event


def _between(steps: list[Act], flush: Act, at: int) -> Iterator[Act]:
    """Yield the steps behind a flush, up to the one that is done first after a place in the log."""
    for act in sorted(steps, key=lambda act: act.done or 0):
        if (act.done or 0) > (flush.done or 0):
            yield act
            if (act.done or 0) > at:
                return
