"""Acts raw steps out: functions of the library called with any bytes, and what came of all that was handed over.

Enters: raw steps. Leaves: values or errors, and counts: outputs, user data freed, texts freed. The callbacks are our
own and write no records. Must not know the protocol, nor the steps of other scenarios.
"""

from __future__ import annotations

import json
from collections.abc import Callable as Function
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from bindproof_adapter import Unsupported

Json = Any
Pointer = Any
Undo = Function[[], object]

LARGE = 2**20
"""A text of so many bytes is a mapping of its own, so that those still held can be counted."""

M_MMAP_THRESHOLD = -3
REQUEST = b'{"headers":{},"content":{"messages":[]}}'


@dataclass
class Held:
    """User data that was handed over: for which step, which part; how often it was freed."""

    step: Json
    part: str
    freed: int = 0
    entered: int = 0


@dataclass
class Measured:
    """What is counted of one step. given: large texts that its callback handed over."""

    output: str | None = None
    held: list[Held] = field(default_factory=list)
    given: int = 0
    inside: str | None = None


class Boundary:
    """The library's functions, called as raw steps say. Handles are kept for good: some are freed late, some never."""

    def __init__(self, library: Any) -> None:
        self._library, self._ffi, self._calls = library, library.ffi, library.calls
        self._measured: dict[str, Measured] = {}
        self._handles: list[Pointer] = []
        self._mapped = 0
        self._untouched = self._ffi.new("char[1]")
        callback = self._ffi.callback
        self._free = callback("NemoRelayFreeFn", self._freed)
        self._subscriber = callback("NemoRelayEventSubscriberCb", lambda user_data, event: None)
        self._intercept = callback("NemoRelayLlmRequestInterceptCb", self._intercepted)
        self._provider = callback("NemoRelayLlmExecCb", lambda data, _: self._provided(data))
        self._decode = callback(
            "NemoRelayCodecDecodeFn", lambda data, _: self._reply(data, "decode", b'{"messages":[]}')
        )
        self._encode = callback("NemoRelayCodecEncodeFn", lambda data, *_: self._reply(data, "encode", b"{}"))

    def act(self, step: Json) -> tuple[Json, Undo | None]:
        """Do one step; return its value and what undoes it, or raise the library's error."""
        if not self._measured:
            self._mapped = self._mappings()
        measured = self._measured[step["as"]] = Measured()
        acts: dict[str, Function[[Json, Measured], tuple[Json, Undo | None]]] = {
            "call": self._call,
            "helper": self._helper,
            "register_intercept": self._register_intercept,
            "register_subscriber": self._register_subscriber,
            "outcome": self._outcome,
            "last_error": self._last_error,
        }
        return acts[step["function"]](step, measured)

    def measured(self) -> list[tuple[str, Json]]:
        """Return what was counted of each step, and begin anew."""
        kept = self._mappings() - self._mapped
        told = []
        for name, one in self._measured.items():
            texts = {"given": one.given, "freed": one.given - kept if one.given else 0}
            freed = {held.part: held.freed for held in one.held}
            told.append((name, {"output": one.output, "freed": freed, "texts": texts, "inside": one.inside}))
        self._measured = {}
        return told

    def _mappings(self) -> int:
        """Return how many large pieces of memory there are."""
        try:
            self._library.libc.mallopt(M_MMAP_THRESHOLD, LARGE)
            return int(self._library.libc.mallinfo2().hblks)
        except AttributeError:
            raise Unsupported("c_boundary", "this C library cannot count what is allocated") from None

    # -- functions ----------------------------------------------------------------------------------------------------

    def _call(self, step: Json, measured: Measured) -> tuple[Json, Undo | None]:
        null, given = self._ffi.NULL, step["with"]
        name, request = self._argument(given, "name", b"gpt"), self._argument(given, "request", REQUEST)
        provider = null if given.get("provider", "") is None else self._provider
        codec: tuple[Any, ...] = (null, null, null, null)
        executed = (provider, self._hand(step, "provider", measured), self._free)
        if "decode" in step["replies"]:
            codec = (self._decode, self._encode, self._hand(step, "codec", measured), self._free)
        more = (null, 0, null, null, self._argument(given, "model", null), *codec, null)
        call = self._calls.nemo_relay_llm_call_execute
        return self._output(given, measured, lambda out: call(name, request, *executed, *more, out)), None

    def _helper(self, step: Json, measured: Measured) -> tuple[Json, Undo | None]:
        given = step["with"]
        name, request = self._argument(given, "name", b"gpt"), self._argument(given, "request", REQUEST)
        call = self._calls.nemo_relay_llm_request_intercepts
        return self._output(given, measured, lambda out: call(name, request, out)), None

    def _outcome(self, step: Json, measured: Measured) -> tuple[Json, Undo | None]:
        null, given = self._ffi.NULL, step["with"]
        texts = [self._argument(given, name, null) for name in ("annotated_request", "pending_marks")]
        new = self._calls.nemo_relay_llm_request_intercept_outcome_json_new
        handle = self._calls.nemo_relay_llm_request_new(b"{}", b'{"messages":[]}')
        try:
            taken = null if given.get("handle", "") is None else handle
            return self._output(given, measured, lambda out: new(taken, *texts, out)), None
        finally:
            self._calls.nemo_relay_llm_request_free(handle)

    def _register_intercept(self, step: Json, measured: Measured) -> tuple[Json, Undo | None]:
        register = self._calls.nemo_relay_register_llm_request_intercept
        deregister = self._calls.nemo_relay_deregister_llm_request_intercept
        return None, self._register(
            step, measured, lambda name, *more: register(name, 0, False, *more), deregister, self._intercept
        )

    def _register_subscriber(self, step: Json, measured: Measured) -> tuple[Json, Undo | None]:
        register, deregister = self._calls.nemo_relay_register_subscriber, self._calls.nemo_relay_deregister_subscriber
        return None, self._register(step, measured, register, deregister, self._subscriber)

    def _register(self, step: Json, measured: Measured, register: Any, deregister: Any, callback: Pointer) -> Undo:
        name = self._argument(step["with"], "name", step["as"].encode())
        taken = self._ffi.NULL if step["with"].get("callback", "") is None else callback
        self._library.check(register(name, taken, self._hand(step, "callback", measured), self._free))
        return lambda: deregister(name)

    def _last_error(self, step: Json, _: Measured) -> tuple[Json, Undo | None]:
        found: list[str | None] = []

        def ask() -> None:
            found.append(self._library.text(self._calls.nemo_relay_last_error()))

        if step["with"].get("thread", "own") == "other":
            thread = Thread(target=ask)
            thread.start()
            thread.join()
        else:
            ask()
        return found[0], None

    # -- what is handed over, and what comes back ---------------------------------------------------------------------

    def _argument(self, given: Json, name: str, default: Any) -> Any:
        found = octets(given[name]) if name in given else default
        return self._ffi.NULL if found is None else found

    def _hand(self, step: Json, part: str, measured: Measured) -> Pointer:
        held = Held(step, part)
        measured.held.append(held)
        self._handles.append(self._ffi.new_handle(held))
        return self._handles[-1]

    def _output(self, given: Json, measured: Measured, call: Function[[Pointer], int]) -> Json:
        if given.get("out", "") is None:
            self._library.check(call(self._ffi.NULL))
            return None
        out = self._ffi.new("char **", self._untouched)
        status = call(out)
        measured.output = "untouched" if out[0] == self._untouched else "text" if out[0] else "null"
        self._library.check(status)
        return self._library.own(out[0]) if measured.output == "text" else None

    # -- callbacks ----------------------------------------------------------------------------------------------------

    def _freed(self, user_data: Pointer) -> None:
        self._ffi.from_handle(user_data).freed += 1

    def _reply(self, user_data: Pointer, name: str, natural: bytes) -> Pointer:
        held: Held = self._ffi.from_handle(user_data)
        text = octets(held.step["replies"][name]) if name in held.step["replies"] else natural
        return self._ffi.NULL if text is None else self._library.give(text)

    def _provided(self, user_data: Pointer) -> Pointer:
        step = self._ffi.from_handle(user_data).step
        if step.get("inside") == "flush":
            status = self._calls.nemo_relay_flush_subscribers()
            self._measured[step["as"]].inside = str(self._library.name_of(status))
        return self._reply(user_data, "provider", b'{"ok":true}')

    def _intercepted(
        self, user_data: Pointer, name: Pointer, request: Pointer, annotated: Pointer, out: Pointer
    ) -> int:
        held: Held = self._ffi.from_handle(user_data)
        step, measured = held.step, self._measured[held.step["as"]]
        held.entered += 1
        if step["inside"] is not None and held.entered == 1:
            measured.inside = self._inside(step["inside"])
        if "outcome" in step["replies"]:
            text = octets(step["replies"]["outcome"])
            measured.given += text is not None and len(text) >= LARGE
            out[0] = self._ffi.NULL if text is None else self._library.give(text)
        else:
            out[0] = self._library.give(self._passed_on(request, annotated))
        if step["replies"].get("status", "OK") == "OK":
            return 0
        self._calls.nemo_relay_set_last_error_message(b"said to fail")
        return int(self._calls.NEMO_RELAY_STATUS_INTERNAL)

    def _passed_on(self, request: Pointer, annotated: Pointer) -> bytes:
        own, calls = self._library.own, self._calls
        found = {
            "headers": own(calls.nemo_relay_llm_request_headers(request)),
            "content": own(calls.nemo_relay_llm_request_content(request)),
        }
        annotation = json.loads(self._library.text(annotated) or "null")
        return json.dumps({"request": found, "annotated_request": annotation}).encode()

    def _inside(self, function: str) -> str:
        """Call a function inside a callback; return its status's name."""
        null, out = self._ffi.NULL, self._ffi.new("char **")
        if function == "helper":
            status = self._calls.nemo_relay_llm_request_intercepts(b"inner", REQUEST, out)
        else:
            data = self._hand({"as": "inner", "replies": {}}, "provider", Measured())
            more = (null, 0, null, null, null, null, null, null, null, null)
            status = self._calls.nemo_relay_llm_call_execute(
                b"inner", REQUEST, self._provider, data, self._free, *more, out
            )
        if not status:
            self._calls.nemo_relay_string_free(out[0])
        return str(self._library.name_of(status))


def octets(cell: Json) -> bytes | None:
    """Return the bytes that a cell states; None is the null pointer."""
    if cell is None:
        return None
    if isinstance(cell, str):
        return cell.encode()
    return str(cell["text"]).encode() + bytes.fromhex(cell["bytes"]) + b" " * int(cell["pad"])
