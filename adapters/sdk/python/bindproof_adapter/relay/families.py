"""The families of callbacks: what the core calls each, what a callback of it is given, and its natural reply.

Enters: what a binding handed over, as JSON. Leaves: JSON, the same for every binding. Must not know any binding's
types.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bindproof_adapter.relay.script import waits

Json = Any

KINDS = {
    "subscriber": "subscriber",
    "llm.request": "llm_request_intercept",
    "llm.execution": "llm_execution_intercept",
    "llm.stream": "llm_stream_execution_intercept",
    "llm.conditional": "llm_conditional_execution_guardrail",
    "llm.sanitize_request": "llm_sanitize_request_guardrail",
    "llm.sanitize_response": "llm_sanitize_response_guardrail",
    "tool.request": "tool_request_intercept",
    "tool.execution": "tool_execution_intercept",
    "tool.conditional": "tool_conditional_execution_guardrail",
    "tool.sanitize_request": "tool_sanitize_request_guardrail",
    "tool.sanitize_response": "tool_sanitize_response_guardrail",
    "mark.sanitize": "mark_sanitize_guardrail",
    "start.sanitize": "scope_sanitize_start_guardrail",
    "end.sanitize": "scope_sanitize_end_guardrail",
    "event.metadata": "event_metadata_injector",
}
"""Family → what the core's own listing calls it, and its functions that register it."""

BEFORE = ("llm.request", "llm.conditional", "tool.request", "tool.conditional")
"""Families whose callbacks run before a call starts: they may wait at latches."""

AROUND = ("llm.execution", "tool.execution")
"""Families whose callbacks wrap an execution."""

PUBLISHED = {
    family: "inject" if family == "event.metadata" else "sanitize"
    for family in KINDS
    if family == "event.metadata" or "sanitize" in family
}
"""Family whose callbacks run when an event is published → what follows the step's id in a callback's."""

FAMILIES = {kind: family for family, kind in KINDS.items()}

GIVEN = {
    "llm.request": ("name", "request", "annotated_request"),
    "llm.conditional": ("request",),
    "llm.sanitize_request": ("request", "codec"),
    "llm.sanitize_response": ("response", "codec"),
    "tool.request": ("name", "args"),
    "tool.conditional": ("name", "args"),
    "tool.sanitize_request": ("name", "args"),
    "tool.sanitize_response": ("name", "result"),
    "mark.sanitize": ("event", "fields"),
    "start.sanitize": ("event", "fields"),
    "end.sanitize": ("event", "fields"),
    "event.metadata": ("event",),
    "llm.provider": ("request",),
    "tool.provider": ("args",),
    "decode": ("request",),
    "encode": ("annotated_request", "original"),
}
"""Family, or part of a call → names of what its callbacks are given, in the order in which bindings hand it over."""


class Listed(NamedTuple):
    """An entry of the core's own listing in the suite's words.

    name: as whoever registered it gave it. effective: as a gate finds it. plugin: whose it is, None where that is the
    program. number: which one of that name the plugin is; None where the listing does not say.
    """

    family: str
    name: str
    effective: str
    plugin: str | None = None
    number: int | None = None


def family_of(kind: str) -> str:
    """Return the family that the core's own listing calls so; a kind that is not known stays as it is."""
    return FAMILIES.get(kind, kind)


def order_of(step: Json) -> list[Any]:
    """Return what a registration says of its place: nothing, its priority, or also whether it breaks the chain."""
    if step["family"] == "subscriber":
        return []
    breaking = step["family"] in ("llm.request", "tool.request")
    return [step["priority"], step["break_chain"]] if breaking else [step["priority"]]


def asked(family: str, *values: Json) -> tuple[Json, Json]:
    """Return what a callback of the family is given, made of these values, and its natural reply.

    values: in the order of `GIVEN`; what an older release does not hand over is not there.
    """
    given = dict(zip(GIVEN[family], values, strict=False))
    return given, _natural(family, given)


def _natural(family: str, given: Json) -> Json:
    match family:
        case "llm.request":
            return {**{key: given[key] for key in ("request", "annotated_request")}, "pending_marks": []}
        case "llm.conditional" | "tool.conditional":
            return None
        case "llm.sanitize_request":
            return given["request"]
        case "llm.sanitize_response":
            return given["response"]
        case "event.metadata":
            return {}
        case "llm.provider":
            return {"ok": True}
        case "tool.provider":
            return {"result": {"ok": True}, "annotation": None}
        case "decode":
            return _decoded(given["request"])
        case "encode":
            return _encoded(given["annotated_request"], given["original"])
        case _:  # what it is given last
            return given[GIVEN[family][-1]]


def tool_outcome(answer: Json) -> Json:
    """Return the reply that an answer to `next` makes of a tool execution intercept; None is no answer."""
    return {**(answer or {"result": None, "annotation": None}), "pending_marks": []}


def _decoded(request: Json) -> Json:
    """Return the plain chat form of a request: its messages, and its model where it has one."""
    content = request["content"] if isinstance(request["content"], dict) else {}
    plain: dict[str, Json] = {"messages": content.get("messages") or []}
    if "model" in content:
        plain["model"] = content["model"]
    return plain


def _encoded(annotated: Json, original: Json) -> Json:
    """Return the original request with the annotation's members laid over its content."""
    content = original["content"] if isinstance(original["content"], dict) else {}
    return {"headers": original["headers"], "content": {**content, **annotated}}


def is_awaited(step: Json) -> bool:
    """Tell whether what a step registers is to be an asynchronous callback, where there are two kinds of them."""
    return bool(step.get("async")) or (step["family"] not in (*AROUND, "subscriber") and waits(step["do"]))
