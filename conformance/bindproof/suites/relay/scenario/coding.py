"""The steps of the scenario language that ask a codec what it reads and writes.

Enters: nothing. Leaves: structs, for `language`. Must not know the other steps.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from bindproof.suites.relay.scenario.boundaries import Text

BuiltIn = Literal["openai_chat", "openai_responses", "anthropic_messages", "gemini_generate_content", "oci_genai"]
"""The codecs that the library brings along, by their provider's API; the last two from edition 0.8 on."""

Asked = Literal[BuiltIn, "own"]
"""The codec that is asked: a built-in one, or the one that a sanitizer gets."""


class Decode(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="decode", rename={"as_": "as"}
):
    """Ask a codec what it reads of a request, or of a response. `payload` is that request, or that response; with the
    codec `own`, in a sanitizer, it is what the sanitizer was given, and null here."""

    codec: Asked
    side: Literal["request", "response"] = "request"
    payload: Any = None
    as_: Text | None = None


class Encode(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="encode", rename={"as_": "as"}
):
    """Ask a codec what it writes of an annotation into a request. `payload` is that request, as for `decode`."""

    codec: Asked
    annotation: dict[str, Any]
    payload: Any = None
    as_: Text | None = None
