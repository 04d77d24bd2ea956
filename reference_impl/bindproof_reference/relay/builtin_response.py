"""Chapter *Request authority* (AUT), response codecs: what a built-in codec reads of a provider's answer.

Enters: a codec's name, an answer. Leaves: an annotation, or None for what is no answer of the provider's. It knows the
parts of an answer that the chapter names; what else a scenario asks for is a ScenarioError.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bindproof_reference.relay.callbacks import ScenarioError
from bindproof_reference.relay.values import Json, Opaque


@dataclass(frozen=True, slots=True)
class Form:
    """Where a provider's answer has its text, a list; what the annotation calls that, and what says how it ended."""

    parts: str
    kept: str = ""
    reason: str = ""


FORMS = {
    "openai_chat": Form("choices"),
    "openai_responses": Form("output", kept="output_items", reason="status"),
    "anthropic_messages": Form("content", kept="content_blocks", reason="stop_reason"),
}
"""Name of a built-in codec → the form of its provider's answers."""

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
    """Return what the end's profile says of an answer (AUT-015), None where it says nothing (AUT-016)."""
    try:
        return _read(codec, answer)
    except (AttributeError, IndexError, KeyError, TypeError):
        raise _beyond(codec, FORMS[codec].parts) from None


def is_finished(annotation: Json) -> bool:
    """Tell whether an answer was finished and all its tokens counted, by what was read of it (STR-019)."""
    usage = annotation.get("usage") or {}
    counts = usage.matcher["$contains"] if isinstance(usage, Opaque) else usage
    return "finish_reason" in annotation and counts.keys() >= {"prompt_tokens", "completion_tokens"}


def _read(codec: str, answer: Json) -> Json:
    form = FORMS[codec]
    if not isinstance(answer, dict) or not isinstance(parts := answer.get(form.parts), list | None):
        return None
    specific: dict[str, Json] = {"api": codec}
    found: dict[str, Json] = {"api_specific": specific}
    for name, value in answer.items():
        if name in SHARED or name.startswith(OPEN):
            found[name] = value
        elif name == "usage":
            found[name] = _usage(codec, value)
        elif name == form.reason:
            found["finish_reason"] = _normalised(codec, value)
            specific[name] = value
        elif name != form.parts:
            raise _beyond(codec, name)
    if parts is not None and form.kept:
        specific[form.kept] = parts
    return found | dict(_said(codec, parts or []))


def _said(codec: str, parts: list[Json]) -> Iterator[tuple[str, Json]]:
    """Yield the message, and what says why it ended where that is beside it."""
    if len(parts) > 1:
        raise _beyond(codec, FORMS[codec].parts)
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
