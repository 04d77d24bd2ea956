"""The codecs that sanitizers get, which only they can ask, and only about what they were handed.

Enters: steps that ask. Leaves: what codecs answered, as JSON. Must not know scenarios.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Any

from bindproof_adapter import Unsupported
from bindproof_adapter.relay import in_hand
from bindproof_c import Library, StatusError, plain

Json = Any
Pointer = Any

CODEC = "nemo_relay_llm_sanitize_{}_codec_{}"


class Codecs:
    """What sanitizers ask their codecs for. request: what reads the library's own requests."""

    def __init__(self, library: Library, request: Function[[Pointer], Json]) -> None:
        self._library, self._request = library, request

    def decode(self, step: Json) -> Json:
        """Return what the codec reads of what the sanitizer was handed; None where this gets no codec."""
        codec, payload = _own(step)
        return self._library.own(self._asked(step["side"], "decode", codec, payload)) if codec else None

    def encode(self, step: Json) -> Json:
        """Return the request into which the codec writes an annotation; None where the sanitizer gets no codec."""
        codec, payload = _own(step)
        if not codec:
            return None
        written = self._asked("request", "encode", codec, plain(step["annotation"]), payload)
        try:
            return self._request(written)
        finally:
            self._library.calls.nemo_relay_llm_request_free(written)

    def _asked(self, side: str, verb: str, *arguments: Any) -> Pointer:
        """Return what a codec answered, which is ours: raise the last error where that is the null pointer."""
        answer = getattr(self._library.calls, CODEC.format(side, verb))(*arguments)
        if not answer:
            raise StatusError(None, self._library.last_error() or "")
        return answer


def _own(step: Json) -> tuple[Pointer, Pointer]:
    """Return the codec that the running sanitizer gets, which may be the null pointer, and what it was handed."""
    if step["codec"] != "own":
        raise Unsupported("codec.asked", "in C a program has handles of codecs, which no function asks anything")
    payload, context = in_hand()
    return context.codec, payload
