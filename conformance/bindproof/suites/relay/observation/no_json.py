"""What JSON lacks in an observation: which steps and replies had it in them and were taken, and the log without it.

Enters: a transcript, records. Leaves: entries of callbacks, records. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from bindproof.core.model import Json, same
from bindproof.suites.relay.observation.published import FIELDS, MEMBER
from bindproof.suites.relay.observation.records import Chunk, Leave, Record, Refused
from bindproof.suites.relay.observation.streams import StreamCall, streams
from bindproof.suites.relay.observation.transcript import Act, Entry, Transcript
from bindproof.suites.relay.scenario.no_json import FAILING, hands_over_no_json, lacks_json, null_for
from bindproof.suites.relay.scenario.spelling import SANITIZERS

REFUSED = "outcome_malformed"
"""The kind of the error of a step of which a callback's reply is refused."""

READ = ("content_changed", "annotation_missing", "codec_failed")
"""Kinds of errors that only a reply comes to which was read."""

FAILED = "it replied with what JSON lacks"
"""What a callback raises, as it is read here, of which such a reply counts as a failure."""


def is_taken(act: Act) -> bool:
    """Tell whether a step hands over what JSON lacks, and comes back, or has callbacks run."""
    if act.done is None or not hands_over_no_json(act.step):
        return False
    return act.error is None or bool(act.everything)


def replies(transcript: Transcript) -> Iterator[tuple[Act, Entry]]:
    """Yield the callbacks whose call fails for such a reply, each with the step that it ran in and that came back."""
    for act in transcript.acts:
        if act.done is not None:
            yield from ((act, one) for one in act.everything if one.part not in FAILING and _has_replied(one))


def chunks(transcript: Transcript) -> Iterator[tuple[StreamCall, Entry, int]]:
    """Yield the chunks that JSON lacks something of, each with its stream, what handed it over, and where."""
    for stream in streams(transcript):
        for one in (*stream.wrappers, *stream.sources):
            yield from ((stream, one, at) for at, chunk in one.chunks if lacks_json(chunk))


def is_handed_on(stream: StreamCall, one: Entry, at: int) -> bool:
    """Tell whether a chunk was taken, instead of failing whoever read it: what handed it over went on, or ended, or who
    reads it came as far."""
    later = any(place > at for place, _ in one.chunks)
    ended = one.over is not None and one.over[1].how != "closed"
    return later or ended or sum(place <= at for place, _ in one.chunks) <= _read_of(stream, one)


def _read_of(stream: StreamCall, one: Entry) -> int:
    """Return how many of its chunks have been read for sure: as many as were collected, or passed on.

    What passes them on hands chunks of its own over before it goes on, or behind the last of them.
    """
    if one is stream.outermost():
        return len(stream.collected)
    chain = [*stream.wrappers, *stream.sources]
    reader = chain[chain.index(one) - 1]
    if reader in stream.sources:
        return 0
    ops = reader.step["do"]
    goes_on = next((place for place, op in enumerate(ops) if op["op"] == "next"), 0)
    return len(reader.chunks) - sum(len(op["chunks"]) for op in ops[:goes_on] if op["op"] == "yield")


def failing(transcript: Transcript) -> Iterator[Entry]:
    """Yield the callbacks of which such a reply counts as a failure of their own (DLC-014)."""
    beside = [one for act in transcript.acts for one in act.everything]
    yield from (one for one in [*beside, *transcript.published] if one.part in FAILING and _has_replied(one))


def _has_replied(one: Entry) -> bool:
    return one.replied and lacks_json(one.raw_reply)


def is_refused(act: Act, one: Entry) -> bool:
    """Tell whether a reply with what JSON lacks came to nothing: the constructor would not take it, or the step failed
    then and there, with whatever error."""
    if one.refused:
        return True
    kind = act.error.get("kind") if isinstance(act.error, dict) else None
    return act.error is not None and kind not in READ and not _went_on(act, one)


def _went_on(act: Act, one: Entry) -> bool:
    """Tell whether another callback ran behind the reply, or got it as the answer to its `next`."""
    around = next((asked for run in act.everything for asked in run.asked if one in asked.inside), None)
    answered = around is not None and around.answered is not None and around.error is None
    return answered or any(run.entered > (one.left or 0) and run.callback != one.callback for run in act.everything)


def is_read(transcript: Transcript, one: Entry) -> bool:
    """Tell whether a callback's reply was taken, with null in place of what JSON lacks, instead of failing it.

    A codec's was where the call went on. Of what rewrites events, and of a finalizer, the reply so is seen: in the
    event, or by what is given it next.
    """
    if one.refused or one.part == "event.metadata":  # metadata has no null in lists and objects (EVT-021)
        return False
    if one.part in ("decode", "encode"):
        return any(act.error is None or _went_on(act, one) for act in transcript.acts if one in act.everything)
    reply = null_for(one.reply)
    if one.part in SANITIZERS:
        reply, own = _fields(reply), _fields(one.given.get("fields"))
        seen = [_fields(event) for event in _events(transcript)]
        seen += [_fields(run.given.get("fields")) for run in transcript.published if run.part in SANITIZERS]
    else:
        own = one.given.get(MEMBER.get(one.part, ""))
        seen = [event.get("data") for event in _events(transcript)]
        seen += [_payload(run) for run in transcript.published if run is not one]
    return not same(reply, own) and any(same(reply, value) for value in seen)


def _events(transcript: Transcript) -> Iterator[Json]:
    return (event for told in transcript.events.values() for _, event in told if isinstance(event, dict))


def _fields(value: Json) -> Json:
    return [value.get(name) for name in FIELDS] if isinstance(value, dict) else None


def _payload(run: Entry) -> Json:
    """Return what a callback that runs at publication is given of a payload, or of an event's data."""
    if run.part in MEMBER:
        return run.given.get(MEMBER[run.part])
    fields = run.given.get("fields")
    return fields.get("data") if isinstance(fields, dict) else None


def in_json(transcript: Transcript, log: list[Record]) -> list[Record]:
    """Return records without what JSON lacks in replies: null in its place where that was taken; else they are refused,
    as a constructor refuses what a program cannot even make, or raised, where a reply counts as a failure."""
    found = {one.left: is_refused(act, one) for act, one in replies(transcript)}
    own = {one.left: is_read(transcript, one) for one in failing(transcript)}
    handed_on = {at for stream, one, at in chunks(transcript) if is_handed_on(stream, one, at)}
    return [
        replace(one, value=null_for(one.value))
        if at in handed_on and isinstance(one, Chunk)
        else _read(one, own[at])
        if at in own and isinstance(one, Leave | Refused)
        else _in_json(one, found[at])
        if at in found and isinstance(one, Leave)
        else one
        for at, one in enumerate(log)
    ]


def _in_json(left: Leave, refused: bool) -> Record:
    if refused:
        return Refused(callback=left.callback, k=left.k, reply=left.reply, error={"kind": REFUSED})
    return replace(left, reply=null_for(left.reply))


def _read(left: Leave | Refused, read: bool) -> Record:
    if read and isinstance(left, Leave):
        return replace(left, reply=null_for(left.reply))
    return Leave(callback=left.callback, k=left.k, raised=FAILED)
