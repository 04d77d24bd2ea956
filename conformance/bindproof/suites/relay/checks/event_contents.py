"""Checks of the chapter *Events* (EVT): what steps gave their events to say."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    Check,
    Found,
    end_is_rewritten,
    judged,
    part,
    register,
    rewrites,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.events import says_failed
from bindproof.suites.relay.observation.null_answers import answers_null
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import audience
from bindproof.suites.relay.observation.spans import ToldSpan, all_spans, call_spans, spans
from bindproof.suites.relay.observation.status import DESCRIPTION, STATUS, is_error
from bindproof.suites.relay.observation.transcript import Act, Event

CHECKS: dict[str, Check] = {}

SEVERITY = "nemo_relay.log.severity"
REWRITING = ("start.sanitize", "end.sanitize", "event.metadata")
RESPONSES = ("llm.sanitize_response", "tool.sanitize_response")


def _scopes(reading: Reading) -> list[ToldSpan]:
    return [span for span in all_spans(reading.transcript) if span.act.step["kind"] == "scope"]


@register(CHECKS, "EVT-005")
def a_scope_tells_input_and_output(reading: Reading) -> Found:
    """The start's data is the scope's input, the end's its output."""
    outputs = _ends(reading)
    found = [
        (at, event, span.act.step["input"])
        for span in _scopes(reading)
        for at, event in [span.start]
        if not start_is_rewritten(reading, span.act, "start.sanitize")
    ]
    found += [
        (at, event, outputs[span.act.step["as"]]["output"])
        for span in _scopes(reading)
        if span.act.step["as"] in outputs and not end_is_rewritten(reading, span.act, "end.sanitize")
        for at, event in span.ends
    ]
    found = [one for one in found if "$get" not in str(one[2])]
    return judged(
        [
            Evidence(EVERY_LANE, "input and output of a scope", at, given, event.get("data"))
            for at, event, given in found
            if not same(given, event.get("data"))
        ],
        found,
    )


def _ends(reading: Reading) -> dict[str, Json]:
    """The end step of each scope."""
    return {
        act.step["of"]: act.step for act in reading.transcript.acts if act.step["step"] == "end" and act.error is None
    }


def _marks(reading: Reading, *rewriting: str) -> list[tuple[Json, Event]]:
    """Mark steps beside the events that they became, for each subscriber that was there; where none is, `told` is 0.

    Without those that something of these families rewrites.
    """
    steps = [act for act in reading.transcript.of_kind("mark") if act.error is None and act.done is not None]
    return [
        (act.step, reading.deliveries.marked.get(act, {}).get(subscriber) or (act.done or 0, {"told": 0}))
        for act in steps
        if not rewrites(reading, act.done, *rewriting)
        for subscriber in sorted(audience(reading.transcript, act))
    ]


@register(CHECKS, "EVT-006")
def a_mark_says_what_it_was_given(reading: Reading) -> Found:
    """A mark is told once, with data and metadata as given, and without category and profile."""
    found = _marks(reading, "mark.sanitize", "event.metadata")
    every = _marks(reading)
    names = [step["name"] for step, _ in every]
    return judged(
        [
            Evidence(EVERY_LANE, "a mark says what it was given", at, expected, seen)
            for step, (at, event) in found
            if not same(expected := _given(step), seen := _said(event))
        ]
        + [
            Evidence(EVERY_LANE, "a mark is told once", at, 1, 0, about=(step["as"],))
            for step, (at, event) in every
            if "told" in event
        ]
        + [
            Evidence(subscriber, "a mark is told once", at, None, event)
            for subscriber, (at, event) in reading.unowned
            if event.get("kind") == "mark" and event.get("name") in names
        ],
        every,
    )


def _given(step: Json) -> Json:
    return {"data": step["data"], "metadata": step["metadata"] or None, "category": None, "category_profile": None}


def _said(event: Json) -> Json:
    metadata = event.get("metadata", "missing")
    if isinstance(metadata, dict):
        metadata = {key: value for key, value in metadata.items() if key != SEVERITY}
    return {
        **{key: event.get(key, "missing") for key in ("data", "category", "category_profile")},
        "metadata": metadata or None,
    }


@register(CHECKS, "EVT-007")
def schema_and_severity_arrive(reading: Reading) -> Found:
    """A mark's schema is the event's, and its severity stands in the metadata."""
    found = _marks(reading, "mark.sanitize", "event.metadata")
    found = [(step, event) for step, event in found if step["data_schema"] is not None or step["severity"] is not None]
    return judged(
        [
            Evidence(EVERY_LANE, "schema and severity arrive", at, expected, seen)
            for step, (at, event) in found
            if not same(
                expected := {"schema": step["data_schema"], "severity": step["severity"]},
                seen := {"schema": event.get("data_schema"), "severity": part(event, "metadata", SEVERITY)},
            )
        ],
        found,
    )


@register(CHECKS, "EVT-008")
def severity_needs_an_object(reading: Reading) -> Found:
    """A mark with a severity whose metadata is no object is refused."""
    found = [act for act in reading.transcript.acts if act.step["step"] == "mark" and act.step["severity"] is not None]
    found = [act for act in found if not isinstance(act.step["metadata"], dict | None)]
    return judged(
        [
            Evidence(EVERY_LANE, "a severity needs metadata that is an object", act.done, "invalid_argument", act.error)
            for act in found
            if part(act.error, "kind") != "invalid_argument"
        ],
        found,
    )


@register(CHECKS, "EVT-009")
def metadata_is_on_start_and_end(reading: Reading) -> Found:
    """The metadata that something was started with is on its start, and on its end less what the end gave."""
    found = [span for span in all_spans(reading.transcript) if isinstance(span.act.step["metadata"], dict | None)]
    return judged([evidence for span in found for evidence in _bears(reading, span)], found)


def _bears(reading: Reading, span: ToldSpan) -> Iterator[Evidence]:
    given = span.act.step["metadata"]
    at, start = span.start
    if not start_is_rewritten(reading, span.act, *REWRITING) and not same(given, start.get("metadata")):
        yield Evidence(EVERY_LANE, "the start has the metadata", at, given, start.get("metadata"))
    added = part(_ends(reading).get(span.act.step["as"], {}), "metadata") or {}
    if end_is_rewritten(reading, span.act, *REWRITING):
        return
    for at, end in span.ends[:1] if isinstance(added, dict) else []:
        open_ = _replaced(span, end)
        expected = {key: value for key, value in {**(given or {}), **added}.items() if key not in open_}
        seen = end.get("metadata") or {}
        if isinstance(seen, dict) and not _may_say_more(reading, span, end):
            seen = {key: value for key, value in seen.items() if key not in open_}
        elif isinstance(seen, dict):
            seen = {key: value for key, value in seen.items() if key in expected}
        if not same(expected, seen):
            yield Evidence(EVERY_LANE, "the end has the metadata", at, expected, end.get("metadata"))


def _may_say_more(reading: Reading, span: ToldSpan, end: Json) -> bool:
    """Tell whether an end is of a failure, of which its metadata may say more."""
    step = span.act.step
    if step["step"] == "call":
        return span.act.error is not None or is_error(part(end, "metadata"))
    return bool(step.get("block")) and part(_ends(reading).get(step["as"], {}), "raises") is not None


def _replaced(span: ToldSpan, end: Json) -> tuple[str, ...]:
    """The keys of an end's metadata that the binding itself may write: of a call, but for a manual one of a tool."""
    step = span.act.step
    if step.get("block"):  # EVT-044
        return (STATUS, DESCRIPTION)
    if step["kind"] == "scope" or (step["step"] == "start" and step["kind"] == "tool" and not says_failed(span)):
        return ()
    if step["step"] == "start":  # how a failure is described goes with its status
        return (STATUS, DESCRIPTION)
    failed = span.act.error is not None or is_error(part(end, "metadata"))
    return (STATUS, DESCRIPTION) if failed else (STATUS,)


def _by_hand(reading: Reading, kind: str) -> list[tuple[ToldSpan, int, Json]]:
    """The ends of the calls that a program ended itself, where nothing rewrites them; of each the first."""
    return [
        (span, *span.ends[0])
        for span in spans(reading.transcript, kind)
        if span.act.step["step"] == "start" and span.ends and not end_is_rewritten(reading, span.act, *REWRITING)
    ]


def _stated(reading: Reading, span: ToldSpan) -> Json:
    return part(_ends(reading).get(span.act.step["as"], {}), "metadata", STATUS)


@register(CHECKS, "EVT-033")
def what_a_program_ends_is_a_success(reading: Reading) -> Found:
    """The end of an LLM call that a program ends itself has the status OK."""
    found = _by_hand(reading, "llm")
    return judged(
        [
            Evidence(EVERY_LANE, "a call that a program ends is a success", at, "OK", seen)
            for _, at, end in found
            if (seen := part(end, "metadata", STATUS)) != "OK"
        ],
        found,
    )


@register(CHECKS, "EVT-034")
def a_program_may_say_that_a_call_failed(reading: Reading) -> Found:
    """The end of an LLM call that a program ends itself has the status ERROR where the program says so, else OK."""
    found = _by_hand(reading, "llm")
    return judged(
        [
            Evidence(EVERY_LANE, "a call ends as the program says", at, expected, seen)
            for span, at, end in found
            for expected in ["ERROR" if _stated(reading, span) == "ERROR" else "OK"]
            if (seen := part(end, "metadata", STATUS)) != expected
        ],
        found,
    )


@register(CHECKS, "EVT-035")
def a_result_may_say_that_it_failed(reading: Reading) -> Found:
    """The end of a tool call whose result says that it is of a failure has the status ERROR."""
    found = [span for span in spans(reading.transcript, "tool") if says_failed(span)]
    found = [span for span in found if not end_is_rewritten(reading, span.act, *REWRITING, "tool.sanitize_response")]
    return judged(
        [
            Evidence(EVERY_LANE, "a result that failed is told as a failure", at, "ERROR", end.get("metadata"))
            for span in found
            for at, end in span.ends[:1]
            if not is_error(part(end, "metadata"))
        ],
        found,
    )


@register(CHECKS, "EVT-032")
def a_failed_call_shows_its_own_data(reading: Reading) -> Found:
    """The end of a call that had no answer and no stream shows the data that the call was made with."""
    found = [
        span
        for span in (*spans(reading.transcript, "llm"), *spans(reading.transcript, "tool"))
        if span.act.step["step"] == "call" and span.ends and _came_to_nothing(reading, span)
        if not end_is_rewritten(reading, span.act, "end.sanitize") and not _is_sanitized(reading, span.act)
    ]
    return judged(
        [
            Evidence(span.subscriber, "a failed call's end shows the call's data", at, expected, end.get("data"))
            for span in found
            for at, end in span.ends[:1]
            if not same(expected := span.act.step["data"], end.get("data"))
        ],
        found,
    )


def _is_sanitized(reading: Reading, act: Act) -> bool:
    """Tell whether a sanitizer of responses was given the data of an LLM call (EVT-047)."""
    data = None if act.step["kind"] == "tool" else act.step["data"]
    given = [run.given.get("response") for run in reading.transcript.published if run.part == "llm.sanitize_response"]
    return data is not None and any(same(data, response) for response in given)


def _came_to_nothing(reading: Reading, span: ToldSpan) -> bool:
    if span.act.step["kind"] != "llm_stream":
        return span.act.error is not None
    outer = next((one.outermost() for one in reading.streams if one.act is span.act), None)
    return outer is not None and outer.raised is not None


@register(CHECKS, "EVT-056")
def data_stand_in_for_a_null_answer(reading: Reading) -> Found:
    """The end of a call whose answer is null shows the data that the call was made with."""
    found = [
        span
        for span in call_spans(reading.transcript)
        if len(span.ends) == 1 and answers_null(reading.transcript, span.act)
        if not end_is_rewritten(reading, span.act, "end.sanitize", *RESPONSES)
    ]
    return judged(
        [
            Evidence(span.subscriber, "the call's data stand in for a null answer", at, expected, end.get("data"))
            for span in found
            for at, end in span.ends
            if not same(expected := span.act.step["data"], end.get("data"))
        ],
        found,
    )
