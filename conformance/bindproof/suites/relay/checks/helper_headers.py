"""Checks of the chapter *Helpers* (HLP) about the headers that a helper's outcome has."""

from __future__ import annotations

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, OWNED_HEADERS, Check, Found, judged, part, register
from bindproof.suites.relay.checks.malformed import fault_of
from bindproof.suites.relay.checks.severities import severity_named
from bindproof.suites.relay.observation.outcomes import marks_of
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import open_scopes, received_at
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}

SESSIONS = ("x-dynamo-session-id", "x-dynamo-parent-session-id")


def _outcomes(reading: Reading, *, inside: bool) -> list[Act]:
    """The helpers that answered with an outcome inside a scope, or outside any, of which the request is known."""
    found = [
        act for act in reading.transcript.acts if act.step["step"] == "helper" and act.step["kind"] == "llm.request"
    ]
    found = [act for act in found if act.runs or "$get" not in str(act.step["request"])]
    found = [
        act for act in found if act.error is None and received_at(reading.transcript, act.began) is None
    ]  # PRP-005
    return [act for act in found if bool(open_scopes(reading.transcript, act.began)) is inside]


def _headers(request: Json) -> dict[str, Json]:
    headers = part(request, "headers")
    return headers if isinstance(headers, dict) else {}


def _left(act: Act) -> dict[str, Json]:
    """The headers as the intercepts left them."""
    return _headers(part(act.runs[-1].reply, "request") if act.runs else act.step["request"])


def _named(headers: dict[str, Json], *names: str) -> dict[str, Json]:
    return {name: value for name, value in headers.items() if name.lower() in names}


@register(CHECKS, "HLP-008")
def the_open_scope_is_named(reading: Reading) -> Found:
    """Inside a scope the outcome's request has one traceparent, which names the innermost scope by its span."""
    found = _outcomes(reading, inside=True)
    labels = {event.get("uuid") for events in reading.transcript.events.values() for _, event in events}
    return judged(
        [
            Evidence(EVERY_LANE, "traceparent names the innermost scope", act.done, "one traceparent", seen)
            for act in found
            if not _names(seen := _named(_headers(part(act.value, "request")), "traceparent"), reading, act, labels)
        ],
        found,
    )


def _names(seen: dict[str, Json], reading: Reading, act: Act, labels: set[Json]) -> bool:
    value = seen.get("traceparent")
    if len(seen) != 1 or value is None:
        return False
    if len(open_scopes(reading.transcript, act.began)) == 1 and not isinstance(value, str):
        return False  # the innermost scope is the outermost, whose trace it is: both ids are of one uuid
    span = value.get("span") if isinstance(value, dict) else str(value).removeprefix("trace(").removesuffix(")")
    scope = open_scopes(reading.transcript, act.began)[-1].step
    known = f"{scope['type']}:{scope['name']}"
    named = span == known or str(span).startswith(f"{known}#")
    return named or not any(str(label).startswith(known) for label in labels)


@register(CHECKS, "HLP-009")
def outside_a_scope_headers_stay(reading: Reading) -> Found:
    """Outside any scope the headers are those that the intercepts left."""
    found = _outcomes(reading, inside=False)
    return judged(
        [
            Evidence(EVERY_LANE, "outside a scope the headers stay", act.done, _left(act), seen)
            for act in found
            if not same(_left(act), seen := _headers(part(act.value, "request")))
        ],
        found,
    )


@register(CHECKS, "HLP-010")
def trace_headers_stay(reading: Reading) -> Found:
    """Inside a scope the trace headers are those that the intercepts left."""
    found = _outcomes(reading, inside=True)
    return judged(
        [
            Evidence(EVERY_LANE, "the trace headers stay", act.done, left, seen)
            for act in found
            if not same(
                left := _named(_left(act), *OWNED_HEADERS),
                seen := _named(_headers(part(act.value, "request")), *OWNED_HEADERS),
            )
        ],
        found,
    )


@register(CHECKS, "HLP-011")
def inside_a_scope_tracestate_is_removed(reading: Reading) -> Found:
    """Inside a scope a `tracestate` that the intercepts left is not in the outcome."""
    found = [act for act in _outcomes(reading, inside=True) if _named(_left(act), "tracestate")]
    return judged(
        [
            Evidence(EVERY_LANE, "tracestate is removed", act.done, {}, seen)
            for act in found
            if (seen := _named(_headers(part(act.value, "request")), "tracestate"))
        ],
        found,
    )


@register(CHECKS, "HLP-012")
def the_outcome_is_the_chains(reading: Reading) -> Found:
    """Request, annotation and marks of the outcome are what well-formed ones came to, but for the runtime's headers."""
    every = [act for inside in (True, False) for act in _outcomes(reading, inside=inside)]
    found = [act for act in every if all(fault_of(reading, run) is None for run in act.runs)]
    return judged(
        [
            Evidence(EVERY_LANE, "the outcome is the chain's", act.done, expected, seen)
            for act in found
            if not same(expected := _reached(act), seen := _reported(reading, act))
        ],
        found,
    )


def _reached(act: Act) -> Json:
    reply = act.runs[-1].reply if act.runs else {"request": act.step["request"]}
    return {
        "headers": _others(_left(act)),
        "content": part(reply, "request", "content"),
        "annotated_request": part(reply, "annotated_request"),
        "marks": [_stated(mark) for run in act.runs for mark in marks_of(run.reply)],
    }


def _reported(reading: Reading, act: Act) -> Json:
    value = reading.spelling.canonical_helper(act.value)
    return {
        "headers": _others(_headers(part(value, "request"))),
        "content": part(value, "request", "content"),
        "annotated_request": part(value, "annotated_request"),
        "marks": [_stated(mark) for mark in marks_of(value)],
    }


def _stated(mark: Json) -> Json:
    """Return what a mark states: what it leaves out is null, and of a data schema only name and version arrive."""
    found = {key: value for key, value in mark.items() if value is not None}
    if "severity" in found:
        found["severity"] = severity_named(found["severity"])
    for key, members in (("category_profile", None), ("data_schema", ("name", "version"))):
        if isinstance(found.get(key), dict):
            own = found[key].items()
            found[key] = {name: it for name, it in own if it is not None and (members is None or name in members)}
    return found


def _others(headers: dict[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in headers.items() if name.lower() not in (*OWNED_HEADERS, *SESSIONS)}
