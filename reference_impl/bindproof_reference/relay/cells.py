"""Chapter *C boundary* (CFF): arguments and replies as C has them, byte by byte.

Enters: cells of raw steps. Leaves: bytes, JSON, or why a function refuses them. Must not know functions.
"""

from __future__ import annotations

import json

from bindproof_reference.relay.values import Json

EITHER = ("NULL_POINTER", "INVALID_JSON")
NOT_UTF8 = ("INVALID_UTF8", "INVALID_JSON")


class FlawError(Exception):
    """An argument that a function refuses; carries the statuses that it may answer with."""

    def __init__(self, *statuses: str) -> None:
        super().__init__(", ".join(statuses))
        self.statuses = statuses


class UnreadableError(Exception):
    """A reply that is null, not UTF-8 or not JSON."""


def octets(cell: Json) -> bytes | None:
    """Return the bytes that a cell states; None is the null pointer."""
    if cell is None:
        return None
    if isinstance(cell, str):
        return cell.encode()
    spaces = b" " * int(cell["pad"])
    return str(cell["text"]).encode() + bytes.fromhex(cell["bytes"]) + spaces + str(cell["end"]).encode()


def text(cell: Json) -> bytes:
    """Return an argument that is a text and needed."""
    found = octets(cell)
    if found is None:
        raise FlawError("NULL_POINTER")  # CFF-008
    if not _is_utf8(found):
        raise FlawError("INVALID_UTF8")  # CFF-006
    return found


def pointer(given: Json, name: str) -> None:
    """Refuse a pointer that is needed and null."""
    if given.get(name, "") is None:
        raise FlawError("NULL_POINTER")  # CFF-008


def argument(cell: Json) -> Json:
    """Return the JSON of an argument."""
    found = octets(cell)
    if found is None:
        raise FlawError(*EITHER)  # CFF-008
    if not _is_utf8(found):
        raise FlawError(*NOT_UTF8)  # CFF-006
    try:
        return json.loads(found)
    except ValueError:
        raise FlawError("INVALID_JSON") from None  # CFF-002


def reply(cell: Json, errors: str = "strict") -> Json:
    """Return the JSON that a callback answers with (CFF-007, CFF-009).

    errors: what becomes of bytes that are not UTF-8, as `bytes.decode` has it.
    """
    found = octets(cell)
    try:
        return json.loads((found or b"").decode(errors=errors))
    except ValueError:
        raise UnreadableError from None


def size(value: Json) -> int:
    """Return how many bytes a value has as JSON text."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _is_utf8(found: bytes) -> bool:
    try:
        found.decode()
    except UnicodeDecodeError:
        return False
    return True
