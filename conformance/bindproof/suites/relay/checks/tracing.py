"""Checks of *Managed LLM lifecycle* (LIF) about what ties a call to others: the headers of traces, and roots."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import OWNED_HEADERS, PROGRAM, Check, Found, part, register
from bindproof.suites.relay.checks.lifecycle import object_of, resolved
from bindproof.suites.relay.observation.view import Call, Life, View

CHECKS: dict[str, Check] = {}


@register(CHECKS, "LIF-010")
def the_provider_is_given_a_traceparent(view: View) -> Found:
    """The provider's request has one traceparent, which names the LLM scope."""
    found = view.provided
    return [evidence for call in found for evidence in _traced(call)] if found else None


def _traced(call: Call) -> Iterator[Evidence]:
    provider = call.providers[0]
    headers = object_of(part(provider.given, "request", "headers"))
    seen = {name: value for name, value in headers.items() if name.lower() == "traceparent"}
    labels = {event.get("uuid") for life in call.lives.values() for _, event in life.starts}
    expected = {"traceparent": f"trace({labels.pop()})"} if len(labels) == 1 else None
    value = str(seen.get("traceparent", ""))
    if len(seen) != 1 or not value.startswith("trace(") or (expected is not None and seen != expected):
        yield Evidence(
            PROGRAM, "traceparent names the LLM scope", provider.entered, expected or "one traceparent", seen
        )


@register(CHECKS, "LIF-011")
def tracestate_is_removed(view: View) -> Found:
    """The caller's tracestate does not reach the provider."""
    found = [call for call in view.provided if _states(part(call.final, "request", "headers"))]
    if not found:
        return None
    return [
        Evidence(PROGRAM, "tracestate is removed", call.providers[0].entered, [], seen)
        for call in found
        if (seen := _states(part(call.providers[0].given, "request", "headers")))
    ]


def _states(headers: Json) -> list[str]:
    return [name for name in headers if name.lower() == "tracestate"] if isinstance(headers, dict) else []


@register(CHECKS, "LIF-014")
def one_root(view: View) -> Found:
    """Outside any scope, all events name one root, which is the parent of start and end."""
    found = [(sub, life) for _, sub, life in view.lived if life.starts]
    return [evidence for subscriber, life in found for evidence in _rooted(subscriber, life)] if found else None


def _rooted(subscriber: str, life: Life) -> Iterator[Evidence]:
    root = life.starts[0][1].get("propagation_root_uuid")
    for index, event in life.events():
        if event.get("propagation_root_uuid") != root or root is None:
            yield Evidence(subscriber, "all events name one root", index, root, event.get("propagation_root_uuid"))
            return
    index, start = life.starts[0]
    if start.get("parent_uuid") != root:
        ends = tuple(at for at, _ in life.ends)
        yield Evidence(subscriber, "the root is the call's parent", index, root, start.get("parent_uuid"), also=ends)


@register(CHECKS, "LIF-015")
def trace_headers_pass(view: View) -> Found:
    """The trace headers that the provider is given are those of the resolved request."""
    found = [call for call in view.provided if call.final is not None]
    return [
        Evidence(PROGRAM, "the trace headers are those of the resolved request", call.providers[0].entered, sent, seen)
        for call in found
        if not same(sent := _trace(resolved(call)), seen := _trace(part(call.providers[0].given, "request")))
    ] or ([] if found else None)


def _trace(request: Json) -> Json:
    headers = object_of(part(request, "headers"))
    return {name: value for name, value in headers.items() if name.lower() in OWNED_HEADERS}


@register(CHECKS, "LIF-016")
def one_parent(view: View) -> Found:
    """Outside any scope, the starts of all calls name one parent."""
    starts = [(subscriber, life.starts[0]) for _, subscriber, life in view.lived if life.starts]
    if not starts:
        return None
    first = starts[0][1][1].get("parent_uuid")
    return [
        Evidence(subscriber, "all calls have one parent", index, first, seen)
        for subscriber, (index, start) in starts
        if (seen := start.get("parent_uuid")) != first or seen is None
    ]
