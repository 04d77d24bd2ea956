"""The form of a log's records, and what the harness makes of it: kinds of errors, and the run's id by one name.

Enters: the log of an observation. Leaves: what is wrong with it, or the normalised log. Must not know requirements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bindproof.suite_api import Json, Pattern

PROGRAM: Final = "program"
RUN: Final = "run"
"""What stands for the id of the run."""

THREAD: Final = "thread"
"""What stands for the id of its thread."""

_TEXT: Final = (str, type(None))
_FORMS: Final[dict[str, dict[str, object]]] = {
    "event": {"type": str, "state": str},
    "checkpoint": {"phase": str, "step": int},
    "asked": {"what": str, "step": int},
    "called": {
        "model": str, "run": _TEXT, "request": _TEXT, "key": _TEXT, "messages": list, "tools": bool, "choice": _TEXT,
        "session": _TEXT, "checkpoint": _TEXT, "waited": int,
    },
    "ended": {},
    "hangs": {},
    "died": {},
    "default": {"name": str},
    "moved": {"from": str, "to": str, "allowed": bool},
    "used": {"step": int},
    "tried": {"provider": str, "model": str},
    "consulted": {"role": int},
    "decided": {"action": str, "rule": _TEXT},
    "act": {"act": str},
    "got": {"what": str, "text": _TEXT},
    "closed": {},
    "awaited": {"waiter": int},
    "stuck": {"of": str},
}  # fmt: skip
_MORE: Final = {
    "default": ("value",),
    "event": ("step",), "called": ("metadata",), "checkpoint": ("run", "key", "latest", "has"),
    "ended": ("value", "error"), "act": ("error",), "closed": ("error",),
    "awaited": ("value", "error"),
}  # fmt: skip


def lane_of(record: Json) -> str:
    """Return the lane of a record: of a handle of a stream each who reads or waits has one, and all else is one."""
    match record["fact"]:
        case "got" | "closed":
            return "reader"
        case "awaited":
            return f"waiter {record['waiter']}"
        case "stuck":
            return str(record["of"])
    return PROGRAM


Patterns = Sequence[tuple[str, Pattern]]


def invalid_record(log: list[Json]) -> str | None:
    """Say which record has the wrong form, or None when all are well formed."""
    for index, record in enumerate(log):
        form = _FORMS.get(str(record.get("fact")))
        if form is None:
            return f"log record {index} states no known fact; known: {', '.join(_FORMS)}"
        problem = _misfit(record, form)
        if problem is not None:
            return f"log record {index} ({record['fact']}): {problem}"
    return None


def _misfit(record: Json, form: dict[str, object]) -> str | None:
    for key, kind in form.items():
        value = record.get(key)
        if key not in record or not isinstance(value, kind) or (kind is int and type(value) is bool):  # type: ignore[arg-type]
            return f"{key!r} is missing or of the wrong type"
    more = _MORE.get(record["fact"], ())
    if record["fact"] in ("ended", "awaited") and sum(key in record for key in more) != 1:
        return "needs either 'value' or 'error'"
    if "error" in record and not _is_error(record["error"]):
        return "'error' needs type and message"
    odd = record.keys() - {"fact", *form, *more}
    return f"it has no {sorted(odd)[0]!r}" if odd else None


def _is_error(error: Json) -> bool:
    return isinstance(error, dict) and all(isinstance(error.get(key), str) for key in ("type", "message"))


def normalised(log: list[Json], patterns: Patterns) -> list[Json]:
    """Return the log in which errors have a kind, and the ids of the run and its thread are RUN and THREAD."""
    run = next(_runs(log), None)
    about = (record["metadata"] for record in log if isinstance(record.get("metadata"), dict))
    thread = next((one["thread"] for one in about if one.get("thread")), None)
    return [_in_thread(_record(record, run, patterns), thread) for record in log]


def _record(record: Json, run: str | None, patterns: Patterns) -> Json:
    if "error" in record:
        message = record["error"]["message"]
        kind = next((kind for kind, pattern in patterns if pattern.search(message)), "unknown")
        return record | {"error": {"kind": kind, **record["error"]}}
    names = _OF_RUN.get(record["fact"], ())
    return record if run is None else record | {name: _named(record[name], run) for name in names if name in record}


def _runs(log: list[Json]) -> Iterator[str]:
    """Yield the id of the run as calls have it, and then as checkpoints do, which runs without a call have too."""
    for fact in ("called", "checkpoint"):
        yield from (record["run"] for record in log if record["fact"] == fact and record.get("run"))


def _in_thread(record: Json, thread: Json) -> Json:
    about = record.get("metadata")
    if thread is None or not isinstance(about, dict) or about.get("thread") != thread:
        return record
    return record | {"metadata": about | {"thread": THREAD}}


_OF_RUN: Final = {"called": ("run", "request", "key"), "checkpoint": ("run", "key")}
"""What of a record has the id of the run in it."""

_KEPT: Final = "checkpoint:"


def _named(value: Json, run: str) -> Json:
    """Return a text in which RUN stands for the id of the run, at its beginning or behind the word for checkpoints."""
    if not isinstance(value, str):
        return value
    word, rest = (_KEPT, value[len(_KEPT) :]) if value.startswith(_KEPT) else ("", value)
    return f"{word}{RUN}{rest[len(run) :]}" if rest == run or rest.startswith(f"{run}:") else value
