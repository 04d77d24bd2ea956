"""Texts as C has them, and the JSON in them.

Enters: JSON values, texts. Leaves: bytes for the library. Must not know the library.
"""

from __future__ import annotations

import json
from typing import Any

from bindproof_adapter import Inexpressible

Json = Any


def plain(value: Json) -> bytes:
    """Return a value as JSON text, in ASCII: it holds no NUL, whatever the value holds."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def json_of(text: str | None) -> Json:
    """Return the JSON in a text; a null pointer is null."""
    return json.loads(text or "null")


def c_string(path: str, text: str) -> bytes:
    """Return a text that is not JSON as the library wants it; raise Inexpressible where C has no such string."""
    if "\0" in text:
        raise Inexpressible(path, "a C string ends at its first NUL")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise Inexpressible(path, "half a surrogate pair is no UTF-8") from None


def optional(value: Json) -> bytes | None:
    """Return a value as JSON text, or the null pointer for null."""
    return None if value is None else plain(value)
