"""What a callback says, as C has it.

Enters: replies. Leaves: bytes for the library. Must not know the library.
"""

from __future__ import annotations

from typing import Any

from bindproof_adapter import Inexpressible
from bindproof_c.texts import c_string

Json = Any


def verdict(reply: Json) -> bytes | None:
    """Return a conditional's verdict: the null pointer lets pass, a text is the reason as it stands."""
    if reply is not None and not isinstance(reply, str):
        raise Inexpressible("conditional", "C answers with a text or the null pointer")
    return None if reply is None else c_string("conditional", reply)


def content_of(reply: Json, natural: Json) -> Json:
    """Return what an encode function can answer, which is the content alone; the headers stay the request's."""
    if not (isinstance(reply, dict) and reply.keys() == natural.keys() and reply["headers"] == natural["headers"]):
        raise Inexpressible("encode", "in C a codec's encode answers with the content alone")
    return reply["content"]
