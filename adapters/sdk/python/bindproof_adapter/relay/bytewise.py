"""Bytes that a step states: those of a raw step's texts, and of what a plugin answers.

Enters: a text of a step, complete. Leaves: bytes. Must not know whom they are for.
"""

from __future__ import annotations

from typing import Any

Json = Any


def octets(cell: Json) -> bytes | None:
    """Return the bytes that a text of a step states; None, where there is none, stays."""
    if cell is None:
        return None
    if isinstance(cell, str):
        return cell.encode()
    spaces = b" " * int(cell["pad"])
    return str(cell["text"]).encode() + bytes.fromhex(cell["bytes"]) + spaces + str(cell["end"]).encode()
