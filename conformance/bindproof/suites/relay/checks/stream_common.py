"""What the checks of the chapter *Streams* (STR) share: what subscribers were told of a stream call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.events import rewritten
from bindproof.suites.relay.observation.in_flight import registered
from bindproof.suites.relay.observation.lanes import PUBLICATION
from bindproof.suites.relay.observation.published import publications
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.spans import ToldSpan, spans
from bindproof.suites.relay.observation.status import is_error
from bindproof.suites.relay.observation.streams import StreamCall
from bindproof.suites.relay.observation.transcript import Entry

Ended = tuple[StreamCall, ToldSpan, int, Json]
"""A stream call, what a subscriber was told of it, and where its end is."""


def told(reading: Reading) -> list[tuple[StreamCall, ToldSpan]]:
    """Return the stream calls that started, with what each steady subscriber was told of them."""
    known = {stream.step["as"]: stream for stream in reading.streams}
    if not known:
        return []
    return [
        (known[span.act.step["as"]], span) for span in spans(reading.transcript, "llm") if span.act.step["as"] in known
    ]


def ended(reading: Reading, *rewriting: str) -> list[Ended]:
    """Return those that have one end, or nothing where one of these families, which rewrite it, is registered."""
    if rewritten(reading, *rewriting):
        return []
    return [(stream, span, *span.ends[0]) for stream, span in told(reading) if len(span.ends) == 1]


def ended_as_it_was(reading: Reading) -> list[Ended]:
    """Return those that have one end, or nothing where an end's sanitizer has ops: without, the end is as it was."""
    return [] if any(act.step["do"] for act in registered(reading.transcript, "end.sanitize")) else ended(reading)


def unfailed(reading: Reading, subjects: Sequence[StreamCall], when: str = "") -> list[Evidence]:
    """Return evidence for each end of these calls that has not the status ERROR; `when` begins its text."""
    text = f"{when}the end has the status ERROR"
    ends = [one for one in ended_as_it_was(reading) if one[0] in subjects and not is_error(one[3].get("metadata"))]
    seen = metadata_of_ends(reading, ends)
    return [Evidence(lane, text, at, "ERROR", said, where) for lane, at, where, said in seen if not is_error(said)]


def metadata_of_ends(reading: Reading, ends: Sequence[Ended]) -> list[tuple[str, int, str, Json]]:
    """Return the metadata of these ends wherever they are seen: as they are told, and where what runs at their
    publication is given them, and gives them back. Each with its lane, its record and its place there."""
    told_of = [end for *_, end in ends]
    published = [one for one in publications(reading.transcript) if any(one.told[1] is end for end in told_of)]
    said = [(span.subscriber, at, "/event/metadata", end.get("metadata")) for _, span, at, end in ends]
    return said + [(PUBLICATION, *place) for one in published for run in one.runs() for place in _shown(run)]


SANITIZER = "llm.sanitize_response"


def sanitized_before_finalized(reading: Reading, streams: Sequence[StreamCall]) -> list[tuple[StreamCall, Entry]]:
    """Return response sanitizers that ran before a stream's finalizer had, for no other answer: each with that stream.

    Which answer one runs for nothing tells, so they are counted: each runs once for each answer that there is.
    """
    counts: dict[str, int] = {}
    found = []
    for run in [run for run in reading.transcript.published if run.part == SANITIZER] if streams else []:
        counts[run.callback] = counts.get(run.callback, 0) + 1
        unfinished = [one for one in streams if one.began < run.entered and not _is_final(one, run.entered)]
        if unfinished and counts[run.callback] > _answers(reading, run.entered):
            found.append((unfinished[0], run))
    return found


def _is_final(stream: StreamCall, at: int) -> bool:
    return any(one.left is not None and one.left < at for one in stream.finals)


def _answers(reading: Reading, at: int) -> int:
    """Return how many answers of LLM calls there may be at a place in the log: streams once they are finalized.

    A program may end a call that it started more than once.
    """
    calls = [act for act in reading.transcript.calls("llm") if act.began < at]
    by_hand = [act for act in reading.transcript.of_kind("start") if act.step["kind"] == "llm" and act.began < at]
    streams = [one for one in reading.streams if _is_final(one, at) or (one.errors and not one.finals)]
    return len(calls) + len(streams) + sum(max(1, len(ends_of(reading.transcript, act))) for act in by_hand)


def _shown(run: Entry) -> Iterator[tuple[int, str, Json]]:
    """Yield each place where the record of an event's callback has the event's metadata, and these."""
    for member in ("event", "fields"):
        if isinstance(run.given.get(member), dict):
            yield run.entered, f"/given/{member}/metadata", run.given[member].get("metadata")
    if run.left is not None and isinstance(run.reply, dict) and "metadata" in run.reply:
        yield run.left, "/reply/metadata", run.reply["metadata"]
