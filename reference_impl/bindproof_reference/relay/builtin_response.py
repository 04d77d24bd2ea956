"""Chapter *Request authority* (AUT), response codecs: what a built-in codec reads of a provider's answer.

Enters: a codec's name, an answer. Leaves: an annotation, or None for what is no answer of the provider's. It knows the
parts of an answer that the chapter names; what else a scenario asks for is a ScenarioError.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bindproof_reference.relay.callbacks import ScenarioError
from bindproof_reference.relay.values import Json, Opaque


@dataclass(frozen=True, slots=True)
class Form:
    """Where a provider's answer has what an annotation says of it."""

    parts: str
    """A list, of which the first part has the text."""
    text: tuple[str | int, ...]
    """Where the text is, in that part."""
    ended: str = ""
    """The member of that part that says how the answer ended."""
    reason: str = ""
    """The member of the answer that says so; the annotation tells that of the provider, too."""
    kept: str = ""
    """What the annotation calls all parts, where it tells them."""
    usage: str = "usage"
    shared: Mapping[str, str] = field(default_factory=lambda: {"id": "id", "model": "model"})
    """The provider's name of a member that is in the annotation as it is → the annotation's."""


FORMS = {
    "openai_chat": Form("choices", ("message", "content"), "finish_reason"),
    "openai_responses": Form("output", ("content", 0, "text"), reason="status", kept="output_items"),
    "anthropic_messages": Form("content", ("text",), reason="stop_reason", kept="content_blocks"),
    "gemini_generate_content": Form(
        "candidates",
        ("content", "parts", 0, "text"),
        "finishReason",
        usage="usageMetadata",
        shared={"responseId": "id", "modelVersion": "model"},
    ),
    "oci_genai": Form("choices", ("message", "content", 0, "text"), "finishReason", shared={}),
}
"""Name of a built-in codec → the form of its provider's answers."""

REASONS = {
    "stop": "complete",
    "completed": "complete",
    "end_turn": "complete",
    "STOP": "complete",
    "length": "length",
    "max_tokens": "length",
    "MAX_TOKENS": "length",
}
"""What a provider says of the end of an answer → what the annotation says."""

COUNTS = {
    "input_tokens": "prompt_tokens",
    "output_tokens": "completion_tokens",
    "promptTokenCount": "prompt_tokens",
    "candidatesTokenCount": "completion_tokens",
    "promptTokens": "prompt_tokens",
    "completionTokens": "completion_tokens",
}
"""A provider's own name of a number of tokens → the annotation's."""

SUMMED = ("anthropic_messages", "gemini_generate_content")
"""The codecs that say, too, how many tokens there were in all."""

OPEN = ("x-", "ok")
"""What the names begin with that no provider has."""


def annotation(codec: str, answer: Json) -> Json:
    """Return what the end's profile says of an answer (AUT-015, AUT-024), None where it says nothing (AUT-016)."""
    try:
        return _read_of_oci(answer) if codec == "oci_genai" else _read(codec, answer)
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
    found: dict[str, Json] = {} if codec == "gemini_generate_content" else {"api_specific": specific}
    for name, value in answer.items():
        if name in form.shared or name.startswith(OPEN):
            found[form.shared.get(name, name)] = value
        elif name == form.usage:
            found["usage"] = _usage(codec, value)
        elif name == form.reason:
            found["finish_reason"] = _normalised(codec, value)
            specific[name] = value
        elif name != form.parts:
            raise _beyond(codec, name)
    if parts is not None and form.kept:
        specific[form.kept] = parts
    return found | dict(_said(codec, parts or []))


def _read_of_oci(answer: Json) -> Json:
    """It reads any answer, and one that stands in another (AUT-024)."""
    if not isinstance(answer, dict):
        return {"raw": answer}
    inner = {name: value for name, value in answer.get("chatResponse", answer).items() if name != "apiFormat"}
    if answer.get("chatResponse", answer).get("apiFormat", "GENERIC") != "GENERIC":
        raise _beyond("oci_genai", "apiFormat")
    if not isinstance(inner.get("choices"), list):
        inner.pop("choices", None)
    found = _read("oci_genai", inner)
    found["api_specific"]["api_format"] = "GENERIC"
    if "chatResponse" in answer:
        for name in answer.keys() - {"chatResponse"}:
            if name != "modelId" and not name.startswith(OPEN):
                raise _beyond("oci_genai", name)
            found["model" if name == "modelId" else name] = answer[name]
    return found


def _said(codec: str, parts: list[Json]) -> Iterator[tuple[str, Json]]:
    """Yield the message, and what says why it ended where that is beside it."""
    form = FORMS[codec]
    if len(parts) > 1:
        raise _beyond(codec, form.parts)
    for part in parts:
        message = part
        for step in form.text:
            message = message[step]
        yield "message", message
        if form.ended and form.ended in part:
            yield "finish_reason", _normalised(codec, part[form.ended])


def _normalised(codec: str, reason: Json) -> Json:
    if reason not in REASONS:
        raise _beyond(codec, str(reason))
    return REASONS[reason]


def _usage(codec: str, usage: Json) -> Json:
    counts = {COUNTS.get(name, name): value for name, value in usage.items()}
    if codec in SUMMED:
        return Opaque({"$contains": {**counts, "total_tokens": counts["prompt_tokens"] + counts["completion_tokens"]}})
    return counts


def _beyond(codec: str, part: str) -> ScenarioError:
    return ScenarioError(f"codec {codec}: the chapter does not say what becomes of {part!r} in an answer")
