"""Checks of *Managed LLM lifecycle* (LIF) about what ties a call to others: the headers of traces, and roots."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    OWNED_HEADERS,
    PROGRAM,
    Check,
    Found,
    judged,
    part,
    register,
)
from bindproof.suites.relay.checks.lifecycle import object_of, resolved
from bindproof.suites.relay.observation.deliveries import everyone
from bindproof.suites.relay.observation.reading import Life, LlmCall, Reading
from bindproof.suites.relay.observation.scopes import context_at, is_outside, made_outside, outermost_stays

CHECKS: dict[str, Check] = {}


@register(CHECKS, "LIF-010")
def the_provider_is_given_a_traceparent(reading: Reading) -> Found:
    """The provider's request has one traceparent, which names the LLM scope."""
    found = reading.reached
    return judged([*(evidence for call in found for evidence in _traced(reading, call)), *_shared(found)], found)


def _shared(calls: list[LlmCall]) -> Iterator[Evidence]:
    """Yield evidence for each call whose traceparent names what that of one before it does: each has its own scope."""
    first: dict[str, int] = {}
    for call in calls:
        entered = call.executions[0].entered
        span = _span(object_of(part(call.executions[0].given, "request", "headers")).get("traceparent"))
        if isinstance(span, str) and first.setdefault(span, entered) != entered:
            text = "each call's traceparent names its own scope"
            yield Evidence(PROGRAM, text, entered, "a scope of its own", span, also=(first[span],))


def _traced(reading: Reading, call: LlmCall) -> Iterator[Evidence]:
    """Inside a scope the trace is another's (LIF-023); the span is the call's own."""
    provider = call.executions[0]
    headers = object_of(part(provider.given, "request", "headers"))
    seen = {name: value for name, value in headers.items() if name.lower() == "traceparent"}
    labels = {event.get("uuid") for life in call.lives.values() for _, event in life.starts}
    span = labels.pop() if len(labels) == 1 else None
    named, one_uuid = _span(seen.get("traceparent")), isinstance(seen.get("traceparent"), str)
    if (
        len(seen) != 1
        or named is None
        or (span is not None and named != span)
        or (
            not one_uuid
            and made_outside(reading.transcript, call.act)
            and outermost_stays(reading.transcript, call.act)
        )
    ):
        expected = "one traceparent" if span is None else {"span": span}
        yield Evidence(PROGRAM, "traceparent names the LLM scope", provider.entered, expected, seen)


def _span(header: Json) -> Json:
    """Return which scope a normalised traceparent names by its span, None for another value."""
    if isinstance(header, str):
        return header[len("trace(") : -1] if header.startswith("trace(") else None
    return part(header, "span")


@register(CHECKS, "LIF-011")
def tracestate_is_removed(reading: Reading) -> Found:
    """The caller's tracestate does not reach the provider."""
    found = [call for call in reading.reached if _states(part(call.final, "request", "headers"))]
    if not found:
        return None
    return [
        Evidence(PROGRAM, "tracestate is removed", call.executions[0].entered, [], seen)
        for call in found
        if (seen := _states(part(call.executions[0].given, "request", "headers")))
    ]


def _states(headers: Json) -> list[str]:
    return [name for name in headers if name.lower() == "tracestate"] if isinstance(headers, dict) else []


@register(CHECKS, "LIF-014")
def one_root(reading: Reading) -> Found:
    """Outside any scope, all events of a call name one root, which is the parent of start and end."""
    found = [
        (subscriber, life)
        for act, subscriber, life in everyone(reading.transcript, reading.transcript.of_kind("call"))
        if life.starts and is_outside(reading.transcript, act)
    ]
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
def trace_headers_pass(reading: Reading) -> Found:
    """The trace headers that the provider is given are those of the resolved request."""
    found = [call for call in reading.reached if part(call.final, "request") is not None]
    return [
        Evidence(PROGRAM, "the trace headers are those of the resolved request", call.executions[0].entered, sent, seen)
        for call in found
        if not same(sent := _trace(resolved(call)), seen := _trace(part(call.executions[0].given, "request")))
    ] or ([] if found else None)


def _trace(request: Json) -> Json:
    headers = object_of(part(request, "headers"))
    return {name: value for name, value in headers.items() if name.lower() in OWNED_HEADERS}


@register(CHECKS, "LIF-016")
def one_parent(reading: Reading) -> Found:
    """Outside any scope, the starts of all calls of one context name one parent."""
    starts = [
        (subscriber, life.starts[0], context_at(reading.transcript, call.act.began))
        for call, subscriber, life in reading.lived
        if life.starts and made_outside(reading.transcript, call.act) and call.step["parent"] is None
    ]
    if not starts:
        return None
    parents = {context: start.get("parent_uuid") for _, (_, start), context in reversed(starts)}
    return [
        Evidence(subscriber, "all calls have one parent", index, parents[context], seen)
        for subscriber, (index, start), context in starts
        if (seen := start.get("parent_uuid")) != parents[context] or seen is None
    ]
