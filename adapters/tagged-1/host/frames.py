"""Frames: a length, four bytes with the least first, and that many bytes of JSON.

Enters: messages, or bytes. Leaves: the other. Must not know what a message says.
"""

from __future__ import annotations

import json
import struct
from typing import Any

Json = Any

HEAD = 4


def framed(message: Json) -> bytes:
    """Return a message as a frame."""
    body = json.dumps(message).encode()
    return struct.pack("<I", len(body)) + body


def length(head: bytes) -> int:
    """Return how many bytes follow a head."""
    return int(struct.unpack("<I", head)[0])


def decoded(body: bytes) -> Json:
    """Return the message of a frame's bytes."""
    return json.loads(body)
