"""Stream calls. The library's callbacks for them answer with one text: such a stream has one chunk."""

from __future__ import annotations

from typing import Any

from bindproof_adapter import Inexpressible, Unsupported
from bindproof_adapter.relay import END, Parts
from bindproof_c import Library, StatusError, plain
from bindproof_c.relay import require_one_text

Json = Any
Pointer = Any

CALL = (
    "int32_t(*)(const char *, const char *, NemoRelayLlmExecCb, void *, NemoRelayFreeFn, {callbacks},"
    " const struct FfiScopeHandle *, uint32_t, const char *, const char *, const char *, NemoRelayCodecDecodeFn,"
    " NemoRelayCodecEncodeFn, void *, NemoRelayFreeFn, const struct FfiCodecHandle *, struct FfiStream **)"
)
"""The type of the function that makes a stream call. The header gives its collector and finalizer types that it leaves
incomplete, `struct Option_NemoRelayCollectorCb` and one like it: as it is declared no C program can call it."""


class Streams:
    """Stream calls. Before 0.11 their collector and finalizer come without user data: one stream at a time."""

    def __init__(self, library: Library, provider: Pointer, *, with_user_data: bool) -> None:
        self._library, self._provider = library, provider
        kinds, more = ("void(*)(const char *)", "char *(*)(void)"), ""
        if with_user_data:
            kinds, more = ("int32_t(*)(void *, const char *)", "char *(*)(void *)"), ", void *, NemoRelayFreeFn"
        callbacks = f"{kinds[0]}, {kinds[1]}{more}"
        self._functions = (
            library.bare(kinds[0], self._collected),
            library.bare(kinds[1], library.answering(self._finished)),
        )
        self._user_data = (library.null, library.null) if with_user_data else ()
        self._call = library.cast("nemo_relay_llm_stream_call_execute", CALL.format(callbacks=callbacks))
        self._parts: Parts | None = None

    def open(self, step: Json, parts: Parts, named: tuple[Any, ...], more: tuple[Any, ...]) -> Stream:
        """Make a managed stream call; named: the name and the request, more: what comes after the callbacks."""
        require_one_text(step["provider"])
        if self._call is None:
            raise Unsupported("llm.stream", "this release has no such call")
        if step["collector"]:
            raise Inexpressible("collector", "in C a collector answers nothing: it cannot fail")
        self._parts = parts
        executed = (self._provider, *self._library.hold(parts.source), *self._functions, *self._user_data)
        made = self._library.made(self._call, "FfiStream", "nemo_relay_stream_free", *named, *executed, *more)
        return Stream(self._library, made)

    def _collected(self, *given: Pointer) -> int:
        """Take a chunk, the last of what is given; say that nothing failed, which no release before 0.11 asks."""
        if self._parts:
            self._parts.collector.take(self._library.json(given[-1]))
        return 0

    def _finished(self, *_: Pointer) -> bytes | None:
        return plain(self._parts.finalizer.finish()) if self._parts else None


class Stream:
    """A stream of the library, as a program reads it."""

    def __init__(self, library: Library, stream: Pointer) -> None:
        self._library, self._stream = library, stream

    async def next(self) -> Json:
        """Return the next chunk, or END; the library blocks until it is there."""
        out = self._library.ffi.new("char **")
        got = self._library.calls.nemo_relay_stream_next(self._stream, out)
        if got < 0:
            raise StatusError(None, self._library.last_error() or "")
        return self._library.own(out[0]) if got else END

    async def close(self) -> None:
        """Close the stream."""
        self._library.check(self._library.calls.nemo_relay_stream_close(self._stream))

    def drop(self) -> None:
        """Free the stream."""
        self._library.ffi.release(self._stream)
