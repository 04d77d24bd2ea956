"""The form of a log's records: what an adapter may say it saw.

Enters: the log of an observation. Leaves: what is wrong with it, in words, or None. The protocol chapter states the
same.
"""

from __future__ import annotations

from bindproof.core.model import Json

_FORMS: dict[str, tuple[tuple[str, type], ...]] = {
    "enter": (("callback", str), ("k", int), ("given", dict)),
    "leave": (("callback", str), ("k", int)),
    "refused": (("callback", str), ("k", int), ("error", dict)),
    "next": (("callback", str), ("k", int)),
    "answer": (("callback", str), ("k", int)),
    "wait": (("callback", str), ("k", int), ("latch", str)),
    "resume": (("callback", str), ("k", int)),
    "cancelled": (("callback", str), ("k", int)),
    "chunk": (("callback", str), ("k", int)),
    "over": (("callback", str), ("k", int)),
    "read": (("step", str),),
    "done": (("step", str),),
    "event": (("subscriber", str), ("event", dict)),
    "measure": (("name", str), ("value", dict)),
    "settled": (),
}

_NEEDED = {"next": "given", "chunk": "value", "read": "value"}
"""Fact → the member that may hold any value, and has to be there."""


def invalid_record(log: list[Json]) -> str | None:
    """Say which record has the wrong form, or None when all are well formed."""
    for index, record in enumerate(log):
        fact = record.get("fact") if isinstance(record, dict) else None
        form = _FORMS.get(fact) if isinstance(fact, str) else None
        if form is None:
            return f"log record {index} states no known fact; known: {', '.join(_FORMS)}"
        for key, kind in form:
            if not isinstance(record.get(key), kind):
                return f"log record {index} ({fact}): {key!r} is missing or of the wrong type"
        problem = _problem(record)
        if problem is not None:
            return f"log record {index} ({fact}): {problem}"
    return None


def _problem(record: Json) -> str | None:
    """Say what is wrong with the members of a record that depend on each other."""
    fact = record["fact"]
    if fact == "leave" and ("reply" in record) == ("raised" in record):
        return "needs either 'reply' or 'raised'"
    if fact in _NEEDED and _NEEDED[fact] not in record:
        return f"{_NEEDED[fact]!r} is missing"
    if fact == "over" and ("raised" in record) == (record.get("how") in ("ended", "closed")):
        return "needs either 'how', ended or closed, or 'raised'"
    if fact not in ("done", "answer"):
        return None
    if ("value" in record) == ("error" in record):
        return "needs either 'value' or 'error'"
    if "error" in record and not _is_error(record["error"]):
        return "'error' needs type, message, code and same_as"
    return None


_ERROR_KEYS = frozenset({"type", "message", "code", "same_as"})


def _is_error(error: Json) -> bool:
    return isinstance(error, dict) and error.keys() >= _ERROR_KEYS and isinstance(error["message"], str)
