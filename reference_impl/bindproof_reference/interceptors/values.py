"""Plain JSON values, and what the reference asks of the requests and results of the two domains.

Enters: JSON forms. Leaves: answers. Must not know layers, steps or time.
"""

from __future__ import annotations

from typing import Any

Json = Any
ANY: Json = {"$any": True}
"""A matcher for what the contract leaves open."""

SOME_TEXT: Json = {"$text": ""}
"""A matcher for a message of which no document says the words."""


def retryable(outcome: Json) -> bool:
    """Tell whether a result asks for another attempt (RTY-002, RTY-003); what a tool answers never does (RTY-004)."""
    error = outcome.get("error")
    if error is None:
        return False
    return error["kind"] == "timeout" or bool(error.get("retryable", False))


def succeeded(outcome: Json) -> bool:
    """Tell whether a result is a success; this is another question than whether to try again (LGG-004)."""
    return not outcome["is_error"] if "is_error" in outcome else "error" not in outcome


def described(domain: str, request: Json) -> str:
    """Return how a request is described in a log (LGG-006)."""
    if domain == "llm":
        return f"LLM request: {len(request['messages'])} messages, {len(request['tools'])} tools"
    return f"Tool call: {request['name']} ({request['call_id']})"


def literal(value: Json) -> Json:
    """Return a value as a matcher that accepts nothing else, also where it looks like a matcher."""
    return {"$literal": value} if _has_dollar(value) else value


def _has_dollar(value: Json) -> bool:
    if isinstance(value, dict):
        return any(key.startswith("$") or _has_dollar(item) for key, item in value.items())
    return isinstance(value, list) and any(_has_dollar(item) for item in value)
