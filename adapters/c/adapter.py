"""Drives the C library of the crate nemo-relay-ffi through cffi, by the functions that its header declares.

Everything crosses as JSON text in C strings: whatever a scenario says, the library can be told.
"""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable as Function
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boundary import Boundary

from bindproof_adapter import Actor, AdapterFault, Callback, Sink, Unsupported, decoded, encoded, serve
from bindproof_c import Conventions, Library, c_string, content_of, json_of, plain

Json = Any
Pointer = Any

CONVENTIONS = Conventions("nemo_relay_", status="NemoRelayStatus", free="NemoRelayFreeFn", failed="INTERNAL")
FAMILIES = {"subscriber": "subscriber", "llm_request_intercept": "llm.request"}
LOCKED = re.compile(r'name = "nemo-relay-ffi"\nversion = "([^"]+)"')


class Relay:
    """The library's calls, as the SDK asks for them, and the C functions that it calls back."""

    def __init__(self, library: Library, version: str) -> None:
        self._library, self._calls, self._version = library, library.calls, version
        self._boundary = Boundary(library)
        self.raw, self.measured = self._boundary.act, self._boundary.measured
        callback, answering = library.callback, library.answering
        self._event = callback("NemoRelayEventSubscriberCb", self._told)
        self._intercept = callback("NemoRelayLlmRequestInterceptCb", library.writing(self._intercepted))
        self._provider = callback("NemoRelayLlmExecCb", answering(self._provided))
        self._decode = callback("NemoRelayCodecDecodeFn", answering(self._decoded))
        self._encode = callback("NemoRelayCodecEncodeFn", answering(self._encoded))

    def describe(self) -> Json:
        """Say which release is driven."""
        runtime = f"cffi in {platform.python_implementation()} {platform.python_version()}"
        target = {"name": "nemo-relay-ffi", "version": self._version, "language": "c", "runtime": runtime}
        return {"target": target, "suites": {"relay": {"dialect": "c", "capabilities": ["raw"]}}}

    def fresh_scope(self) -> None:
        """Bind a new scope stack to this thread; the thread keeps it, so our handle of it can go at once."""
        out = self._library.ffi.new("struct FfiScopeStack **")
        self._library.check(self._calls.nemo_relay_scope_stack_create(out))
        try:
            self._library.check(self._calls.nemo_relay_scope_stack_set_thread(out[0]))
        finally:
            self._calls.nemo_relay_scope_stack_free(out[0])

    def registered(self) -> Sequence[tuple[str, str]]:
        """List the global registrations; releases without a listing leave nothing to report."""
        listing = getattr(self._calls, "nemo_relay_list_runtime_registrations", None)
        found = self._library.answer(listing, self._library.null) if listing else []
        return [(FAMILIES.get(item["kind"], item["kind"]), item["effective_name"]) for item in found]

    async def flush(self) -> None:
        """Wait for the subscribers."""
        self._library.check(self._calls.nemo_relay_flush_subscribers())

    def register(self, step: Json, callback: Any) -> Function[[], object]:
        """Register a subscriber or a request intercept, globally."""
        if step["scope"] is None and step["family"] == "subscriber":
            return self._register_subscriber(step, callback)
        if step["scope"] is None and step["family"] == "llm.request":
            return self._register_llm_request(step, callback)
        raise Unsupported(step["family"], "this registration is not built yet")

    def _register_subscriber(self, step: Json, sink: Sink) -> Function[[], object]:
        name, check = c_string("name", step["name"]), self._library.check
        check(self._calls.nemo_relay_register_subscriber(name, self._event, *self._library.hold(sink)))
        return lambda: check(self._calls.nemo_relay_deregister_subscriber(name))

    def _register_llm_request(self, step: Json, callback: Callback) -> Function[[], object]:
        name, check = c_string("name", step["name"]), self._library.check
        order, handed = (step["priority"], step["break_chain"]), self._library.hold(callback)
        check(self._calls.nemo_relay_register_llm_request_intercept(name, *order, self._intercept, *handed))
        return lambda: check(self._calls.nemo_relay_deregister_llm_request_intercept(name))

    async def call_llm(self, step: Json, provider: Callback, decode: Callback | None, encode: Callback | None) -> Json:
        """Make a managed call; its callbacks run on this thread while it blocks."""
        null, hold = self._library.null, self._library.hold
        named = (c_string("name", step["name"]), plain(step["request"]))
        model = null if step["model"] is None else c_string("model", step["model"])
        codec: tuple[Any, ...] = (null, null, null, null)
        if decode and encode:
            codec = (self._decode, self._encode, *hold((decode, encode)))
        call = self._calls.nemo_relay_llm_call_execute
        more = (null, 0, null, null, model, *codec, null)
        return self._library.answer(call, *named, self._provider, *hold(provider), *more)

    async def helper(self, step: Json) -> Json:
        """Run the standalone helper of request intercepts."""
        if step["kind"] != "llm.request":
            raise Unsupported(f"helper {step['kind']}", "this step is not built yet")
        name = c_string("name", step["name"])
        return self._library.answer(self._calls.nemo_relay_llm_request_intercepts, name, plain(step["request"]))

    # -- callbacks: each with what its user data stands for ------------------------------------------------------------

    def _told(self, sink: Sink, event: Pointer) -> None:
        sink.put(self._library.own(self._calls.nemo_relay_event_json(event)))

    def _intercepted(self, callback: Callback, name: Pointer, request: Pointer, annotated: Pointer) -> Any:
        natural = {"request": self._request(request), "annotated_request": self._json(annotated)}
        given = {"name": self._library.text(name), **natural}
        return callback.play(given, {**natural, "pending_marks": []}, plain)

    def _provided(self, provider: Callback, native: Pointer) -> Any:
        return provider.play({"request": self._json(native)}, {"ok": True}, plain)

    def _decoded(self, codec: tuple[Callback, Callback], request: Pointer) -> Any:
        given = self._request(request)
        return codec[0].play({"request": given}, decoded(given), plain)

    def _encoded(self, codec: tuple[Callback, Callback], annotated: Pointer, original: Pointer) -> Any:
        given = {"annotated_request": self._json(annotated), "original": self._request(original)}
        natural = encoded(given["annotated_request"], given["original"])
        return codec[1].play(given, natural, lambda reply: plain(content_of(reply, natural)))

    def _request(self, request: Pointer) -> Json:
        calls, own = self._calls, self._library.own
        headers, content = calls.nemo_relay_llm_request_headers(request), calls.nemo_relay_llm_request_content(request)
        return {"headers": own(headers), "content": own(content)}

    def _json(self, borrowed: Pointer) -> Json:
        return json_of(self._library.text(borrowed))


def connect() -> Actor:
    """Load the library; raise AdapterFault with the reason where that fails."""
    folder = Path(sys.argv[1])
    shared = sorted(folder.glob("libnemo_relay_c.*"))
    locked = folder / "Cargo.lock"
    version = LOCKED.search(locked.read_text("utf-8")) if locked.is_file() else None
    if not shared or version is None:
        raise AdapterFault(f"there is no C library of nemo-relay-ffi in {folder}")
    try:
        from nemo_relay_abi import ffi  # type: ignore[import-not-found, unused-ignore]

        return Actor(Relay(Library(ffi, shared[0], CONVENTIONS), version[1]))
    except (ImportError, OSError) as error:
        raise AdapterFault(f"the C library of nemo-relay-ffi cannot be loaded: {error}") from None


if __name__ == "__main__":
    serve("c", "1", connect)
