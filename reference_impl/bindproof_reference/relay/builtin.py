"""Chapter *Request authority* (AUT), built-in codecs: what they read of a provider's request, and what they write back.

Enters: a codec's name, a request's content, an annotation. Leaves: an annotation, or a content. It knows the parts of a
request that the chapter names; what else a scenario asks for is a ScenarioError.
"""

from __future__ import annotations

from dataclasses import dataclass

from bindproof_reference.relay.callbacks import ScenarioError
from bindproof_reference.relay.values import Json, copy, strictly_equal

UNKNOWN = "x-"
"""What the names begin with that no provider has."""


class UnreadableError(ValueError):
    """A content is no request of the provider's (AUT-014), or an annotation says what it cannot take (AUT-013)."""


@dataclass(frozen=True, slots=True)
class Form:
    """Where a provider's request has its conversation, its instructions and its settings."""

    turns: str
    instructions: str | None
    settings: tuple[str, ...]


FORMS = {
    "openai_chat": Form("messages", None, ("temperature", "max_tokens")),
    "openai_responses": Form("input", "instructions", ("temperature",)),
    "anthropic_messages": Form("messages", "system", ("temperature", "max_tokens")),
}
"""Name of a built-in codec → the form of its provider's requests."""


def decode(codec: str, content: Json) -> dict[str, Json]:
    """Return the annotation of a content (AUT-012); raises UnreadableError."""
    form, content = FORMS[codec], copy(content)
    if not isinstance(content, dict):
        raise UnreadableError
    turns = content.get(form.turns)
    if isinstance(turns, str) and codec == "openai_responses":
        turns = [{"role": "user", "content": turns}]
    if not isinstance(turns, list) or not isinstance(content.get("model", ""), str):
        raise UnreadableError
    if not all(_is_plain(turn) for turn in turns):
        raise _beyond(codec, form.turns)
    annotation: dict[str, Json] = {"messages": turns, "api_specific": {"api": codec}}
    for name, value in content.items():
        if name in form.settings:
            annotation.setdefault("params", {})[name] = value
        elif name == form.instructions:
            annotation["instructions"] = value
        elif name == "model" or name.startswith(UNKNOWN):
            annotation[name] = value
        elif name != form.turns:
            raise _beyond(codec, name)
    return annotation


def encode(codec: str, annotation: Json, content: Json) -> Json:
    """Return a content in which what was edited is changed, and nothing else (AUT-010), and which says it (AUT-011).

    Raises UnreadableError for what the provider's requests cannot say (AUT-013).
    """
    after = _edited(codec, annotation, content)
    if not _says(codec, after, annotation):
        raise _beyond(codec, "annotated_request")
    return after


def _edited(codec: str, annotation: Json, content: Json) -> Json:
    form, before, after = FORMS[codec], decode(codec, content), copy(content)
    for name in {**before, **annotation}:
        value = annotation.get(name)
        if name in before and name in annotation and strictly_equal(before[name], value):
            continue
        if name == "messages":
            after[form.turns] = _turns(codec, content[form.turns], value)
        elif name == "instructions":
            if form.instructions is None:
                raise UnreadableError
            after[form.instructions] = value
        elif name == "params" and isinstance(value, dict) and set(before.get(name, ())) <= set(value):
            after |= value
        elif name == "model" and name in annotation:
            after[name] = value
        elif name.startswith(UNKNOWN):
            after |= {name: value}
            if name not in annotation:
                del after[name]
        else:
            raise _beyond(codec, name)
    return after


def _says(codec: str, content: Json, annotation: Json) -> bool:
    try:
        return strictly_equal(decode(codec, content), annotation)
    except UnreadableError:
        return False


def _turns(codec: str, before: Json, messages: Json) -> Json:
    """Return the messages of an annotation in the place of those that the content has, which keep their form."""
    if not isinstance(messages, list):
        raise _beyond(codec, "messages")
    if any(_is_native(message) and message.get("provider") != codec for message in messages):
        raise UnreadableError
    if not all(map(_is_plain, messages)):
        raise _beyond(codec, "messages")
    if codec != "openai_responses":
        return messages
    roles = [message["role"] for message in messages]
    if roles != (["user"] if isinstance(before, str) else [turn["role"] for turn in before]):
        raise _beyond(codec, "messages")
    return messages[0]["content"] if isinstance(before, str) else messages


def _is_native(message: Json) -> bool:
    return isinstance(message, dict) and message.get("role") == "provider_native"


def _is_plain(turn: Json) -> bool:
    return isinstance(turn, dict) and set(turn) == {"role", "content"} and isinstance(turn["content"], str)


def _beyond(codec: str, part: str) -> ScenarioError:
    return ScenarioError(f"codec {codec}: the chapter does not say what becomes of {part!r} here")
