"""Where each family is registered in the library, and what its C callback hands to a scripted one.

Enters: the library, registration steps. Leaves: calls that register. Must not know calls of a program.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Sequence
from collections.abc import Callable as Function
from typing import Any

from bindproof_adapter import Callback, Inexpressible, Sink, Source, Unsupported, at_once, tool_outcome
from bindproof_c import (
    Library,
    StatusError,
    c_string,
    json_of,
    one_after_the_other,
    only_chunk,
    plain,
    require_one_text,
)

Json = Any
Pointer = Any

REGISTRATION = {
    "subscriber": ("subscriber", "NemoRelayEventSubscriberCb"),
    "llm.request": ("llm_request_intercept", "NemoRelayLlmRequestInterceptCb"),
    "llm.execution": ("llm_execution_intercept", "NemoRelayLlmExecInterceptCb"),
    "llm.stream": ("llm_stream_execution_intercept", "NemoRelayLlmExecInterceptCb"),
    "llm.conditional": ("llm_conditional_execution_guardrail", "NemoRelayLlmConditionalCb"),
    "llm.sanitize_request": ("llm_sanitize_request_guardrail", "NemoRelayLlmSanitizeRequestCb"),
    "llm.sanitize_response": ("llm_sanitize_response_guardrail", "NemoRelayLlmSanitizeResponseCb"),
    "tool.request": ("tool_request_intercept", "NemoRelayToolSanitizeCb"),
    "tool.execution": ("tool_execution_intercept", "NemoRelayToolExecInterceptCb"),
    "tool.conditional": ("tool_conditional_execution_guardrail", "NemoRelayToolConditionalCb"),
    "tool.sanitize_request": ("tool_sanitize_request_guardrail", "NemoRelayToolSanitizeCb"),
    "tool.sanitize_response": ("tool_sanitize_response_guardrail", "NemoRelayToolSanitizeCb"),
    "mark.sanitize": ("mark_sanitize_guardrail", "NemoRelayEventSanitizeCb"),
    "start.sanitize": ("scope_sanitize_start_guardrail", "NemoRelayEventSanitizeCb"),
    "end.sanitize": ("scope_sanitize_end_guardrail", "NemoRelayEventSanitizeCb"),
    "event.metadata": ("event_metadata_injector", "NemoRelayEventMetadataInjectorCb"),
}
"""Family → what follows `register_` in the names of its functions, type of its C callback."""

NAMED = "const char *"
"""A name, or a scope's uuid, in the type of a function. The header lacks the functions of the families that share
`NemoRelayToolSanitizeCb`, which the library exports like all others."""

BREAKING = ("llm.request", "tool.request")

FAMILIES = {kind: family for family, (kind, _) in REGISTRATION.items()}
"""Kind in the library's own listing → family."""


class Families:
    """The C callbacks of every family, and their registration. release: the library's, by major and minor number."""

    def __init__(self, library: Library, release: tuple[int, int]) -> None:
        self._library, self._calls = library, library.calls
        self._tools_have_context = release >= (0, 9)
        text, request = library.answering, self._sanitized_request
        functions: dict[str, Function[..., Any]] = {
            "subscriber": self._told,
            "llm.request": library.writing(self._intercepted),
            "llm.execution": text(self._llm_execution),
            "llm.stream": text(self._llm_stream),
            "llm.conditional": text(lambda one, native: _verdict(one, {"request": self.request(native)})),
            "llm.sanitize_request": library.pointing(lambda one, native, _context: request(one, native)),
            "llm.sanitize_response": text(lambda one, native, _context: self._sanitized_response(one, native)),
            "tool.request": text(self._tool("args")),
            "tool.execution": text(self._tool_execution),
            "tool.conditional": text(lambda one, *given: _verdict(one, self._named("args", *given))),
            "tool.sanitize_request": text(self._tool("args")),
            "tool.sanitize_response": text(self._tool("result")),
            "event.metadata": text(lambda one, event: one.play({"event": self._event(event)}, {}, plain)),
            **dict.fromkeys(("mark.sanitize", "start.sanitize", "end.sanitize"), text(self._fields)),
        }
        kinds = {family: kind for family, (_, kind) in REGISTRATION.items()}
        self._callbacks = {family: library.callback(kinds[family], made) for family, made in functions.items()}

    def register(self, step: Json, callback: Any) -> Function[[], object]:
        """Register globally, or on the scope that is to own it; deregistering says OK in any case."""
        family, scope, check = step["family"], step["scope"], self._library.check
        stem, _ = REGISTRATION[family]
        where, named_as = ("", NAMED) if scope is None else ("scope_", f"{NAMED}, {NAMED}")
        more = f"int32_t{', bool' if family in BREAKING else ''}, NemoRelayToolSanitizeCb, void *, NemoRelayFreeFn"
        put = self._library.function(f"nemo_relay_{where}register_{stem}", f"int32_t(*)({named_as}, {more})")
        take = self._library.function(f"nemo_relay_{where}deregister_{stem}", f"int32_t(*)({named_as})")
        if put is None or take is None:
            raise Unsupported(family, "this release has no such registration")
        named = [c_string("name", step["name"])]
        if scope is not None:
            named.insert(0, self._library.owned(self._calls.nemo_relay_scope_handle_uuid(scope)).encode())
        if family == "llm.stream":
            require_one_text(step["do"])
        order: list[Any] = [] if family == "subscriber" else [step["priority"]]
        if family in BREAKING:
            order.append(step["break_chain"])
        check(put(*named, *order, self._callbacks[family], *self._library.hold(callback)))
        return lambda: check(take(*named))

    # -- what the library gave, as JSON --------------------------------------------------------------------------------

    def request(self, native: Pointer) -> Json:
        """Return an LLM request as JSON."""
        calls, own = self._calls, self._library.own
        headers, content = calls.nemo_relay_llm_request_headers(native), calls.nemo_relay_llm_request_content(native)
        return {"headers": own(headers), "content": own(content)}

    def json(self, borrowed: Pointer) -> Json:
        """Return the JSON in a text that stays the library's."""
        return json_of(self._library.text(borrowed))

    def _event(self, event: Pointer) -> Json:
        return self._library.own(self._calls.nemo_relay_event_json(event))

    def _named(self, key: str, name: Pointer, value: Pointer) -> Json:
        return {"name": self._library.text(name), key: self.json(value)}

    # -- callbacks: each with what its user data stands for ------------------------------------------------------------

    def _told(self, sink: Sink, event: Pointer) -> None:
        sink.put(self._event(event))

    def _intercepted(self, callback: Callback, name: Pointer, request: Pointer, annotated: Pointer) -> Any:
        natural = {"request": self.request(request), "annotated_request": self.json(annotated)}
        given = {"name": self._library.text(name), **natural}
        return callback.play(given, {**natural, "pending_marks": []}, plain)

    def _sanitized_request(self, callback: Callback, native: Pointer) -> Any:
        given = self.request(native)
        return callback.play({"request": given}, given, self._native)

    def _sanitized_response(self, callback: Callback, native: Pointer) -> Any:
        given = self.json(native)
        return callback.play({"response": given}, given, lambda reply: None if reply is None else plain(reply))

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

    def _tool(self, key: str) -> Function[..., Any]:
        def play(callback: Callback, *given: Pointer) -> Any:
            named = self._named(key, *given)
            return callback.play(named, named[key], plain)

        return play

    def _llm_execution(self, callback: Any, *handed: Pointer) -> Any:
        name, native, *going = _handed(handed)
        given = {"name": self._library.text(name)} if name is not None else {}
        given["request"] = argument = self.json(native)
        return at_once(callback.wrap(given, argument, lambda answer: answer, self._proceed(*going), plain))

    def _llm_stream(self, source: Source, *handed: Pointer) -> bytes:
        _name, native, *going = _handed(handed)
        argument = self.json(native)

        async def proceed(argument: Json) -> AsyncIterator[Json]:
            return one_after_the_other(await self._proceed(*going)(argument))

        return plain(only_chunk(source, at_once(source.wrap({"request": argument}, argument, proceed))))

    def _tool_execution(self, callback: Any, native: Pointer, *going: Pointer) -> Any:
        told = self.json(native)
        given = {"args": told}  # before 0.9 nothing else is told
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

    def _fields(self, callback: Callback, event: Pointer, fields: Pointer) -> Any:
        given = {"event": self._event(event), "fields": self.json(fields)}
        return callback.play(given, given["fields"], plain)


def _verdict(callback: Callback, given: Json) -> Any:
    """Return a conditional's verdict: no text lets pass, a text is the reason, as it stands."""

    def built(reply: Json) -> bytes | None:
        if reply is not None and not isinstance(reply, str):
            raise Inexpressible("conditional", "C answers with a text or the null pointer")
        return None if reply is None else c_string("conditional", reply)

    return callback.play(given, None, built)


def _handed(given: Sequence[Pointer]) -> Sequence[Any]:
    """Return name, request, and what goes on with its context. Before 0.10 there was no name in front, and no context
    of codecs in the middle."""
    name, native, *going = given if len(given) > 3 else (None, *given)
    return [name, native, *going[-2:]]
