"""The natural replies of a codec, the same for every binding.

Enters: what the callback was given. Leaves: its reply before any op. Must not know any binding's types.
"""

from __future__ import annotations

from typing import Any

Json = Any


def decoded(request: Json) -> Json:
    """Return the plain chat form of a request: its messages, and its model where it has one."""
    content = request["content"] if isinstance(request["content"], dict) else {}
    plain: dict[str, Json] = {"messages": content.get("messages") or []}
    if "model" in content:
        plain["model"] = content["model"]
    return plain


def encoded(annotated: Json, original: Json) -> Json:
    """Return the original request with the annotation's members laid over its content."""
    content = original["content"] if isinstance(original["content"], dict) else {}
    return {"headers": original["headers"], "content": {**content, **annotated}}


def tool_outcome(answer: Json) -> Json:
    """Return the reply that an answer to `next` makes of a tool execution intercept; None is no answer."""
    return {**(answer or {"result": None, "annotation": None}), "pending_marks": []}
