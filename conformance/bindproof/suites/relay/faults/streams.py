"""Planted faults of the chapter *Streams* (STR)."""

from __future__ import annotations

from msgspec import UNSET

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.marks import later
from bindproof.suites.relay.faults.spoiled_log import AGAIN, PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.spans import ToldSpan, spans
from bindproof.suites.relay.observation.status import STATUS, is_error
from bindproof.suites.relay.observation.streams import StreamCall
from bindproof.suites.relay.observation.transcript import Entry

FAULTS: dict[str, Fault] = {}

CHUNK_MARK = "llm.chunk"


def _streams(spoiled: Spoiled) -> list[StreamCall]:
    return spoiled.reading.streams


def _flowing(spoiled: Spoiled) -> list[tuple[StreamCall, Entry]]:
    found = [(stream, stream.outermost()) for stream in _streams(spoiled)]
    return [(stream, outer) for stream, outer in found if outer is not None and outer.replied]


def _spans(spoiled: Spoiled) -> list[tuple[StreamCall, ToldSpan]]:
    known = {stream.step["as"]: stream for stream in _streams(spoiled)}
    found = list(spans(spoiled.transcript, "llm")) if known else []
    return [(known[span.act.step["as"]], span) for span in found if span.act.step["as"] in known]


def _ends(spoiled: Spoiled, *rewriting: str) -> list[tuple[StreamCall, Json]]:
    if spoiled.rewrites("end.sanitize", *rewriting):
        return []
    return [(stream, span.ends[0][1]) for stream, span in _spans(spoiled) if len(span.ends) == 1]


def _is_read(stream: StreamCall) -> bool:
    """Tell whether a response codec reads the answer: then the data may decide how the stream ended (STR-019)."""
    return stream.step["response_codec"] is not None


@plant(FAULTS, "swap_chunks", "the reader gets two chunks in another order", "STR-001")
def swap_chunks(spoiled: Spoiled) -> bool:
    """Exchange the first two chunks that each reader got."""
    found = [stream.reads for stream in _streams(spoiled) if len(stream.reads) > 1 and not stream.errors]
    found = [reads for reads in found if reads[0][1] != reads[1][1]]
    for (one, first), (other, second), *_ in found:
        spoiled.log[one]["value"], spoiled.log[other]["value"] = second, first
    return bool(found)


@plant(FAULTS, "read_another", "the reader gets another chunk", "STR-001")
def read_another(spoiled: Spoiled) -> bool:
    """Replace every chunk that a reader got of a stream that does not fail."""
    found = [one for stream in _streams(spoiled) for one, _ in stream.reads if not stream.errors]
    for one in found:
        spoiled.log[one]["value"] = PLANTED
    return bool(found)


@plant(FAULTS, "collect_another", "the collector is given another chunk", "STR-002")
def collect_another(spoiled: Spoiled) -> bool:
    """Replace every chunk that a collector is given."""
    found = [one for stream in _streams(spoiled) for one in stream.collected]
    for one in found:
        spoiled.log[one.entered]["given"] = {"chunk": PLANTED}
    return bool(found)


@plant(FAULTS, "finalize_twice", "a stream's finalizer runs twice", "STR-003")
def finalize_twice(spoiled: Spoiled) -> bool:
    """Repeat the records of every finalizer."""
    found = [one for stream in _streams(spoiled) for one in stream.finals]
    for one in sorted(found, key=lambda one: -one.entered):
        again = [{**spoiled.log[index], "k": AGAIN} for index in (one.entered, one.left or one.entered)]
        spoiled.insert(one.left or one.entered, *again)
    return bool(found)


@plant(FAULTS, "stale_stream_end", "a stream's end does not show what the finalizer made", "STR-004")
def stale_stream_end(spoiled: Spoiled) -> bool:
    """Replace the data of every end of a stream that was finalized, not with null, and whose answer nobody reads."""
    ends = [(stream, end) for stream, end in _ends(spoiled, "llm.sanitize_response") if not _is_read(stream)]
    found = [end for stream, end in ends if stream.finals and stream.finals[0].reply is not None]
    for end in found:
        end["data"] = PLANTED
    return bool(found)


@plant(FAULTS, "lose_stream_end", "a stream call never ends", "STR-005", also=("LIF-001",))
def lose_stream_end(spoiled: Spoiled) -> bool:
    """Drop the end of every stream call."""
    ends = [event for _, span in _spans(spoiled) for _, event in span.ends]
    spoiled.drop(ends)
    return bool(ends)


@plant(
    FAULTS, "late_stream_marks", "a stream's pending marks have a later time", "STR-006", also=("EVT-018", "MRK-003")
)
def late_stream_marks(spoiled: Spoiled) -> bool:
    """Move the time of every mark that is none of a chunk."""
    found = [
        (span.start[1], mark) for _, span in _spans(spoiled) for _, mark in span.marks if mark["name"] != CHUNK_MARK
    ]
    for start, mark in found:
        mark["timestamp"] = later(start["timestamp"], 2000)
    return bool(found)


@plant(FAULTS, "lose_chunk_mark", "a chunk leaves no mark", "STR-007")
def lose_chunk_mark(spoiled: Spoiled) -> bool:
    """Drop the first mark of a chunk that each subscriber was told of, where the call has an end."""
    found = [
        next((mark for _, mark in span.marks if mark["name"] == CHUNK_MARK), None)
        for _, span in _spans(spoiled)
        if span.ends
    ]
    marks = [mark for mark in found if mark is not None]
    spoiled.drop(marks)
    return bool(marks)


@plant(FAULTS, "forget_first_chunk", "a stream's end does not say how long the first chunk took", "STR-008")
def forget_first_chunk(spoiled: Spoiled) -> bool:
    """Take the time to the first chunk out of every end."""
    found = [end for _, end in _ends(spoiled) if "time_to_first_chunk" in end["category_profile"]]
    for end in found:
        del end["category_profile"]["time_to_first_chunk"]
    return bool(found)


def _end_well(spoiled: Spoiled, stream: StreamCall) -> None:
    """Let what failed of a stream come back."""
    for at, _ in stream.errors:
        step = spoiled.log[at]["step"]
        value = None if step == stream.step["as"] else {"ended": True}
        spoiled.log[at] = {"fact": "done", "step": step, "value": value}


@plant(FAULTS, "swallow_stream_error", "a stream that fails ends as if it had not", "STR-009")
def swallow_stream_error(spoiled: Spoiled) -> bool:
    """Let the reader of every failing stream come back."""
    found = [
        stream
        for stream, outer in _flowing(spoiled)
        if outer.over is not None and outer.over[1].raised is not UNSET and stream.collects_all() and stream.errors
    ]
    for stream in found:
        _end_well(spoiled, stream)
    return bool(found)


@plant(FAULTS, "read_uncollected", "the chunk that a collector failed on is read", "STR-010")
def read_uncollected(spoiled: Spoiled) -> bool:
    """Let the reader get that chunk before its error."""
    found = [stream for stream, _ in _flowing(spoiled) if not stream.collects_all() and stream.errors]
    for stream in sorted(found, key=lambda stream: -stream.errors[0][0]):
        failed = next(one for one in stream.collected if one.raised is not None)
        at, _ = stream.errors[0]
        spoiled.insert(at - 1, {"fact": "read", "step": stream.step["as"], "value": failed.given["chunk"]})
    return bool(found)


@plant(FAULTS, "data_without_a_stream", "the end of a call without a stream has other data than its own", "EVT-032")
def data_without_a_stream(spoiled: Spoiled) -> bool:
    """Replace the data of the end of every call whose outermost callback failed, where nothing rewrites them."""
    found = [] if spoiled.rewrites("llm.sanitize_response") else _ends_without_a_stream(spoiled)
    for end in found:
        end["data"] = PLANTED
    return bool(found)


@plant(FAULTS, "ok_without_a_stream", "the end of a call that never gave a stream says OK", "STR-011")
def ok_without_a_stream(spoiled: Spoiled) -> bool:
    """Turn the status of the end of every call whose outermost callback failed."""
    found = [end for end in _ends_without_a_stream(spoiled) if isinstance(end["metadata"], dict)]
    for end in found:
        end["metadata"] = {**end["metadata"], STATUS: "OK"}
    return bool(found)


def _ends_without_a_stream(spoiled: Spoiled) -> list[Json]:
    return [
        end for stream, end in _ends(spoiled) if (outer := stream.outermost()) is not None and outer.raised is not None
    ]


@plant(
    FAULTS,
    "untold_stream",
    "nobody is told of a stream call",
    "STR-005",
    also=("LIF-001", "LIF-008", "MID-004", "STR-006", "STR-007", "MRK-001", "REF-000"),
)
def untold_stream(spoiled: Spoiled) -> bool:
    """Drop all that is told of the only call, a stream that is over."""
    calls = spoiled.managed
    if len(calls) != 1 or not calls[0].streamed or spoiled.reading.streams[0].runs_on():
        return False
    found = [event for life in calls[0].lives.values() for _, event in life.events()]
    spoiled.drop(found)
    return bool(found)


@plant(FAULTS, "ok_of_a_failed_finalizer", "the end says OK though the finalizer failed", "STR-020")
def ok_of_a_failed_finalizer(spoiled: Spoiled) -> bool:
    """Turn the status of the end of every stream whose finalizer failed, where that is an error."""
    found = [end for stream, end in _ends(spoiled) if stream.finals and stream.finals[0].raised is not None]
    found = [end for end in found if is_error(end["metadata"])]
    found = found if spoiled.rules.failed_finalizers_tell and spoiled.dialect["policies"]["finalizers_fail"] else []
    for end in found:
        end["metadata"] = {**end["metadata"], STATUS: "OK"}
    return bool(found)


@plant(FAULTS, "close_in_silence", "closing succeeds though the finalizer failed", "STR-021")
def close_in_silence(spoiled: Spoiled) -> bool:
    """Let every close of a stream succeed that failed."""
    found = [act for act in spoiled.transcript.of_kind("close") if act.error is not None]
    for act in found:
        spoiled.succeed(act, None)
    return bool(found)


@plant(FAULTS, "data_of_no_finalizer", "the end has data though the finalizer failed", "STR-012", also=("CTR-005",))
def data_of_no_finalizer(spoiled: Spoiled) -> bool:
    """Give the end of every stream data whose finalizer failed."""
    ends = _ends(spoiled, "llm.sanitize_response")
    found = [end for stream, end in ends if stream.finals and stream.finals[0].raised is not None]
    for end in found:
        end["data"] = PLANTED
    return bool(found)


def _end_as_ok(spoiled: Spoiled, how: str) -> bool:
    """Let the ends say OK that say how the stream went: those of 0.5 do not."""
    used = {step["of"] for step in spoiled.full["steps"] if step["step"] == "close" and step["how"] == how}
    found = [
        end
        for stream, end in _ends(spoiled)
        if stream.step["as"] in used and stream.closed is not None and not stream.ended and not stream.errors
        if STATUS in (end["metadata"] or {}) and not _is_read(stream)
    ]
    for end in found:
        end["metadata"] = {**end["metadata"], STATUS: "OK"}
    return bool(found)


@plant(
    FAULTS, "finished_is_error", "a stream that was closed after its answer was finished ends with an error", "STR-019"
)
def finished_is_error(spoiled: Spoiled) -> bool:
    """Let the ends say ERROR that say OK of streams that were closed or dropped early."""
    used = {step["of"] for step in spoiled.full["steps"] if step["step"] == "close"}
    early = [end for stream, end in _ends(spoiled) if stream.step["as"] in used and not stream.ended]
    found = [end for end in early if (end["metadata"] or {}).get(STATUS) == "OK"]
    for end in found:
        end["metadata"] = {**end["metadata"], STATUS: "ERROR"}
    return bool(found)


@plant(
    FAULTS, "closed_is_ok", "a stream that was closed early ends as if it had not been", "STR-013", also=("EVT-009",)
)
def closed_is_ok(spoiled: Spoiled) -> bool:
    """Let the end of every stream that was closed early say OK."""
    return _end_as_ok(spoiled, "close")


@plant(FAULTS, "dropped_is_ok", "a stream that was dropped ends as if it had not been", "STR-018", also=("EVT-009",))
def dropped_is_ok(spoiled: Spoiled) -> bool:
    """Let the end of every stream that was dropped say OK."""
    return _end_as_ok(spoiled, "drop")


@plant(
    FAULTS,
    "stream_runs_plain_ones",
    "a stream call runs an execution intercept of plain calls",
    "STR-014",
    also=("AUT-001", "LIF-010", "MID-027"),
)
def stream_runs_plain_ones(spoiled: Spoiled) -> bool:
    """Let an execution intercept run first in the last stream call, alone."""
    plain = [step for step in spoiled.full["steps"] if step.get("family") == "llm.execution"]
    found = [stream for stream in _streams(spoiled) if stream.began is not None and stream.began != stream.done]
    if not plain or not found:
        return False
    key = {"callback": plain[-1]["as"], "k": 9}
    enter = {"fact": "enter", **key, "given": {"request": {"headers": {}, "content": None}}}
    spoiled.insert((found[-1].began or 0) - 1, enter, {"fact": "leave", **key, "reply": None})
    return True


@plant(FAULTS, "pass_on_another", "an intercept is given other chunks than what it wraps hands over", "STR-015")
def pass_on_another(spoiled: Spoiled) -> bool:
    """Replace all chunks of the outermost intercept, where it changes none, and what becomes of them."""
    found = [
        (stream, outer)
        for stream, outer in _flowing(spoiled)
        if outer in stream.wrappers and outer.asked and outer.chunks
        if not any(op["op"] == "edit" or op.get("chunks") for op in outer.step["do"])
    ]
    for stream, outer in found:
        for at, _ in (*outer.chunks, *stream.reads):
            spoiled.log[at]["value"] = PLANTED
        for one in stream.collected:
            spoiled.log[one.entered]["given"] = {"chunk": PLANTED}
    return bool(found)


@plant(FAULTS, "refuse_late_next", "an intercept may not go on while its stream is read", "STR-016")
def refuse_late_next(spoiled: Spoiled) -> bool:
    """Let every late `next` be answered with an error."""
    late = {
        one.callback
        for stream in _streams(spoiled)
        for one in stream.wrappers
        if any(asked.at > (one.left or asked.at) for asked in one.asked)
        and all(source.replied for source in stream.sources)
    }
    found = [record for record in spoiled.log if record["fact"] == "answer" and record["callback"] in late]
    for record in found:
        record.pop("value", None)
        record["error"] = {"type": "Error", "message": "planted", "code": None, "same_as": None}
    return bool(found)


@plant(
    FAULTS,
    "forget_stream_request",
    "the request that a stream's `next` is called with is not handed on",
    "STR-017",
    also=("MID-027",),
)
def forget_stream_request(spoiled: Spoiled) -> bool:
    """Replace the request of every provider that an intercept went on to."""
    found = [
        one for stream in _streams(spoiled) for one in stream.sources if any(other.asked for other in stream.wrappers)
    ]
    for one in found:
        spoiled.log[one.entered]["given"] = {"request": PLANTED}
    return bool(found)
