"""Drives the PyPI package nemo-relay through its public API.

Works with releases that know LLMRequestInterceptOutcome (0.5 and newer): helpers that are awaitable or not, `flush` or
`flush_async`. Of older ones nothing is supported. Typed objects become JSON for the log, and edited JSON becomes typed
objects through their constructors.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import platform
from collections.abc import Sequence
from typing import Any

from bindproof_adapter import Actor, AdapterFault, Callback, Sink, Unsupported, decoded, encoded, serve, version_of

Json = Any

ANNOTATION = ("instructions", "model", "params", "tools", "tool_choice", "api_specific")
MARK = ("name", "category", "category_profile", "data", "metadata", "data_schema", "severity")
FAMILIES = {"subscriber": "subscriber", "llm_request_intercept": "llm.request"}


class Types:
    """The package's typed objects as JSON, and back."""

    def __init__(self, relay: Any) -> None:
        self._relay = relay
        severity = getattr(relay, "LogSeverity", None)
        names = [name for name in dir(severity) if name[0].isupper()] if severity else []
        self._severities = {name.lower(): getattr(severity, name) for name in names}

    def request_json(self, request: Any) -> Json:
        """Return an LLMRequest as JSON."""
        return {"headers": request.headers, "content": request.content}

    def annotation_json(self, annotation: Any) -> Json:
        """Return an AnnotatedLLMRequest as JSON, unknown fields at the top level, or None."""
        if annotation is None:
            return None
        known = {name: getattr(annotation, name, None) for name in ANNOTATION}
        present = {name: value for name, value in known.items() if value is not None}
        return {"messages": annotation.messages, **present, **(annotation.extra or {})}

    def outcome_json(self, outcome: Any) -> Json:
        """Return an LLMRequestInterceptOutcome as JSON with every key that this release has."""
        plain = {
            "request": self.request_json(outcome.request),
            "annotated_request": self.annotation_json(outcome.annotated_request),
            "pending_marks": [self._mark_json(mark) for mark in outcome.pending_marks],
        }
        if hasattr(outcome, "optimization_contributions"):
            plain["optimization_contributions"] = outcome.optimization_contributions
        return plain

    def request(self, value: Json) -> Any:
        """Build an LLMRequest from a JSON object; anything else is handed over as it is."""
        return self._relay.LLMRequest(**value) if isinstance(value, dict) else value

    def annotation(self, value: Json) -> Any:
        """Build an AnnotatedLLMRequest; unknown keys go into its extra fields."""
        if not isinstance(value, dict):
            return value
        known = {key: item for key, item in value.items() if key == "messages" or key in ANNOTATION}
        extra = {key: item for key, item in value.items() if key not in known}
        return self._relay.AnnotatedLLMRequest(**known, **({"extra": extra} if extra else {}))

    def outcome(self, value: Json) -> Any:
        """Build an LLMRequestInterceptOutcome and all that is in it."""
        if not isinstance(value, dict):
            return value
        parts = {"request": self.request, "annotated_request": self.annotation, "pending_marks": self._marks}
        built = {key: parts.get(key, lambda item: item)(item) for key, item in value.items()}
        return self._relay.LLMRequestInterceptOutcome(**built)

    def _marks(self, value: Json) -> Any:
        return [self._mark(item) for item in value] if isinstance(value, list) else value

    def _mark(self, value: Json) -> Any:
        if not isinstance(value, dict):
            return value
        severity = value.get("severity")
        if isinstance(severity, str) and severity in self._severities:
            value = {**value, "severity": self._severities[severity]}
        return self._relay.PendingMarkSpec(**value)

    def _mark_json(self, mark: Any) -> Json:
        plain = {name: getattr(mark, name) for name in MARK if hasattr(mark, name)}
        if plain.get("severity") is not None:
            plain["severity"] = next(text for text, member in self._severities.items() if member == plain["severity"])
        return plain


class Relay:
    """The package's API calls, as the SDK asks for them."""

    def __init__(self, relay: Any) -> None:
        self._relay = relay
        self._types = Types(relay)

    def describe(self) -> Json:
        """Say which release is driven, and how it spells."""
        return described(self._relay)

    def fresh_scope(self) -> None:
        """Make the new context's own scope stack; the package creates one where a context has none."""
        self._relay.get_scope_stack()

    def registered(self) -> Sequence[tuple[str, str]]:
        """List the global registrations; releases without a listing leave nothing to report."""
        listing = getattr(self._relay, "runtime_registrations", None)
        if listing is None:
            return []
        return [
            (FAMILIES.get(str(item.kind), str(item.kind)), item.effective_name)
            for item in listing.list_runtime_registrations()
        ]

    async def flush(self) -> None:
        """Wait for the subscribers, in whichever way this release offers."""
        subscribers = self._relay.subscribers
        if hasattr(subscribers, "flush_async"):
            await subscribers.flush_async()
        else:
            await asyncio.to_thread(subscribers.flush)

    def register_subscriber(self, step: Json, sink: Sink) -> Any:
        """Register a subscriber; the event is copied while the callback has it."""
        subscribers = self._relay.subscribers
        subscribers.register(step["name"], lambda event: sink.put(json.loads(event.to_json())))
        return lambda: subscribers.deregister(step["name"])

    def register_llm_request(self, step: Json, callback: Callback) -> Any:
        """Register a request intercept."""
        types, intercepts = self._types, self._relay.intercepts

        def intercept(name: str, request: Any, annotated: Any) -> Any:
            natural = {"request": types.request_json(request), "annotated_request": types.annotation_json(annotated)}
            return callback.play({"name": name, **natural}, {**natural, "pending_marks": []}, types.outcome)

        intercepts.register_llm_request(step["name"], step["priority"], step["break_chain"], intercept)
        return lambda: intercepts.deregister_llm_request(step["name"])

    async def call_llm(self, step: Json, provider: Callback, decode: Callback | None, encode: Callback | None) -> Json:
        """Make a managed call."""

        async def answer(request: Any) -> Json:
            return provider.play({"request": self._types.request_json(request)}, {"ok": True})

        options: dict[str, Any] = {} if step["model"] is None else {"model_name": step["model"]}
        if decode and encode:
            options["codec"] = Codec(self._types, decode, encode)
        return await self._relay.llm.execute(step["name"], self._types.request(step["request"]), answer, **options)

    async def helper_llm_request(self, step: Json) -> Json:
        """Run the standalone helper, awaitable from 0.7 on."""
        outcome = self._relay.llm.request_intercepts(step["name"], self._types.request(step["request"]))
        return self._types.outcome_json(await outcome if inspect.isawaitable(outcome) else outcome)


class Codec:
    """A request codec whose two methods are scripted callbacks."""

    def __init__(self, types: Types, decode: Callback, encode: Callback) -> None:
        self._types, self._decode, self._encode = types, decode, encode

    def decode(self, request: Any) -> Any:
        """Play the decode callback."""
        plain = self._types.request_json(request)
        return self._decode.play({"request": plain}, decoded(plain), self._types.annotation)

    def encode(self, annotated: Any, original: Any) -> Any:
        """Play the encode callback."""
        given = {
            "annotated_request": self._types.annotation_json(annotated),
            "original": self._types.request_json(original),
        }
        return self._encode.play(given, encoded(given["annotated_request"], given["original"]), self._types.request)


def described(relay: Any) -> Json:
    """Return what `initialize` is answered with."""
    target = {
        "name": "nemo-relay",
        "version": version_of(relay, "nemo-relay"),
        "language": "python",
        "runtime": f"{platform.python_implementation()} {platform.python_version()}",
    }
    return {"target": target, "suites": {"relay": {"dialect": "python", "capabilities": []}}}


class Older:
    """A release from before the contract: it can be named, and nothing of it can be judged."""

    def __init__(self, relay: Any) -> None:
        self._described = described(relay)

    def describe(self) -> Json:
        """Say which release it is."""
        return self._described

    def run(self, suite: str, scenario: Json) -> Json:
        """Refuse every scenario; raises Unsupported."""
        version = self._described["target"]["version"]
        reason = f"nemo-relay {version} has no LLMRequestInterceptOutcome; the contract begins with 0.5.0"
        raise Unsupported("llm_request_outcomes", reason)


def connect() -> Actor | Older:
    """Import the package; raise AdapterFault with the reason where that fails."""
    try:
        import nemo_relay  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise AdapterFault(f"the package nemo-relay cannot be imported: {error}") from None
    if not hasattr(nemo_relay, "LLMRequestInterceptOutcome"):
        return Older(nemo_relay)
    return Actor(Relay(nemo_relay))


if __name__ == "__main__":
    serve("python", "1", connect)
