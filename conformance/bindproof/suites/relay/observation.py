"""The form of a log's records: what an adapter may say it saw.

Enters: the log of an observation. Leaves: what is wrong with it, in words, or None. The protocol chapter states the
same.
"""

from __future__ import annotations

from bindproof.model import Json

_FORMS: dict[str, tuple[tuple[str, type], ...]] = {
    "enter": (("callback", str), ("k", int), ("given", dict)),
    "leave": (("callback", str), ("k", int)),
    "refused": (("callback", str), ("k", int), ("error", dict)),
    "next": (("callback", str), ("k", int)),
    "answer": (("callback", str), ("k", int)),
    "done": (("step", str),),
    "event": (("subscriber", str), ("event", dict)),
    "measure": (("name", str), ("value", dict)),
    "settled": (),
}


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
        if fact == "leave" and ("reply" in record) == ("raised" in record):
            return f"log record {index} (leave): needs either 'reply' or 'raised'"
        if fact == "next" and "given" not in record:
            return f"log record {index} (next): 'given' is missing"
        if fact in ("done", "answer"):
            if ("value" in record) == ("error" in record):
                return f"log record {index} ({fact}): needs either 'value' or 'error'"
            if "error" in record and not _is_error(record["error"]):
                return f"log record {index} ({fact}): 'error' needs type, message, code and same_as"
    return None


_ERROR_KEYS = frozenset({"type", "message", "code", "same_as"})


def _is_error(error: Json) -> bool:
    return isinstance(error, dict) and error.keys() >= _ERROR_KEYS and isinstance(error["message"], str)
