"""Checks of what a program says of a scope or a call as it starts or ends it: model, id, time, attributes, answer.

What it says of calls that it leaves to the binding is judged here too, where the rule is the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    CREDENTIALS,
    EVERY_LANE,
    Check,
    Found,
    judged,
    part,
    register,
    rewrites,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.events import as_was
from bindproof.suites.relay.checks.responses import is_readable, read
from bindproof.suites.relay.observation.null_answers import answer_of
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.spans import ToldSpan, all_spans, spans
from bindproof.suites.relay.observation.status import DESCRIPTION, STATUS
from bindproof.suites.relay.observation.transcript import Act, Event

CHECKS: dict[str, Check] = {}

MICROSECOND = 1000


@register(CHECKS, "LIF-012")
def the_model_is_in_the_profile(reading: Reading) -> Found:
    """The model of a call is `model_name` on its start and its end."""
    return _in_profiles(reading, "llm", "model", "model_name")


@register(CHECKS, "TOL-017")
def the_id_is_in_the_profile(reading: Reading) -> Found:
    """The id that a tool's call was made with stands in the profiles of its start and its end."""
    return _in_profiles(reading, "tool", "tool_call_id", "tool_call_id")


def _in_profiles(reading: Reading, kind: str, member: str, key: str) -> Found:
    found = [span for span in spans(reading.transcript, kind) if span.act.step[member] is not None]
    return judged(
        [
            Evidence(span.subscriber, f"the profile has {key}", index, span.act.step[member], seen)
            for span in found
            for index, event in as_was(reading, span)
            if (seen := part(event, "category_profile", key)) != span.act.step[member]
        ],
        found,
    )


def _ended(reading: Reading, *kinds: str) -> Iterator[tuple[ToldSpan, Act, Event]]:
    """Yield each end of what a program started and ended itself: the span, the step that ended it, the event."""
    for kind in kinds:
        for span in spans(reading.transcript, kind):
            steps = [act for act in ends_of(reading.transcript, span.act) if act.error is None]
            if span.act.step["step"] == "start":
                yield from ((span, act, event) for act, event in zip(steps, span.ends, strict=False))


@register(CHECKS, "EVT-036")
def an_end_shows_what_it_was_given(reading: Reading) -> Found:
    """The end of a call that a program ends has the answer as its data, and where that is null the data given."""
    found = [
        (at, event, answer_of(act.step))
        for span, act, (at, event) in _ended(reading, "llm", "tool")
        if not rewrites(reading, act.done, "end.sanitize", f"{span.act.step['kind']}.sanitize_response")
        if "$get" not in str(act.step["output"])
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the end shows what the call was ended with", at, given, event.get("data"))
            for at, event, given in found
            if not same(given, event.get("data"))
        ],
        found,
    )


@register(CHECKS, "EVT-042")
def a_start_shows_what_it_was_given(reading: Reading) -> Found:
    """The start of a call that a program starts has the tool's arguments as its data, or the LLM's request."""
    found = [
        (at, event.get("data"), span.act.step)
        for kind in ("llm", "tool")
        for span in spans(reading.transcript, kind)
        if span.act.step["step"] == "start" and "$get" not in str(span.act.step)
        if not start_is_rewritten(reading, span.act, "start.sanitize", f"{kind}.sanitize_request")
        for at, event in [span.start]
    ]
    pairs = [
        (at, step["args"], data) if step["kind"] == "tool" else (at, _shown(step["request"]), _shown(data))
        for at, data, step in found
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the start shows what the call was given", at, given, seen)
            for at, given, seen in pairs
            if not same(given, seen)
        ],
        found,
    )


def _shown(request: Json) -> Json:
    """Return what of a request is no credential: its content and its other headers."""
    headers = part(request, "headers")
    if isinstance(headers, dict):
        headers = {name: value for name, value in headers.items() if name.lower() not in CREDENTIALS}
    return {"headers": headers, "content": part(request, "content")}


@register(CHECKS, "EVT-037")
def a_given_time_is_told(reading: Reading) -> Found:
    """The time of a start, an end or a mark is the one that the program gave it."""
    found = list(_timed(reading))
    return judged(
        [
            Evidence(EVERY_LANE, "the time is the given one", at, given, event.get("timestamp"))
            for at, event, given in found
            if event.get("timestamp") != given
        ],
        found,
    )


def _timed(reading: Reading) -> Iterator[tuple[int, Json, int]]:
    """Yield each event that a program gave a time: where, the event, the time in nanoseconds since 1970."""
    for span in all_spans(reading.transcript):
        if span.act.step.get("timestamp") is not None:
            yield *span.start, span.act.step["timestamp"] * MICROSECOND
    for _, act, event in _ended(reading, "scope", "llm", "tool"):
        if act.step["timestamp"] is not None:
            yield *event, act.step["timestamp"] * MICROSECOND
    for act, events in reading.deliveries.marked.items():
        if act.step["timestamp"] is not None:
            yield from ((*event, act.step["timestamp"] * MICROSECOND) for event in events.values())


@register(CHECKS, "EVT-038")
def attributes_are_told(reading: Reading) -> Found:
    """The attributes of a start are those that were given, each once, in alphabetical order."""
    found = all_spans(reading.transcript)
    return judged(
        [
            Evidence(EVERY_LANE, "the attributes are the given ones", at, expected, event.get("attributes"))
            for span in found
            for at, event in [span.start]
            if not same(expected := sorted(span.act.step["attributes"]), event.get("attributes"))
        ],
        found,
    )


@register(CHECKS, "EVT-039")
def an_end_has_the_annotation(reading: Reading) -> Found:
    """The end of an LLM call that a program ends has the annotation given, else what the response codec reads."""
    found = [
        (at, event, act.step)
        for _, act, (at, event) in _ended(reading, "llm")
        if act.step["annotation"] is not None or act.step["response_codec"] is not None
        if event.get("data") is not None and not rewrites(reading, act.done, "end.sanitize")
        if same(event["data"], answer_of(act.step)) or not rewrites(reading, act.done, "llm.sanitize_response")
    ]
    return judged([evidence for one in found for evidence in _annotated(*one)], found)


@register(CHECKS, "EVT-045")
def an_annotation_goes_with_its_answer(reading: Reading) -> Found:
    """The annotation given is not on an end without data, or whose data a sanitizer changed: the codec's is there."""
    found = _annotated_without_the_answer(reading)
    return judged(
        [evidence for at, event, step in found for evidence in _annotated(at, event, {**step, "annotation": None})]
        + [
            Evidence(EVERY_LANE, "the annotation goes with its answer", at, None, seen)
            for at, event, step in found
            if not _is_read(step, event.get("data"))
            if (seen := part(event, "category_profile", "annotated_response")) is not None
        ],
        found,
    )


@register(CHECKS, "EVT-046")
def an_annotation_stands_by_itself(reading: Reading) -> Found:
    """The annotation given is on the end, whatever its data are."""
    found = _annotated_without_the_answer(reading)
    return judged([evidence for one in found for evidence in _annotated(*one)], found)


def _annotated_without_the_answer(reading: Reading) -> list[tuple[int, Json, Json]]:
    """Return each end of an annotated LLM call whose data are null or changed: where, the event, the step."""
    return [
        (at, event, act.step)
        for _, act, (at, event) in _ended(reading, "llm")
        if act.step["annotation"] is not None and "$get" not in str(act.step["output"])
        if not rewrites(reading, act.done, "end.sanitize")
        if (answer_of(act.step) is None and event.get("data") is None)
        or (not same(event.get("data"), answer_of(act.step)) and rewrites(reading, act.done, "llm.sanitize_response"))
    ]


def _annotated(at: int, event: Json, step: Json) -> Iterator[Evidence]:
    seen = part(event, "category_profile", "annotated_response")
    if step["annotation"] is not None:
        if not same(step["annotation"], seen):
            yield Evidence(EVERY_LANE, "the end has the annotation given", at, step["annotation"], seen)
        return
    codec, answer = step["response_codec"], event.get("data")
    for name, wanted in read(codec, answer) if _is_read(step, answer) else ():
        if not same(part(seen, *name.split(".")), wanted):
            yield Evidence(EVERY_LANE, f"{name} of the answer", at, wanted, part(seen, *name.split(".")))


def _is_read(step: Json, answer: Json) -> bool:
    """Tell whether the response codec that a step names, if any, can read an answer."""
    return step["response_codec"] is not None and is_readable(step["response_codec"], answer)


@register(CHECKS, "EVT-040")
def a_call_can_be_ended(reading: Reading) -> Found:
    """A program that ends a call that it has started is not refused, but for what its codec cannot read."""
    found = [act for act in _ends_of_calls(reading) if not _is_unreadable(act.step)]
    return judged(
        [
            Evidence(EVERY_LANE, "a call that was started can be ended", act.done, None, act.error)
            for act in found
            if act.error is not None
        ],
        found,
    )


def _ends_of_calls(reading: Reading) -> list[Act]:
    calls = {
        act.step["as"]
        for act in reading.transcript.of_kind("start")
        if act.step["kind"] != "scope" and act.error is None and act.done is not None
    }
    return [act for act in reading.transcript.of_kind("end") if act.step["of"] in calls and act.done is not None]


def _is_unreadable(step: Json) -> bool:
    """Tell whether a step ends a call with what the response codec that it names cannot read."""
    named = step["response_codec"] is not None and step["annotation"] is None
    return named and not _is_read(step, answer_of(step))


@register(CHECKS, "EVT-041")
def what_cannot_be_read_ends_a_call(reading: Reading) -> Found:
    """An end by hand whose response codec cannot read the answer is not refused, and has no annotation."""
    found = [act for act in _ends_of_calls(reading) if _is_unreadable(act.step)]
    told = [
        (at, seen)
        for _, act, (at, event) in _ended(reading, "llm")
        if _is_unreadable(act.step) and not rewrites(reading, act.done, "end.sanitize", "llm.sanitize_response")
        for seen in [part(event, "category_profile", "annotated_response")]
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "what cannot be read ends a call too", act.done, None, act.error)
            for act in found
            if act.error is not None
        ]
        + [
            Evidence(EVERY_LANE, "the end says nothing of what cannot be read", at, None, seen)
            for at, seen in told
            if seen is not None
        ],
        found,
    )


@register(CHECKS, "EVT-044")
def a_block_says_how_it_went(reading: Reading) -> Found:
    """The end of a block has the status OK, and where the block raised ERROR and what that says."""
    found = [
        (at, event, act.step["raises"])
        for span, act, (at, event) in _ended(reading, "scope")
        if span.act.step["block"] and not rewrites(reading, act.done, "end.sanitize", "event.metadata")
    ]
    return judged([evidence for one in found for evidence in _how_it_went(*one)], found)


def _how_it_went(at: int, event: Json, raised: str | None) -> Iterator[Evidence]:
    status, expected = part(event, "metadata", STATUS), "OK" if raised is None else "ERROR"
    if status != expected:
        yield Evidence(EVERY_LANE, "the status of a block's end", at, expected, status)
    said = part(event, "metadata", DESCRIPTION)
    if raised is not None and raised not in str(said):
        yield Evidence(EVERY_LANE, "a block's end says what was raised", at, raised, said)
