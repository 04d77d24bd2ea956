"""Checks of the chapter *Request authority* (AUT)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.codecs import decodes_out_of_place, encodes_out_of_place
from bindproof.suites.relay.checks.common import (
    CREDENTIALS,
    EVERY_LANE,
    PROGRAM,
    Check,
    Found,
    apart,
    free_headers,
    judged,
    must_fail,
    nothing_after,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.lifecycle import encoded_alone, object_of
from bindproof.suites.relay.checks.malformed import all_well_formed, content_changed, fault_of, offends
from bindproof.suites.relay.observation.reading import Entry, LlmCall, Reading

CHECKS: dict[str, Check] = {}


@register(CHECKS, "AUT-001")
def content_is_the_body_without_a_codec(reading: Reading) -> Found:
    """Without a codec the provider is given the final outcome's content."""
    found = [call for call in reading.reached if not call.codec and part(call.final, "request") is not None]
    if not found:
        return None
    text, at = "the body is the outcome's content", "/given/request/content"
    return [
        Evidence(PROGRAM, text, one.entered, expected, seen, place)
        for call in found
        for one in call.executions[:1]
        for place, expected, seen in apart(
            part(call.final, "request", "content"), part(one.given, "request", "content"), at
        )
    ]


@register(CHECKS, "AUT-002")
def the_encoded_annotation_is_the_body(reading: Reading) -> Found:
    """With a codec the final annotation is encoded, once and in time, and the provider is given what came of it."""
    found = [call for call in reading.scripted if call.executions or call.encodes]
    astray = list(encodes_out_of_place(reading))
    return judged([*(evidence for call in found for evidence in _encoded(call)), *astray], found or astray)


def _encoded(call: LlmCall) -> Iterator[Evidence]:
    if not call.encodes:
        at = call.executions[0].entered
        yield Evidence(EVERY_LANE, "the annotation is encoded before the provider is called", at)
        return
    encode = call.encodes[-1]
    annotation, seen = part(call.final, "annotated_request"), encode.given.get("annotated_request")
    if not same(annotation, seen):
        yield Evidence(PROGRAM, "the codec encodes the final annotation", encode.entered, annotation, seen)
    for provider in call.executions[:1]:
        body, given = part(encode.reply, "content"), part(provider.given, "request", "content")
        if not same(body, given):
            yield Evidence(PROGRAM, "the body is what the codec encoded", provider.entered, body, given)


@register(CHECKS, "AUT-003")
def headers_come_from_the_outcome(reading: Reading) -> Found:
    """The provider is given every header of the final outcome, and without a codec no other one."""
    found = [call for call in reading.reached if part(call.final, "request") is not None]
    return [evidence for call in found for evidence in _headers(call)] if found else None


def _headers(call: LlmCall) -> Iterator[Evidence]:
    provider = call.executions[0]
    seen = free_headers(part(provider.given, "request", "headers"))
    expected = free_headers(part(call.final, "request", "headers"))
    if call.codec and isinstance(seen, dict) and isinstance(expected, dict):  # what a codec adds is AUT-019's
        seen = {name: value for name, value in seen.items() if name in expected}
    if not same(expected, seen):
        yield Evidence(PROGRAM, "the headers are the outcome's", provider.entered, expected, seen)


@register(CHECKS, "AUT-019")
def headers_of_encode_are_kept(reading: Reading) -> Found:
    """Headers that encode adds are given to the provider, and shown by the start, and no others but the outcome's."""
    found = [(call, encoded_alone(call)) for call in reading.coded if call.executions]
    others = [evidence for one in found for evidence in _others(*one)]
    added = [one for one in found if one[1]]
    return judged([*others, *(evidence for one in added for evidence in _added(reading, *one))], added)


def _others(call: LlmCall, added: dict[str, Json]) -> Iterator[Evidence]:
    """Yield the headers that the provider is given and neither encode nor the outcome has."""
    seen = object_of(free_headers(part(call.executions[0].given, "request", "headers")))
    stated = part(call.final, "request", "headers")
    there = object_of(stated).keys() | added.keys()
    if isinstance(stated, dict) and (others := {name: value for name, value in seen.items() if name not in there}):
        yield Evidence(PROGRAM, "no other headers reach the provider", call.executions[0].entered, None, others)


def _added(reading: Reading, call: LlmCall, added: dict[str, Json]) -> Iterator[Evidence]:
    expected = free_headers(added)
    provider = call.executions[0]
    seen = object_of(part(provider.given, "request", "headers"))
    if not same(expected, kept := {name: seen[name] for name in expected if name in seen}):
        yield Evidence(PROGRAM, "headers that encode adds reach the provider", provider.entered, expected, kept)
    if start_is_rewritten(reading, call.act, "start.sanitize", "llm.sanitize_request"):
        return
    shown = {name: value for name, value in expected.items() if name.lower() not in CREDENTIALS}
    for subscriber, life in call.lives.items():
        for index, event in life.starts[:1]:
            seen = object_of(part(event, "data", "headers"))
            if not same(shown, kept := {name: seen[name] for name in shown if name in seen}):
                yield Evidence(subscriber, "headers that encode adds are shown", index, shown, kept)


def _changed(reading: Reading) -> list[tuple[LlmCall, Entry]]:
    """Well-formed replies under a codec whose content differs from what the intercept was given."""
    return [(call, one) for call, one in _offending(reading) if content_changed(one)]


def _unannotated(reading: Reading) -> list[tuple[LlmCall, Entry]]:
    """Those that leave the content alone and the annotation out."""
    return [(call, one) for call, one in _offending(reading) if not content_changed(one)]


def _offending(reading: Reading) -> list[tuple[LlmCall, Entry]]:
    """Well-formed replies that break a codec's authority."""
    return [
        (call, one)
        for call in reading.coded
        for one in call.intercepts
        if one.replied and fault_of(reading, one) is None and offends(one)
    ]


@register(CHECKS, "AUT-004")
def changed_content_is_refused(reading: Reading) -> Found:
    """With a codec a changed body is refused, and the error says so."""
    found = _changed(reading)
    why = "the content was changed under a codec"
    return [evidence for call, _ in found for evidence in must_fail(call, "content_changed", why)] if found else None


@register(CHECKS, "AUT-005")
def a_missing_annotation_is_refused(reading: Reading) -> Found:
    """With a codec an outcome without annotation is refused, and the error says so."""
    found = _unannotated(reading)
    why = "the annotation is missing under a codec"
    return [evidence for call, _ in found for evidence in must_fail(call, "annotation_missing", why)] if found else None


@register(CHECKS, "AUT-006")
def refusal_is_at_the_offending_intercept(reading: Reading) -> Found:
    """After such an outcome nothing of the call happens."""
    found = _offending(reading)
    why = "the outcome broke the codec's authority"
    return [evidence for call, one in found for evidence in nothing_after(call, one, why)] if found else None


@register(CHECKS, "AUT-007")
def intercepts_see_the_decoded_and_the_raw(reading: Reading) -> Found:
    """With a codec the first intercept is given what was decoded, once and in time, each one the caller's content."""
    found = [call for call in reading.scripted if call.intercepts or call.decodes]
    astray = list(decodes_out_of_place(reading))
    return judged([*(evidence for call in found for evidence in _given(call)), *astray], found or astray)


def _given(call: LlmCall) -> Iterator[Evidence]:
    if call.decodes and call.requested is not None:
        request = call.decodes[0].given.get("request")
        if not same(request, call.requested):
            text = "the codec is given the caller's request"
            yield Evidence(PROGRAM, text, call.decodes[0].entered, call.requested, request)
    if not call.intercepts:
        return
    first = call.intercepts[0]
    decoded = call.decodes[-1].reply if call.decodes else None
    if not same(decoded, first.given.get("annotated_request")):
        text = "the first intercept is given the decoded annotation"
        yield Evidence(PROGRAM, text, first.entered, decoded, first.given.get("annotated_request"))
    if call.requested is None:
        return
    content = call.requested["content"]
    for one in call.intercepts:
        if not same(content, part(one.given, "request", "content")):
            seen = part(one.given, "request", "content")
            yield Evidence(PROGRAM, "every intercept is given the caller's content", one.entered, content, seen)
            return


@register(CHECKS, "AUT-008")
def equal_content_is_no_change(reading: Reading) -> Found:
    """Content that equals what was given is accepted, however it was built."""
    found = [call for call in reading.coded if call.intercepts and all_well_formed(reading, call)]
    if not found or _changed(reading):
        return None
    return [
        Evidence(EVERY_LANE, "equal content is not a change", call.done, None, call.error)
        for call in found
        if part(call.error, "kind") == "content_changed"
    ]


@register(CHECKS, "AUT-009")
def a_failing_codec_fails_the_call(reading: Reading) -> Found:
    """When decode or encode raises, or answers with something else than its object.

    The call fails before any lifecycle.
    """
    found = [
        (call, one)
        for call in reading.coded
        for one in call.decodes + call.encodes
        if one.raised is not None or (one.left is not None and not _is_answer(one, decode=one in call.decodes))
    ]
    return [evidence for call, one in found for evidence in _codec_failed(call, one)] if found else None


def _is_answer(one: Entry, *, decode: bool) -> bool:
    if decode:
        return isinstance(one.reply, dict)
    return isinstance(part(one.reply, "headers"), dict) and isinstance(one.reply, dict) and "content" in one.reply


def _codec_failed(call: LlmCall, one: Entry) -> Iterator[Evidence]:
    yield from must_fail(call, "codec_failed", "the codec failed")
    for later in (call.executions + (call.intercepts if one in call.decodes else []))[:1]:
        yield Evidence(EVERY_LANE, "the codec failed, yet the call went on", later.entered, None, later.callback)
    for subscriber, life in call.lives.items():
        for index, event in life.events()[:1]:
            yield Evidence(subscriber, "the codec failed, yet an event was emitted", index, None, event)
