"""The step of the scenario language that builds an object of the binding, and the forms of those without a schema.

Enters: an object's name and the members that a program states. Leaves: the step as a struct, for `language`, and which
members of such an object have no form that every binding takes. Must not know the other steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.boundaries import Text
from bindproof.suites.relay.scenario.metrics import Measurement

Built = Literal[
    "request", "mark", "outcome", "tool_result", "tool_outcome", "annotated_request", "annotated_response",
    "measurement", "propagation_context",
]  # fmt: skip


class Build(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="build", rename={"as_": "as"}
):
    """Build one of the binding's own objects of these members, and read it back.

    `request` is an LLM's, `mark` a pending mark, `outcome` what a request intercept of an LLM answers with,
    `tool_result` and `tool_outcome` what a tool and its execution intercept do, `annotated_request` and
    `annotated_response` the annotation of a request and of an answer, `measurement` one of a group, and
    `propagation_context` what another process is told of where a program stands.
    """

    object: Built
    value: dict[str, Any]
    as_: Text | None = None


class _Part(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="text"):
    """A part of a content."""

    text: str


_Content = str | Annotated[list[_Part], msgspec.Meta(min_length=1)]


class _Called(msgspec.Struct, forbid_unknown_fields=True):
    """Which tool a message asks for."""

    name: str
    arguments: str


class _Ask(msgspec.Struct, forbid_unknown_fields=True):
    """That a message asks for a tool."""

    id: str
    type: Literal["function"]
    function: _Called


class _System(msgspec.Struct, forbid_unknown_fields=True, tag_field="role", tag="system"):
    content: _Content


class _User(msgspec.Struct, forbid_unknown_fields=True, tag_field="role", tag="user"):
    content: _Content


class _Tool(msgspec.Struct, forbid_unknown_fields=True, tag_field="role", tag="tool"):
    content: _Content
    tool_call_id: str


class _Assistant(msgspec.Struct, forbid_unknown_fields=True, tag_field="role", tag="assistant"):
    content: _Content | msgspec.UnsetType = msgspec.UNSET
    tool_calls: list[_Ask] | msgspec.UnsetType = msgspec.UNSET


_Fraction = Annotated[float, msgspec.Meta(gt=0, lt=1)]
"""A number that is no whole one, so that all languages write it alike."""

_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


class _Params(msgspec.Struct, forbid_unknown_fields=True):
    temperature: _Fraction | msgspec.UnsetType = msgspec.UNSET
    top_p: _Fraction | msgspec.UnsetType = msgspec.UNSET
    max_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    stop: list[str] | msgspec.UnsetType = msgspec.UNSET


class _Function(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    description: str | msgspec.UnsetType = msgspec.UNSET
    parameters: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class _Offer(msgspec.Struct, forbid_unknown_fields=True):
    """A tool that a model may ask for."""

    type: Literal["function"]
    function: _Function


class _Named(msgspec.Struct, forbid_unknown_fields=True):
    name: str


class _Choice(msgspec.Struct, forbid_unknown_fields=True):
    """The tool that a model has to ask for."""

    type: Literal["function"]
    function: _Named


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    """That an answer asks for a tool."""

    id: str
    name: str
    arguments: Any


class _Usage(msgspec.Struct, forbid_unknown_fields=True):
    prompt_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    completion_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    total_tokens: _Count | msgspec.UnsetType = msgspec.UNSET


class _Api(msgspec.Struct, forbid_unknown_fields=True):
    api: Literal["openai_chat", "openai_responses", "anthropic_messages"]


_Uuid = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")]
_Traceparent = Annotated[str, msgspec.Meta(pattern="^00-[0-9a-f]{31}[1-9a-f]-[0-9a-f]{15}[1-9a-f]-01$")]
_Tracestate = Annotated[str, msgspec.Meta(pattern="^[a-z]+=[a-z0-9]+$")]

ANNOTATIONS = ("annotated_request", "annotated_response")

MEMBERS: Mapping[str, Mapping[str, Any]] = {
    "annotated_request": {
        "messages": list[_System | _User | _Tool | _Assistant],
        "instructions": _Content | None,
        "model": str | None,
        "params": _Params | None,
        "tools": list[_Offer] | None,
        "tool_choice": Literal["auto", "none", "required"] | _Choice | None,
        "api_specific": _Api | None,
    },
    "annotated_response": {
        "id": str | None,
        "model": str | None,
        "message": _Content | None,
        "tool_calls": list[_Asked] | None,
        "finish_reason": Literal["complete", "length", "tool_use", "content_filter"] | None,
        "usage": _Usage | None,
        "api_specific": _Api | None,
    },
    "measurement": {field.name: field.type for field in msgspec.structs.fields(Measurement)},
    "propagation_context": {
        "parent_uuid": _Uuid,
        "root_uuid": _Uuid | None,
        "version": Literal[1],
        "traceparent": _Traceparent | None,
        "tracestate": _Tracestate | None,
    },
}
"""Object that has no schema → its members, and the form of each that every binding takes."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "annotated_request": ("messages",),
    "measurement": ("name", "kind", "value_type", "value"),
    "propagation_context": ("parent_uuid",),
}
"""Such an object → the members without which there is none."""

OF_THE_PROGRAM = "x-"
"""What a program's own members of an annotation begin with."""


def malformed_members(name: str, value: Mapping[str, Json]) -> list[str]:
    """Return which members of an object without a schema lack their form, or are not there and needed."""
    forms, missing = MEMBERS[name], [member for member in NEEDED.get(name, ()) if member not in value]
    return missing + [
        member for member, item in value.items() if member in forms and not _has_form(item, forms[member])
    ]


def _has_form(value: Json, form: Any) -> bool:
    try:
        msgspec.convert(value, form)
    except msgspec.ValidationError:
        return False
    return True
