"""Checks of the chapter *Streams* (STR): chunks, what collects them, who reads them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from bindproof.core.model import Evidence, same
from bindproof.suites.relay.checks.common import EVERY_LANE, PROGRAM, Check, Found, is_that_error, judged, register
from bindproof.suites.relay.checks.stream_common import sanitized_before_finalized, unfailed
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.streams import StreamCall
from bindproof.suites.relay.observation.transcript import Asked, Entry

CHECKS: dict[str, Check] = {}


def _flowing(reading: Reading) -> list[tuple[StreamCall, Entry]]:
    """The streams that were given, with what hands over their chunks."""
    found = [(stream, stream.outermost()) for stream in reading.streams]
    return [(stream, outer) for stream, outer in found if outer is not None and outer.replied]


@register(CHECKS, "STR-001")
def what_is_handed_over_is_read(reading: Reading) -> Found:
    """The reader gets the chunks in their order, and all of them when the stream ends.

    What was closed before its end has not handed all over, so its stream does not end by itself.
    """
    found = _flowing(reading)
    return judged(
        [
            Evidence(EVERY_LANE, "the chunks in their order", stream.done, expected, seen)
            for stream, outer in found
            if not same(
                expected := outer.values() if stream.ended else outer.values()[: len(stream.reads)],
                seen := [chunk for _, chunk in stream.reads],
            )
        ]
        + [
            Evidence(EVERY_LANE, "a stream ends when what hands over has ended", outer.over[0], "ended", "closed")
            for stream, outer in found
            if stream.ended and outer.over is not None and outer.over[1].how == "closed"
        ],
        found,
    )


@register(CHECKS, "STR-002")
def each_chunk_is_collected_before_it_is_read(reading: Reading) -> Found:
    """The collector is given the chunks in their order, each before it is read."""
    found = [(stream, outer) for stream, outer in _flowing(reading) if outer.chunks]
    return judged([evidence for one in found for evidence in _collected(*one)], found)


def _collected(stream: StreamCall, outer: Entry) -> Iterator[Evidence]:
    seen = [one.given.get("chunk") for one in stream.collected]
    expected = outer.values() if stream.ended else outer.values()[: len(seen)]
    if not same(expected, seen):
        yield Evidence(EVERY_LANE, "each chunk is collected", stream.done, expected, seen)
        return
    for number, (at, chunk) in enumerate(stream.reads):
        if number >= len(seen) or (stream.collected[number].left or at) >= at:
            yield Evidence(PROGRAM, "a chunk is collected before it is read", at, "collected", chunk)


@register(CHECKS, "STR-003")
def the_finalizer_runs_once(reading: Reading) -> Found:
    """The finalizer of a stream that is over ran once, after the last chunk, and before its answer is sanitized."""
    streams = [stream for stream, _ in _flowing(reading)]
    found = [one for one in streams if one.ended or one.errors or (one.closed is not None and not one.runs_on())]
    early = [_sanitized_early(stream, run) for stream, run in sanitized_before_finalized(reading, streams)]
    return judged([*(evidence for stream in found for evidence in _finalized(stream)), *early], found)


def _sanitized_early(stream: StreamCall, run: Entry) -> Evidence:
    text, also = "the finalizer runs before a response sanitizer", () if run.left is None else (run.left,)
    return Evidence(EVERY_LANE, text, run.entered, stream.step["as"], run.callback, also=also)


def _finalized(stream: StreamCall) -> Iterator[Evidence]:
    if len(stream.finals) != 1:
        yield Evidence(EVERY_LANE, "the finalizer runs once", stream.done, 1, len(stream.finals))
    elif any((one.left or 0) > stream.finals[0].entered for one in stream.collected):
        yield Evidence(
            EVERY_LANE, "the finalizer runs after the last chunk", stream.finals[0].entered, "last", "not last"
        )


@register(CHECKS, "STR-009")
def a_stream_that_fails_was_read_before(reading: Reading) -> Found:
    """Of a stream that fails all chunks are read, and then the error."""
    found = [
        (stream, outer)
        for stream, outer in _flowing(reading)
        if outer.over is not None and outer.over[1].raised is not UNSET and stream.collects_all()
    ]
    failures = [evidence for one in found for evidence in _failed(reading, *one)]
    return judged(failures + unfailed(reading, [stream for stream, _ in found]), found)


def _failed(reading: Reading, stream: StreamCall, outer: Entry) -> Iterator[Evidence]:
    seen = [chunk for _, chunk in stream.reads]
    if not same(outer.values(), seen):
        yield Evidence(EVERY_LANE, "what came before the failure is read", stream.done, outer.values(), seen)
    raised = str(outer.over and outer.over[1].raised)
    yield from _told(reading, stream, "a failing stream fails its reader", raised)


def _told(reading: Reading, stream: StreamCall, text: str, raised: str | None) -> Iterator[Evidence]:
    """Yield evidence unless the reader got the error that a callback of the stream ended with."""
    if not stream.errors:
        yield Evidence(EVERY_LANE, text, stream.done, raised, None)
        return
    at, error = stream.errors[-1]
    if not is_that_error(reading, error, raised):
        yield Evidence(EVERY_LANE, text, at, raised, error)


@register(CHECKS, "STR-010")
def a_collector_that_fails_ends_the_stream(reading: Reading) -> Found:
    """Nothing is collected after the collector failed, and that chunk is not read."""
    found = [stream for stream, _ in _flowing(reading) if not stream.collects_all()]
    failures = [evidence for stream in found for evidence in _uncollected(reading, stream)]
    return judged(failures + unfailed(reading, found), found)


def _uncollected(reading: Reading, stream: StreamCall) -> Iterator[Evidence]:
    first = next(at for at, one in enumerate(stream.collected) if one.raised is not None)
    if len(stream.collected) > first + 1:
        later = stream.collected[first + 1]
        yield Evidence(EVERY_LANE, "nothing is collected after a failure", later.entered, None, later.given)
    if len(stream.reads) != first:
        yield Evidence(EVERY_LANE, "what comes before the failure is read", stream.done, first, len(stream.reads))
    yield from _told(reading, stream, "a failing collector fails the reader", stream.collected[first].raised)


@register(CHECKS, "STR-021")
def closing_tells_that_the_finalizer_failed(reading: Reading) -> Found:
    """Closing a stream that was read to its end fails with what its finalizer failed with."""
    failed = {
        stream.step["as"]: stream.finals[0].raised
        for stream in reading.streams
        if stream.finals and stream.finals[0].raised is not None and stream.ended
    }
    closes = [act for act in reading.transcript.of_kind("close") if act.step["how"] == "close"]
    found = [(act, failed[act.step["of"]]) for act in closes if act.step["of"] in failed]
    return judged(
        [
            Evidence(PROGRAM, "closing fails as the finalizer did", act.done, raised, act.error)
            for act, raised in found
            if act.error is None or not is_that_error(reading, act.error, raised)
        ],
        found,
    )


@register(CHECKS, "STR-011")
def without_a_stream_there_is_nothing_to_collect(reading: Reading) -> Found:
    """A call whose outermost callback failed at once collects and finalizes nothing."""
    outers = [(stream, stream.outermost()) for stream in reading.streams]
    found = [stream for stream, outer in outers if outer is not None and outer.raised is not None]
    return judged([evidence for stream in found for evidence in _unopened(stream)] + unfailed(reading, found), found)


def _unopened(stream: StreamCall) -> Iterator[Evidence]:
    if not stream.errors:
        yield Evidence(EVERY_LANE, "without a stream the call fails", stream.done, "an error", None)
    for one in (*stream.collected, *stream.finals)[:1]:
        yield Evidence(EVERY_LANE, "nothing is collected or finalized", one.entered, None, one.callback)


@register(CHECKS, "STR-014")
def streams_have_intercepts_of_their_own(reading: Reading) -> Found:
    """A stream call runs stream intercepts alone, and a plain one plain ones."""
    others = {"llm_stream": "llm.execution", "llm": "llm.stream"}
    registered = {
        act.step["family"] for act in reading.transcript.acts if act.step["step"] == "register" and act.error is None
    }
    found = [
        act
        for kind, other in others.items()
        for act in reading.transcript.calls(kind)
        if other in registered and (act.error is None or act.runs)
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "an intercept of the other kind of call", run.entered, None, run.callback)
            for act in found
            for run in act.of(others[act.step["kind"]])
        ],
        found,
    )


def _wrapping(reading: Reading) -> Iterator[tuple[StreamCall, Entry, Asked, Entry | None]]:
    """Yield each `next` of a stream intercept, and what was called then."""
    for stream in reading.streams:
        callbacks = sorted((*stream.wrappers, *stream.sources), key=lambda one: one.entered)
        for wrapper in stream.wrappers:
            for asked in wrapper.asked:
                inner = next((one for one in callbacks if one.entered > asked.at), None)
                yield stream, wrapper, asked, inner


def _changes(wrapper: Entry) -> bool:
    """Tell whether an intercept changes chunks or adds some."""
    return any(op["op"] == "edit" or op.get("chunks") for op in wrapper.step["do"])


def _catches(wrapper: Entry) -> bool:
    """Tell whether an intercept swallows failures of what it goes on to."""
    return any(op["op"] == "next" and op["catch"] for op in wrapper.step["do"])


@register(CHECKS, "STR-015")
def next_gives_the_chunks_of_what_it_wraps(reading: Reading) -> Found:
    """An intercept that changes nothing hands over what it was given; one that catches nothing fails with it."""
    wrapping = [(wrapper, asked, inner) for _, wrapper, asked, inner in _wrapping(reading) if inner is not None]
    found = [(wrapper, inner) for wrapper, _, inner in wrapping if inner.replied and not _changes(wrapper)]
    failed = [one for one in wrapping if one[2].raised is not None or _raised_late(one[2]) is not None]
    return judged(
        [
            Evidence(EVERY_LANE, "the chunks of what it wraps", wrapper.entered, expected, wrapper.values())
            for wrapper, inner in found
            if not same(
                expected := inner.values() if wrapper.ended() else inner.values()[: len(wrapper.chunks)],
                wrapper.values(),
            )
        ]
        + [evidence for one in failed for evidence in _fails(*one)],
        found or failed,
    )


def _raised_late(entry: Entry) -> str | None:
    """Return what a callback raised while its stream was read."""
    over = UNSET if entry.over is None else entry.over[1].raised
    return None if over is UNSET else str(over)


def _fails(wrapper: Entry, asked: Asked, inner: Entry) -> Iterator[Evidence]:
    """Yield evidence where what an intercept goes on to fails, and it is given a stream, or comes to its end."""
    text = "an intercept fails with what it wraps"
    if inner.raised is not None and asked.answered is not None and asked.error is None:
        yield Evidence(EVERY_LANE, text, asked.answered, inner.raised, asked.value)
    elif inner.raised is None and wrapper.ended() and not _catches(wrapper):
        yield Evidence(EVERY_LANE, text, wrapper.over and wrapper.over[0], _raised_late(inner), "ended")


@register(CHECKS, "STR-016")
def an_intercept_may_go_on_late(reading: Reading) -> Found:
    """A `next` after the intercept gave its stream calls what it wraps."""
    found = [one for one in _wrapping(reading) if one[1].left is not None and one[1].left < one[2].at]
    return judged(
        [
            Evidence(EVERY_LANE, "an intercept may go on while it is read", asked.at, "a stream", wrapper.refusals())
            for _, wrapper, asked, inner in found
            if inner is None or (wrapper.refusals() and inner.raised is None)
        ],
        found,
    )


@register(CHECKS, "STR-017")
def next_hands_on_its_request(reading: Reading) -> Found:
    """What `next` is called with is what is wrapped is given."""
    found = [(asked.argument, inner) for _, _, asked, inner in _wrapping(reading) if inner is not None]
    return judged(
        [
            Evidence(EVERY_LANE, "the request that was handed on", inner.entered, argument, inner.given.get("request"))
            for argument, inner in found
            if not same(argument, inner.given.get("request"))
        ],
        found,
    )
