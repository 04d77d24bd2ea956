"""The callbacks of each family as nemo-relay calls them, and where each is registered.

Enters: a scripted callback. Leaves: the function that the package is given. Must not know steps.
"""

from __future__ import annotations

import json
from collections.abc import Callable as Function
from typing import Any

from typed import Types

from bindproof_adapter import Around, Callback, Sink, Source, decoded, encoded, tool_outcome

Json = Any

REGISTRATION = {
    "subscriber": ("subscribers", "", "subscriber"),
    "llm.request": ("intercepts", "llm_request", "llm_request_intercept"),
    "llm.execution": ("intercepts", "llm_execution", "llm_execution_intercept"),
    "llm.stream": ("intercepts", "llm_stream_execution", "llm_stream_execution_intercept"),
    "llm.conditional": ("guardrails", "llm_conditional_execution", "llm_conditional_execution_guardrail"),
    "llm.sanitize_request": ("guardrails", "llm_sanitize_request", "llm_sanitize_request_guardrail"),
    "llm.sanitize_response": ("guardrails", "llm_sanitize_response", "llm_sanitize_response_guardrail"),
    "tool.request": ("intercepts", "tool_request", "tool_request_intercept"),
    "tool.execution": ("intercepts", "tool_execution", "tool_execution_intercept"),
    "tool.conditional": ("guardrails", "tool_conditional_execution", "tool_conditional_execution_guardrail"),
    "tool.sanitize_request": ("guardrails", "tool_sanitize_request", "tool_sanitize_request_guardrail"),
    "tool.sanitize_response": ("guardrails", "tool_sanitize_response", "tool_sanitize_response_guardrail"),
    "mark.sanitize": ("guardrails", "mark_sanitize", "mark_sanitize_guardrail"),
    "start.sanitize": ("guardrails", "scope_sanitize_start", "scope_sanitize_start_guardrail"),
    "end.sanitize": ("guardrails", "scope_sanitize_end", "scope_sanitize_end_guardrail"),
    "event.metadata": ("event_metadata", "injector", "event_metadata_injector"),
}
"""Family → module of its global registration, stem of the functions there, kind in the package's own listing."""

LOCAL = {"subscriber": "subscriber", "event.metadata": "event_metadata_injector"}
"""Families whose stem in `scope_local` is another one."""

BREAKING = ("llm.request", "tool.request")

FAMILIES = {kind: family for family, (_, _, kind) in REGISTRATION.items()}
"""Kind in the package's own listing → family."""


def function_of(family: str, callback: Any, types: Types) -> Function[..., Any]:
    """Return what the package calls for a callback of the family."""
    return MAKERS[family](callback, types)


def _subscriber(sink: Sink, types: Types) -> Function[..., Any]:
    return lambda event: sink.put(json.loads(event.to_json()))  # copied while the callback has it


def _llm_request(callback: Callback, types: Types) -> Function[..., Any]:
    def intercept(name: str, request: Any, annotated: Any) -> Any:
        natural = {"request": types.request_json(request), "annotated_request": types.annotation_json(annotated)}
        return callback.play({"name": name, **natural}, {**natural, "pending_marks": []}, types.outcome)

    return intercept


def _llm_conditional(callback: Callback, types: Types) -> Function[..., Any]:
    return lambda request: callback.play({"request": types.request_json(request)}, None)


def _llm_execution(callback: Around, types: Types) -> Function[..., Any]:
    async def intercept(name: str, request: Any, *rest: Any) -> Any:
        proceed = rest[-1]  # from 0.10 on a context is before it

        async def go_on(argument: Json) -> Json:
            return await proceed(types.request(argument))

        plain = types.request_json(request)
        return await callback.wrap({"name": name, "request": plain}, plain, lambda answer: answer, go_on)

    return intercept


def _llm_stream(callback: Source, types: Types) -> Function[..., Any]:
    async def intercept(*given: Any) -> Any:
        *before, proceed = given  # request and next; from 0.10 on name, request, a context and next
        plain = types.request_json(before[0] if len(before) == 1 else before[1])

        async def go_on(argument: Json) -> Any:
            return await proceed(types.request(argument))

        return await callback.wrap({"request": plain}, plain, go_on)

    return intercept


def _sanitize_request(callback: Callback, types: Types) -> Function[..., Any]:
    def sanitize(request: Any, *_context: Any) -> Any:  # from 0.7 on there is a context
        plain = types.request_json(request)
        return callback.play({"request": plain}, plain, types.request)

    return sanitize


def _sanitize_response(callback: Callback, types: Types) -> Function[..., Any]:
    return lambda response, *_context: callback.play({"response": response}, response)


def _tool(argument: str) -> Function[..., Any]:
    def make(callback: Callback, types: Types) -> Function[..., Any]:
        return lambda name, value: callback.play({"name": name, argument: value}, value)

    return make


def _tool_conditional(callback: Callback, types: Types) -> Function[..., Any]:
    return lambda name, args: callback.play({"name": name, "args": args}, None)


def _tool_execution(callback: Around, types: Types) -> Function[..., Any]:
    async def intercept(*handed: Any) -> Any:
        *before, proceed = handed  # name, arguments and next; from 0.9 on a context and next
        given = _context_json(*before) if len(before) == 1 else dict(zip(("name", "args"), before, strict=True))

        async def go_on(argument: Json) -> Json:
            return types.result_json(await proceed(argument))

        return await callback.wrap(given, given["args"], tool_outcome, go_on, types.tool_outcome)

    return intercept


def _context_json(context: Any) -> Json:
    return {"name": context.tool_name, "args": context.args, "tool_call_id": context.tool_call_id}


def _event_fields(callback: Callback, types: Types) -> Function[..., Any]:
    def sanitize(event: Any, fields: Any) -> Any:
        plain = dict(fields)
        return callback.play({"event": json.loads(event.to_json()), "fields": plain}, plain)

    return sanitize


def _event_metadata(callback: Callback, types: Types) -> Function[..., Any]:
    return lambda event: callback.play({"event": json.loads(event.to_json())}, {})


MAKERS: dict[str, Function[[Any, Types], Function[..., Any]]] = {
    "subscriber": _subscriber,
    "llm.request": _llm_request,
    "llm.execution": _llm_execution,
    "llm.stream": _llm_stream,
    "llm.conditional": _llm_conditional,
    "llm.sanitize_request": _sanitize_request,
    "llm.sanitize_response": _sanitize_response,
    "tool.request": _tool("args"),
    "tool.execution": _tool_execution,
    "tool.conditional": _tool_conditional,
    "tool.sanitize_request": _tool("args"),
    "tool.sanitize_response": _tool("result"),
    "mark.sanitize": _event_fields,
    "start.sanitize": _event_fields,
    "end.sanitize": _event_fields,
    "event.metadata": _event_metadata,
}


class Codec:
    """A request codec whose two methods are scripted callbacks."""

    def __init__(self, types: Types, decode: Callback, encode: Callback) -> None:
        self._types, self._decode, self._encode = types, decode, encode

    def decode(self, request: Any) -> Any:
        """Play the decode callback."""
        plain = self._types.request_json(request)
        return self._decode.play({"request": plain}, decoded(plain), self._types.annotation)

    def encode(self, annotated: Any, original: Any) -> Any:
        """Play the encode callback."""
        given = {
            "annotated_request": self._types.annotation_json(annotated),
            "original": self._types.request_json(original),
        }
        return self._encode.play(given, encoded(given["annotated_request"], given["original"]), self._types.request)
