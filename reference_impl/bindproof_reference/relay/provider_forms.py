"""Chapter *Request authority* (AUT), built-in codecs: where each provider's requests have the parts that it names.

Enters: a codec's name, a request's content, one of our names of a part. Leaves: the part, or a content with another.
What the chapter does not name is a ScenarioError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from bindproof_reference.relay.callbacks import ScenarioError
from bindproof_reference.relay.values import Json

UNKNOWN = "x-"
"""What the names begin with that no provider has."""


class UnreadableError(Exception):
    """A content is no request of the provider's (AUT-014), or an annotation says what it cannot take (AUT-013)."""


SYSTEM = "systemInstruction"
"""Where Gemini has the message of the role `system`."""

GEMINI_ROLES = {"user": "user", "model": "assistant"}
OCI_ROLES = ("SYSTEM", "USER", "ASSISTANT")


def _messages(inner: Json) -> Json:
    return inner.get("messages")


def _say_messages(inner: Json, messages: list[Json]) -> None:
    inner["messages"] = messages


def _input(inner: Json) -> Json:
    """A conversation may be the one text that a user says."""
    said = inner.get("input")
    return [{"role": "user", "content": said}] if isinstance(said, str) else said


def _say_input(inner: Json, messages: list[Json]) -> None:
    roles, before = [message["role"] for message in messages], inner["input"]
    if roles != (["user"] if isinstance(before, str) else [turn["role"] for turn in before]):
        raise beyond("openai_responses", "messages")
    inner["input"] = messages[0]["content"] if isinstance(before, str) else messages


def _contents(inner: Json) -> Json:
    """One message of the role `system` has a place, before all others."""
    if not isinstance(inner.get("contents"), list):
        return None
    system = [_of_gemini("system", inner[SYSTEM])] if SYSTEM in inner else []
    return system + [_of_gemini(GEMINI_ROLES[turn.get("role", "user")], turn) for turn in inner["contents"]]


def _of_gemini(role: str, turn: Json) -> Json:
    (part,) = turn["parts"]
    if part.keys() != {"text"}:
        raise beyond("gemini_generate_content", "parts")
    return {"role": role, "content": part["text"]}


def _say_contents(inner: Json, messages: list[Json]) -> None:
    roles = {ours: theirs for theirs, ours in GEMINI_ROLES.items()}
    system, rest = (messages[:1], messages[1:]) if messages and messages[0]["role"] == "system" else ([], messages)
    if any(message["role"] not in roles for message in rest):
        raise beyond("gemini_generate_content", "messages")
    inner.pop(SYSTEM, None)
    for message in system:
        inner[SYSTEM] = {"parts": [{"text": message["content"]}]}
    inner["contents"] = [{"role": roles[message["role"]], "parts": [{"text": message["content"]}]} for message in rest]


def _typed_messages(inner: Json) -> Json:
    """A conversation that is missing is an empty one."""
    found = inner.get("messages")
    return [_of_oci(turn) for turn in found] if isinstance(found, list) else [] if found is None else found


def _of_oci(turn: Json) -> Json:
    (part,) = turn["content"]
    if turn["role"] not in OCI_ROLES or part.keys() != {"type", "text"} or part["type"] != "TEXT":
        raise beyond("oci_genai", "messages")
    return {"role": turn["role"].lower(), "content": part["text"]}


def _say_typed_messages(inner: Json, messages: list[Json]) -> None:
    inner["messages"] = [
        {"role": message["role"].upper(), "content": [{"type": "TEXT", "text": message["content"]}]}
        for message in messages
    ]


@dataclass(frozen=True, slots=True)
class Form:
    """Where a provider's request has its conversation, its instructions and its settings."""

    turns: str = "messages"
    settings: Mapping[str, str] = field(default_factory=lambda: {"temperature": "temperature"})
    """Our name of a setting → the provider's."""
    instructions: str | None = None
    """None where it has no member for them (AUT-013, AUT-025)."""
    grouped: str | None = None
    """The member in which the settings stand together; None where they stand beside the conversation."""
    enclosed: str | None = None
    """The member in which all of this may stand; its model stands beside that, and cannot be edited (AUT-025)."""
    beside: str = ""
    """A member that is read with the conversation, or with what is said of the interface."""
    named: bool = True
    """Annotations name the provider's interface."""
    read: Callable[[Json], Json] = _messages
    """Returns the conversation as messages; what is no list cannot be read."""
    write: Callable[[Json, list[Json]], None] = _say_messages
    """Puts messages in the place of the conversation."""


BOTH = {"temperature": "temperature", "max_tokens": "max_tokens"}

FORMS = {
    "openai_chat": Form(settings=BOTH),
    "openai_responses": Form("input", instructions="instructions", read=_input, write=_say_input),
    "anthropic_messages": Form(settings=BOTH, instructions="system"),
    "gemini_generate_content": Form(
        "contents",
        {"temperature": "temperature", "max_tokens": "maxOutputTokens"},
        grouped="generationConfig",
        beside=SYSTEM,
        named=False,
        read=_contents,
        write=_say_contents,
    ),
    "oci_genai": Form(
        settings={"temperature": "temperature", "max_tokens": "maxTokens"},
        enclosed="chatRequest",
        beside="apiFormat",
        read=_typed_messages,
        write=_say_typed_messages,
    ),
}
"""Name of a built-in codec → the form of its provider's requests."""


def body(codec: str, content: Json) -> Json:
    """Return the part of a content, itself or in it, that has the conversation; raises UnreadableError."""
    enclosed = FORMS[codec].enclosed
    if not isinstance(content, dict):
        raise UnreadableError
    return content[enclosed] if enclosed is not None and enclosed in content else content


def parts(codec: str, content: Json) -> Iterator[tuple[str, Json]]:
    """Yield all that a content says but its conversation, by our names; raises UnreadableError."""
    form, inner = FORMS[codec], body(codec, content)
    yield from _about(codec, content, inner)
    theirs = {name: ours for ours, name in form.settings.items()}
    for name, value in inner.items():
        if name == form.grouped:
            yield from ((theirs[one], setting) for one, setting in value.items())
        elif name in theirs and form.grouped is None:
            yield theirs[name], value
        elif name == form.instructions:
            yield "instructions", value
        elif name == "model" and form.enclosed is None:
            if not isinstance(value, str):
                raise UnreadableError
            yield name, value
        elif name.startswith(UNKNOWN):
            yield name, value
        elif name not in (form.turns, form.beside):
            raise beyond(codec, name)


def _about(codec: str, content: Json, inner: Json) -> Iterator[tuple[str, Json]]:
    """Yield what is said of the provider's interface, and what stands around the conversation (AUT-012, AUT-023)."""
    form = FORMS[codec]
    if not form.named:
        return
    specific = {"api": codec}
    if form.enclosed is not None:
        specific["api_format"] = "GENERIC"
        if inner.get("apiFormat", "GENERIC") != "GENERIC":
            raise beyond(codec, "apiFormat")
    if inner is not content:
        around = {"compartmentId": "compartment_id", "servingMode": "serving_mode"}
        for name in content.keys() - {form.enclosed}:
            if name not in around:
                raise beyond(codec, name)
            specific[around[name]] = content[name]
        if "servingMode" in content:
            model = content["servingMode"]["modelId"]
            if not isinstance(model, str):
                raise beyond(codec, "modelId")
            yield "model", model
    yield "api_specific", specific


def turns(codec: str, content: Json) -> list[Json]:
    """Return the conversation of a content as messages; raises UnreadableError."""
    found = FORMS[codec].read(body(codec, content))
    if not isinstance(found, list):
        raise UnreadableError
    if not all(map(is_plain, found)):
        raise beyond(codec, FORMS[codec].turns)
    return found


def say(codec: str, content: Json, messages: list[Json]) -> None:
    """Put messages into a content in the place of its own, which keep their form; raises UnreadableError."""
    inner = body(codec, content)
    if any(_is_native(message) and message.get("provider") != codec for message in messages):
        raise UnreadableError
    if not all(map(is_plain, messages)):
        raise beyond(codec, "messages")
    FORMS[codec].write(inner, messages)


def put_settings(codec: str, content: Json, settings: Mapping[str, Json]) -> None:
    """Put settings into a content, which keeps its others."""
    form, inner = FORMS[codec], body(codec, content)
    if not settings.keys() <= form.settings.keys():
        raise beyond(codec, "params")
    theirs = {form.settings[name]: value for name, value in settings.items()}
    (inner if form.grouped is None else inner.setdefault(form.grouped, {})).update(theirs)


def is_plain(message: Json) -> bool:
    """Tell whether a message is a role and a text."""
    return isinstance(message, dict) and message.keys() == {"role", "content"} and isinstance(message["content"], str)


def _is_native(message: Json) -> bool:
    return isinstance(message, dict) and message.get("role") == "provider_native"


def beyond(codec: str, part: str) -> ScenarioError:
    """Return the error of a scenario that asks what the chapter does not say."""
    return ScenarioError(f"codec {codec}: the chapter does not say what becomes of {part!r} here")
