"""A stream of nemo-relay, as a program reads it."""

from __future__ import annotations

import gc
from typing import Any

from bindproof_adapter import Unsupported
from bindproof_adapter.relay import END

Json = Any


class Stream:
    """A stream of the package, as a program reads it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def next(self) -> Json:
        """Return the next chunk, or END."""
        try:
            return await self._stream.__anext__()
        except StopAsyncIteration:
            return END

    async def close(self) -> None:
        """Close the stream; releases before 0.6 cannot."""
        if not hasattr(self._stream, "aclose"):
            raise Unsupported("close", "this release has no way to close a stream")
        await self._stream.aclose()

    def drop(self) -> None:
        """Forget the stream."""
        self._stream = None
        gc.collect()
