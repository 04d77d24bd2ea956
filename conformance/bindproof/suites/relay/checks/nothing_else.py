"""Checks of the chapter *Events* (EVT): that nothing is told but what happened, and in profiles but what is stated."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register, rewrites
from bindproof.suites.relay.checks.events import as_was
from bindproof.suites.relay.observation.guardrails import conditionals_due, guarded
from bindproof.suites.relay.observation.outcomes import contributions
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.spans import all_spans
from bindproof.suites.relay.observation.transcript import Act, Event

CHECKS: dict[str, Check] = {}

NAMED = {"model_name": "model", "tool_call_id": "tool_call_id"}
"""Member of a call's profile → the member of its step that it says."""


@register(CHECKS, "EVT-014")
def calls_have_a_profile(reading: Reading) -> Found:
    """The profile of a call's events is an object of what is stated, that of a scope or a guardrail is null."""
    found = [
        (at, event, None if span.act.step["kind"] == "scope" else _members(reading, span.act, event))
        for span in all_spans(reading.transcript)
        for at, event in as_was(reading, span)
    ]
    found += [(at, event, None) for at, event in _guardrails(reading)]
    return judged(
        [
            Evidence(EVERY_LANE, "a call has a profile, a scope none", at, members, profile)
            for at, event, members in found
            if ((profile := event.get("category_profile")) is not None and members is None)
            or (members is not None and not (isinstance(profile, dict) and profile.keys() <= members))
        ],
        found,
    )


def _members(reading: Reading, act: Act, event: Json) -> set[str]:
    """Return what a call's profile may have: what other chapters put there."""
    step, ends = act.step, event.get("scope_category") == "end"
    found = {key for key, given in NAMED.items() if step.get(given) is not None}
    by_hand = step["step"] == "start"
    if step["kind"] == "tool":
        return found | ({"tool_result_annotation"} if ends else set())
    if ends:
        found |= {"time_to_first_chunk"} if step["kind"] == "llm_stream" else set()
        read = by_hand or step["response_codec"] is not None or contributions(act)
        return found | ({"annotated_response"} if read else set())
    annotated = not by_hand and (
        step["codec"] != "none" or any(part(run.reply, "annotated_request") for run in act.runs)
    )
    return found | ({"annotated_request"} if annotated else set())


def _guardrails(reading: Reading) -> Iterator[Event]:
    """Yield the events of guardrails that no sanitizer of events rewrites."""
    for one in guarded(reading.transcript):
        for due, start, end in one.scopes or ():
            for at, event, family in ((due.at, start, "start.sanitize"), (due.over, end, "end.sanitize")):
                if event is not None and not rewrites(reading, at, family):
                    yield event


@register(CHECKS, "EVT-051")
def what_did_not_happen_is_not_told(reading: Reading) -> Found:
    """Nobody is told of what is of no step, and of no call that did not start."""
    guards = bool(conditionals_due(reading.transcript))  # MID-009 and MID-026 count them
    strange = [event for _, event in reading.unowned]
    for act, lives in reading.deliveries.lives.items():
        if act.step["step"] == "start" and act.started:
            strange += [event for life in lives.values() for event in life.marks]
        if not act.started or not contributions(act):  # of others CTR-001 counts
            strange += [event for life in lives.values() for event in life.contributions]
        if not act.started and act.done is not None:
            strange += [event for life in lives.values() for event in life.starts + life.marks + life.chunks]
            strange += [event for life in lives.values() for event in life.ends if reading.edition != AT_THEIR_TIME]
    return judged(
        [
            Evidence(EVERY_LANE, "what did not happen is not told", at, None, event)
            for at, event in strange
            if not guards or event.get("category") != "guardrail"
        ],
        reading.events,
    )


AT_THEIR_TIME = "0.4"
"""The edition in which an end is told to whoever is there then, who may not know which step it is of (LIF-008)."""
