"""Planted faults of the chapter *Calls in flight* (FLT)."""

from __future__ import annotations

from itertools import pairwise

from bindproof.core.model import Json, copied, same
from bindproof.suites import Fault
from bindproof.suites.relay.faults.altering import Altered, alter
from bindproof.suites.relay.faults.planting import PLANTED
from bindproof.suites.relay.observation.in_flight import audience, effective, flights, managed_spans, registered
from bindproof.suites.relay.observation.scopes import open_scopes
from bindproof.suites.relay.observation.spans import Span, started_at
from bindproof.suites.relay.observation.story import Act

FAULTS: dict[str, Fault] = {}


def _pairs(altered: Altered) -> list[tuple[Span, Span]]:
    """Each two LLM calls of which a subscriber was told one after the other."""
    own = [span for span in managed_spans(altered.story) if span.act.step["kind"] == "llm" and len(span.ends) == 1]
    own = [span for span in own if not span.act.stood]
    return [(one, other) for one, other in pairwise(own) if one.subscriber == other.subscriber]


@alter(FAULTS, "mix_marks", "the marks of a call in flight are told of another", "FLT-001")
def mix_marks(altered: Altered) -> bool:
    """Give the marks of a call the parent of the next one."""
    found = [(one, other) for one, other in _pairs(altered) if one.marks]
    for one, other in found:
        for _, mark in one.marks:
            mark["parent_uuid"] = other.start[1]["uuid"]
    return bool(found)


@alter(FAULTS, "end_another", "a call in flight ends another one of its name", "FLT-002")
def end_another(altered: Altered) -> bool:
    """Give the end of each call the uuid of the one before, where nothing else tells them apart."""
    found = [(one, other) for one, other in _pairs(altered) if _looks(one) == _looks(other)]
    for one, other in found:
        other.ends[0][1]["uuid"] = one.start[1]["uuid"]
    return bool(found)


def _looks(span: Span) -> Json:
    return span.act.step["name"], span.start[1]["parent_uuid"], span.act.error is None


@alter(FAULTS, "swap_answers", "a caller is given the answer of another", "FLT-003")
def swap_answers(altered: Altered) -> bool:
    """Replace the value of every LLM call that nothing wraps or sanitizes."""
    plain = flights(altered.story) and not altered.rewrites("llm.sanitize_response")
    calls = altered.story.calls("llm") if plain else []
    found = [act for act in calls if act.of("provider") and not act.of("llm.execution") and act.error is None]
    for act in found:
        altered.log[act.done or 0]["value"] = PLANTED
    return bool(found)


@alter(FAULTS, "swap_ends", "who comes back first ends last", "FLT-004")
def swap_ends(altered: Altered) -> bool:
    """Exchange the ends of each two calls in flight."""
    found = [(one, other) for one, other in _pairs(altered) if not one.marks and not other.marks][:1]
    for one, other in found:
        (at, end), (later, after) = one.ends[0], other.ends[0]
        if min(at, later) > max(one.start[0], other.start[0]):
            altered.log[at]["event"], altered.log[later]["event"] = after, end
            return True
    return False


@alter(FAULTS, "adopt_a_call", "a call is told inside of another that is in flight", "FLT-005")
def adopt_a_call(altered: Altered) -> bool:
    """Give the start and end of each call outside any scope another one as parent."""
    found = [pair for pair in _pairs(altered) if pair[1].act.step["parent"] is None]
    found = [pair for pair in found if not open_scopes(altered.story, pair[1].act.began)]
    for one, other in found:
        for _, event in (other.start, *other.ends):
            event["parent_uuid"] = one.start[1]["uuid"]
    return bool(found)


def _background(altered: Altered) -> list[Span]:
    return [span for span in managed_spans(altered.story) if span.act.step["background"] and len(span.ends) == 1]


@alter(FAULTS, "tell_latecomers", "who comes while a call is in flight is told of its end", "FLT-006")
def tell_latecomers(altered: Altered) -> bool:
    """Tell every subscriber that came later of the end too."""
    for span in _background(altered):
        late = [
            act
            for act in registered(altered.story, "subscriber")
            if started_at(span.act) < (act.done or 0) < span.ends[0][0]
        ]
        for act in late:
            at, end = span.ends[0]
            altered.insert(at, {"fact": "event", "subscriber": act.step["as"], "event": copied(end)})
            return True
    return False


@alter(FAULTS, "forget_leavers", "who is taken back while a call is in flight is not told of its end", "FLT-006")
def forget_leavers(altered: Altered) -> bool:
    """Drop what a subscriber that was taken back was told of the ends of calls in flight."""
    gone: list[Json] = []
    for span in _background(altered):
        left = {act.step["as"] for act in effective(altered.story, "subscriber", span.act.done or 0)}
        for subscriber, told in audience(altered.story, span.act):
            events = altered.story.events.get(subscriber, []) if told and subscriber not in left else []
            ends = [event for _, event in events if event["uuid"] == span.start[1]["uuid"]]
            gone += [event for event in ends if event.get("scope_category") == "end"]
    altered.drop(gone)
    return bool(gone)


@alter(FAULTS, "wrap_late", "an intercept that comes while a call is in flight wraps it", "FLT-007", "MID-018")
def wrap_late(altered: Altered) -> bool:
    """Let a late execution intercept run in an LLM call, beside its provider."""
    for act in _calls(altered):
        for late in registered(altered.story, "llm.execution"):
            providers = [run for run in act.all() if run.part == "provider"]
            if providers and started_at(act) < (late.done or 0) < providers[0].entered:
                left, key = providers[0].left or 0, {"callback": late.step["as"], "k": 7}
                given = altered.log[providers[0].entered]["given"]
                entered = {"fact": "enter", **key, "given": {"name": act.step["name"], **given}}
                altered.insert(left, entered, {"fact": "leave", **key, "reply": {"ok": True}})
                return True
    return False


def _calls(altered: Altered) -> list[Act]:
    return [act for act in flights(altered.story) if act.step["kind"] == "llm"]


@alter(
    FAULTS,
    "unwrap_early",
    "an intercept that is taken back while a call is in flight wraps it no more",
    "FLT-007",
    "MID-019",
)
def unwrap_early(altered: Altered) -> bool:
    """Take out what an LLM call's intercepts did that were gone when it was over."""
    gone: list[tuple[str, int]] = []
    for act in _calls(altered):
        left = {one.step["as"] for one in effective(altered.story, "llm.execution", act.done or 0)}
        for run in act.all():
            if run.part == "llm.execution" and run.callback not in left and run is not act.runs[0]:
                gone.append((run.callback, altered.log[run.entered]["k"]))
    altered.log[:] = [record for record in altered.log if (record.get("callback"), record.get("k")) not in gone]
    return bool(gone)


@alter(FAULTS, "settle_sanitizers", "sanitizers that come while a call is in flight rewrite nothing", "FLT-008")
def settle_sanitizers(altered: Altered) -> bool:
    """Take out what late response sanitizers did; the end has the answer."""
    for span in _background(altered):
        late = [
            act.step
            for act in registered(altered.story, "llm.sanitize_response")
            if started_at(span.act) < (act.done or 0) < (span.act.done or 0)
        ]
        runs = [run for run in altered.story.published if any(run.step is step for step in late)]
        runs = [run for run in runs if same(run.given.get("response"), span.act.value)]
        if runs and span.act.step["kind"] == "llm":
            callbacks = {run.callback for run in runs}
            altered.log[:] = [record for record in altered.log if record.get("callback") not in callbacks]
            span.ends[0][1]["data"] = span.act.value
            return True
    return False


@alter(FAULTS, "keep_sanitizing", "sanitizers that were taken back rewrite the end of a call in flight", "FLT-008")
def keep_sanitizing(altered: Altered) -> bool:
    """Put something else into the ends of calls whose sanitizers were taken back."""
    found = [
        span
        for span in _background(altered)
        if span.act.step["kind"] == "llm"
        and span.act.error is None
        and effective(altered.story, "llm.sanitize_response", started_at(span.act))
        and not effective(altered.story, "llm.sanitize_response", span.act.runs[-1].left or 0)
    ]
    for span in found:
        span.ends[0][1]["data"] = PLANTED
    return bool(found)
