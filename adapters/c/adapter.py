"""Drives the C library of the crate nemo-relay-ffi through cffi, by the functions that its header declares.

Everything crosses as JSON text in C strings: whatever a scenario says, the library can be told. What the library is to
own is a copy from `strdup`; what it gives us is freed by `nemo_relay_string_free`, once.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Callable as Function
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boundary import Boundary

from bindproof_adapter import Actor, AdapterFault, Callback, Inexpressible, Sink, decoded, encoded, serve

Json = Any
Pointer = Any

FAMILIES = {"subscriber": "subscriber", "llm_request_intercept": "llm.request"}
LOCKED = re.compile(r'name = "nemo-relay-ffi"\nversion = "([^"]+)"')


class RelayError(Exception):
    """A call of the library that did not answer OK; `code` is its status, the text its last error on this thread."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Library:
    """The loaded library: strings in and out, statuses as exceptions, and Python objects that it holds for us."""

    def __init__(self, ffi: Any, path: Path) -> None:
        self.ffi = ffi
        self.libc = ffi.dlopen(None)
        self.calls = ffi.dlopen(str(path))
        self._statuses: dict[int, str] = ffi.typeof("enum NemoRelayStatus").elements
        self._held: dict[int, Any] = {}
        self.free = ffi.callback("NemoRelayFreeFn", self._released)

    def check(self, status: int) -> None:
        """Raise what a status other than OK means. Reads the last error: call it before anything else is called."""
        if status:
            text = self.text(self.calls.nemo_relay_last_error())  # borrowed
            raise RelayError(self.name_of(status), text or "")

    def name_of(self, status: int) -> str:
        """Return a status's name."""
        return self._statuses.get(status, str(status)).removeprefix("NEMO_RELAY_STATUS_")

    def answer(self, function: Function[..., int], *arguments: Any) -> Json:
        """Call a function whose last argument is where it puts a JSON text; return the JSON."""
        out = self.ffi.new("char **")
        self.check(function(*arguments, out))
        return self.own(out[0])

    def text(self, borrowed: Pointer) -> str | None:
        """Return a copy of a text that stays the library's."""
        return self.ffi.string(borrowed).decode("utf-8") if borrowed else None

    def own(self, owned: Pointer) -> Json:
        """Return the JSON in a text that is ours, and free it."""
        try:
            return json.loads(self.text(owned) or "null")
        finally:
            self.calls.nemo_relay_string_free(owned)

    def give(self, text: bytes) -> Pointer:
        """Return a text for the library to own."""
        return self.libc.strdup(text)

    def hold(self, thing: Any) -> Pointer:
        """Return user data that stands for `thing`, kept alive until the library calls `free` with it."""
        handle = self.ffi.new_handle(thing)
        self._held[self._address(handle)] = handle
        return handle

    def held(self, user_data: Pointer) -> Any:
        """Return what user data stands for."""
        return self.ffi.from_handle(user_data)

    def scope_stack(self) -> None:
        """Bind a new scope stack to this thread; the thread keeps it, so our handle of it can go at once."""
        out = self.ffi.new("struct FfiScopeStack **")
        self.check(self.calls.nemo_relay_scope_stack_create(out))
        try:
            self.check(self.calls.nemo_relay_scope_stack_set_thread(out[0]))
        finally:
            self.calls.nemo_relay_scope_stack_free(out[0])

    def fail(self, error: BaseException) -> None:
        """Say, inside a callback, why it fails; the library reads it on this very thread."""
        self.calls.nemo_relay_set_last_error_message(str(error).encode("utf-8", "replace"))

    def _released(self, user_data: Pointer) -> None:
        if self._held.pop(self._address(user_data), None) is None:
            sys.stderr.write("free_fn was called for user data that is not held\n")

    def _address(self, pointer: Pointer) -> int:
        return int(self.ffi.cast("uintptr_t", pointer))


class Callbacks:
    """The C functions that the library calls; each finds its scripted callback in the user data."""

    def __init__(self, library: Library, ffi: Any) -> None:
        self._library = library
        self._null = ffi.NULL
        self.event = ffi.callback("NemoRelayEventSubscriberCb", self._event)
        self.intercept = ffi.callback("NemoRelayLlmRequestInterceptCb", self._intercept)
        self.provider = ffi.callback("NemoRelayLlmExecCb", self._provider)
        self.decode = ffi.callback("NemoRelayCodecDecodeFn", self._decode)
        self.encode = ffi.callback("NemoRelayCodecEncodeFn", self._encode)

    def _event(self, user_data: Pointer, event: Pointer) -> None:
        sink: Sink = self._library.held(user_data)
        sink.put(self._library.own(self._library.calls.nemo_relay_event_json(event)))

    def _intercept(self, user_data: Pointer, name: Pointer, request: Pointer, annotated: Pointer, out: Pointer) -> int:
        def play() -> Any:
            natural = {"request": self._request(request), "annotated_request": self._json(annotated)}
            given = {"name": self._library.text(name), **natural}
            return self._held(user_data).play(given, {**natural, "pending_marks": []}, plain)

        out[0] = self._reply(play)
        return 0 if out[0] else self._library.calls.NEMO_RELAY_STATUS_INTERNAL

    def _provider(self, user_data: Pointer, native: Pointer) -> Pointer:
        return self._reply(lambda: self._held(user_data).play({"request": self._json(native)}, {"ok": True}, plain))

    def _decode(self, user_data: Pointer, request: Pointer) -> Pointer:
        def play() -> Any:
            given = self._request(request)
            return self._held(user_data)[0].play({"request": given}, decoded(given), plain)

        return self._reply(play)

    def _encode(self, user_data: Pointer, annotated: Pointer, original: Pointer) -> Pointer:
        def play() -> Any:
            given = {"annotated_request": self._json(annotated), "original": self._request(original)}
            natural = encoded(given["annotated_request"], given["original"])
            return self._held(user_data)[1].play(given, natural, lambda reply: plain(content_of(reply, natural)))

        return self._reply(play)

    def _held(self, user_data: Pointer) -> Any:
        return self._library.held(user_data)

    def _reply(self, play: Function[[], Any]) -> Pointer:
        """Return what `play` returns as a text for the library, or null with the reason as the last error."""
        try:
            return self._library.give(play())
        except BaseException as error:  # nothing may be thrown into C
            self._library.fail(error)
            return self._null

    def _request(self, request: Pointer) -> Json:
        calls, own = self._library.calls, self._library.own
        return {
            "headers": own(calls.nemo_relay_llm_request_headers(request)),
            "content": own(calls.nemo_relay_llm_request_content(request)),
        }

    def _json(self, borrowed: Pointer) -> Json:
        return json.loads(self._library.text(borrowed) or "null")


class Relay:
    """The library's calls, as the SDK asks for them."""

    def __init__(self, ffi: Any, shared: Path, version: str) -> None:
        self._library = Library(ffi, shared)
        self._calls = self._library.calls
        self._callbacks = Callbacks(self._library, ffi)
        self._boundary = Boundary(self._library)
        self._null = ffi.NULL
        self._version = version

    def describe(self) -> Json:
        """Say which release is driven."""
        target = {
            "name": "nemo-relay-ffi",
            "version": self._version,
            "language": "c",
            "runtime": f"cffi in {platform.python_implementation()} {platform.python_version()}",
        }
        return {"target": target, "suites": {"relay": {"dialect": "c", "capabilities": ["c_boundary"]}}}

    def fresh_scope(self) -> None:
        """Begin on a new scope stack."""
        self._library.scope_stack()

    def registered(self) -> Sequence[tuple[str, str]]:
        """List the global registrations; releases without a listing leave nothing to report."""
        listing = getattr(self._calls, "nemo_relay_list_runtime_registrations", None)
        found = self._library.answer(listing, self._null) if listing else []
        return [(FAMILIES.get(item["kind"], item["kind"]), item["effective_name"]) for item in found]

    async def flush(self) -> None:
        """Wait for the subscribers."""
        self._library.check(self._calls.nemo_relay_flush_subscribers())

    def register_subscriber(self, step: Json, sink: Sink) -> Any:
        """Register a subscriber."""
        name, library = c_string("name", step["name"]), self._library
        user_data = library.hold(sink)
        library.check(self._calls.nemo_relay_register_subscriber(name, self._callbacks.event, user_data, library.free))
        return lambda: library.check(self._calls.nemo_relay_deregister_subscriber(name))

    def register_llm_request(self, step: Json, callback: Callback) -> Any:
        """Register a request intercept."""
        name, library = c_string("name", step["name"]), self._library
        order, user_data = (step["priority"], step["break_chain"]), library.hold(callback)
        register = self._calls.nemo_relay_register_llm_request_intercept
        library.check(register(name, *order, self._callbacks.intercept, user_data, library.free))
        return lambda: library.check(self._calls.nemo_relay_deregister_llm_request_intercept(name))

    async def call_llm(self, step: Json, provider: Callback, decode: Callback | None, encode: Callback | None) -> Json:
        """Make a managed call; its callbacks run on this thread while it blocks."""
        library, callbacks, null = self._library, self._callbacks, self._null
        name, model = c_string("name", step["name"]), null
        if step["model"] is not None:
            model = c_string("model", step["model"])
        codec: tuple[Any, ...] = (null, null, null, null)
        if decode and encode:
            codec = (callbacks.decode, callbacks.encode, library.hold((decode, encode)), library.free)
        executed = (callbacks.provider, library.hold(provider), library.free)
        return library.answer(
            self._calls.nemo_relay_llm_call_execute,
            *(name, plain(step["request"]), *executed, null, 0, null, null, model, *codec, null),
        )

    async def helper_llm_request(self, step: Json) -> Json:
        """Run the standalone helper."""
        name = c_string("name", step["name"])
        return self._library.answer(self._calls.nemo_relay_llm_request_intercepts, name, plain(step["request"]))

    def raw(self, step: Json) -> tuple[Json, Function[[], object] | None]:
        """Call a function with any bytes."""
        return self._boundary.act(step)

    def measured(self) -> Sequence[tuple[str, Json]]:
        """Return what was counted of each raw step."""
        return self._boundary.measured()


def plain(value: Json) -> bytes:
    """Return a value as JSON text, in ASCII: it holds no NUL, whatever the value holds."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def c_string(path: str, text: str) -> bytes:
    """Return a text that is not JSON as the library wants it; raise Inexpressible where C has no such string."""
    if "\0" in text:
        raise Inexpressible(path, "a C string ends at its first NUL")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise Inexpressible(path, "half a surrogate pair is no UTF-8") from None


def content_of(reply: Json, natural: Json) -> Json:
    """Return what an encode function can answer, which is the content alone; the headers stay the request's."""
    if not (isinstance(reply, dict) and reply.keys() == natural.keys() and reply["headers"] == natural["headers"]):
        raise Inexpressible("encode", "in C a codec's encode answers with the content alone")
    return reply["content"]


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

        return Actor(Relay(ffi, shared[0], version[1]))
    except (ImportError, OSError) as error:
        raise AdapterFault(f"the C library of nemo-relay-ffi cannot be loaded: {error}") from None


if __name__ == "__main__":
    serve("c", "1", connect)
