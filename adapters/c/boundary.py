"""Raw steps as calls of the library: its functions with any bytes, and callbacks of our own that write no records."""

from __future__ import annotations

from collections.abc import Callable as Function
from threading import Thread
from typing import Any

from bindproof_c import Library, StatusError, json_of, plain
from bindproof_c.relay import Exchange, Exchanges, Held

Json = Any
Pointer = Any
Undo = Function[[], object]

REQUEST = b'{"headers":{},"content":{"messages":[]}}'
INNER: Json = {"as": "inner", "with": {"name": "inner"}, "replies": {}, "inside": None}


class Boundary:
    """The library's functions, called as raw steps say."""

    def __init__(self, library: Library) -> None:
        self._library, self._calls, self._null = library, library.calls, library.null
        self._exchanges = Exchanges(library, "NemoRelayFreeFn")
        self._subscriber = library.callback("NemoRelayEventSubscriberCb", self._told)
        self._intercept = library.callback("NemoRelayLlmRequestInterceptCb", self._intercepted)
        self._provider = library.callback("NemoRelayLlmExecCb", self._provided)
        self._decode = library.callback("NemoRelayCodecDecodeFn", self._decoded)
        self._encode = library.callback("NemoRelayCodecEncodeFn", self._encoded)
        self._functions: dict[str, Function[[Exchange], Json]] = {
            "call": self._call,
            "helper": self._helper,
            "outcome": self._outcome,
            "last_error": self._last_error,
            "register_intercept": self._register_intercept,
            "register_subscriber": self._register_subscriber,
        }

    def act(self, step: Json) -> tuple[Json, Undo | None]:
        """Do one step; return its value and what undoes it, or raise the library's error."""
        one = self._exchanges.begin(step)
        return self._functions[step["function"]](one), one.undo

    def measured(self) -> list[tuple[str, Json]]:
        """Return what was counted of each step since this was last asked."""
        return self._exchanges.measured()

    # -- functions ----------------------------------------------------------------------------------------------------

    def _call(self, one: Exchange) -> Json:
        null, call = self._null, self._calls.nemo_relay_llm_call_execute
        codec: tuple[Any, ...] = (null, null, null, null)
        executed = (one.pointer("provider", self._provider), *one.hand("provider"))
        if "decode" in one.step["replies"]:
            codec = (self._decode, self._encode, *one.hand("codec"))
        named = (one.text("name", b"gpt"), one.text("request", REQUEST))
        more = (null, 0, null, null, one.text("model", null), *codec, null)
        return one.output(lambda out: call(*named, *executed, *more, out))

    def _helper(self, one: Exchange) -> Json:
        call = self._calls.nemo_relay_llm_request_intercepts
        return one.output(lambda out: call(one.text("name", b"gpt"), one.text("request", REQUEST), out))

    def _outcome(self, one: Exchange) -> Json:
        new = self._calls.nemo_relay_llm_request_intercept_outcome_json_new
        texts = [one.text(name, self._null) for name in ("annotated_request", "pending_marks")]
        handle = self._calls.nemo_relay_llm_request_new(b"{}", b'{"messages":[]}')
        try:
            return one.output(lambda out: new(one.pointer("handle", handle), *texts, out))
        finally:
            self._calls.nemo_relay_llm_request_free(handle)

    def _register_intercept(self, one: Exchange) -> None:
        name, callback = one.text("name", one.step["as"].encode()), one.pointer("callback", self._intercept)
        register = self._calls.nemo_relay_register_llm_request_intercept
        self._library.check(register(name, 0, False, callback, *one.hand("callback")))
        one.undo = lambda: self._calls.nemo_relay_deregister_llm_request_intercept(name)

    def _register_subscriber(self, one: Exchange) -> None:
        name, callback = one.text("name", one.step["as"].encode()), one.pointer("callback", self._subscriber)
        self._library.check(self._calls.nemo_relay_register_subscriber(name, callback, *one.hand("callback")))
        one.undo = lambda: self._calls.nemo_relay_deregister_subscriber(name)

    def _last_error(self, one: Exchange) -> Json:
        if one.step["with"].get("thread", "own") == "own":
            return self._library.last_error()
        found: list[str | None] = []
        thread = Thread(target=lambda: found.append(self._library.last_error()))
        thread.start()
        thread.join()
        return found[0]

    # -- callbacks ----------------------------------------------------------------------------------------------------

    def _told(self, held: Held, event: Pointer) -> None:
        held.exchange.count("events", self._library.length(self._calls.nemo_relay_event_json(event)))

    def _provided(self, held: Held, _native: Pointer) -> Pointer:
        if held.exchange.step["inside"] == "flush":
            held.exchange.inside = self._library.name_of(self._calls.nemo_relay_flush_subscribers())
        return held.exchange.reply("provider", lambda: b'{"ok":true}')

    def _decoded(self, held: Held, request: Pointer) -> Pointer:
        held.exchange.count("handles", self._size(request))
        return held.exchange.reply("decode", lambda: b'{"messages":[]}')

    def _encoded(self, held: Held, _annotated: Pointer, request: Pointer) -> Pointer:
        held.exchange.count("handles", self._size(request))
        return held.exchange.reply("encode", lambda: b"{}")

    def _intercepted(self, held: Held, _name: Pointer, request: Pointer, annotated: Pointer, out: Pointer) -> int:
        one = held.exchange
        one.entered += 1
        one.count("handles", self._size(request))
        if one.step["inside"] is not None and one.entered == 1:
            one.inside = self._inside(one.step["inside"])
        out[0] = one.reply("outcome", lambda: self._passed_on(request, annotated))
        return 0 if one.step["replies"].get("status", "OK") == "OK" else self._library.fail("said to fail")

    def _size(self, request: Pointer) -> int:
        calls, length = self._calls, self._library.length
        return length(calls.nemo_relay_llm_request_headers(request)) + length(
            calls.nemo_relay_llm_request_content(request)
        )

    def _passed_on(self, request: Pointer, annotated: Pointer) -> bytes:
        calls, own = self._calls, self._library.own
        headers, content = calls.nemo_relay_llm_request_headers(request), calls.nemo_relay_llm_request_content(request)
        found = {"headers": own(headers), "content": own(content)}
        return plain({"request": found, "annotated_request": json_of(self._library.text(annotated))})

    def _inside(self, function: str) -> str:
        """Call a function inside a callback; return its status's name."""
        try:
            self._functions[function](self._exchanges.apart(INNER))
        except StatusError as refused:
            return refused.code or ""
        return "OK"
