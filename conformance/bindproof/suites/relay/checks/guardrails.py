"""Checks of the chapter *Middleware* (MID): what guardrails say, and what they and rejections are in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register, rewrites
from bindproof.suites.relay.observation.guardrails import Due, guarded
from bindproof.suites.relay.observation.outcomes import lets_pass
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import context_at, open_scopes, received_at, scopes_stay, told_at
from bindproof.suites.relay.observation.spans import ToldSpan, all_spans
from bindproof.suites.relay.observation.transcript import Act, Entry, Event

CHECKS: dict[str, Check] = {}

CANCELLED = "cancelled"
"""What the error of a guardrail that is cancelled says."""


def _scopes(reading: Reading) -> Iterator[tuple[str, Due, Event, Event | None]]:
    """Yield each guardrail that a subscriber was told of: who, the conditional, the start, the end."""
    for one in guarded(reading.transcript):
        for due, start, end in one.scopes or ():
            yield one.subscriber, due, start, end


@register(CHECKS, "MID-028")
def a_guardrail_says_what_it_does(reading: Reading) -> Found:
    """The start's data are of which sort the conditional is, the end's what it decided, and nothing else."""
    found = list(_scopes(reading))
    return judged([evidence for _, due, start, end in found for evidence in _said(reading, due, start, end)], found)


def _said(reading: Reading, due: Due, start: Event, end: Event | None) -> Iterator[Evidence]:
    sort = _sort(due.act)
    if not rewrites(reading, due.at, "start.sanitize") and not same(sort, seen := start[1].get("data")):
        yield Evidence(EVERY_LANE, "a guardrail's start says of which sort it is", start[0], sort, seen)
    if end is None or rewrites(reading, due.over, "end.sanitize"):
        return
    at, seen = end[0], end[1].get("data")
    if due.run is not None and part(seen, "allowed") is not lets_pass(due.run):
        return  # what a guardrail decided is MID-009's
    expected = _decided(due.run)
    if isinstance(seen, dict) and "error" in expected and _tells(due.run, seen.get("error")):
        expected = {**expected, "error": seen["error"]}
    if not same(expected, seen):
        yield Evidence(EVERY_LANE, "a guardrail's end says what it decided, and nothing else", at, expected, seen)


def _sort(act: Act) -> Json:
    if act.step["kind"] in ("tool", "tool.conditional"):
        return {"kind": "tool_conditional_execution", "target_name": act.step["name"]}
    return {"kind": "llm_conditional_execution"}


def _decided(run: Entry | None) -> Json:
    if run is not None and lets_pass(run):
        return {"allowed": True, "rejected": False}
    if run is not None and run.replied and isinstance(run.reply, str):
        return {"allowed": False, "rejected": True, "rejection_reason": run.reply}
    if run is not None and run.left is None:
        return {"allowed": False, "cancelled": True, "error": CANCELLED}
    return {"allowed": False, "error": "a text" if run is None or run.raised is None else run.raised}


def _tells(run: Entry | None, error: Json) -> bool:
    """Tell whether an error is the text of one, with what was raised in it."""
    if not isinstance(error, str):
        return False
    return run is None or (CANCELLED if run.left is None else run.raised or "") in error


@register(CHECKS, "MID-029")
def it_is_where_its_call_is(reading: Reading) -> Found:
    """Parent and root of a guardrail, and of a rejection's mark, are those of the call's start, if there is one."""
    found = [one for subscriber in sorted(reading.transcript.events) for one in _placed(reading, subscriber)]
    return judged(
        [
            Evidence(EVERY_LANE, f"a guardrail has the {member} of its call", at, wanted[member], event.get(member))
            for (at, event), wanted in found
            for member in MEMBERS
            if member in event and event[member] != wanted.get(member, event[member])
        ],
        found,
    )


MEMBERS = ("parent_uuid", "propagation_root_uuid")


def _placed(reading: Reading, subscriber: str) -> Iterator[tuple[Event, Json]]:
    """Yield the events of guardrails and rejections with what each has to name, as far as it is known."""
    spans = [span for span in all_spans(reading.transcript) if span.subscriber == subscriber]
    own = {span.act.step["as"]: span.start[1] for span in spans}
    guards = list(_of_guardrails(reading, subscriber))
    if not guards:
        return
    outside = _outside(reading, spans, guards)
    for act, event in guards:
        parent, scopes = act.step.get("parent"), open_scopes(reading.transcript, act.began)
        wanted: Json = {}
        if parent is not None or scopes:
            around = own.get(scopes[-1].step["as"] if parent is None else parent, {})
            wanted = {"parent_uuid": around["uuid"]} if "uuid" in around else {}
        elif (context := context_at(reading.transcript, act.began)) in outside:
            wanted = {"parent_uuid": outside[context]}
        if received_at(reading.transcript, act.began) is not None:  # PRP-004
            told = told_at(reading.transcript, act.began) or {}
            root = {"propagation_root_uuid": told["root_uuid"]} if "root_uuid" in told else {}
        else:
            root = _root(own, scopes, wanted) if scopes_stay(reading.transcript, act) else {}
        yield event, {**wanted, **root}


def _root(own: dict[str, Json], scopes: list[Act], wanted: Json) -> Json:
    """Return the root of what is made in these scopes: the outermost agent, else what all outermost scopes are in."""
    if not scopes:
        return {"propagation_root_uuid": wanted["parent_uuid"]} if wanted else {}
    if any(scope.step["as"] not in own or scope.step["parent"] is not None for scope in scopes):
        return {}
    agents = [scope for scope in scopes if scope.step["type"] == "agent"]
    named = own[agents[0].step["as"]].get("uuid") if agents else own[scopes[0].step["as"]].get("parent_uuid")
    return {"propagation_root_uuid": named}


def _of_guardrails(reading: Reading, subscriber: str) -> Iterator[tuple[Act, Event]]:
    """Yield what a subscriber was told of guardrails and rejections, each with the call or helper."""
    for name, due, start, end in _scopes(reading):
        if name == subscriber:
            yield from ((due.act, event) for event in (start, end) if event is not None)
    for act, events in reading.deliveries.rejected.items():
        if subscriber in events:
            yield act, events[subscriber]


def _outside(reading: Reading, spans: list[ToldSpan], guards: list[tuple[Act, Event]]) -> dict[str, Json]:
    """Return what starts outside any scope have as their parent, by context; where none does, most guardrails."""
    counts: dict[str, Counter[Json]] = defaultdict(Counter)
    for act, (_, event) in guards:
        if act.step.get("parent") is None and not open_scopes(reading.transcript, act.began):
            counts[context_at(reading.transcript, act.began)][event.get("parent_uuid")] += 1
    found = {context: count.most_common(1)[0][0] for context, count in counts.items()}
    for span in spans:
        at = span.act.began if span.act.step["step"] == "call" else span.act.done or 0
        if span.act.step["parent"] is None and not open_scopes(reading.transcript, at):
            found[context_at(reading.transcript, at)] = span.start[1].get("parent_uuid")
    return found
