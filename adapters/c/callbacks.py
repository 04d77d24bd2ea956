"""What the library calls: of each family its C callback, what that hands to a scripted one, and what it answers.

Enters: the library. Leaves: C functions. Must not know steps.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Sequence
from collections.abc import Callable as Function
from typing import Any

from bindproof_adapter import Inexpressible
from bindproof_adapter.relay import (
    CODED,
    Around,
    Callback,
    Decide,
    Provider,
    Source,
    asked,
    at_once,
    family_of,
    handed,
    tool_outcome,
)
from bindproof_c import Library, StatusError, c_string, optional, plain
from bindproof_c.relay import content_of, one_after_the_other, only_chunk, verdict

Json = Any
Pointer = Any

CODEC_KINDS = ("none", "builtin", "runtime", "opaque")
"""Of which kind a codec is, in the order of the library's numbers."""


class Callbacks:
    """The C functions, `of` each family; each is called with what its user data stands for.

    tools_have_context: what wraps a tool's execution is told its name and id too.
    """

    def __init__(self, library: Library, *, tools_have_context: bool) -> None:
        self._library, self._calls, self._tools_have_context = library, library.calls, tools_have_context
        name, json, request, event = library.text, library.json, self.request, self._event
        codec, text, callback = self._codec, library.answering, library.callback
        # family → C type, how it answers, with what made of the reply, how its arguments are read
        played: dict[str, tuple[Any, ...]] = {
            "llm.request": ("LlmRequestInterceptCb", library.writing, plain, name, request, json),
            "llm.conditional": ("LlmConditionalCb", text, verdict, request),
            "llm.sanitize_request": ("LlmSanitizeRequestCb", library.pointing, self._native, request, codec),
            "llm.sanitize_response": ("LlmSanitizeResponseCb", text, optional, json, codec),
            "tool.request": ("ToolSanitizeCb", text, plain, name, json),
            "tool.conditional": ("ToolConditionalCb", text, verdict, name, json),
            "tool.sanitize_request": ("ToolSanitizeCb", text, plain, name, json),
            "tool.sanitize_response": ("ToolSanitizeCb", text, plain, name, json),
            "mark.sanitize": ("EventSanitizeCb", text, plain, event, json),
            "start.sanitize": ("EventSanitizeCb", text, plain, event, json),
            "end.sanitize": ("EventSanitizeCb", text, plain, event, json),
            "event.metadata": ("EventMetadataInjectorCb", text, plain, event),
        }
        others: dict[str, tuple[str, Function[..., Any]]] = {
            "subscriber": ("EventSubscriberCb", lambda sink, event: sink.put(self._event(event))),
            "gate": ("ConditionalMiddlewareGuardrailCb", text(self._decided)),
            "llm.execution": ("LlmExecInterceptCb", text(self._llm_execution)),
            "llm.stream": ("LlmExecInterceptCb", text(self._llm_stream)),
            "tool.execution": ("ToolExecInterceptCb", text(self._tool_execution)),
            "llm.provider": ("LlmExecCb", text(self._provided("llm.provider"))),
            "tool.provider": ("ToolExecCb", text(self._provided("tool.provider"))),
            "source": ("LlmExecCb", text(self._opened)),
            "decode": ("CodecDecodeFn", text(self._decoded)),
            "encode": ("CodecEncodeFn", text(self._encoded)),
        }
        made = {family: (kind, how(_played(family, *rest))) for family, (kind, how, *rest) in played.items()}
        self.of = {
            family: callback(f"NemoRelay{kind}", function) for family, (kind, function) in (made | others).items()
        }

    # -- what the library gave, as JSON --------------------------------------------------------------------------------

    def request(self, native: Pointer) -> Json:
        """Return a request of the library's."""
        calls, own = self._calls, self._library.own
        headers, content = calls.nemo_relay_llm_request_headers(native), calls.nemo_relay_llm_request_content(native)
        return {"headers": own(headers), "content": own(content)}

    def _event(self, event: Pointer) -> Json:
        return self._library.own(self._calls.nemo_relay_event_json(event))

    def _codec(self, context: Any) -> Json:
        identity = {"kind": CODEC_KINDS[context.codec_kind], "id": self._library.text(context.codec_id)}
        return {**identity, "resolves": bool(context.codec)}

    def _codecs(self, context: Any) -> Json:
        """Return of which codecs an execution is told; nothing where it is told of none."""
        if context is None:
            return {}
        response = self._codec(context.response_codec[0]) if context.response_codec else None
        return {"codecs": {"request": self._codec(context.request_codec), "response": response}}

    def _native(self, reply: Json) -> Pointer:
        """Return a request for the library to own; null is the null pointer."""
        if reply is None:
            return self._library.null
        if not isinstance(reply, dict) or not reply.keys() >= {"headers", "content"}:
            raise Inexpressible("llm.sanitize_request", "C answers with a request, made of headers and content")
        made = self._calls.nemo_relay_llm_request_new(plain(reply["headers"]), plain(reply["content"]))
        if not made:
            raise Inexpressible("llm.sanitize_request", self._library.last_error() or "no such request can be made")
        return made

    def _decided(self, decide: Decide, kinds: Pointer, name: Pointer) -> bytes | None:
        """Return a gate's reason, or the null pointer, which lets in."""
        target = self._library.text(name) or ""
        reason = decide([family_of(kind) for kind in self._library.json(kinds)], target)
        return None if reason is None else c_string("reason", reason)

    # -- what wraps an execution ---------------------------------------------------------------------------------------

    def _llm_execution(self, callback: Around, *handed: Pointer) -> Any:
        name, native, context, going = _handed(handed)
        given = {"name": self._library.text(name)} if name is not None else {}
        given["request"] = argument = self._library.json(native)
        given |= self._codecs(context)
        return at_once(callback.wrap(given, argument, lambda answer: answer, self._proceed(*going), plain))

    def _llm_stream(self, source: Source, *handed: Pointer) -> bytes:
        _name, native, context, going = _handed(handed)
        argument = self._library.json(native)
        given = {"request": argument, **self._codecs(context)}

        async def proceed(argument: Json) -> AsyncIterator[Json]:
            return one_after_the_other(await self._proceed(*going)(argument))

        return plain(only_chunk(source, at_once(source.wrap(given, argument, proceed))))

    def _tool_execution(self, callback: Around, native: Pointer, *going: Pointer) -> Any:
        told = self._library.json(native)
        given = {"args": told}
        if self._tools_have_context:
            given = {"name": told["tool_name"], "args": told["args"], "tool_call_id": told["tool_call_id"]}

        async def proceed(argument: Json) -> Json:
            return {"annotation": None, **await self._proceed(*going)(argument)}

        return at_once(callback.wrap(given, given["args"], tool_outcome, proceed, plain))

    def _proceed(self, function: Pointer, context: Pointer) -> Function[[Json], Coroutine[Any, Any, Json]]:
        async def proceed(argument: Json) -> Json:
            answer = function(plain(argument), context)
            if not answer:
                raise StatusError(None, self._library.last_error() or "")
            return self._library.own(answer)

        return proceed

    # -- what a call brings along --------------------------------------------------------------------------------------

    def _provided(self, family: str) -> Function[..., Any]:
        def provide(provider: Provider, native: Pointer) -> Any:
            return at_once(provider.answer(*asked(family, self._library.json(native)), plain))

        return provide

    def _opened(self, source: Source, native: Pointer) -> bytes:
        return plain(only_chunk(source, source.open({"request": self._library.json(native)})))

    def _decoded(self, codec: tuple[Callback, Callback], request: Pointer) -> Any:
        return codec[0].play(*asked("decode", self.request(request)), plain)

    def _encoded(self, codec: tuple[Callback, Callback], annotated: Pointer, original: Pointer) -> Any:
        given, natural = asked("encode", self._library.json(annotated), self.request(original))
        return codec[1].play(given, natural, lambda reply: plain(content_of(reply, natural)))


def _played(family: str, build: Function[[Json], Any], *reads: Function[[Pointer], Json]) -> Function[..., Any]:
    """Return what plays a callback of the family; of some there is a context behind what is read."""

    def play(callback: Callback, *given: Pointer) -> Any:
        values = (read(one) for read, one in zip(reads, given, strict=False))
        return callback.play(*asked(family, *values), build)

    def sanitize(callback: Callback, *given: Pointer) -> Any:
        with handed(given):
            return play(callback, *given)

    return sanitize if family in CODED else play


def _handed(given: Sequence[Pointer]) -> tuple[Any, Pointer, Any, Sequence[Pointer]]:
    """Return name, request, a context of codecs, and what goes on with its own; before 0.10 the first and the third
    were not there, and are None."""
    name, native, context, *going = given if len(given) > 3 else (None, given[0], None, *given[1:])
    return name, native, context, going
