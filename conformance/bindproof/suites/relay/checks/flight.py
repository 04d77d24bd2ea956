"""Checks of the chapter *Calls in flight* (FLT). None applies where no call was made in the background."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, is_that_error, judged, register
from bindproof.suites.relay.observation.in_flight import (
    calls_in_flight,
    managed_spans,
    names_of_cancelled,
    registered,
    scopes_look_like_calls,
    taken_back,
)
from bindproof.suites.relay.observation.null_answers import shown_of
from bindproof.suites.relay.observation.outcomes import names_of_marks
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import effective, open_scopes, subscribers
from bindproof.suites.relay.observation.spans import ToldSpan, spans, started, steady
from bindproof.suites.relay.observation.transcript import Act, Event, Transcript, plain

CHECKS: dict[str, Check] = {}


@register(CHECKS, "FLT-001")
def marks_are_of_their_own_call(reading: Reading) -> Found:
    """Each call's start, its own pending marks and its end are told in this order."""
    found = [span for span in managed_spans(reading.transcript) if span.act.step["kind"] == "llm" and _stated(span.act)]
    return judged([evidence for span in found for evidence in _in_order(span)], found)


def _stated(act: Act) -> list[Json]:
    """The names of the pending marks that the intercepts of a call stated."""
    return [name for run in act.of("llm.request") for name in names_of_marks(run.reply)]


def _in_order(span: ToldSpan) -> Iterator[Evidence]:
    names = [mark.get("name") for _, mark in span.marks]
    if names != _stated(span.act):
        yield Evidence(EVERY_LANE, "a call has its own marks", span.start[0], _stated(span.act), names)
    places = [at for at, _ in (span.start, *span.marks, *span.ends)]
    if places != sorted(places):
        yield Evidence(EVERY_LANE, "start, marks, end", span.start[0], sorted(places), places)


@register(CHECKS, "FLT-002")
def each_has_its_own_pair(reading: Reading) -> Found:
    """As many starts with uuids of their own as calls, and one end for each."""
    transcript = reading.transcript
    found = [
        (subscriber, [act for kind in ("llm", "tool") for act in started(transcript, kind) if act.started_at >= since])
        for subscriber, since in steady(transcript).items()
        if calls_in_flight(transcript) and not scopes_look_like_calls(transcript)
    ]
    return judged([evidence for subscriber, acts in found for evidence in _paired(reading, subscriber, acts)], found)


def _paired(reading: Reading, subscriber: str, acts: list[Act]) -> Iterator[Evidence]:
    own = [span for span in managed_spans(reading.transcript) if span.subscriber == subscriber]
    calls = [act for act in acts if act.step["step"] == "call"]
    uuids = {span.start[1].get("uuid") for span in own}
    if len(uuids) != len(calls):
        yield Evidence(EVERY_LANE, "each call has a start of its own", None, len(calls), sorted(map(str, uuids)))
    for span in own:
        if len(span.ends) != 1:
            yield Evidence(EVERY_LANE, "each call has one end", span.start[0], 1, len(span.ends))


@register(CHECKS, "FLT-003")
def each_caller_gets_its_own_answer(reading: Reading) -> Found:
    """The caller is given what the call's own provider came to."""
    calls = reading.transcript.calls("llm") if calls_in_flight(reading.transcript) else []
    own = [act for act in calls if act.done is not None and not act.stood]
    found = [act for act in own if act.of("provider") and not act.of("llm.execution")]
    return judged([evidence for act in found for evidence in _answered(reading, act)], found)


def _answered(reading: Reading, act: Act) -> Iterator[Evidence]:
    provider = act.of("provider")[-1]
    if provider.raised is not None:
        if not is_that_error(reading, act.error, provider.raised):
            text = "the caller gets its provider's error"
            yield Evidence(EVERY_LANE, text, act.done, provider.raised, act.error or act.value)
    elif act.error is not None or not same(plain(provider.reply), act.value):
        text = "the caller gets its provider's answer"
        yield Evidence(EVERY_LANE, text, act.done, provider.reply, act.error or act.value)


@register(CHECKS, "FLT-004")
def ends_are_told_in_their_order(reading: Reading) -> Found:
    """Ends come in the order in which the calls came back."""
    late = names_of_cancelled(reading.transcript)
    over = [span for span in managed_spans(reading.transcript) if span.act.done is not None and not span.act.stood]
    over = [span for span in over if span.act.step["name"] not in late]
    own = [span for span in over if len(span.ends) == 1]
    found = [
        sorted([span for span in own if span.subscriber == subscriber], key=lambda span: span.act.done or 0)
        for subscriber in steady(reading.transcript)
    ]
    found = [each for each in found if len(each) > 1]
    return judged(
        [
            Evidence(
                EVERY_LANE, "who comes back first ends first", min(places), sorted(places), places, also=tuple(places)
            )
            for each in found
            if (places := [span.ends[0][0] for span in each]) != sorted(places)
        ],
        found,
    )


@register(CHECKS, "FLT-005")
def a_call_stays_in_its_scope(reading: Reading) -> Found:
    """The parent of start and end is the scope that was innermost when the call was made."""
    found = [span for span in managed_spans(reading.transcript) if span.act.step["parent"] is None]
    return judged([evidence for span in found for evidence in _inside(reading.transcript, span)], found)


def _inside(transcript: Transcript, span: ToldSpan) -> Iterator[Evidence]:
    scopes = open_scopes(transcript, span.act.began)
    told = {scope.act.step["as"]: scope for scope in spans(transcript, "scope")}
    known = {scope.start[1].get("uuid") for scope in told.values()}
    known |= {other.start[1].get("uuid") for other in managed_spans(transcript)}
    for at, event in (span.start, *span.ends):
        parent = event.get("parent_uuid")
        if not scopes:
            if parent in known:
                text = "the call was made outside any scope"
                yield Evidence(span.subscriber, text, at, "the root", parent, at="/event/parent_uuid")
        elif (scope := told.get(scopes[-1].step["as"])) is not None and parent != scope.start[1].get("uuid"):
            text, made = "the scope in which it was made", scope.start[1].get("uuid")
            yield Evidence(span.subscriber, text, at, made, parent, at="/event/parent_uuid")


@register(CHECKS, "FLT-006")
def the_subscribers_are_settled(reading: Reading) -> Found:
    """Who was there when a call started is told of its end, who came later of nothing."""
    first = next(iter(steady(reading.transcript)), None)
    own = [
        span for span in managed_spans(reading.transcript) if span.subscriber == first and span.act.step["background"]
    ]
    found = [(span, *who) for span in own if len(span.ends) == 1 for who in subscribers(reading.transcript, span.act)]
    return judged(
        [
            Evidence(
                EVERY_LANE, "the subscribers when it started", span.start[0], {subscriber: told}, len(seen), also=also
            )
            for span, subscriber, told in found
            if len(seen := _of(reading.transcript.events.get(subscriber, []), span)) != (2 if told else 0)
            for also in [tuple(at for at, _ in seen)]
        ],
        found,
    )


def _of(events: list[Event], span: ToldSpan) -> list[Event]:
    """The events that are a call's start or end."""
    return [event for event in events if event[1].get("uuid") == span.start[1].get("uuid")]


@register(CHECKS, "FLT-007")
def what_wraps_it_is_settled(reading: Reading) -> Found:
    """The execution intercepts that ran are those that were there when the call started."""
    found = [act for act in calls_in_flight(reading.transcript) if any(run.part == "provider" for run in act.all())]
    found = [
        act
        for act in found
        if effective(reading.transcript, _family(act), act.started_at) or _late(reading.transcript, act)
    ]
    return judged([evidence for act in found for evidence in _wrapped(reading.transcript, act)], found)


def _family(act: Act) -> str:
    return f"{act.step['kind']}.execution"


def _late(transcript: Transcript, act: Act) -> list[Act]:
    """The execution intercepts that were registered while a call was in flight."""
    return [one for one in registered(transcript, _family(act)) if act.started_at < (one.done or 0) < (act.done or 0)]


def _wrapped(transcript: Transcript, act: Act) -> Iterator[Evidence]:
    there = {one.step["as"] for one in effective(transcript, _family(act), act.started_at)}
    seen = {run.callback for run in act.all() if run.part == _family(act)}
    if there != seen:
        yield Evidence(EVERY_LANE, "what wraps it when it starts", act.done, sorted(there), sorted(seen))


@register(CHECKS, "FLT-016")
def what_comes_before_is_settled(reading: Reading) -> Found:
    """Of a chain that changed while it was at work, those ran that were there when the first of it was entered."""
    found = [one for act in calls_in_flight(reading.transcript) for one in _changed_chains(reading.transcript, act)]
    return judged(
        [
            Evidence(EVERY_LANE, "what is there when its turn comes", act.done, sorted(there), sorted(seen))
            for act, there, seen in found
            if there != seen
        ],
        found,
    )


def _changed_chains(transcript: Transcript, act: Act) -> Iterator[tuple[Act, set[str], set[str]]]:
    """Yield the chains of a call that came to their ends, and changed on the way: who was there, and who ran."""
    conditionals, intercepts = (f"{act.step['kind']}.{part}" for part in ("conditional", "request"))
    later = [run for run in act.all() if run.part != conditionals]
    for family, behind in ((conditionals, later), (intercepts, act.executions)):
        runs = [run for run in act.all() if run.part == family]
        if not runs or not behind or any(run.step.get("break_chain") for run in runs):
            continue
        first, over = runs[0].entered, behind[0].entered
        if any(first < at < over for at in _changes(transcript, family)):
            yield act, {one.step["as"] for one in effective(transcript, family, first)}, {run.callback for run in runs}


@register(CHECKS, "FLT-008")
def who_is_there_sanitizes_the_end(reading: Reading) -> Found:
    """The end's data is the answer where no sanitizer is left, and was seen by one that came in flight.

    Where data stand in for a null answer, EVT-047 and EVT-056 say what is seen and shown.
    """
    transcript, family = reading.transcript, "llm.sanitize_response"
    own = [span for span in managed_spans(transcript) if span.act.step["kind"] == "llm" and span.act.step["background"]]
    own = [span for span in own if span.act.error is None and len(span.ends) == 1 and not _rewritten(transcript)]
    own = [span for span in own if same(shown_of(span.act.value, span.act.step), span.act.value)]
    found = [
        (span, effective(transcript, family, _over(span.act)))
        for span in own
        if any(span.act.began < at < _over(span.act) for at in _changes(transcript, family))
    ]
    return judged([evidence for span, there in found for evidence in _sanitized(transcript, span, there)], found)


def _rewritten(transcript: Transcript) -> bool:
    return bool(registered(transcript, "end.sanitize"))


def _over(act: Act) -> int:
    """Where the execution of a call was over."""
    return max((run.left or 0 for run in act.runs), default=0)


def _changes(transcript: Transcript, family: str) -> list[int]:
    """Where in the log something of a family came or went."""
    return [one.done or 0 for one in registered(transcript, family)] + taken_back(transcript, family)


def _sanitized(transcript: Transcript, span: ToldSpan, there: list[Act]) -> Iterator[Evidence]:
    at, end = span.ends[0]
    if not there and not same(end.get("data"), span.act.value):
        yield Evidence(EVERY_LANE, "nobody is left who rewrites it", at, span.act.value, end.get("data"))
    for one in there if len(there) == 1 else []:
        runs = [run for run in transcript.published if run.step is one.step]
        if not any(same(run.given.get("response"), span.act.value) for run in runs):
            yield Evidence(EVERY_LANE, "who is there sanitizes it", at, one.step["as"], end.get("data"))
