"""Checks of the chapter *Streams* (STR): what subscribers are told of a stream call."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register
from bindproof.suites.relay.checks.responses import is_readable, read
from bindproof.suites.relay.checks.stream_common import Ended, ended, ended_as_it_was, metadata_of_ends, told, unfailed
from bindproof.suites.relay.observation.deliveries import Life, everyone
from bindproof.suites.relay.observation.outcomes import names_of_marks
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.spans import ToldSpan, families
from bindproof.suites.relay.observation.status import STATUS
from bindproof.suites.relay.observation.streams import StreamCall
from bindproof.suites.relay.observation.transcript import Act, plain

CHECKS: dict[str, Check] = {}

MICROSECOND = 1000
CHUNK_MARK = "llm.chunk"


@register(CHECKS, "STR-004")
def the_end_shows_what_the_finalizer_made(reading: Reading) -> Found:
    """The end's data is the finalizer's reply."""
    found = [
        (stream.finals[0].reply, at, end)
        for stream, _, at, end in ended(reading, "llm.sanitize_response", "end.sanitize")
        if stream.finals and stream.finals[0].replied and plain(stream.finals[0].reply) is not None
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the end shows what the finalizer made", at, reply, end.get("data"))
            for reply, at, end in found
            if not same(reply, end.get("data"))
        ],
        found,
    )


@register(CHECKS, "STR-005")
def one_start_and_one_end(reading: Reading) -> Found:
    """A stream call that is over has one start and one end, the end a microsecond later at the least."""
    reached = [stream.act for stream in reading.streams if stream.started() and not stream.runs_on()]
    found = list(everyone(reading.transcript, reached))
    return judged([evidence for act, subscriber, life in found for evidence in _paired(act, subscriber, life)], found)


def _paired(act: Act, subscriber: str, life: Life) -> Iterator[Evidence]:
    for what, told_of in (("start", life.starts), ("end", life.ends)):
        if len(told_of) != 1:
            place = next((at for at, _ in (*life.starts, *life.ends)), act.done)
            yield Evidence(
                subscriber,
                f"a stream call has one {what}",
                place,
                1,
                len(told_of),
                also=tuple(at for at, _ in told_of[1:]),
                about=() if told_of else (act.step["as"],),
            )
            return
    (_, start), (at, end) = life.starts[0], life.ends[0]
    if _number(end) < _number(start) + MICROSECOND:
        yield Evidence(EVERY_LANE, "the end is a microsecond later", at, start, end)


def _number(event: Json) -> int:
    time = event.get("timestamp")
    return time if isinstance(time, int) else 0


def _pending(span: ToldSpan) -> list[Json]:
    """The names of the marks that the request intercepts of a call state."""
    return [name for run in span.act.of("llm.request") for name in names_of_marks(run.reply)]


@register(CHECKS, "STR-006")
def pending_marks_follow_the_start(reading: Reading) -> Found:
    """The pending marks come first, a microsecond after the start, in their order."""
    found = [(span, names) for _, span in told(reading) if (names := _pending(span))]
    return judged([evidence for one in found for evidence in _marked(*one)], found)


def _marked(span: ToldSpan, names: list[Json]) -> Iterator[Evidence]:
    marks = span.marks[: len(names)]
    seen = [mark.get("name") for _, mark in marks]
    if names != seen or any(at < span.start[0] for at, _ in marks):
        yield Evidence(EVERY_LANE, "the pending marks follow the start", span.start[0], names, seen)
    for at, mark in marks:
        if _number(mark) != (expected := _number(span.start[1]) + MICROSECOND):
            yield Evidence(EVERY_LANE, "a mark is a microsecond after the start", at, expected, _number(mark))


@register(CHECKS, "STR-007")
def each_chunk_leaves_a_mark(reading: Reading) -> Found:
    """There is a mark for each chunk that was collected, before the end."""
    found = [(stream, span) for stream, span in told(reading) if stream.collected and span.ends]
    counted = "mark.sanitize" not in families(reading.transcript)
    return judged([evidence for one in found for evidence in _chunks(*one, counted)], found)


def _chunks(stream: StreamCall, span: ToldSpan, counted: bool) -> Iterator[Evidence]:
    marks = span.marks[len(_pending(span)) :]
    names = [mark.get("name") for _, mark in marks]
    if names != [CHUNK_MARK] * len(stream.collected):
        yield Evidence(EVERY_LANE, "a mark for each chunk", span.start[0], len(stream.collected), names)
        return
    for number, (at, mark) in enumerate(marks):
        if at > span.ends[0][0]:
            yield Evidence(EVERY_LANE, "the end comes after the chunks", at, "before the end", number)
        if counted and part(mark, "data", "chunk_index") != number:
            yield Evidence(EVERY_LANE, "chunks are counted from 0", at, number, mark.get("data"))


@register(CHECKS, "STR-008")
def the_end_says_how_long_the_first_chunk_took(reading: Reading) -> Found:
    """The end's profile has the time to the first chunk, where there was one."""
    found = ended(reading, "end.sanitize")
    return judged(
        [
            Evidence(
                span.subscriber,
                "the time to the first chunk",
                at,
                bool(stream.collected),
                end.get("category_profile"),
                at="/event/category_profile/time_to_first_chunk",
            )
            for stream, span, at, end in found
            if _is_seconds(part(end, "category_profile", "time_to_first_chunk")) is not bool(stream.collected)
        ],
        found,
    )


def _is_seconds(value: Json) -> bool:
    return type(value) in (int, float) and bool(value >= 0)


@register(CHECKS, "STR-012")
def a_finalizer_that_fails_leaves_the_calls_data(reading: Reading) -> Found:
    """The end of a stream whose finalizer failed has the data that the call was made with."""
    whole = ended(reading, "llm.sanitize_response", "end.sanitize")
    found = [one for one in whole if one[0].finals and one[0].finals[0].raised is not None]
    return judged(
        [
            Evidence(EVERY_LANE, "a failed finalizer leaves the call's data", at, expected, end.get("data"))
            for _, span, at, end in found
            if not same(expected := span.act.step["data"], end.get("data"))
        ],
        found,
    )


@register(CHECKS, "STR-020")
def a_finalizer_that_fails_is_told(reading: Reading) -> Found:
    """The end of a stream whose finalizer failed has the status ERROR."""
    found = [one for one in reading.streams if one.finals and one.finals[0].raised is not None]
    return judged(unfailed(reading, found, "its finalizer failed, "), found)


def _cut_short(reading: Reading, how: str) -> Found:
    used = {act.step["of"] for act in reading.transcript.acts if act.step["step"] == "close" and act.step["how"] == how}
    found = [
        stream
        for stream in reading.streams
        if stream.step["as"] in used and stream.closed is not None and not stream.ended and not stream.errors
    ]
    text = "closed early, what hands chunks over is closed"
    running = [
        Evidence(EVERY_LANE, text, one.entered, "closed", "open", about=(stream.step["as"],))
        if one.over is None
        else Evidence(EVERY_LANE, text, one.entered, "closed", "open", also=(one.over[0],))
        for stream in found
        for one in (*stream.wrappers, *stream.sources)
        if one.over is None or one.over[1].how != "closed"
    ]
    finished = [stream for stream, _ in _finished(reading)]
    unfinished = [stream for stream in found if stream not in finished]
    return judged(running + unfailed(reading, unfinished, "closed early, "), found)


def _finished(reading: Reading) -> list[tuple[StreamCall, Ended]]:
    """Return the streams that were closed or dropped early and whose answer was finished, with their ends."""
    used = {act.step["of"] for act in reading.transcript.acts if act.step["step"] == "close"}
    found = []
    for one in ended_as_it_was(reading):
        stream, _, _, end = one
        codec, answer = stream.step["response_codec"], end.get("data")
        if stream.step["as"] in used and not stream.ended and codec and is_readable(codec, answer):
            members = {name for name, _ in read(codec, answer)}
            if members >= {"finish_reason", "usage.prompt_tokens", "usage.completion_tokens"}:
                found.append((stream, one))
    return found


@register(CHECKS, "STR-019")
def what_was_finished_ends_well(reading: Reading) -> Found:
    """The end of a stream that was closed early has the status OK where its answer was finished."""
    found, text = _finished(reading), "a finished answer ends well"
    ends = [one for _, one in found if part(one[3], "metadata", STATUS) != "OK"]
    return judged(
        [
            Evidence(lane, text, at, "OK", said, where)
            for lane, at, where, said in metadata_of_ends(reading, ends)
            if part(said, STATUS) != "OK"
        ],
        found,
    )


@register(CHECKS, "STR-013")
def a_stream_that_is_closed_early_ends_with_an_error(reading: Reading) -> Found:
    """A stream that is closed before it ended is over everywhere, and its end says so."""
    return _cut_short(reading, "close")


@register(CHECKS, "STR-018")
def a_stream_that_is_dropped_ends_with_an_error(reading: Reading) -> Found:
    """A stream that is dropped before it ended is over everywhere, and its end says so."""
    return _cut_short(reading, "drop")
