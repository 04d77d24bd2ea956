"""What predictions of all forms say in the same way: what is open, what a call has, how an error is told.

Enters: steps and their messages, kinds of errors. Leaves: records, and parts of them.
"""

from __future__ import annotations

from typing import Any, Final

Json = Any

ANY: Final[Json] = {"$any": True}

RETRYABLE: Final = {"408", "429", "500", "502", "503", "rate limit", "timeout", "connection", "slow"}
"""The errors after which a call is made again, where that is safe."""


HELLO: Final[Json] = {"role": "user", "text": "hello"}
"""What every run begins with."""

NO_TOKENS: Final[Json] = {"session": None, "checkpoint": None}
"""What a call has before any answer carries a token."""


def called(number: int, messages: list[Json], *, model: str = "m1", tokens: Json = NO_TOKENS) -> Json:
    """Return the call of a step, with what was said before it."""
    name = f"run:step:{number}"
    told = {"fact": "called", "model": model, "run": "run", "request": name, "key": name, "messages": list(messages)}
    return {**told, "tools": True, "choice": "auto", **tokens, "waited": 0}


def refusal(kind: str, words: str | None = None, of: Json = ANY) -> Json:
    """Return an error of a kind; words: what has to stand in its message, and of: its class, where a rule says so."""
    return {"kind": kind, "type": of, "message": ANY if words is None else {"$text": words}}
