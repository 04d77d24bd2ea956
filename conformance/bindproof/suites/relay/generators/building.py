"""Objects that generated programs build.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, and a few that build an object
and read it back. As questions are, they are drawn last.
"""

from __future__ import annotations

from collections.abc import Mapping

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.parts import Parts
from bindproof.suites.relay.scenario.building import MEMBERS, NEEDED

BUILDING: dict[str | None, tuple[str, ...]] = {
    "python": ("request", "mark", "outcome", "tool_outcome", *MEMBERS),
    "node": ("request",),
    "rust": ("request", "mark", "outcome", "tool_result", "tool_outcome", *MEMBERS),
    None: ("request", "mark", "outcome", "tool_result", "tool_outcome", *MEMBERS),
}
"""Dialect → the objects that programs of its language build; None: all may be said."""

BUILD_PERCENT = 10
"""Of a hundred programs so many build an object."""

WRONG_PERCENT = 20
"""Of a hundred objects so many are malformed."""

WRONG = (None, 5, "text")
"""What is neither an object nor a list."""

CONTENTS: tuple[Json, ...] = (
    "hi",
    "",
    "é",
    [{"type": "text", "text": "p"}],
    [{"type": "text", "text": "p"}, {"type": "text", "text": "q"}],
)
CALLS: tuple[Json, ...] = ([], [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}])
FORMS: Mapping[str, Mapping[str, tuple[Json, ...]]] = {
    "annotated_request": {
        "model": ("m", None),
        "params": ({}, {"temperature": 0.5, "max_tokens": 5}, {"top_p": 0.25, "stop": ["a"]}),
        "tools": ([], [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]),
        "tool_choice": ("auto", "none", {"type": "function", "function": {"name": "f"}}),
        "x-more": (1, [None], {"a": "b"}),
    },
    "annotated_response": {
        "id": ("r", None),
        "model": ("m",),
        "message": CONTENTS,
        "tool_calls": ([], [{"id": "1", "name": "f", "arguments": {"a": [1]}}]),
        "finish_reason": ("complete", "tool_use"),
        "usage": ({}, {"prompt_tokens": 1, "total_tokens": 3}),
        "api_specific": ({"api": "openai_chat"},),
        "x-more": (1, [None], {"a": "b"}),
    },
    "measurement": {
        "name": ("m", "m.count"),
        "kind": ("counter", "up_down_counter", "gauge"),
        "value_type": ("u64", "i64"),
        "value": (0, 1, 2**53 - 1),
        "unit": ("s", None),
        "description": ("", "é"),
        "attributes": ({}, {"a": "b", "c": True}),
    },
    "propagation_context": {
        "parent_uuid": ("019a0000-0000-7000-8000-00000000000a", "019b1111-2222-7333-9444-555566667777"),
        "root_uuid": ("019a0000-0000-7000-8000-00000000000a", "019c0000-0000-7000-b000-0000000000ff", None),
        "version": (1,),
    },
}
"""Object → what may stand in its members, beside the messages."""

TEXTS = ("model", "id", "message", "finish_reason", "name", "unit", "parent_uuid", "root_uuid")
"""Members in the place of which a number is malformed."""

OF_THE_WRONG_TYPE = {"request": "headers", "mark": "name", "outcome": "request", "tool_outcome": "pending_marks"}
"""Object → a member of it that can have a wrong type."""


def with_objects(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, now and then with one that builds an object."""
    objects = BUILDING.get(dialect, ())
    if not objects or not choices.chance(BUILD_PERCENT):
        return steps
    name, at = choices.pick(objects), choices.integer(0, len(steps))
    value = _value(Parts(choices), name)
    if dialect not in ("node", "rust") and choices.chance(WRONG_PERCENT):
        value = _malformed(choices, name, value)
    return [*steps[:at], {"step": "build", "object": name, "value": value}, *steps[at:]]


def _value(parts: Parts, name: str) -> Json:
    if name in MEMBERS:
        return _of_forms(parts.choices, name)
    if name == "request":
        return parts.request()
    if name == "mark":
        return parts.mark()
    if name == "outcome":
        made: Json = {"request": parts.request()}
        if parts.choices.chance(50):
            made["annotated_request"] = parts.annotation()
    else:
        made = {"result": parts.value()}
    if name != "tool_result" and parts.choices.chance(50):
        made["pending_marks"] = [parts.mark() for _ in range(parts.choices.integer(0, 2))]
    return made


def _of_forms(choices: Choices, name: str) -> Json:
    needed = NEEDED.get(name, ())
    made = {
        member: choices.pick(forms) for member, forms in FORMS[name].items() if member in needed or choices.chance(50)
    }
    if name == "annotated_request":
        made["messages"] = [_message(choices) for _ in range(choices.integer(0, 3))]
    return made


def _message(choices: Choices) -> Json:
    role, content = choices.pick(("system", "user", "user", "assistant")), choices.pick(CONTENTS)
    said: Json = {"role": role, "content": content}
    return said | {"tool_calls": choices.pick(CALLS)} if role == "assistant" and choices.chance(50) else said


def _malformed(choices: Choices, name: str, value: Json) -> Json:
    """Spoil an object: a member of the wrong type, or one that it does not have."""
    if name in MEMBERS:
        return value | {choices.pick([member for member in FORMS[name] if member in TEXTS]): 5}
    if name != "request" and (name not in OF_THE_WRONG_TYPE or choices.chance(50)):
        return value | {"bogus": 1}
    return value | {OF_THE_WRONG_TYPE[name]: choices.pick(WRONG[:2] if name == "mark" else WRONG)}
