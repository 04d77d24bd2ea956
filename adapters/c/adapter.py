"""Drives the C library of the crate nemo-relay-ffi through cffi, by the functions that its header declares.

Everything crosses as JSON text in C strings: whatever a scenario says, the library can be told.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Sequence
from collections.abc import Callable as Function
from pathlib import Path
from typing import Any

from boundary import Boundary
from callbacks import Callbacks
from manual import Manual
from plugin import Plugins, name_of
from sanitizing import Codecs
from stacks import Stacks
from streams import Stream, Streams

from bindproof_adapter import Inexpressible, Unsupported, described, serve
from bindproof_adapter.relay import KINDS, Actor, Callback, Decide, Listed, Parts, Provider, SetUp, family_of, order_of
from bindproof_c import Library, c_string, plain
from bindproof_c.relay import relay_library, require_one_text

Json = Any
Pointer = Any

CODECS = ("openai_chat", "openai_responses", "anthropic_messages", "gemini_generate_content")
CODEC = "nemo_relay_{}_codec_new"
LISTING = "nemo_relay_list_runtime_registrations"
GATE = "nemo_relay_{}_conditional_middleware_guardrail"
CONTEXT = "struct FfiPluginContext *"
NAMED = "const char *"
"""A name, or a scope's uuid, in the type of a function. The header lacks the functions of the families that share
`NemoRelayToolSanitizeCb`, which the library exports like all others."""


class Relay(Stacks):
    """The library's calls, as the SDK asks for them."""

    in_flight = blocks = True
    storms = ("threads",)

    def __init__(self, library: Library, version: str) -> None:
        self._library, self._calls, self._null, self._version = library, library.calls, library.null, version
        super().__init__(library)
        self._boundary = Boundary(library)
        self.raw, self.measured = self._boundary.act, self._boundary.measured
        manual = self._manual = Manual(library)
        self.start, self.end, self.mark, self.current = manual.start, manual.end, manual.mark, manual.current
        self.handle, self.metric = manual.handle, manual.metric
        release = tuple(map(int, version.split(".")[:2]))
        callbacks = Callbacks(library, tools_have_context=release >= (0, 9))
        self._callbacks = callbacks.of
        own = Codecs(library, callbacks.request)
        self.decode, self.encode = own.decode, own.encode
        self._streams = Streams(library, self._callbacks["source"], with_user_data=release >= (0, 11))
        self._plugins = Plugins(library)

    def describe(self) -> Json:
        """Say which release is driven."""
        return described("relay", "nemo-relay-ffi", self._version, "c", "raw", through="cffi in ")

    def registered(self) -> Sequence[tuple[str, str]]:
        """List the global registrations; releases without a listing leave nothing to report."""
        return [(one.family, one.name) for one in self.listed(None)] if hasattr(self._calls, LISTING) else []

    def listed(self, family: str | None) -> Sequence[Listed]:
        """List the global registrations, of one family or of all."""
        listing = getattr(self._calls, LISTING, None)
        if listing is None:
            raise Unsupported("list", "this release has no listing of what is registered")
        found = self._library.answer(listing, self._null if family is None else plain([KINDS[family]]))
        return [_listed(item) for item in found]

    async def flush(self) -> None:
        """Wait for the subscribers."""
        self._library.check(self._calls.nemo_relay_flush_subscribers())

    def register(self, step: Json, callback: Any) -> Function[[], object]:
        """Register globally, or on the scope that is to own it; deregistering says OK in any case."""
        family, scope, check = step["family"], step["scope"], self._library.check
        where, owner = "", list[bytes]()
        if scope is not None:
            where, owner = "scope_", [self._library.owned(self._calls.nemo_relay_scope_handle_uuid(scope)).encode()]
        named, named_as = (*owner, c_string("name", step["name"])), ", ".join([NAMED] * (1 + len(owner)))
        take = self._library.function(f"nemo_relay_{where}deregister_{KINDS[family]}", f"int32_t(*)({named_as})")
        if take is None:
            raise Unsupported(family, "this release has no such registration")
        self._put(f"{where}register", named_as, named, step, callback)
        return lambda: check(take(*named))

    def gate(self, step: Json, decide: Decide) -> Function[[], object]:
        """Register a gate: what it raises is its last error, and lets in."""
        kinds = plain([KINDS[family] for family in step["families"]])
        named = c_string("name", step["name"]), kinds, c_string("name", step["target"])
        put, take = (getattr(self._calls, GATE.format(verb)) for verb in ("register", "deregister"))
        self._library.check(put(*named, self._callbacks["gate"], *self._library.hold(decide)))

        def take_back() -> bool:
            there = self._library.ffi.new("bool *")
            self._library.check(take(named[0], there))
            return bool(there[0])

        return take_back

    async def install(self, plugins: Sequence[str], set_up: SetUp) -> Function[[], Awaitable[None]]:
        """Install plugins that register through their context."""

        def register(plugin: str, context: Pointer) -> None:
            def put(step: Json, callback: Any) -> None:
                named = (context, c_string("name", step["name"]))
                self._put("plugin_context_register", f"{CONTEXT}, {NAMED}", named, step, callback)

            set_up(plugin, put)

        close = self._plugins.install(plugins, register)

        async def take_back() -> None:
            close()

        return take_back

    def _put(self, way: str, named_as: str, named: Sequence[Any], step: Json, callback: Any) -> None:
        """Register in one of the library's ways, by what names the registration, and the types of that."""
        family, order = step["family"], order_of(step)
        if family == "subscriber" and any(op["op"] != "wait" for op in step["do"]):
            raise Inexpressible("subscriber", "in C a subscriber returns nothing: it cannot fail")
        more = f"int32_t{', bool' * (len(order) - 1)}, NemoRelayToolSanitizeCb, void *, NemoRelayFreeFn"
        put = self._library.function(f"nemo_relay_{way}_{KINDS[family]}", f"int32_t(*)({named_as}, {more})")
        if put is None:
            raise Unsupported(family, "this release has no such registration")
        if family == "llm.stream":
            require_one_text(step["do"])
        self._library.check(put(*named, *order, self._callbacks[family], *self._library.hold(callback)))

    async def call_llm(self, step: Json, provider: Provider, decode: Callback | None, encode: Callback | None) -> Json:
        """Make a managed call; its callbacks run on this thread while it blocks."""
        named, more = self._llm(step, decode, encode)
        executed = (self._callbacks["llm.provider"], *self._library.hold(provider))
        return self._library.answer(self._calls.nemo_relay_llm_call_execute, *named, *executed, *more)

    def codecs(self) -> Sequence[str]:
        """Name no built-in codec; raise Unsupported with the reason."""
        reason = "in C a call takes a built-in codec for its response alone; that of its request is two functions"
        raise Unsupported("codec.builtin", reason)

    def response_codecs(self) -> Sequence[str]:
        """Return those that the library has."""
        return [name for name in CODECS if hasattr(self._calls, CODEC.format(name))]

    async def open_stream(self, step: Json, parts: Parts) -> Stream:
        """Make a managed stream call."""
        return self._streams.open(step, parts, *self._llm(step, parts.decode, parts.encode))

    async def call_tool(self, step: Json, provider: Provider) -> Json:
        """Make a managed tool call; its callbacks run on this thread while it blocks."""
        executed = (self._callbacks["tool.provider"], *self._library.hold(provider))
        arguments = (*self._manual.tool(step), *executed, *self._manual.lead(step))
        execute = self._calls.nemo_relay_tool_call_execute
        if step["tool_call_id"] is not None:
            execute = self._calls.nemo_relay_tool_call_execute_v2
            arguments = (*arguments, self._library.said(step, "tool_call_id"))
        return {"annotation": None, **self._library.answer(execute, *arguments)}

    async def helper(self, step: Json) -> Json:
        """Run the standalone helper of a family."""
        calls, answer, check = self._calls, self._library.answer, self._library.check
        match step["kind"]:
            case "llm.request":
                return answer(calls.nemo_relay_llm_request_intercepts, *self._manual.request(step))
            case "llm.conditional":
                return check(calls.nemo_relay_llm_conditional_execution(self._manual.request(step)[1]))
            case "tool.request":
                return answer(calls.nemo_relay_tool_request_intercepts, *self._manual.tool(step))
            case _:
                return check(calls.nemo_relay_tool_conditional_execution(*self._manual.tool(step)))

    def _llm(
        self, step: Json, decode: Callback | None, encode: Callback | None
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return what an LLM call takes before its provider, and what after it."""
        codec: tuple[Any, ...] = (self._null,) * 4
        if decode and encode:
            codec = (self._callbacks["decode"], self._callbacks["encode"], *self._library.hold((decode, encode)))
        response_codec = self._null  # a built-in one is freed when it is forgotten
        if step.get("response_codec"):
            made = getattr(self._calls, CODEC.format(step["response_codec"]))()
            response_codec = self._library.ffi.gc(made, self._calls.nemo_relay_codec_free)
        lead, model = self._manual.lead(step), self._library.said(step, "model")
        return self._manual.request(step), (*lead, model, *codec, response_codec)


def _listed(item: Json) -> Listed:
    """Return an entry of the library's listing in the suite's words."""
    whose = item["owner"]
    plugin = (name_of(whose["plugin_kind"]), whose["component_ordinal"]) if whose["kind"] == "plugin" else ()
    return Listed(family_of(item["kind"]), item["local_name"], item["effective_name"], *plugin)


def connect() -> Actor:
    """Load the library in the folder that the first argument names."""
    library, version = relay_library(Path(sys.argv[1]))
    return Actor(Relay(library, version))


if __name__ == "__main__":
    serve("c", "1", connect)
