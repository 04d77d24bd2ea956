"""Streams of a library whose callbacks answer with one text, which is their stream's one chunk.

Enters: callbacks that hand over chunks. Leaves: the one chunk. Must not know which functions the library has.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from bindproof_adapter import Inexpressible
from bindproof_adapter.relay import Source, at_once

Json = Any

LATE = ("hang", "next", "raise")
"""What a callback cannot do once it has answered."""


def require_one_text(ops: Sequence[Json]) -> None:
    """Raise Inexpressible where a stream's callback is to do something after it has answered."""
    kinds = [op["op"] for op in ops]
    first = min((kinds.index(kind) for kind in ("yield", "hang") if kind in kinds), default=len(kinds))
    if any(kind in LATE for kind in kinds[first:]):
        raise Inexpressible("chunks", "in C a stream's callback does nothing more once it has answered")


def only_chunk(source: Source, chunks: AsyncIterator[Json]) -> Json:
    """Return the one chunk that a source hands over; end the scenario as inexpressible where it is not one."""
    found = at_once(_all_of(chunks))
    if len(found) != 1:
        stop = Inexpressible("chunks", f"in C a stream's callback answers with one chunk, not {len(found)}")
        source.recorder.stop(stop)
        raise stop
    return found[0]


async def one_after_the_other(*chunks: Json) -> AsyncIterator[Json]:
    """Hand over these chunks."""
    for chunk in chunks:
        yield chunk


async def _all_of(chunks: AsyncIterator[Json]) -> list[Json]:
    return [chunk async for chunk in chunks]
