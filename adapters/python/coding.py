"""Codecs of nemo-relay that are asked themselves: the package's own, and those that sanitizers get.

Enters: steps that ask a codec. Leaves: what codecs answered, as JSON. Must not know scenarios.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Sequence
from typing import Any

from typed import Types

from bindproof_adapter import Unsupported
from bindproof_adapter.relay import in_hand

Json = Any


class Codecs:
    """What programs ask codecs for."""

    def __init__(
        self,
        types: Types,
        built_in: Function[[str], Any],
        of_requests: Function[[], Sequence[str]],
        of_responses: Function[[], Sequence[str]],
    ) -> None:
        """built_in: makes the codec of a name. of_requests, of_responses: the names of those that can be asked."""
        self._types, self._built_in = types, built_in
        self._of_requests, self._of_responses = of_requests, of_responses

    def decode(self, step: Json) -> Json:
        """Return what a codec reads of a request or of a response; None where a sanitizer gets none."""
        codec, payload = self._asked(step)
        if codec is None:
            return None
        if step["side"] == "response":
            return self._types.response_json(codec.decode_response(payload))
        return self._types.annotation_json(codec.decode(payload))

    def encode(self, step: Json) -> Json:
        """Return the request into which a codec writes an annotation; None where a sanitizer gets no codec."""
        codec, payload = self._asked(step)
        if codec is None:
            return None
        return self._types.request_json(codec.encode(self._types.annotation(step["annotation"]), payload))

    def _asked(self, step: Json) -> tuple[Any, Any]:
        """Return the codec, and what it is to read, as the package has both."""
        if step["codec"] == "own":
            payload, *contexts = in_hand()
            if not contexts:
                raise Unsupported("codec.asked", "a sanitizer of this release gets no codec")
            return contexts[0].resolve_codec(), payload
        response = step.get("side") == "response"
        if step["codec"] not in (self._of_responses if response else self._of_requests)():
            raise Unsupported("codec.builtin", f"this release has no codec {step['codec']!r}")
        return self._built_in(step["codec"]), step["payload"] if response else self._types.request(step["payload"])
