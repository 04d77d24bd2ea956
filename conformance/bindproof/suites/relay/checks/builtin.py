"""Checks of the chapter *Request authority* (AUT) about built-in codecs: what they read, and what they write back."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, PROGRAM, Check, Found, judged, must_fail, part, register
from bindproof.suites.relay.checks.malformed import all_well_formed
from bindproof.suites.relay.checks.provider_forms import NEWER, OCI, conversation, portable
from bindproof.suites.relay.observation.reading import LlmCall, Reading

CHECKS: dict[str, Check] = {}


def _annotations(call: LlmCall) -> tuple[Json, Json]:
    """Return what the first intercept was given as annotation, and what the last one left."""
    if not call.intercepts:
        return None, None
    return call.intercepts[0].given.get("annotated_request"), part(call.final, "annotated_request")


def _reached(reading: Reading, *, edited: bool) -> list[LlmCall]:
    found = [call for call in reading.builtin if call.executions and call.requested is not None]
    return [call for call in found if same(*_annotations(call)) is not edited]


@register(CHECKS, "AUT-010")
def what_nobody_edits_stays(reading: Reading) -> Found:
    """Where no intercept changed the annotation, the provider is given the caller's content."""
    found = _reached(reading, edited=False)
    return judged(
        [
            Evidence(EVERY_LANE, "what nobody edits stays", one.entered, call.requested["content"], body)
            for call in found
            for one in call.executions[:1]
            if not same(call.requested["content"], body := part(one.given, "request", "content"))
        ],
        found,
    )


@register(CHECKS, "AUT-011")
def an_edit_changes_its_part_alone(reading: Reading) -> Found:
    """What is read of the provider's body is the final annotation; what the edit does not speak of is the caller's."""
    found = _reached(reading, edited=True)
    return judged([evidence for call in found for evidence in _edited(call)], found)


def _edited(call: LlmCall) -> Iterator[Evidence]:
    codec, one, content = call.step["codec"], call.executions[0], call.requested["content"]
    body = part(one.given, "request", "content")
    for text, expected, seen in miswritten(codec, *_annotations(call), content, body):
        yield Evidence(EVERY_LANE, text, one.entered, expected, seen)


def miswritten(codec: str, before: Json, after: Json, content: Json, body: Json) -> Iterator[tuple[str, Json, Json]]:
    """Yield what is wrong with the body into which an edited annotation was written (AUT-011): what, wanted, found.

    before: what was read of the content. after: what the annotation was edited to.
    """
    seen = portable(codec, body)
    if not same(after, seen):
        yield "the body says what the annotation says", after, seen
        return
    had, has = conversation(codec, content), conversation(codec, body)
    if same(part(before, "messages"), after["messages"]) and not same(had, has):
        yield "an edit changes its part alone", had, has


@register(CHECKS, "AUT-012")
def annotations_have_one_form(reading: Reading) -> Found:
    """The first intercept is given what is read of the caller's content; the codec does not fail at what it reads."""
    return _have_their_form([call for call in reading.builtin if call.step["codec"] not in NEWER])


@register(CHECKS, "AUT-023")
def annotations_of_newer_codecs_have_their_form(reading: Reading) -> Found:
    """As AUT-012, of Gemini and OCI."""
    return _have_their_form([call for call in reading.builtin if call.step["codec"] in NEWER])


def _have_their_form(calls: list[LlmCall]) -> Found:
    found = [(call, call.intercepts[0]) for call in calls if call.intercepts and call.requested is not None]
    unread = [call for call in calls if _is_unread(call)]
    evidence = [
        Evidence(PROGRAM, "the annotation's form", one.entered, expected, seen)
        for call, one in found
        if not same(
            expected := portable(call.step["codec"], call.requested["content"]),
            seen := one.given.get("annotated_request"),
        )
    ]
    evidence += [
        Evidence(EVERY_LANE, "the content can be read, yet the codec failed", call.done, None, call.error)
        for call in unread
    ]
    return judged(evidence, [*found, *unread])


def _is_unread(call: LlmCall) -> bool:
    """Tell whether a codec failed at a content that it has to read, before anybody could spoil the annotation."""
    if call.requested is None or call.intercepts or (call.error or {}).get("kind") != "codec_failed":
        return False
    return portable(call.step["codec"], call.requested["content"]) is not None


@register(CHECKS, "AUT-013")
def what_the_provider_cannot_take_fails_the_call(reading: Reading) -> Found:
    """An annotation with another provider's component, or instructions that have no place, fails the call."""
    return _are_refused(reading, [call for call in reading.builtin if _is_foreign(*_said(call)[:2])])


@register(CHECKS, "AUT-025")
def what_gemini_and_oci_cannot_take_fails_the_call(reading: Reading) -> Found:
    """Instructions, or under OCI another model, fail the call."""
    return _are_refused(reading, [call for call in reading.builtin if _has_no_place(*_said(call))])


def _are_refused(reading: Reading, calls: list[LlmCall]) -> Found:
    found = [call for call in calls if call.intercepts and all_well_formed(reading, call)]
    return judged([evidence for call in found for evidence in _refused(call, "the provider cannot be told so")], found)


def _said(call: LlmCall) -> tuple[str, Json, Json]:
    """Return a call's built-in codec, its final annotation, and the content into which that is to be written."""
    return call.step["codec"], part(call.final, "annotated_request"), part(call.requested, "content")


def cannot_be_said(call: LlmCall) -> bool:
    """Tell whether the final annotation of a call with a built-in codec has what its provider cannot take."""
    return cannot_be_written(*_said(call))


def cannot_be_written(codec: str, annotation: Json, content: Json) -> bool:
    """Tell whether an annotation has what the provider of this built-in codec cannot take (AUT-013, AUT-025).

    content: the request's, into which it is to be written.
    """
    return _is_foreign(codec, annotation) or _has_no_place(codec, annotation, content)


def _is_foreign(codec: str, annotation: Json) -> bool:
    messages = part(annotation, "messages")
    foreign = isinstance(messages, list) and any(
        part(message, "role") == "provider_native" and part(message, "provider") != codec for message in messages
    )
    return foreign or (codec == "openai_chat" and part(annotation, "instructions") is not None)


def _has_no_place(codec: str, annotation: Json, content: Json) -> bool:
    if codec not in NEWER or annotation is None:
        return False
    moved = codec == OCI and not same(part(annotation, "model"), part(portable(codec, content), "model"))
    return moved or part(annotation, "instructions") is not None


@register(CHECKS, "AUT-014")
def what_cannot_be_read_fails_the_call(reading: Reading) -> Found:
    """A content that is no request of the provider's fails the call, before any intercept."""
    found = [
        call
        for call in reading.builtin
        if call.requested is not None and portable(call.step["codec"], call.requested["content"]) is None
    ]
    evidence = [one for call in found for one in _refused(call, "the content cannot be read")]
    ran = [one for call in found for one in call.intercepts[:1]]
    return judged(
        evidence + [Evidence(EVERY_LANE, "nothing runs before", one.entered, None, one.callback) for one in ran], found
    )


def _refused(call: LlmCall, why: str) -> Iterator[Evidence]:
    yield from must_fail(call, "codec_failed", why)
    for one in call.executions[:1]:
        yield Evidence(EVERY_LANE, f"{why}, yet the provider was called", one.entered, None, one.given)
    for subscriber, life in call.lives.items():
        for index, event in life.events()[:1]:
            yield Evidence(subscriber, f"{why}, yet an event was emitted", index, None, event)
