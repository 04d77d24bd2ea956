"""What of the bytes that a step `worker` states a program can say with the package nemo-relay-plugin.

Enters: a step. Leaves: its outcome as a value, for the package to write. Must not know what a host makes of it.
"""

from __future__ import annotations

import json
import math
from typing import Any

from bindproof_adapter.relay import octets

Json = Any

SCHEMA = "nemo.relay.LlmRequestInterceptOutcome@2"
"""What the steps of a worker that keeps to the contract name; a package names what its release does."""

SPOKEN = ("outcome", "error")
"""The results that a program of the package chooses between: to return an outcome, or to raise."""

MEMBERS = {"request", "annotated_request", "pending_marks"}
"""What the package's outcome is made with."""


class BeyondSdkError(Exception):
    """The package has no way to say what a step states; the message says why."""


def stated(step: Json) -> Json:
    """Return the outcome that a step states, None where that is no outcome or the one that changes nothing.

    Raises BeyondSdkError for bytes that no value of the package comes to, or an answer that it never gives.
    """
    if step["how"] == "twice":
        raise BeyondSdkError("the package answers once")
    if step["result"] not in SPOKEN:
        raise BeyondSdkError(f"the package answers with an outcome or an error, and never with {step['result']!r}")
    if step["schema"] != SCHEMA:
        raise BeyondSdkError("the package itself names the schema of what it answers")
    text = None if step["result"] == "error" else octets(step["outcome"])
    return None if text is None else _sayable(_value(text))


def _value(text: bytes) -> Json:
    """Return what bytes are as JSON; raises BeyondSdkError for what no program's values are written as."""
    try:
        if text != text.strip():
            raise BeyondSdkError("the package writes no spaces around what it answers")
        found = json.loads(text, object_pairs_hook=_members, parse_constant=_no_number, parse_float=_finite)
        json.dumps(found, ensure_ascii=False).encode()
    except ValueError:
        raise BeyondSdkError("the package writes JSON, in UTF-8") from None
    return found


def _sayable(outcome: Json) -> Json:
    if not isinstance(outcome, dict) or "request" not in outcome or outcome.keys() - MEMBERS:
        raise BeyondSdkError("an outcome of the package has a request, and no members but its own")
    marks = outcome.get("pending_marks", [])
    if not isinstance(marks, list):
        raise BeyondSdkError("marks of the package's outcomes are a list")
    for mark in marks:
        if not isinstance(mark, dict) or "name" not in mark:
            raise BeyondSdkError("a mark of the package is made with its name")
    return outcome


def _members(pairs: list[tuple[str, Json]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BeyondSdkError("no object of Python has a member twice")
    return found


def _no_number(word: str) -> Json:
    raise ValueError(f"{word} is no number of JSON's")


def _finite(word: str) -> float:
    found = float(word)
    if not math.isfinite(found):
        raise BeyondSdkError(f"{word} is no number of Python's")
    return found
