"""The form of a log's records, and what the harness makes of an error.

Enters: the log of an observation. Leaves: what is wrong with it, or the log in which errors have a kind. Must not know
layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bindproof.core.model import Json
from bindproof.core.patterns import Pattern

_AT: Final = ("at", int)
_FORMS: Final[dict[str, tuple[tuple[str, type], ...]]] = {
    "enter": (("callback", str), ("k", int), ("given", object), _AT),
    "leave": (("callback", str), ("k", int), ("reply", object), _AT),
    "dropped": (("callback", str), ("k", int), _AT),
    "log": (("level", str), ("message", str), ("fields", dict), _AT),
    "done": (("step", str), _AT),
    "measure": (("name", str), ("value", dict)),
    "settled": (),
}
_MAY: Final = {"done": {"value", "error"}, "enter": {"call"}, "leave": {"call"}, "dropped": {"call"}, "log": {"call"}}

Patterns = Sequence[tuple[str, Pattern]]


def invalid_record(log: list[Json]) -> str | None:
    """Say which record has the wrong form, or None when all are well formed."""
    for index, record in enumerate(log):
        fact = record.get("fact")
        form = _FORMS.get(fact) if isinstance(fact, str) else None
        if form is None:
            return f"log record {index} states no known fact; known: {', '.join(_FORMS)}"
        problem = _misfit(record, form) or _end_of_step(record)
        if problem is not None:
            return f"log record {index} ({fact}): {problem}"
    return None


def _misfit(record: Json, form: tuple[tuple[str, type], ...]) -> str | None:
    for key, kind in form:
        if key not in record or not isinstance(record[key], kind) or (kind is int and type(record[key]) is not int):
            return f"{key!r} is missing or of the wrong type"
    if "call" in record and type(record["call"]) is not str:
        return "'call' is no text"
    more = record.keys() - {"fact", *(key for key, _ in form)} - _MAY.get(record["fact"], set())
    return f"it has no {sorted(more)[0]!r}" if more else None


def _end_of_step(record: Json) -> str | None:
    if record["fact"] != "done":
        return None
    if ("value" in record) == ("error" in record):
        return "needs either 'value' or 'error'"
    error = record.get("error")
    if "error" in record and not (
        isinstance(error, dict) and isinstance(error.get("message"), str) and "type" in error
    ):
        return "'error' needs type and message"
    return None


def with_kinds(log: list[Json], patterns: Patterns) -> list[Json]:
    """Return the log in which each error of a step has its kind, by the dialect's patterns."""
    return [_with_kind(record, patterns) if "error" in record else record for record in log]


def _with_kind(record: Json, patterns: Patterns) -> Any:
    error = record["error"]
    kind = next((kind for kind, pattern in patterns if pattern.search(error["message"])), "unknown")
    return record | {"error": {"kind": kind, **error}}
