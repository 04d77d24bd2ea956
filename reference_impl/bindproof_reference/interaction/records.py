"""What predictions of all forms say in the same way: what is open, and how an error is told.

Enters: kinds of errors. Leaves: parts of records.
"""

from __future__ import annotations

from typing import Any, Final

Json = Any

ANY: Final[Json] = {"$any": True}

RETRYABLE: Final = {"408", "429", "500", "502", "503", "rate limit", "timeout", "connection", "slow"}
"""The errors after which a call is made again, where that is safe."""


def refusal(kind: str, words: str | None = None, of: Json = ANY) -> Json:
    """Return an error of a kind; words: what has to stand in its message, and of: its class, where a rule says so."""
    return {"kind": kind, "type": of, "message": ANY if words is None else {"$text": words}}
