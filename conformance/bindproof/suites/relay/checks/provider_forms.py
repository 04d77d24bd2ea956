"""What an annotation has to say of each provider's request: the tables of AUT-012 and AUT-023, as checks read them.

Enters: a codec's name, a request's content. Leaves: an annotation, or a part of the content. Never raises for a content
that is none.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from bindproof.core.model import Json
from bindproof.suites.relay.checks.common import part


class Places(NamedTuple):
    """Members of a provider's request: its conversation, and its instructions where they are no message."""

    turns: str
    instructions: str = ""


PLACES: Final = {
    "openai_chat": Places("messages"),
    "openai_responses": Places("input", "instructions"),
    "anthropic_messages": Places("messages", "system"),
}
"""The codecs of AUT-012."""

GEMINI, OCI = "gemini_generate_content", "oci_genai"
NEWER: Final = (GEMINI, OCI)
"""The codecs of AUT-023."""

SETTINGS: Final = ("temperature", "max_tokens")
GEMINI_SETTINGS: Final = {"temperature": "temperature", "maxOutputTokens": "max_tokens"}
OCI_SETTINGS: Final = {"temperature": "temperature", "maxTokens": "max_tokens"}
OCI_AROUND: Final = {"compartmentId": "compartment_id", "servingMode": "serving_mode"}


def portable(codec: str, content: Json) -> Json:
    """Return what an annotation has to say of a provider's request; None where it is no such request (AUT-014)."""
    if codec == GEMINI:
        return _of_gemini(content)
    if codec == OCI:
        return _of_oci(content)
    places = PLACES[codec]
    turns = part(content, places.turns)
    if codec == "openai_responses" and isinstance(turns, str):
        turns = [{"role": "user", "content": turns}]
    if not isinstance(turns, list) or not isinstance(content.get("model", ""), str):
        return None
    settings = {name: content[name] for name in SETTINGS if name in content}
    rest = {name: value for name, value in content.items() if name not in (*SETTINGS, *places)}
    found = {"messages": turns, "api_specific": {"api": codec}, **rest}
    if places.instructions in content:
        found["instructions"] = content[places.instructions]
    return _with(found, settings)


def _with(annotation: dict[str, Json], settings: dict[str, Json]) -> dict[str, Json]:
    return annotation | ({"params": settings} if settings else {})


def _of_gemini(content: Json) -> Json:
    turns = part(content, "contents")
    if not isinstance(turns, list) or not isinstance(content.get("model", ""), str):
        return None
    said = [
        {"role": "user" if part(turn, "role") != "model" else "assistant", "content": _text(turn)} for turn in turns
    ]
    if "systemInstruction" in content:
        said.insert(0, {"role": "system", "content": _text(content["systemInstruction"])})
    settings = {ours: value for name, ours in GEMINI_SETTINGS.items() if (value := _setting(content, name)) is not None}
    apart = ("contents", "systemInstruction", "generationConfig")
    return _with({"messages": said, **{name: one for name, one in content.items() if name not in apart}}, settings)


def _setting(content: Json, name: str) -> Json:
    return part(content, "generationConfig", name)


def _text(turn: Json) -> Json:
    parts = part(turn, "parts")
    return part(parts[0], "text") if isinstance(parts, list) and parts else None


def _of_oci(content: Json) -> Json:
    inner = part(content, "chatRequest") or content
    turns = part(inner, "messages")
    if not isinstance(inner, dict) or not isinstance(turns, list | None):
        return None
    said = [{"role": str(part(turn, "role")).lower(), "content": _oci_text(turn)} for turn in turns or []]
    specific: dict[str, Json] = {"api": OCI, "api_format": "GENERIC"}
    found: dict[str, Json] = {"messages": said, "api_specific": specific}
    if inner is not content:
        specific |= {ours: content[name] for name, ours in OCI_AROUND.items() if name in content}
        if (model := part(content, "servingMode", "modelId")) is not None:
            found["model"] = model
    apart = ("messages", "apiFormat", *OCI_SETTINGS)
    settings = {ours: inner[name] for name, ours in OCI_SETTINGS.items() if name in inner}
    return _with(found | {name: one for name, one in inner.items() if name not in apart}, settings)


def _oci_text(turn: Json) -> Json:
    content = part(turn, "content")
    return part(content[0], "text") if isinstance(content, list) and content else content


def conversation(codec: str, content: Json) -> Json:
    """Return the part of a provider's request that its messages are read of, in its own form."""
    if codec == GEMINI:
        return [part(content, "systemInstruction"), part(content, "contents")]
    if codec == OCI:
        return part(part(content, "chatRequest") or content, "messages")
    return part(content, PLACES[codec].turns)
