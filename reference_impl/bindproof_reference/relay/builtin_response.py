"""Chapter *Request authority* (AUT), response codecs: what a built-in codec reads of a provider's answer.

Enters: a codec's name, an answer. Leaves: an annotation, or None for what is no answer of the provider's. It knows the
parts of an answer that the chapter names; what else a scenario asks for is a ScenarioError.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof_reference.relay.callbacks import ScenarioError
from bindproof_reference.relay.values import Json, Opaque

PARTS = {"openai_chat": "choices", "openai_responses": "output", "anthropic_messages": "content"}
"""Name of a built-in codec → the list of its provider's answers that has the text."""

SHARED = ("id", "model")
"""Members that are in the annotation as they are."""

REASONS = {
    "stop": "complete",
    "completed": "complete",
    "end_turn": "complete",
    "length": "length",
    "max_tokens": "length",
}
"""What a provider says of the end of an answer → what the annotation says."""

COUNTS = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}
"""A provider's own name of a number of tokens → the annotation's."""

OPEN = ("x-", "ok")
"""What the names begin with that no provider has."""


def annotation(codec: str, answer: Json) -> Json:
    """Return what the end's profile says of an answer (AUT-016), None where it says nothing (AUT-017)."""
    if not isinstance(answer, dict) or not isinstance(parts := answer.get(PARTS[codec]), list | None):
        return None
    found: dict[str, Json] = {"api_specific": {"api": codec}}
    for name, value in answer.items():
        if name in SHARED or name.startswith(OPEN):
            found[name] = value
        elif name == "usage":
            found[name] = _usage(codec, value)
        elif name == REASON.get(codec):
            found["finish_reason"] = _normalised(codec, value)
            found["api_specific"][name] = value
        elif name != PARTS[codec]:
            raise _beyond(codec, name)
    if parts is not None and codec != "openai_chat":
        found["api_specific"][{"output": "output_items", "content": "content_blocks"}[PARTS[codec]]] = parts
    return found | dict(_said(codec, parts or []))


REASON = {"openai_responses": "status", "anthropic_messages": "stop_reason"}
"""Name of a built-in codec → the member of an answer that says how it ended, where it is one of the answer's own."""


def _said(codec: str, parts: list[Json]) -> Iterator[tuple[str, Json]]:
    """Yield the message, and what says why it ended where that is beside it."""
    if len(parts) > 1:
        raise _beyond(codec, PARTS[codec])
    for part in parts:
        if codec == "openai_chat":
            yield "message", part["message"]["content"]
            if "finish_reason" in part:
                yield "finish_reason", _normalised(codec, part["finish_reason"])
        elif codec == "openai_responses":
            yield "message", part["content"][0]["text"]
        else:
            yield "message", part["text"]


def _normalised(codec: str, reason: Json) -> Json:
    if reason not in REASONS:
        raise _beyond(codec, str(reason))
    return REASONS[reason]


def _usage(codec: str, usage: Json) -> Json:
    counts = {COUNTS.get(name, name): value for name, value in usage.items()}
    if codec == "anthropic_messages":
        return Opaque({"$contains": {**counts, "total_tokens": counts["prompt_tokens"] + counts["completion_tokens"]}})
    return counts


def _beyond(codec: str, part: str) -> ScenarioError:
    return ScenarioError(f"codec {codec}: the chapter does not say what becomes of {part!r} in an answer")
