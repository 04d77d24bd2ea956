"""Checks of the chapter *LLM request outcomes* (OUT)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import UNSET

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.builtin import cannot_be_said
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    PROGRAM,
    Check,
    Found,
    accepted,
    failed_of_an_outcome,
    free_headers,
    judged,
    must_fail,
    nothing_after,
    part,
    refused_outcome,
    register,
)
from bindproof.suites.relay.checks.malformed import all_well_formed, fault_of, offends
from bindproof.suites.relay.checks.severities import severity_named
from bindproof.suites.relay.observation.reading import Entry, LlmCall, Reading, marks_of

CHECKS: dict[str, Check] = {}


def refusals_of(reading: Reading, requirement: str, why: str) -> Found:
    """Judge every reply that this requirement says must be refused; None when there is none."""
    found = [(call, one) for call, one in reading.replies if fault_of(reading, one) == requirement]
    return [evidence for call, one in found for evidence in refused_outcome(call, one, why)] if found else None


@register(CHECKS, "OUT-001")
def request_is_required(reading: Reading) -> Found:
    """An outcome is an object with a request; anything else is refused."""
    return refusals_of(reading, "OUT-001", "the outcome states no request")


@register(CHECKS, "OUT-002")
def annotation_defaults_to_null(reading: Reading) -> Found:
    """After an outcome without `annotated_request` the next intercept is given null."""
    found = [
        (one, after) for call, one, after in reading.followed if not call.codec and _lacks(one, "annotated_request")
    ]
    if not found:
        return None
    return [
        Evidence(PROGRAM, "an omitted annotation is null", after.entered, None, seen)
        for _, after in found
        if (seen := after.given.get("annotated_request", "absent")) is not None
    ]


@register(CHECKS, "OUT-003")
def marks_default_to_none(reading: Reading) -> Found:
    """An outcome without `pending_marks` is accepted as one with an empty list."""
    calls = [
        call
        for call in reading.calls
        if any(_lacks(one, "pending_marks") for one in call.intercepts)
        and not any(one.replied and fault_of(reading, one) for one in call.intercepts)
    ]
    if not calls:
        return None
    return [
        Evidence(EVERY_LANE, "omitted pending marks are an empty list", call.done, None, call.error)
        for call in calls
        if failed_of_an_outcome(call)
    ]


def _lacks(one: Entry, key: str) -> bool:
    return one.replied and isinstance(one.reply, dict) and key not in one.reply


@register(CHECKS, "OUT-004")
def outcomes_feed_the_next(reading: Reading) -> Found:
    """The first intercept is given what the caller handed in, the next one what the outcome before it has."""
    found = [
        (one, after)
        for call, one, after in reading.followed
        if one.replied and fault_of(reading, one) is None and not (call.codec and offends(one))
    ]
    asked = [call for call in reading.calls if call.intercepts]
    fed = [evidence for one, after in found for evidence in _fed(one, after)]
    return judged([*(evidence for call in asked for evidence in _asked(call)), *fed], asked)


def _asked(call: LlmCall) -> Iterator[Evidence]:
    """Yield what of the call the intercepts are given otherwise; what a codec decodes is AUT-007's."""
    for one in call.intercepts:
        if one.given.get("name") != call.step["name"]:
            text = "an intercept is given the call's name"
            yield Evidence(PROGRAM, text, one.entered, call.step["name"], one.given.get("name"), at="/given/name")
    first, requested = call.intercepts[0], call.requested
    if requested is not None and not same(first.given.get("request"), requested):
        text = "the first intercept is given the caller's request"
        yield Evidence(PROGRAM, text, first.entered, requested, first.given.get("request"), at="/given/request")
    if not call.codec and first.given.get("annotated_request") is not None:
        text = "without a codec there is no annotation"
        yield Evidence(PROGRAM, text, first.entered, None, first.given["annotated_request"])


def _fed(one: Entry, after: Entry) -> Iterator[Evidence]:
    for key in ("request", "annotated_request"):
        if key in one.reply and not same(one.reply[key], after.given.get(key)):
            text = f"the next intercept is given the accepted {key}"
            yield Evidence(PROGRAM, text, after.entered, one.reply[key], after.given.get(key))


@register(CHECKS, "OUT-005")
def ascending_priority(reading: Reading) -> Found:
    """Intercepts of one call run by priority, then by name."""
    found = [call for call in reading.calls if len(call.intercepts) > 1]
    return [evidence for call in found for evidence in _ordered(reading, call)] if found else None


def _ordered(reading: Reading, call: LlmCall) -> Iterator[Evidence]:
    """What has equal priority on different levels is MID-003's, and a plugin gives its own names."""
    plugins = {act.step["as"] for act in reading.transcript.of_kind("register") if act.plugin}
    for one, after in combinations(call.intercepts, 2):
        first, second = (one.step["priority"], one.step["name"]), (after.step["priority"], after.step["name"])
        named = one.step["scope"] == after.step["scope"] and plugins.isdisjoint((one.callback, after.callback))
        if first[0] > second[0] or (named and first > second):
            also = tuple(at for each in call.intercepts for at in (each.entered, each.left) if at is not None)
            spans = tuple(f"{call.step['as']}/{each.callback}" for each in call.intercepts)
            text = "intercepts run by priority, then name"
            yield Evidence(PROGRAM, text, after.entered, list(second), list(first), also=also, about=spans)
            return


@register(CHECKS, "OUT-006")
def breaking_ends_the_chain(reading: Reading) -> Found:
    """After an outcome of a breaking intercept no other intercept runs."""
    found = [
        (call, one)
        for call, one in reading.replies
        if reading.intercepts[one.callback]["break_chain"] and fault_of(reading, one) is None
    ]
    if not found:
        return None
    return [
        Evidence(EVERY_LANE, "the chain ended here", later.entered, None, later.callback)
        for call, one in found
        for later in call.intercepts[call.intercepts.index(one) + 1 :][:1]
    ]


@register(CHECKS, "OUT-007")
def a_failing_intercept_fails_the_call(reading: Reading) -> Found:
    """When an intercept raises, the step fails with it and nothing of the call happens."""
    found = [(call, one) for call in reading.calls for one in call.intercepts if one.raised is not None]
    return [evidence for call, one in found for evidence in _failed(call, one)] if found else None


def _failed(call: LlmCall, one: Entry) -> Iterator[Evidence]:
    yield from must_fail(call, "callback_raised", "an intercept failed")
    yield from nothing_after(call, one, "an intercept failed")


@register(CHECKS, "OUT-008")
def malformed_outcomes_are_refused(reading: Reading) -> Found:
    """A field of the wrong type makes the outcome malformed: it is refused before any lifecycle."""
    return refusals_of(reading, "OUT-008", "the outcome is malformed")


@register(CHECKS, "OUT-009")
def helper_returns_the_whole_outcome(reading: Reading) -> Found:
    """The helper gives the final request and annotation and all marks, each with every field."""
    done = [call for call in reading.helpers if call.error is None and call.done is not None]
    found = [call for call in done if all_well_formed(reading, call) and part(call.final, "request") is not None]
    return [evidence for call in found for evidence in _whole(reading, call)] if found else None


def _whole(reading: Reading, call: LlmCall) -> Iterator[Evidence]:
    final = call.final
    expected = {
        "request": part(final, "request"),
        "annotated_request": part(final, "annotated_request"),
        "pending_marks": [mark for one in accepted(call) for mark in marks_of(one.reply)],
    }
    for key, value in expected.items():
        seen = part(call.value, key)
        matches = _same_marks(value, seen) if key == "pending_marks" else same(_less_trace(value), _less_trace(seen))
        if not matches or not isinstance(call.value, dict) or key not in call.value:
            yield Evidence(PROGRAM, f"the helper returns the whole outcome: {key}", call.done, value, seen)
    fields = reading.forms["pending-mark"].keys
    for mark in marks_of(call.value):
        unset = {key for key in fields if key not in mark}
        if unset:
            text = "each mark of the helper's outcome has every field"
            yield Evidence(PROGRAM, text, call.done, sorted(fields), sorted(mark))
    if isinstance(call.value, dict) and not reading.forms["outcome"].keys <= call.value.keys():
        text = "the helper's outcome has every field"
        yield Evidence(PROGRAM, text, call.done, sorted(reading.forms["outcome"].keys), sorted(call.value))


def _less_trace(value: Json) -> Json:
    """Return a request without the headers that are the runtime's: HLP-009 to HLP-012 are about those."""
    headers = part(value, "headers")
    return {**value, "headers": free_headers(headers)} if isinstance(headers, dict) else value


def _same_marks(expected: list[Json], seen: Json) -> bool:
    if not isinstance(seen, list) or len(seen) != len(expected):
        return False
    return all(
        isinstance(given, dict)
        and all(key in given and _same_field(value, given[key]) for key, value in mark.items() if key != "severity")
        and severity_named(mark.get("severity")) == severity_named(given.get("severity"))
        for mark, given in zip(expected, seen, strict=True)
    )


def _same_field(expected: Json, seen: Json) -> bool:
    if isinstance(expected, dict) and isinstance(seen, dict):
        return all(key in seen and same(value, seen[key]) for key, value in expected.items() if value is not None)
    return same(expected, seen)


@register(CHECKS, "OUT-010")
def helper_emits_nothing(reading: Reading) -> Found:
    """The marks of a helper's outcome are not emitted, nor is any event of an LLM call that nobody made."""
    helpers = reading.helpers
    if not helpers:
        return None
    names = {mark.get("name") for call in helpers for mark in call.pending_marks} | {c.step["name"] for c in helpers}
    return [
        Evidence(subscriber, "the helper emits nothing", index, None, event)
        for subscriber, (index, event) in reading.unowned
        if event.get("name") in names
    ]


@register(CHECKS, "OUT-011")
def unknown_keys_are_refused(reading: Reading) -> Found:
    """An outcome with a key that is not its own is refused."""
    return refusals_of(reading, "OUT-011", "the outcome has an unknown key")


@register(CHECKS, "OUT-013")
def well_formed_outcomes_are_accepted(reading: Reading) -> Found:
    """A step whose intercepts all reply with well-formed outcomes, and keep a codec's authority, is not refused."""
    found = [
        call
        for call in reading.calls
        if call.intercepts and all(_is_lawful(reading, call, one) for one in call.intercepts)
        if not (call in reading.builtin and cannot_be_said(call))  # AUT-013
        if not any(act.step["odd"] for act in reading.transcript.of_kind("register"))  # MID-020: it leaves no record
    ]
    if not found:
        return None
    text = "a well-formed outcome is accepted"
    return [
        Evidence(EVERY_LANE, text, call.done, "no refusal", call.error, about=(call.step["as"],))
        for call in found
        if call.error is not None and not call.executions and not call.encodes
    ]


def _is_lawful(reading: Reading, call: LlmCall, one: Entry) -> bool:
    return one.replied and fault_of(reading, one) is None and not (call.codec and offends(one))


@register(CHECKS, "OUT-012")
def the_original_exception_reaches_the_caller(reading: Reading) -> Found:
    """The caller is given the very exception that an intercept or the provider raised."""
    found = [
        (call, callback)
        for call in reading.calls
        if call.error is not None and not call.act.stood
        for callback in [_raising(reading, call)]
        if callback is not None
    ]
    return judged(
        [
            Evidence(PROGRAM, "the caller is given the exception itself", call.done, callback, call.error)
            for call, callback in found
            if call.error["same_as"] != callback
        ],
        found,
    )


def _raising(reading: Reading, call: LlmCall) -> str | None:
    """Return the callback whose exception failed a call or helper: the outermost of its execution, else an intercept.

    None where there is none, and where a collector failed: whose error its reader gets is STR-010's.
    """
    if any(run.part == "collector" and run.raised is not None for run in call.act.everything):
        return None
    for run in (*call.executions[:1], *reversed(call.intercepts)):
        over = run.over[1].raised if run.over is not None else UNSET
        raised = run.raised if over is UNSET else str(over)
        callback = next((by for text, by in reading.raises.items() if text and text in (raised or "")), None)
        if callback is not None:
            return callback
    return None
