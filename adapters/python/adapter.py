"""Drives the PyPI package nemo-relay through its public API.

Works with releases from 0.4 on: intercepts that answer with a pair or an LLMRequestInterceptOutcome, helpers that are
awaitable or not, `flush` or `flush_async`. Of older ones nothing is supported. Typed objects become JSON for the log,
and edited JSON becomes typed objects through their constructors.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Sequence
from collections.abc import Callable as Function
from typing import Any

from coding import Codecs
from families import Codec, Functions, awaiting, place_of
from forms import Answer, Forms
from plugins import install, name_of
from reader import Stream
from scopes import Scopes, given, must_take
from stacks import Stacks
from typed import Types

from bindproof_adapter import AdapterFault, Unsupported, described, serve, version_of
from bindproof_adapter.relay import (
    KINDS,
    Actor,
    Callback,
    Decide,
    Listed,
    Parts,
    Provider,
    SetUp,
    Undo,
    asked,
    family_of,
    is_awaited,
    order_of,
)

Json = Any

CODECS = {
    "openai_chat": "OpenAIChatCodec",
    "openai_responses": "OpenAIResponsesCodec",
    "anthropic_messages": "AnthropicMessagesCodec",
    "gemini_generate_content": "GeminiGenerateContentCodec",
    "oci_genai": "OCIGenAIChatCodec",
}
"""Built-in codec → the class in the package's module `codecs`."""


ODD = {"no_function": "no function", "no_parameters": lambda: None}
"""What a registration is `odd` by → what is registered."""


class Relay(Stacks):
    """The package's API calls, as the SDK asks for them."""

    in_flight = hands_objects = takes_anything = True
    storms = ("threads", "tasks")

    def __init__(self, relay: Any) -> None:
        self._relay = relay
        self._types = Types(relay)
        self._functions = Functions(self._types)
        self._forms = Forms(relay)
        scopes = Scopes(relay, self._types, self._built_in)
        self.start, self.end, self.mark, self.current = scopes.start, scopes.end, scopes.mark, scopes.current
        self.handle, self.block, self.metric = scopes.handle, scopes.block, scopes.metric
        codecs = Codecs(self._types, self._built_in, self.codecs, self.response_codecs)
        self.decode, self.encode = codecs.decode, codecs.encode
        self._has_older_codecs = re.match(r"0\.[45]\.", version_of(relay, "nemo-relay")) is not None
        # Before 0.7 the package awaits no callbacks but those of executions, and those of a cancelled call run on.
        self.awaits = self.cancels = hasattr(relay.subscribers, "flush_async")

    def describe(self) -> Json:
        """Say which release is driven, and how it spells."""
        return described("relay", "nemo-relay", version_of(self._relay, "nemo-relay"), "python")

    def registered(self) -> Sequence[tuple[str, str]]:
        """List the global registrations; releases without a listing leave nothing to report."""
        has_listing = hasattr(self._relay, "runtime_registrations")
        return [(one.family, one.name) for one in self.listed(None)] if has_listing else []

    def listed(self, family: str | None) -> Sequence[Listed]:
        """List the global registrations, of one family or of all; releases before 0.8 cannot."""
        listing = getattr(self._relay, "runtime_registrations", None)
        if listing is None:
            raise Unsupported("list", "this release has no listing of what is registered")
        kinds = None if family is None else {listing.RuntimeRegistrationKind(KINDS[family])}
        return [_listed(item) for item in listing.list_runtime_registrations(kinds)]

    async def flush(self) -> None:
        """Wait for the subscribers, in whichever way this release offers."""
        subscribers = self._relay.subscribers
        if hasattr(subscribers, "flush_async"):
            await subscribers.flush_async()
        else:
            await asyncio.to_thread(subscribers.flush)

    def register(self, step: Json, callback: Any) -> Any:
        """Register a callback globally, or on the scope that is to own it."""
        family, scope = step["family"], step["scope"]
        folder, stem = place_of(family, local=scope is not None)
        module = getattr(self._relay, folder, None)
        put, take = (getattr(module, f"{verb}{stem}", None) for verb in ("register", "deregister"))
        if put is None or take is None:
            raise Unsupported(family, "this release has no such registration")
        named = [step["name"]] if scope is None else [scope, step["name"]]
        put(*named, *order_of(step), self._registered(step, callback))
        return lambda: take(*named)

    def gate(self, step: Json, decide: Decide) -> Undo:
        """Register a gate; releases before 0.8 have none."""
        listing = getattr(self._relay, "runtime_registrations", None)
        if listing is None:
            raise Unsupported("gate", "this release has no gates")

        def guardrail(kinds: Any, name: str) -> str | None:
            return decide([family_of(str(kind)) for kind in kinds], name)

        kinds = {listing.RuntimeRegistrationKind(KINDS[family]) for family in step["families"]}
        listing.register_conditional_middleware_guardrail(step["name"], kinds, step["target"], guardrail)
        return lambda: listing.deregister_conditional_middleware_guardrail(step["name"])

    async def install(self, plugins: Sequence[str], set_up: SetUp) -> Function[[], Awaitable[None]]:
        """Install plugins that register through their context what they are told to."""

        def register(plugin: str, context: Any) -> None:
            def put(step: Json, callback: Any) -> None:
                of_family = getattr(context, f"register_{KINDS[step['family']]}", None)
                if of_family is None:
                    raise Unsupported(step["family"], "a plugin of this release has no such registration")
                of_family(step["name"], *order_of(step), self._registered(step, callback))

            set_up(plugin, put)

        take_back: Function[[], Awaitable[None]] = await install(self._relay, plugins, register)
        return take_back

    def _registered(self, step: Json, callback: Any) -> Any:
        """Return what is registered: the family's function, or what the step has in its place."""
        if step.get("odd"):
            return ODD[step["odd"]]
        function = self._functions.of(step["family"], callback)
        return awaiting(function) if is_awaited(step) else function

    async def call_llm(self, step: Json, provider: Provider, decode: Callback | None, encode: Callback | None) -> Json:
        """Make a managed LLM call."""

        answer = _answers(provider, lambda request: asked("llm.provider", self._types.request_json(request)))
        options = self._options(step, decode, encode)
        return await self._forms.llm(step, self._types.request(step["request"]), answer, options)

    def _options(self, step: Json, decode: Callback | None, encode: Callback | None) -> dict[str, Any]:
        """Return the keywords of an LLM call."""
        options = {**given(step, "model", "data", "metadata", "parent"), **self._types.attributes(step)}
        if decode and encode:
            options["codec"] = Codec(self._functions, decode, encode)
        elif step["codec"] != "none":
            options["codec"] = self._built_in(step["codec"])
        if step.get("response_codec"):
            options["response_codec"] = self._built_in(step["response_codec"])
        return options

    def codecs(self) -> list[str]:
        """Return the built-in codecs of requests; those of releases before 0.6 read them in a form of their own."""
        if self._has_older_codecs:
            raise Unsupported(
                "codec.builtin", "of what codecs of this release make of a request the contract is silent"
            )
        return self.response_codecs()

    def response_codecs(self) -> list[str]:
        """Return the built-in codecs of this release, as far as they read responses."""
        module = getattr(self._relay, "codecs", None)
        return [name for name, built_in in CODECS.items() if hasattr(module, built_in)]

    def _built_in(self, name: str) -> Any:
        return getattr(self._relay.codecs, CODECS[name])()

    async def open_stream(self, step: Json, parts: Parts) -> Stream:
        """Make a managed stream call."""

        def answer(request: Any) -> Any:
            return parts.source.open({"request": self._types.request_json(request)})

        request, options = self._types.request(step["request"]), self._options(step, parts.decode, parts.encode)
        functions = (answer, parts.collector.take, parts.finalizer.finish)
        return Stream(await self._forms.stream(step, request, *functions, options))

    async def call_tool(self, step: Json, provider: Provider) -> Json:
        """Make a managed tool call."""

        answer = _answers(provider, lambda args: (*asked("tool.provider", args), self._types.result))
        options = {
            **given(step, "tool_call_id", "data", "metadata", "parent"),
            **self._types.attributes(step),
        }
        if "tool_call_id" in options:
            must_take(self._relay.tools.execute, "tool_call_id")
        return self._types.result_json(await self._forms.tool(step, answer, options))

    async def helper(self, step: Json) -> Json:
        """Run the standalone helper, awaitable from 0.7 on."""
        relay, types = self._relay, self._types
        match step["kind"]:
            case "llm.request":
                found = relay.llm.request_intercepts(step["name"], types.request(step["request"]))
                return types.outcome_json(await _value(found))
            case "llm.conditional":
                return await _value(relay.llm.conditional_execution(types.request(step["request"])))
            case "tool.request":
                return await _value(relay.tools.request_intercepts(step["name"], step["args"]))
            case _:
                return await _value(relay.tools.conditional_execution(step["name"], step["args"]))

    def build(self, step: Json) -> Json:
        """Build one of the package's objects, and read it back."""
        return self._types.built(step["object"], step["value"])


def _listed(item: Any) -> Listed:
    """Return an entry of the package's listing in the suite's words."""
    whose = item.owner
    plugin = (name_of(whose.plugin_kind), whose.component_ordinal) if str(whose.kind) == "plugin" else ()
    return Listed(family_of(str(item.kind)), item.local_name, item.effective_name, *plugin)


def _answers(provider: Provider, asking: Function[[Any], Sequence[Any]]) -> Answer:
    """Return what a provider does with what the package gives it, to be awaited and at once."""
    return (lambda given: provider.answer(*asking(given)), lambda given: provider.play(*asking(given)))


async def _value(found: Any) -> Any:
    return await found if inspect.isawaitable(found) else found


class Older:
    """A release from before the first edition: it can be named, and nothing of it can be judged."""

    def __init__(self, relay: Any) -> None:
        self._version = version_of(relay, "nemo-relay")

    def describe(self) -> Json:
        """Say which release it is."""
        return described("relay", "nemo-relay", self._version, "python")

    def run(self, suite: str, scenario: Json) -> Json:
        """Refuse every scenario; raises Unsupported."""
        raise Unsupported("edition", f"nemo-relay {self._version} is of no edition; the first is that of 0.4")


def connect() -> Actor | Older:
    """Import the package; raise AdapterFault with the reason where that fails."""
    try:
        import nemo_relay  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise AdapterFault(f"the package nemo-relay cannot be imported: {error}") from None
    is_older = re.match(r"0\.[0-3]\.", version_of(nemo_relay, "nemo-relay"))
    return Older(nemo_relay) if is_older else Actor(Relay(nemo_relay))


if __name__ == "__main__":
    serve("python", "1", connect)
