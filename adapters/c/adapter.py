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
from registering import FAMILIES, REGISTRATION, Families
from streams import Stream, Streams

from bindproof_adapter import (
    Actor,
    AdapterFault,
    Callback,
    Parts,
    Provider,
    Unsupported,
    at_once,
    decoded,
    encoded,
    serve,
)
from bindproof_c import Conventions, Library, c_string, content_of, plain

Json = Any
Pointer = Any

CONVENTIONS = Conventions("nemo_relay_", status="NemoRelayStatus", free="NemoRelayFreeFn", failed="INTERNAL")
SCOPE, LLM, TOOL = (
    (f"Ffi{kind}Handle", f"nemo_relay_{name}_handle_free")
    for kind, name in (("Scope", "scope"), ("LLM", "llm"), ("Tool", "tool"))
)
CODECS, CODEC = ("openai_chat", "openai_responses", "anthropic_messages"), "nemo_relay_{}_codec_new"
LISTING = "nemo_relay_list_runtime_registrations"
SEVERITIES = ("trace", "debug", "info", "warn", "error")
LOCKED = re.compile(r'name = "nemo-relay-ffi"\nversion = "([^"]+)"')


class Relay:
    """The library's calls, as the SDK asks for them, and the C functions that it calls back."""

    in_flight = blocks = True

    def __init__(self, library: Library, version: str) -> None:
        self._library, self._calls, self._version = library, library.calls, version
        self._stack = library.null
        self._boundary = Boundary(library)
        self.raw, self.measured = self._boundary.act, self._boundary.measured
        callback, answering = library.callback, library.answering
        major, minor, *_ = version.split(".")
        self._families, self._streams = Families(library, (int(major), int(minor))), Streams(library)
        self._provider = callback("NemoRelayLlmExecCb", answering(self._provided))
        self._tool = callback("NemoRelayToolExecCb", answering(self._executed))
        self._decode = callback("NemoRelayCodecDecodeFn", answering(self._decoded))
        self._encode = callback("NemoRelayCodecEncodeFn", answering(self._encoded))

    def describe(self) -> Json:
        """Say which release is driven."""
        runtime = f"cffi in {platform.python_implementation()} {platform.python_version()}"
        target = {"name": "nemo-relay-ffi", "version": self._version, "language": "c", "runtime": runtime}
        return {"target": target, "suites": {"relay": {"dialect": "c", "capabilities": ["raw"]}}}

    def fresh_scope(self) -> None:
        """Bind a new scope stack to this thread."""
        made, calls = self._library.made, self._calls
        self._stack = made(calls.nemo_relay_scope_stack_create, "FfiScopeStack", "nemo_relay_scope_stack_free")
        self.same_scope()

    def same_scope(self) -> None:
        """Bind the scenario's scope stack to this thread too."""
        self._library.check(self._calls.nemo_relay_scope_stack_set_thread(self._stack))

    def registered(self) -> Sequence[tuple[str, str]]:
        """List the global registrations; releases without a listing leave nothing to report."""
        return self.listed(None) if hasattr(self._calls, LISTING) else []

    def listed(self, family: str | None) -> Sequence[tuple[str, str]]:
        """List the global registrations, of one family or of all."""
        listing = getattr(self._calls, LISTING, None)
        if listing is None:
            raise Unsupported("list", "this release has no listing of what is registered")
        kinds = self._library.null if family is None else plain([REGISTRATION[family][0]])
        found = self._library.answer(listing, kinds)
        return [(FAMILIES.get(item["kind"], item["kind"]), item["effective_name"]) for item in found]

    async def flush(self) -> None:
        """Wait for the subscribers."""
        self._library.check(self._calls.nemo_relay_flush_subscribers())

    def register(self, step: Json, callback: Any) -> Function[[], object]:
        """Register what the step's family says."""
        return self._families.register(step, callback)

    async def call_llm(self, step: Json, provider: Provider, decode: Callback | None, encode: Callback | None) -> Json:
        """Make a managed call; its callbacks run on this thread while it blocks."""
        named, more = self._llm(step, decode, encode)
        call, provided = self._calls.nemo_relay_llm_call_execute, self._library.hold(provider)
        return self._library.answer(call, *named, self._provider, *provided, *more)

    def codecs(self) -> Sequence[str]:
        """Name no built-in codec; raise Unsupported with the reason."""
        raise Unsupported(
            "codec.builtin",
            "in C a call takes a built-in codec for its response alone; that of its request is two functions",
        )

    def response_codecs(self) -> Sequence[str]:
        """Return those that the library has."""
        return [name for name in CODECS if hasattr(self._calls, CODEC.format(name))]

    async def open_stream(self, step: Json, parts: Parts) -> Stream:
        """Make a managed stream call."""
        return self._streams.open(step, parts, *self._llm(step, parts.decode, parts.encode))

    async def call_tool(self, step: Json, provider: Provider) -> Json:
        """Make a managed tool call; its callbacks run on this thread while it blocks."""
        named, executed = (c_string("name", step["name"]), plain(step["args"])), self._library.hold(provider)
        more = (*self._lead(step), self._text(step, "tool_call_id"))
        call = self._calls.nemo_relay_tool_call_execute_v2
        return {"annotation": None, **self._library.answer(call, *named, self._tool, *executed, *more)}

    async def helper(self, step: Json) -> Json:
        """Run the standalone helper of a family."""
        calls, answer, name = self._calls, self._library.answer, c_string("name", step["name"])
        match step["kind"]:
            case "llm.request":
                return answer(calls.nemo_relay_llm_request_intercepts, name, plain(step["request"]))
            case "llm.conditional":
                return self._library.check(calls.nemo_relay_llm_conditional_execution(plain(step["request"])))
            case "tool.request":
                return answer(calls.nemo_relay_tool_request_intercepts, name, plain(step["args"]))
            case _:
                return self._library.check(calls.nemo_relay_tool_conditional_execution(name, plain(step["args"])))

    def start(self, step: Json) -> Pointer:
        """Push a scope, or start a manual call."""
        calls, made, null = self._calls, self._library.made, self._library.null
        name, lead = c_string("name", step["name"]), self._lead(step)
        if step["kind"] == "scope":
            kind = getattr(calls, f"NEMO_RELAY_SCOPE_TYPE_{step['type'].upper()}")
            more = (self._json(step, "input"), null)
            return made(calls.nemo_relay_push_scope, *SCOPE, name, kind, *lead, *more)
        if step["kind"] == "llm":
            more = (self._text(step, "model"), null)
            return made(calls.nemo_relay_llm_call, *LLM, name, plain(step["request"]), *lead, *more)
        more = (self._text(step, "tool_call_id"), null)
        return made(calls.nemo_relay_tool_call, *TOOL, name, plain(step["args"]), *lead, *more)

    def end(self, step: Json) -> None:
        """Pop a scope, or end a manual call."""
        calls, null, metadata = self._calls, self._library.null, self._json(step, "metadata")
        if step["kind"] == "scope":
            status = calls.nemo_relay_pop_scope(step["of"], self._json(step, "output"), metadata, null)
        elif step["kind"] == "llm":
            status = calls.nemo_relay_llm_call_end(step["of"], plain(step["output"]), null, metadata, null)
        else:
            result = plain({"result": step["output"], "annotation": step["annotation"]})
            status = calls.nemo_relay_tool_call_end(step["of"], result, null, metadata, null)
        self._library.check(status)

    def current(self) -> Json:
        """Return the current scope."""
        calls, library = self._calls, self._library
        scope = library.made(calls.nemo_relay_get_handle, *SCOPE)
        uuid, name = calls.nemo_relay_scope_handle_uuid(scope), calls.nemo_relay_scope_handle_name(scope)
        return {"uuid": library.owned(uuid), "name": library.owned(name)}

    def mark(self, step: Json) -> None:
        """Emit a mark."""
        data, schema, metadata = (self._json(step, name) for name in ("data", "data_schema", "metadata"))
        parent, severity = step["parent"] or self._library.null, self._library.null
        if step["severity"] is not None:
            severity = self._library.ffi.new("int32_t *", SEVERITIES.index(step["severity"]))
        name = c_string("name", step["name"])
        emit = self._calls.nemo_relay_event_v2
        self._library.check(emit(name, parent, data, schema, metadata, severity, self._library.null))

    # -- arguments: what is null is the null pointer -------------------------------------------------------------------

    def _lead(self, step: Json) -> tuple[Any, ...]:
        """Return what most calls take in one piece: the parent, no attributes, no data, the metadata."""
        return step["parent"] or self._library.null, 0, self._library.null, self._json(step, "metadata")

    def _llm(
        self, step: Json, decode: Callback | None, encode: Callback | None
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return what an LLM call takes before its callbacks, and what after them; without codec functions null."""
        null = self._library.null
        codec: tuple[Any, ...] = (null, null, null, null)
        if decode and encode:
            codec = (self._decode, self._encode, *self._library.hold((decode, encode)))
        named = (c_string("name", step["name"]), plain(step["request"]))
        return named, (*self._lead(step), self._text(step, "model"), *codec, self._response_codec(step))

    def _response_codec(self, step: Json) -> Pointer:
        """Return a built-in codec, freed when it is forgotten."""
        name = step.get("response_codec")
        if name is None:
            return self._library.null
        return self._library.ffi.gc(getattr(self._calls, CODEC.format(name))(), self._calls.nemo_relay_codec_free)

    def _text(self, step: Json, name: str) -> Any:
        return self._library.null if step[name] is None else c_string(name, step[name])

    def _json(self, step: Json, name: str) -> Any:
        return self._library.null if step[name] is None else plain(step[name])

    # -- callbacks: each with what its user data stands for ------------------------------------------------------------

    def _provided(self, provider: Provider, native: Pointer) -> Any:
        return at_once(provider.answer({"request": self._families.json(native)}, {"ok": True}, plain))

    def _executed(self, provider: Provider, args: Pointer) -> Any:
        natural = {"result": {"ok": True}, "annotation": None}
        return at_once(provider.answer({"args": self._families.json(args)}, natural, plain))

    def _decoded(self, codec: tuple[Callback, Callback], request: Pointer) -> Any:
        given = self._families.request(request)
        return codec[0].play({"request": given}, decoded(given), plain)

    def _encoded(self, codec: tuple[Callback, Callback], annotated: Pointer, original: Pointer) -> Any:
        given = {"annotated_request": self._families.json(annotated), "original": self._families.request(original)}
        natural = encoded(given["annotated_request"], given["original"])
        return codec[1].play(given, natural, lambda reply: plain(content_of(reply, natural)))


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
