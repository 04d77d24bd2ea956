"""Checks of the chapter *Managed LLM lifecycle* (LIF)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    AGENT_HEADERS,
    CREDENTIALS,
    EVERY_LANE,
    PROGRAM,
    Check,
    Found,
    end_is_rewritten,
    is_cancelled,
    judged,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.provider_forms import portable
from bindproof.suites.relay.observation.published import payloads
from bindproof.suites.relay.observation.reading import Event, Life, LlmCall, Reading
from bindproof.suites.relay.observation.status import STATUS
from bindproof.suites.relay.observation.transcript import EXECUTING, plain

CHECKS: dict[str, Check] = {}

LEAST_NS = 1000


@register(CHECKS, "LIF-001")
def one_start_and_one_end(reading: Reading) -> Found:
    """A call has one start and one end that agree in uuid, name and parent."""
    found = [(call, sub, life) for call, sub, life in reading.lived if call.lives and _is_over(reading, call)]
    return judged([evidence for one in found for evidence in _paired(*one)], found)


def _is_over(reading: Reading, call: LlmCall) -> bool:
    """Tell whether a call has to have ended: a cancelled one ends as FLT-011 says, a stream as STR-005 does."""
    running = any(stream.act is call.act and stream.runs_on() for stream in reading.streams)
    return not running and not is_cancelled(reading, call)


def _paired(call: LlmCall, subscriber: str, life: Life) -> Iterator[Evidence]:
    if not life.events():
        return  # LIF-008 speaks of a subscriber that was told nothing
    for name, events in (("start", life.starts), ("end", life.ends)):
        if len(events) != 1:
            record = events[0][0] if events else None
            yield Evidence(subscriber, f"a call has one {name}", record, 1, len(events))
            return
    start, end = life.starts[0][1], life.ends[0]
    for key in ("uuid", "name", "parent_uuid"):
        if start.get(key) != end[1].get(key):
            yield Evidence(subscriber, f"start and end agree in {key}", end[0], start.get(key), end[1].get(key))
    if start.get("name") != call.step["name"]:
        yield Evidence(
            subscriber, "events are named as the call", life.starts[0][0], call.step["name"], start.get("name")
        )


@register(CHECKS, "LIF-002")
def start_marks_end(reading: Reading) -> Found:
    """Every subscriber is told start, then marks, then end."""
    found = [(sub, life) for _, sub, life in reading.lived if life.starts and life.ends]
    return [evidence for subscriber, life in found for evidence in _in_order(subscriber, life)] if found else None


def _in_order(subscriber: str, life: Life) -> Iterator[Evidence]:
    lawful = life.starts + life.marks + life.contributions + life.chunks + life.ends
    for event, better in zip(life.events(), lawful, strict=True):
        if event is not better and _phase(event) != _phase(better):
            yield Evidence(subscriber, "start, then marks, then end", event[0], _phase(better), _phase(event))
            return


def _phase(event: Event) -> str:
    return "mark" if event[1].get("kind") == "mark" else str(event[1].get("scope_category"))


@register(CHECKS, "LIF-003")
def the_end_is_no_earlier_than_the_marks(reading: Reading) -> Found:
    """The end's time is at least the start's plus 1 µs."""
    found = [
        (sub, start, index, end)
        for _, sub, life in reading.lived
        if life.starts and life.ends
        for index, start, end in [(life.ends[0][0], _time(life.starts[0]), _time(life.ends[0]))]
        if isinstance(start, int) and isinstance(end, int)
    ]
    if not found:
        return None
    return [
        Evidence(subscriber, "the end is at start + 1 µs or later", index, start + LEAST_NS, end)
        for subscriber, start, index, end in found
        if end < start + LEAST_NS
    ]


def _time(event: Event) -> Json:
    return event[1].get("timestamp")


@register(CHECKS, "LIF-004")
def the_start_has_the_resolved_request(reading: Reading) -> Found:
    """The start's data is the request after interception and encoding, without what only the provider is given."""
    found = [
        (call, sub, event)
        for call, sub, life in reading.lived
        for event in life.starts[:1]
        if call.executions and part(call.final, "request") is not None
        if not start_is_rewritten(reading, call.act, "start.sanitize", "llm.sanitize_request")
    ]
    if not found:
        return None
    return [
        Evidence(subscriber, "the start's data is the resolved request", index, resolved(call), seen)
        for call, subscriber, (index, event) in found
        if not _same_request(
            resolved(call), seen := {k: part(event, "data", k) for k in ("headers", "content")}, encoded_alone(call)
        )
    ]


def _same_request(left: Json, right: Json, added: Json) -> bool:
    """Compare two requests but for the headers that others speak of.

    They name agents (LIF-017), hold credentials (LIF-026, LIF-027), or are those that a codec added (AUT-019).
    """
    less = {name.lower() for name in (*AGENT_HEADERS, *CREDENTIALS, *added)}
    return same(left["content"], right["content"]) and same(*(_less(one["headers"], less) for one in (left, right)))


def _less(headers: Json, names: set[str]) -> Json:
    if not isinstance(headers, dict):
        return headers
    return {name: value for name, value in headers.items() if name.lower() not in names}


def encoded_alone(call: LlmCall) -> dict[str, Json]:
    """The headers that a scripted codec answered with under names that the final outcome's have not."""
    encoded = part(call.encodes[-1].reply, "headers") if call.encodes else None
    own = object_of(part(call.final, "request", "headers"))
    return {name: value for name, value in object_of(encoded).items() if name not in own}


def resolved(call: LlmCall) -> Json:
    """The request that a call's own records say it resolved to."""
    headers, content = part(call.final, "request", "headers"), part(call.final, "request", "content")
    if call.encodes:
        encoded = call.encodes[-1].reply
        headers = {**object_of(part(encoded, "headers")), **object_of(headers)}
        content = part(encoded, "content")
    elif call.codec:  # a built-in one: what it makes of the content is AUT-010 and AUT-011
        content = part(call.executions[0].given, "request", "content")
    return {"headers": headers, "content": content}


def object_of(value: Json) -> dict[str, Json]:
    """Return an object, an empty one for any other value, of which others tell."""
    return value if isinstance(value, dict) else {}


@register(CHECKS, "LIF-005")
def the_provider_is_called_once_and_last(reading: Reading) -> Found:
    """A call that succeeds has called its provider once, after every intercept and the codec."""
    found = [call for call in reading.managed if call.intercepted]
    inside = [evidence for call in reading.managed for evidence in _early(call)]
    return [*inside, *(evidence for call in found for evidence in _provided(call))] if found or inside else None


def _early(call: LlmCall) -> Iterator[Evidence]:
    """Yield evidence for each execution that begins before an intercept, or the encoding, is over."""
    for one in call.intercepts + call.encodes:
        for inner in [run for run in one.inside if run.part in EXECUTING]:
            yield Evidence(EVERY_LANE, "the provider is called last", inner.entered, inner.callback, one.callback)


def _provided(call: LlmCall) -> Iterator[Evidence]:
    """What wraps the provider may call it more often, or not at all (MID-018)."""
    if not call.wrapped and len(call.executions) != 1:
        name = call.step["as"]
        spans = (f"{name}/{name}.provider",)
        yield Evidence(PROGRAM, "the provider is called once", call.done, 1, len(call.executions), about=spans)
    if not call.executions:
        return
    provider = call.executions[0]
    for one in call.intercepts + call.encodes:
        if (one.left or one.entered) > provider.entered:
            yield Evidence(PROGRAM, "the provider is called last", one.entered, provider.callback, one.callback)
            return


@register(CHECKS, "LIF-006")
def the_answer_is_the_providers(reading: Reading) -> Found:
    """The caller is given the provider's answer, and the end's data is it."""
    found = [call for call in _alone(reading) if call.executions[-1].returned]
    return judged([evidence for call in found for evidence in _answered(reading, call)], found)


def _alone(reading: Reading) -> list[LlmCall]:
    """The calls that nothing wraps, whose provider ran and that nobody cancelled: their answer is the provider's."""
    return [one for one in reading.reached if not one.wrapped and not one.streamed and not is_cancelled(reading, one)]


def _answered(reading: Reading, call: LlmCall) -> Iterator[Evidence]:
    answer = plain(call.executions[-1].reply)
    if call.error is not None:
        yield Evidence(EVERY_LANE, "the caller is given the provider's answer", call.done, answer, call.error)
    elif not same(answer, call.value):
        yield Evidence(PROGRAM, "the caller is given the provider's answer", call.done, answer, call.value)
    rewritten = end_is_rewritten(reading, call.act, "end.sanitize", "llm.sanitize_response")
    for subscriber, life in {} if rewritten else call.lives.items():
        for index, event in _of_a_start(life):
            if call.error is None and answer is not None and not same(answer, event.get("data")):
                yield Evidence(subscriber, "the end's data is the answer", index, answer, event.get("data"))


def _of_a_start(life: Life) -> list[Event]:
    """The ends of which the subscriber was told the start too: one alone is LIF-001's, and perhaps of another call."""
    return life.ends if life.starts else []


@register(CHECKS, "LIF-007")
def the_end_says_how_it_went(reading: Reading) -> Found:
    """The end's status is OK, or ERROR; a failing provider is an error for the caller."""
    found = _alone(reading)
    return judged([evidence for call in found for evidence in _status(reading, call)], found)


def _status(reading: Reading, call: LlmCall) -> Iterator[Evidence]:
    failed = call.executions[-1].raised is not None or call.executions[-1].refused
    if failed and call.error is None:
        yield Evidence(PROGRAM, "the caller is given the provider's error", call.done, "an error", call.value)
    expected = "ERROR" if failed else "OK"
    for subscriber, life in {} if end_is_rewritten(reading, call.act, "end.sanitize") else call.lives.items():
        for index, event in _of_a_start(life):
            seen = part(event, "metadata", STATUS)
            if seen != expected:
                yield Evidence(subscriber, "the end's status says how it went", index, expected, seen)


@register(CHECKS, "LIF-008")
def one_audience(reading: Reading) -> Found:
    """Each subscriber registered when interception ended is told of the call, later ones are told nothing."""
    found = [call for call in reading.managed if call.intercepted and (call.audience or call.latecomers)]
    return [evidence for call in found for evidence in _audience(call)] if found else None


def _audience(call: LlmCall) -> Iterator[Evidence]:
    told = {subscriber: sorted([_phase(event) for event in life.events()]) for subscriber, life in call.lives.items()}
    most = max(told.values(), key=len, default=[])
    for subscriber in call.audience:
        if told.get(subscriber, []) != most or not most:
            yield Evidence(
                subscriber, "each subscriber is told all", None, most or "start and end", told.get(subscriber)
            )
    for subscriber in call.lives:
        if subscriber not in call.audience:
            index, event = call.lives[subscriber].events()[0]
            yield Evidence(subscriber, "a later subscriber is told nothing of the call", index, None, event)


@register(CHECKS, "LIF-009")
def events_satisfy_their_schema(reading: Reading) -> Found:
    """Every event of a call has the keys and types of the edition's schema."""
    events = [(name, event) for call in reading.managed for name, life in call.lives.items() for event in life.events()]
    if not events:
        return None
    return [
        Evidence(subscriber, "the event satisfies its schema", index, "an event of the edition's schema", event)
        for subscriber, (index, event) in events
        if not _lawful(reading, index, event)
    ]


def _lawful(reading: Reading, index: int, event: Json) -> bool:
    form = reading.forms["mark-event" if event.get("kind") == "mark" else "scope-event"]
    return isinstance(event.get("timestamp"), int) and form.accepts(reading.raw[index]["event"])


def _annotation(call: LlmCall) -> Json:
    """Return the final annotation; one that a built-in codec made, and nobody was given, as AUT-012 says."""
    if call.codec and not call.intercepts and isinstance(codec := call.step["codec"], str):
        return None if call.requested is None else portable(codec, call.requested["content"])
    return part(call.final, "annotated_request")


def _is_sanitized(reading: Reading, call: LlmCall) -> bool:
    """Tell whether a sanitizer may have changed the request that is told: what becomes of the annotation is EVT-027."""
    if not start_is_rewritten(reading, call.act, "llm.sanitize_request"):
        return False
    own = [
        one
        for one in payloads(reading.transcript)
        if one.act is call.act and one.runs[0].part == "llm.sanitize_request"
    ]
    return not own or not all(run.returned and same(run.reply, run.given.get("request")) for run in own[0].runs)


@register(CHECKS, "LIF-013")
def the_annotation_is_on_the_start(reading: Reading) -> Found:
    """The final annotation is in the start's profile."""
    found = [
        (annotation, sub, event)
        for call, sub, life in reading.lived
        if (annotation := _annotation(call)) is not None
        if not start_is_rewritten(reading, call.act, "start.sanitize") and not _is_sanitized(reading, call)
        for event in life.starts
    ]
    if not found:
        return None
    return [
        Evidence(subscriber, "the start's profile has the annotation", index, annotation, seen)
        for annotation, subscriber, (index, event) in found
        if not same(annotation, seen := part(event, "category_profile", "annotated_request"))
    ]
