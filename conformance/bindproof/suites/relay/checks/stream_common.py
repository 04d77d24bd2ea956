"""What the checks of the chapter *Streams* (STR) share: what subscribers were told of a stream call."""

from __future__ import annotations

from collections.abc import Sequence

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import part
from bindproof.suites.relay.checks.events import rewritten
from bindproof.suites.relay.observation.in_flight import registered
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.spans import ToldSpan, spans
from bindproof.suites.relay.observation.streams import StreamCall

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
    text, where = f"{when}the end has the status ERROR", "/event/metadata"
    return [
        Evidence(span.subscriber, text, at, "ERROR", end.get("metadata"), where)
        for stream, span, at, end in ended_as_it_was(reading)
        if stream in subjects and part(end, "metadata", "otel.status_code") != "ERROR"
    ]
