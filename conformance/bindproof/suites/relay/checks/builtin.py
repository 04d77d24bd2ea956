"""Checks of the chapter *Request authority* (AUT) about built-in codecs: what they read, and what they write back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, PROGRAM, Check, Found, judged, must_fail, part, register
from bindproof.suites.relay.checks.malformed import all_well_formed
from bindproof.suites.relay.observation.reading import LlmCall, Reading

CHECKS: dict[str, Check] = {}


class Places(NamedTuple):
    """Members of a provider's request: its conversation, and its instructions where they are no message."""

    turns: str
    instructions: str = ""


PLACES = {
    "openai_chat": Places("messages"),
    "openai_responses": Places("input", "instructions"),
    "anthropic_messages": Places("messages", "system"),
}
SETTINGS = ("temperature", "max_tokens")


def portable(codec: str, content: Json) -> Json:
    """Return what an annotation has to say of a provider's request (AUT-012), or None for another value (AUT-014)."""
    places = PLACES[codec]
    turns = part(content, places.turns)
    if codec == "openai_responses" and isinstance(turns, str):
        turns = [{"role": "user", "content": turns}]
    if not isinstance(turns, list) or not isinstance(content.get("model", ""), str):
        return None
    settings = {name: content[name] for name in SETTINGS if name in content}
    rest = {name: value for name, value in content.items() if name not in (*SETTINGS, *places)}
    found = {"messages": turns, "api_specific": {"api": codec}, **rest}
    if places.instructions in content:
        found["instructions"] = content[places.instructions]
    return found | ({"params": settings} if settings else {})


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
    turns = PLACES[codec].turns
    if same(part(before, "messages"), after["messages"]) and not same(content[turns], body[turns]):
        yield "an edit changes its part alone", content[turns], body[turns]


@register(CHECKS, "AUT-012")
def annotations_have_one_form(reading: Reading) -> Found:
    """The first intercept is given what is read of the caller's content; the codec does not fail at what it reads."""
    found = [(call, call.intercepts[0]) for call in reading.builtin if call.intercepts and call.requested is not None]
    unread = [call for call in reading.builtin if _is_unread(call)]
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
    found = [
        call for call in reading.builtin if call.intercepts and all_well_formed(reading, call) and cannot_be_said(call)
    ]
    return judged([evidence for call in found for evidence in _refused(call, "the provider cannot be told so")], found)


def cannot_be_said(call: LlmCall) -> bool:
    """Tell whether the final annotation of a call with a built-in codec has what its provider cannot take."""
    return is_foreign(call.step["codec"], part(call.final, "annotated_request"))


def is_foreign(codec: str, annotation: Json) -> bool:
    """Tell whether an annotation has what the provider of this built-in codec cannot take (AUT-013)."""
    messages = part(annotation, "messages")
    foreign = isinstance(messages, list) and any(
        part(message, "role") == "provider_native" and part(message, "provider") != codec for message in messages
    )
    return foreign or (not PLACES[codec].instructions and part(annotation, "instructions") is not None)


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
