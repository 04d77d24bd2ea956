"""Chapter *Dialects* (DLC): annotations, measurements and propagation contexts that a program builds.

Enters: the members that a program states of one, the edition's rules. Leaves: all members that it has, and what it
answers; or the reason why it cannot be built.
"""

from __future__ import annotations

from collections.abc import Mapping

from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.values import Json

NEEDED: Mapping[str, tuple[str, ...]] = {
    "annotated_request": ("messages",),
    "annotated_response": (),
    "measurement": ("name", "kind", "value_type", "value"),
    "propagation_context": ("parent_uuid",),
}
"""Object → the members without which there is none."""

NUMBERS = ("value", "version")
"""Members that are numbers."""

MEASURED = (*NEEDED["measurement"], "unit", "description", "attributes", "boundaries")


def malformed_members(name: str, value: Json) -> str | None:
    """Say why an object cannot be built: it lacks a member, or a number stands for one that is none (DLC-010)."""
    missing = [member for member in NEEDED[name] if member not in value]
    if missing:
        return f"there is no {missing[0]}"
    own = [member for member in value if not member.startswith("x-") and member not in NUMBERS]
    return next((f"the member {member} is a number" for member in own if type(value[member]) is int), None)


def whole_object(name: str, value: Json, rules: Rules) -> Json:
    """Return what a well-formed object says of itself, and what it answers (DLC-009, DLC-016)."""
    match name:
        case "annotated_request":
            return {**dict.fromkeys(rules.annotation_fields), **value, "asked": _of_request(value)}
        case "annotated_response":
            return {**dict.fromkeys(rules.answer_fields), **value, "asked": _of_answer(value)}
        case "measurement":
            return {**dict.fromkeys(MEASURED), **value}
    traced = ("traceparent", "tracestate") if rules.captured_trace else ()
    left_out = {**dict.fromkeys(("root_uuid", *traced)), "version": 1}
    asked = {"to_traceparent": _traceparent(value)} if rules.runtime_traceparent else {}
    return {**left_out, **value, "asked": asked}


def _of_request(value: Json) -> Json:
    messages = value["messages"]
    said_by_system = [value.get("instructions"), *_contents(messages, "system")]
    return {
        "system_prompt": next((text for content in said_by_system if (text := _text(content)) is not None), None),
        "last_user_message": next(map(_text, reversed(_contents(messages, "user"))), None),
        "has_tool_calls": any(message.get("tool_calls") for message in messages),
    }


def _of_answer(value: Json) -> Json:
    return {"response_text": _text(value.get("message")), "has_tool_calls": bool(value.get("tool_calls"))}


def _contents(messages: Json, role: str) -> list[Json]:
    return [message["content"] for message in messages if message["role"] == role]


def _text(content: Json) -> Json:
    """Return a content's text; of one in parts the first part's."""
    return content[0]["text"] if isinstance(content, list) else content


def _traceparent(value: Json) -> Json:
    """Return the header that a context is made to: its own, or one of its root and its parent."""
    if value.get("traceparent") is not None or value.get("root_uuid") is None:
        return value.get("traceparent")
    trace, span = (value[member].replace("-", "") for member in ("root_uuid", "parent_uuid"))
    return f"00-{trace}-{span[16:]}-01"
