"""Checks of the chapter *Events* (EVT): sanitizers of a call's payload."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    CREDENTIALS,
    EVERY_LANE,
    PROGRAM,
    Check,
    Found,
    end_is_rewritten,
    free_headers,
    judged,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.provider_forms import portable
from bindproof.suites.relay.checks.stream_common import SANITIZER
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.null_answers import beside, standing_in
from bindproof.suites.relay.observation.published import MEMBER, Payload, failed_with_data, passes, payloads
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import effective
from bindproof.suites.relay.observation.spans import started
from bindproof.suites.relay.observation.transcript import Act, Entry, Transcript

CHECKS: dict[str, Check] = {}


def _is_rewritten(reading: Reading, one: Payload) -> bool:
    """Tell whether a sanitizer of events rewrites the start or end that shows a payload."""
    if one.told[1].get("scope_category") == "start":
        return start_is_rewritten(reading, one.act, "start.sanitize")
    return end_is_rewritten(reading, one.act, "end.sanitize")


@register(CHECKS, "EVT-023")
def a_payload_is_what_the_last_replied(reading: Reading) -> Found:
    """Call sanitizers feed each other, and what the last one replied is the event's data."""
    chains = payloads(reading.transcript)
    fed = [(run, after) for one in chains for run, after in pairwise(one.runs) if passes(run)]
    found = [one for one in chains if all(map(passes, one.runs))]
    return judged(
        [
            Evidence(EVERY_LANE, "sanitizers feed each other", after.entered, run.reply, after.given)
            for run, after in fed
            if not same(run.reply, after.given.get(MEMBER[after.part]))
        ]
        + [
            Evidence(EVERY_LANE, "the data is what the last one replied", one.told[0], reply, one.told[1].get("data"))
            for one in found
            if not _is_rewritten(reading, one)
            and not same(reply := _shown(reading, one, one.runs[-1].reply), one.told[1].get("data"))
        ],
        [*found, *fed],
    )


def _shown(reading: Reading, one: Payload, left: Json) -> Json:
    """Return what sanitizers left as the data shows it: in place of null, the data that an end is given."""
    if left is not None or not one.runs[-1].part.endswith(".sanitize_response"):
        return left
    return beside(reading.transcript, one.act)


@register(CHECKS, "EVT-047")
def what_stands_in_is_sanitized(reading: Reading) -> Found:
    """The first sanitizer of an answer is given the data that stand in where that is null, or there is none."""
    found = [
        (one.runs[0], data)
        for one in payloads(reading.transcript)
        if one.runs[0].part == SANITIZER
        if (data := standing_in(reading.transcript, one.act)) is not None
    ]
    text, unseen = "what stands in for the answer is given", _unsanitized(reading.transcript)
    return judged(
        [
            Evidence(EVERY_LANE, text, run.entered, data, run.given.get("response"))
            for run, data in found
            if not same(data, run.given.get("response"))
        ]
        + [Evidence(PROGRAM, text, act.done, act.step["data"], None) for act in unseen],
        [*found, *unseen],
    )


def _unsanitized(transcript: Transcript) -> list[Act]:
    """Return the LLM call whose data no sanitizer was given though it failed; of several nobody knows which was."""
    if len(started(transcript, "llm")) > 1 or any(run.part == SANITIZER for run in transcript.published):
        return []
    return [
        act
        for act in failed_with_data(transcript)
        if set(effective(transcript, SANITIZER, act.began)) & set(effective(transcript, SANITIZER, act.done or 0))
        if any(life.ends for life in lives(transcript, act).values())
    ]


@register(CHECKS, "EVT-024")
def sanitizers_change_nothing_real(reading: Reading) -> Found:
    """Where nothing wraps the execution, it is given what was there before sanitizers, and so is the caller."""
    found = [one for one in payloads(reading.transcript) if one.act.of("provider")]
    found = [one for one in found if not one.act.of("llm.execution", "tool.execution")]
    return judged([evidence for one in found for evidence in _unreal(one)], found)


def _unreal(one: Payload) -> Iterator[Evidence]:
    act, first = one.act, one.runs[0]
    provider = act.of("provider")[-1]
    member = MEMBER[first.part]
    if member in ("request", "args"):
        before, real = _body(first.given.get(member), member), _body(provider.given.get(member), member)
    elif member == "response" and provider.returned:
        before, real = first.given.get(member), act.value
        if real is None and same(before, act.step["data"]):
            return  # EVT-047
    else:
        return  # there was no answer, or it is a tool's: TOL-006
    if not same(before, real):
        at = provider.entered if member in ("request", "args") else act.done
        yield Evidence(EVERY_LANE, "sanitizers change nothing real", at, before, real)


def _given(run: Entry) -> Json:
    """Return the payload that a sanitizer was given."""
    return run.given.get(MEMBER[run.part])


def _body(value: Json, member: str) -> Json:
    """The part of a payload that a sanitizer and an execution are given alike."""
    if member != "request":
        return value
    headers = free_headers(part(value, "headers"))
    shown = isinstance(headers, dict)
    return {
        "content": part(value, "content"),
        "headers": {k: v for k, v in headers.items() if k.lower() not in CREDENTIALS} if shown else headers,
    }


@register(CHECKS, "EVT-025")
def a_failing_call_sanitizer_leaves_nothing(reading: Reading) -> Found:
    """After a call's sanitizer that fails no other runs, the data is null, and so is an LLM's annotation."""
    found = [one for one in payloads(reading.transcript) if not all(map(passes, one.runs))]
    return judged([evidence for one in found for evidence in _left(one, reading)], found)


def _left(one: Payload, reading: Reading) -> Iterator[Evidence]:
    if not all(map(passes, one.runs[:-1])):
        yield Evidence(
            EVERY_LANE, "no sanitizer runs after one failed", one.runs[-1].entered, None, one.runs[-1].callback
        )
    at, event = one.told
    if event.get("data") is not None and not _is_rewritten(reading, one):
        yield Evidence(EVERY_LANE, "a failing sanitizer leaves no payload", at, None, event.get("data"))
    if part(event, "category_profile", "annotated_request") is not None:
        yield Evidence(EVERY_LANE, "a failing sanitizer leaves no annotation", at, None, event.get("category_profile"))


@register(CHECKS, "EVT-029")
def one_that_raises_is_passed_over(reading: Reading) -> Found:
    """What a sanitizer was given that raised goes on to the next one, and after the last into the event."""
    found = [one for one in payloads(reading.transcript) if any(run.raised is not None for run in one.runs)]
    return judged(
        [
            Evidence(EVERY_LANE, "the next sanitizer is given the same", after.entered, given, after.given)
            for one in found
            for run, after in pairwise(one.runs)
            if run.raised is not None and not same(given := _given(run), _given(after))
        ]
        + [
            Evidence(EVERY_LANE, "the data is what the last one was given", one.told[0], given, one.told[1].get("data"))
            for one in found
            if one.runs[-1].raised is not None and not _is_rewritten(reading, one)
            if not same(given := _shown(reading, one, _given(one.runs[-1])), one.told[1].get("data"))
        ],
        found,
    )


@register(CHECKS, "EVT-027")
def what_is_sanitized_is_decoded_again(reading: Reading) -> Found:
    """With a codec the start's annotation is decoded from what the sanitizers left of the request.

    A built-in codec is not seen at work: what it makes of that is AUT-012's.
    """
    found = [one for one in payloads(reading.transcript) if one.act.step.get("codec", "none") != "none"]
    found = [one for one in found if one.runs[0].part == "llm.sanitize_request" and all(map(passes, one.runs))]
    found = [one for one in found if not same(one.runs[0].given.get("request"), one.runs[-1].reply)]
    again = {run.entered: run for run in reading.transcript.published if run.part == "decode"}
    return judged([evidence for one in found for evidence in _decoded(reading, one, list(again.values()))], found)


def _decoded(reading: Reading, one: Payload, again: list[Entry]) -> Iterator[Evidence]:
    told = part(one.told[1], "category_profile", "annotated_request")
    if isinstance(codec := one.act.step["codec"], str):
        expected = portable(codec, one.runs[-1].reply["content"])
        if expected is not None and not _is_rewritten(reading, one) and not same(expected, told):
            yield Evidence(EVERY_LANE, "the sanitized request is decoded", one.told[0], expected, told)
        return
    runs = [run for run in again if run.step is one.act.step]
    if len(runs) != 1:
        yield Evidence(EVERY_LANE, "the sanitized request is decoded", one.told[0], 1, len(runs))
    elif not same(one.runs[-1].reply, runs[0].given.get("request")):
        yield Evidence(
            EVERY_LANE, "the sanitized request is decoded", runs[0].entered, one.runs[-1].reply, runs[0].given
        )
    elif runs[0].replied and not _is_rewritten(reading, one) and not same(runs[0].reply, told):
        yield Evidence(EVERY_LANE, "the annotation is what was decoded again", one.told[0], runs[0].reply, told)
