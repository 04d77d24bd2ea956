"""Planted faults of the chapter *Calls in flight* (FLT)."""

from __future__ import annotations

from itertools import pairwise

from bindproof.core.model import Json, copied, same
from bindproof.suites import Fault
from bindproof.suites.relay.checks.told_codecs import codecs_of
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.in_flight import calls_in_flight, managed_spans, registered
from bindproof.suites.relay.observation.scopes import effective, listeners, open_scopes, subscribers
from bindproof.suites.relay.observation.spans import ToldSpan
from bindproof.suites.relay.observation.transcript import Act

FAULTS: dict[str, Fault] = {}


def _pairs(spoiled: Spoiled) -> list[tuple[ToldSpan, ToldSpan]]:
    """Each two LLM calls of which a subscriber was told one after the other."""
    own = [span for span in managed_spans(spoiled.transcript) if span.act.step["kind"] == "llm" and len(span.ends) == 1]
    own = [span for span in own if not span.act.stood]
    return [(one, other) for one, other in pairwise(own) if one.subscriber == other.subscriber]


@plant(
    FAULTS,
    "mix_marks",
    "the marks of a call in flight are told of another",
    "FLT-001",
    also=("LIF-002", "MRK-002", "MRK-003", "MRK-004"),
)
def mix_marks(spoiled: Spoiled) -> bool:
    """Give the marks of a call the parent of the next one."""
    found = [(one, other) for one, other in _pairs(spoiled) if one.marks]
    for one, other in found:
        for _, mark in one.marks:
            mark["parent_uuid"] = other.start[1]["uuid"]
    return bool(found)


@plant(FAULTS, "end_another", "a call in flight ends another one of its name", "FLT-002", also=("LIF-001", "LIF-006"))
def end_another(spoiled: Spoiled) -> bool:
    """Give the end of each call the uuid of the one before, where nothing else tells them apart."""
    found = [(one, other) for one, other in _pairs(spoiled) if _looks(one) == _looks(other)]
    for one, other in found:
        other.ends[0][1]["uuid"] = one.start[1]["uuid"]
    return bool(found)


def _looks(span: ToldSpan) -> Json:
    return span.act.step["name"], span.start[1]["parent_uuid"], span.act.error is None


@plant(FAULTS, "swap_answers", "a caller is given the answer of another", "FLT-003", also=("LIF-006",))
def swap_answers(spoiled: Spoiled) -> bool:
    """Replace the value of every LLM call that nothing wraps or sanitizes."""
    plain = calls_in_flight(spoiled.transcript) and not spoiled.rewrites("llm.sanitize_response")
    calls = spoiled.transcript.calls("llm") if plain else []
    found = [act for act in calls if act.of("provider") and not act.of("llm.execution") and act.error is None]
    for act in found:
        spoiled.log[act.done or 0]["value"] = PLANTED
    return bool(found)


@plant(FAULTS, "swap_ends", "who comes back first ends last", "FLT-004", also=("EVT-015",))
def swap_ends(spoiled: Spoiled) -> bool:
    """Exchange the ends of each two calls in flight."""
    found = [(one, other) for one, other in _pairs(spoiled) if not one.marks and not other.marks][:1]
    for one, other in found:
        (at, end), (later, after) = one.ends[0], other.ends[0]
        if min(at, later) > max(one.start[0], other.start[0]):
            spoiled.log[at]["event"], spoiled.log[later]["event"] = after, end
            return True
    return False


@plant(
    FAULTS,
    "adopt_a_call",
    "a call is told inside of another that is in flight",
    "FLT-005",
    also=("LIF-014", "LIF-016", "EVT-031"),
)
def adopt_a_call(spoiled: Spoiled) -> bool:
    """Give the start and end of each call outside any scope another one as parent."""
    found = [pair for pair in _pairs(spoiled) if pair[1].act.step["parent"] is None]
    found = [pair for pair in found if not open_scopes(spoiled.transcript, pair[1].act.began)]
    for one, other in found:
        for _, event in (other.start, *other.ends):
            event["parent_uuid"] = one.start[1]["uuid"]
    return bool(found)


def _background(spoiled: Spoiled) -> list[ToldSpan]:
    return [span for span in managed_spans(spoiled.transcript) if span.act.step["background"] and len(span.ends) == 1]


@plant(
    FAULTS, "tell_latecomers", "who comes while a call is in flight is told of its end", "FLT-006", also=("LIF-008",)
)
def tell_latecomers(spoiled: Spoiled) -> bool:
    """Tell every subscriber that came later of the end too."""
    for span in _background(spoiled):
        late = [
            act
            for act in registered(spoiled.transcript, "subscriber")
            if span.act.started_at < (act.done or 0) < span.ends[0][0]
        ]
        for act in late:
            at, end = span.ends[0]
            spoiled.insert(at, {"fact": "event", "subscriber": act.step["as"], "event": copied(end)})
            return True
    return False


@plant(
    FAULTS,
    "forget_leavers",
    "who is taken back while a call is in flight is not told of its end",
    "FLT-006",
    also=("FLT-011", "LIF-001", "LIF-008", "TOL-007"),
)
def forget_leavers(spoiled: Spoiled) -> bool:
    """Drop what a subscriber that was taken back was told of the ends of calls in flight."""
    gone: list[Json] = []
    for span in _background(spoiled):
        left = listeners(spoiled.transcript, span.act.done or 0)
        for subscriber, told in subscribers(spoiled.transcript, span.act):
            events = spoiled.transcript.events.get(subscriber, []) if told and subscriber not in left else []
            ends = [event for _, event in events if event["uuid"] == span.start[1]["uuid"]]
            gone += [event for event in ends if event.get("scope_category") == "end"]
    spoiled.drop(gone)
    return bool(gone)


@plant(
    FAULTS,
    "wrap_late",
    "an intercept that comes while a call is in flight wraps it",
    "FLT-007",
    "MID-018",
    also=("MID-027",),
)
def wrap_late(spoiled: Spoiled) -> bool:
    """Let a late execution intercept run in an LLM call, beside its provider."""
    for act in _calls(spoiled):
        for late in registered(spoiled.transcript, "llm.execution"):
            providers = [run for run in act.all() if run.part == "provider"]
            if providers and act.started_at < (late.done or 0) < providers[0].entered:
                left, key = providers[0].left or 0, {"callback": late.step["as"], "k": 7}
                given = spoiled.log[providers[0].entered]["given"]
                told = {"codecs": codecs_of(act.step)} if spoiled.rules.execution_codecs else {}
                entered = {"fact": "enter", **key, "given": {"name": act.step["name"], **given, **told}}
                spoiled.insert(left, entered, {"fact": "leave", **key, "reply": {"ok": True}})
                return True
    return False


def _calls(spoiled: Spoiled) -> list[Act]:
    return [act for act in calls_in_flight(spoiled.transcript) if act.step["kind"] == "llm"]


@plant(
    FAULTS,
    "unwrap_early",
    "an intercept that is taken back while a call is in flight wraps it no more",
    "FLT-007",
    "MID-019",
)
def unwrap_early(spoiled: Spoiled) -> bool:
    """Take out what an LLM call's intercepts did that were gone when it was over."""
    gone: list[tuple[str, int]] = []
    for act in _calls(spoiled):
        left = {one.step["as"] for one in effective(spoiled.transcript, "llm.execution", act.done or 0)}
        for run in act.all():
            if run.part == "llm.execution" and run.callback not in left and run is not act.runs[0]:
                gone.append((run.callback, spoiled.log[run.entered]["k"]))
    spoiled.log[:] = [record for record in spoiled.log if (record.get("callback"), record.get("k")) not in gone]
    return bool(gone)


@plant(
    FAULTS,
    "forget_who_is_due",
    "what is taken back while a call waits before its start does not run any more",
    "FLT-016",
    also=("OUT-004", "AUT-003", "MID-012"),
)
def forget_who_is_due(spoiled: Spoiled) -> bool:
    """Take out the request intercepts that ran in a call and were gone by then, but for what waited."""
    gone: list[tuple[str, int]] = []
    for act in calls_in_flight(spoiled.transcript):
        for run in act.all():
            left = {one.step["as"] for one in effective(spoiled.transcript, run.part, run.entered)}
            if run.part in ("llm.request", "tool.request") and run.callback not in left:
                gone.append((run.callback, spoiled.log[run.entered]["k"]))
    spoiled.log[:] = [record for record in spoiled.log if (record.get("callback"), record.get("k")) not in gone]
    return bool(gone)


@plant(FAULTS, "settle_sanitizers", "sanitizers that come while a call is in flight rewrite nothing", "FLT-008")
def settle_sanitizers(spoiled: Spoiled) -> bool:
    """Take out what late response sanitizers did; the end has the answer."""
    for span in _background(spoiled):
        late = [
            act.step
            for act in registered(spoiled.transcript, "llm.sanitize_response")
            if span.act.started_at < (act.done or 0) < (span.act.done or 0)
        ]
        runs = [run for run in spoiled.transcript.published if any(run.step is step for step in late)]
        runs = [run for run in runs if same(run.given.get("response"), span.act.value)]
        if runs and span.act.step["kind"] == "llm":
            callbacks = {run.callback for run in runs}
            spoiled.log[:] = [record for record in spoiled.log if record.get("callback") not in callbacks]
            span.ends[0][1]["data"] = span.act.value
            return True
    return False


@plant(
    FAULTS,
    "keep_sanitizing",
    "sanitizers that were taken back rewrite the end of a call in flight",
    "FLT-008",
    also=("LIF-006", "EVT-056"),
)
def keep_sanitizing(spoiled: Spoiled) -> bool:
    """Put something else into the ends of calls whose sanitizers were taken back."""
    found = [
        span
        for span in _background(spoiled)
        if span.act.step["kind"] == "llm"
        and span.act.error is None
        and effective(spoiled.transcript, "llm.sanitize_response", span.act.started_at)
        and not effective(spoiled.transcript, "llm.sanitize_response", span.act.runs[-1].left or 0)
    ]
    for span in found:
        span.ends[0][1]["data"] = PLANTED
    return bool(found)
