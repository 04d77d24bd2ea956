"""Checks of the chapter *Events* (EVT) about what the end of a call that failed says of its error."""

from __future__ import annotations

from typing import NamedTuple

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    Check,
    Found,
    end_is_rewritten,
    judged,
    part,
    register,
)
from bindproof.suites.relay.observation.in_flight import cancellings
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.spans import call_spans
from bindproof.suites.relay.observation.status import DESCRIPTION
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}

ERROR_TYPE, EXCEPTION_TYPE = "error.type", "exception.type"

INTERNAL = "internal_error"
A_TEXT: Json = {"$text": ""}
"""What any text is."""


class Failed(NamedTuple):
    """The end of a call that failed, where nothing rewrites it: of which call, where, and its metadata."""

    act: Act
    at: int
    metadata: Json

    @property
    def own(self) -> Json:
        """What the caller has said in metadata that are an object."""
        return self.act.step["metadata"] if isinstance(self.act.step["metadata"], dict) else {}


def _failed(reading: Reading) -> list[Failed]:
    cancelled = cancellings(reading.transcript)
    return [
        Failed(span.act, at, end.get("metadata"))
        for span in call_spans(reading.transcript)
        if span.act.error is not None and span.act not in cancelled
        if not end_is_rewritten(reading, span.act, "end.sanitize", "event.metadata")
        for at, end in span.ends
    ]


@register(CHECKS, "EVT-053")
def a_failure_is_described(reading: Reading) -> Found:
    """The description has the text that was raised."""
    found = _failed(reading)
    return judged(
        [
            Evidence(EVERY_LANE, "the end says what failed", one.at, {"$text": raised}, seen)
            for one in found
            for raised in [_raised(reading, one.act)]
            if not isinstance(seen := part(one.metadata, DESCRIPTION), str) or raised not in seen
        ],
        found,
    )


def _raised(reading: Reading, act: Act) -> str:
    """Return the text that a callback raised and of which the caller is told, empty where there is none."""
    message = str(part(act.error, "message"))
    return next((text for text in reading.raises if text in message), "")


@register(CHECKS, "EVT-054")
def a_failure_has_a_type(reading: Reading) -> Found:
    """The type is that of what a callback raised, or some text, where the caller has stated none."""
    found = [one for one in _failed(reading) if ERROR_TYPE not in one.own]
    return judged(
        [
            Evidence(EVERY_LANE, "the type of what failed", one.at, INTERNAL if raised else A_TEXT, seen)
            for one in found
            for raised in [part(one.act.error, "kind") == "callback_raised"]
            for seen in [part(one.metadata, ERROR_TYPE)]
            if not (same(INTERNAL, seen) if raised else isinstance(seen, str))
        ],
        found,
    )


@register(CHECKS, "EVT-055")
def an_exception_has_its_class(reading: Reading) -> Found:
    """A class is told, which is known where the caller is given the very exception."""
    found = [one for one in _failed(reading) if EXCEPTION_TYPE not in one.own]
    found = [one for one in found if part(one.act.error, "kind") == "callback_raised"]
    return judged(
        [
            Evidence(EVERY_LANE, "the class of the exception", one.at, known or A_TEXT, seen)
            for one in found
            for known in [part(one.act.error, "type") if part(one.act.error, "same_as") else None]
            for seen in [part(one.metadata, EXCEPTION_TYPE)]
            if not (isinstance(seen, str) if known is None else same(known, seen))
        ],
        found,
    )
