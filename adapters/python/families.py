"""The callbacks of each family as nemo-relay calls them, and where each is registered.

Enters: a scripted callback. Leaves: the function that the package is given. Must not know steps.
"""

from __future__ import annotations

import json
from collections.abc import Callable as Function
from collections.abc import Sequence
from typing import Any

from typed import Types

from bindproof_adapter.relay import CODED, KINDS, Around, Callback, Sink, Source, asked, handed, tool_outcome

Json = Any


def place_of(family: str, *, local: bool) -> tuple[str, str]:
    """Return the module that registers a family, and what follows `register` in the names of its functions."""
    kind = KINDS[family]
    stem, _, sort = kind.rpartition("_")  # such as llm_request, intercept
    if sort in ("intercept", "guardrail"):
        return "scope_local" if local else f"{sort}s", f"_{stem}"
    if local:
        return "scope_local", f"_{kind}"
    return ("subscribers", "") if family == "subscriber" else ("event_metadata", "_injector")


class Functions:
    """What the package calls for a callback."""

    def __init__(self, types: Types) -> None:
        self._types = types
        request, annotation, event = types.request_json, types.annotation_json, _event
        self._played: dict[str, tuple[Function[[Any], Any], ...]] = {
            # family → what is made of its reply, and how what it is handed is read
            "llm.request": (types.outcome, _same, request, annotation),
            "llm.conditional": (_same, request),
            "llm.sanitize_request": (types.request, request, _codec),
            "llm.sanitize_response": (_same, _same, _codec),
            "tool.request": (_same, _same, _same),
            "tool.conditional": (_same, _same, _same),
            "tool.sanitize_request": (_same, _same, _same),
            "tool.sanitize_response": (_same, _same, _same),
            "mark.sanitize": (_same, event, dict),
            "start.sanitize": (_same, event, dict),
            "end.sanitize": (_same, event, dict),
            "event.metadata": (_same, event),
            "decode": (types.annotation, request),
            "encode": (types.request, annotation, request),
        }
        self._others: dict[str, Function[[Any], Function[..., Any]]] = {
            "subscriber": _subscriber,
            "llm.execution": self._llm_execution,
            "llm.stream": self._llm_stream,
            "tool.execution": self._tool_execution,
        }

    def of(self, family: str, callback: Any) -> Function[..., Any]:
        """Return the function of a family, or of one of a codec's methods."""
        if family in self._others:
            return self._others[family](callback)
        build, *reads = self._played[family]

        def play(*given: Any) -> Any:  # from 0.7 on a context is behind what some are handed
            values = [read(one) for read, one in zip(reads, given, strict=False)]
            return callback.play(*asked(family, *values), build)

        def sanitize(*given: Any) -> Any:
            with handed(given):
                return play(*given)

        return sanitize if family in CODED else play

    def _llm_execution(self, callback: Around) -> Function[..., Any]:
        async def intercept(name: str, request: Any, *rest: Any) -> Any:  # from 0.10 on a context is before `next`
            plain = self._types.request_json(request)
            given = {"name": name, "request": plain, **_codecs(rest[:-1])}
            return await callback.wrap(given, plain, _same, self._going_on(rest[-1]))

        return intercept

    def _llm_stream(self, callback: Source) -> Function[..., Any]:
        async def intercept(*given: Any) -> Any:
            *before, proceed = given  # request and next; from 0.10 on name, request, a context and next
            plain = self._types.request_json(before[0] if len(before) == 1 else before[1])
            return await callback.wrap({"request": plain, **_codecs(before[2:])}, plain, self._going_on(proceed))

        return intercept

    def _going_on(self, proceed: Function[[Any], Any]) -> Function[[Json], Any]:
        async def go_on(argument: Json) -> Any:
            return await proceed(self._types.request(argument))

        return go_on

    def _tool_execution(self, callback: Around) -> Function[..., Any]:
        async def intercept(*handed: Any) -> Any:
            *before, proceed = handed  # name, arguments and next; from 0.9 on a context and next
            given = _context(*before) if len(before) == 1 else dict(zip(("name", "args"), before, strict=True))

            async def go_on(argument: Json) -> Json:
                return self._types.result_json(await proceed(argument))

            return await callback.wrap(given, given["args"], tool_outcome, go_on, self._types.tool_outcome)

        return intercept


def awaiting(function: Function[..., Any]) -> Function[..., Any]:
    """Return the coroutine function that a program writes for an asynchronous callback."""

    async def asynchronous(payload: Any, *more: Any) -> Any:
        return await function(payload, *more)

    return asynchronous


class Codec:
    """A request codec whose two methods are scripted callbacks."""

    def __init__(self, functions: Functions, decode: Callback, encode: Callback) -> None:
        self.decode, self.encode = functions.of("decode", decode), functions.of("encode", encode)


def _same(value: Any) -> Any:
    return value


ASKED = 4
"""One event in so many, by the length of its text, is asked by its own accessors too, which takes longer."""


def _event(event: Any) -> Json:
    return json.loads(event.to_json())


def _told(event: Any) -> Json:
    """Return an event as JSON; where an accessor says something else of a member, that is what was told."""
    text = event.to_json()
    said: Json = json.loads(text)
    if len(text) % ASKED == 0:
        said |= {name: value for name in said if (value := getattr(event, name, said[name])) != said[name]}
        said |= {name: value for name, value in event.to_dict().items() if value != said.get(name)}
    return said


def _subscriber(sink: Sink) -> Function[..., Any]:
    return lambda event: sink.put(_told(event))  # copied while the callback has it


def _codec(context: Any) -> Json:
    """Return which codec a sanitizer is told of."""
    identity = context.codec
    return {"kind": identity.kind, "id": identity.id, "resolves": context.resolve_codec() is not None}


def _codecs(contexts: Sequence[Any]) -> Json:
    """Return of which codecs an execution is told; nothing where it is handed no context."""
    if not contexts:
        return {}
    request, response = contexts[0].request_codec, contexts[0].response_codec
    return {"codecs": {"request": _codec(request), "response": None if response is None else _codec(response)}}


def _context(context: Any) -> Json:
    return {"name": context.tool_name, "args": context.args, "tool_call_id": context.tool_call_id}
