"""The form of a log's records: what an adapter may say it saw.

Enters: the log of an observation. Leaves: what is wrong with it, in words, or None. The protocol chapter states the
same.
"""

from __future__ import annotations

from bindproof.model import Json

_FORMS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "enter": {"callback": str, "k": int, "given": dict},
    "leave": {"callback": str, "k": int},
    "refused": {"callback": str, "k": int, "error": dict},
    "done": {"step": str},
    "event": {"subscriber": str, "event": dict},
    "settled": {},
}


def invalid_record(log: list[Json]) -> str | None:
    """Say which record has the wrong form, or None when all are well formed."""
    for index, record in enumerate(log):
        form = _FORMS.get(str(record.get("fact"))) if isinstance(record, dict) else None
        if form is None:
            return f"log record {index} states no known fact; known: {', '.join(_FORMS)}"
        for key, kind in form.items():
            if not isinstance(record.get(key), kind):
                return f"log record {index} ({record['fact']}): {key!r} is missing or of the wrong type"
        fact = record["fact"]
        if fact == "leave" and ("reply" in record) == ("raised" in record):
            return f"log record {index} (leave): needs either 'reply' or 'raised'"
        if fact == "done" and ("value" in record) == ("error" in record):
            return f"log record {index} (done): needs either 'value' or 'error'"
        if fact == "done" and not _is_error(record.get("error", _NO_ERROR)):
            return f"log record {index} (done): 'error' needs type, message, code and same_as"
    return None


_NO_ERROR = {"type": "", "message": "", "code": None, "same_as": None}


def _is_error(error: Json) -> bool:
    return isinstance(error, dict) and error.keys() >= _NO_ERROR.keys() and isinstance(error["message"], str)
