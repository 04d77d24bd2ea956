"""Checks about what callbacks are given: their members (MID), an event's fields, a payload (EVT), an original (AUT)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks import (
    authority,
    by_hand,
    cancelling,
    conditionals,
    credentials,
    event_contents,
    events,
    executions,
    guardrails,
    lifecycle,
    marks,
    metrics,
    nothing_else,
    payloads,
    responses,
    stream_events,
    tool_events,
    tools,
)
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, free_headers, judged, part, register
from bindproof.suites.relay.checks.lifecycle import object_of
from bindproof.suites.relay.observation.emitted import Emitted, as_emitted, as_payloads
from bindproof.suites.relay.observation.published import FIELDS, Publication, publications
from bindproof.suites.relay.observation.published import payloads as payloads_of
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.spelling import SANITIZERS

ANYWHERE: dict[str, Check] = {}
"""Of callbacks of any family."""
PUBLISHED: dict[str, Check] = {}
"""Of those that rewrite events."""
SANITIZING: dict[str, Check] = {}
"""Of those that rewrite payloads."""
CODED: dict[str, Check] = {}
"""Of a call's codec."""

REQUEST = frozenset({"content", "headers"})

MEMBERS = {
    "llm.request": {"name", "request", "annotated_request"},
    "tool.request": {"name", "args"},
    "llm.conditional": {"request"},
    "tool.conditional": {"name", "args"},
    "llm.execution": {"name", "request"},
    "llm.stream": {"request"},
    "tool.execution": {"name", "args"},
    "llm.sanitize_request": {"request"},
    "llm.sanitize_response": {"response"},
    "tool.sanitize_request": {"name", "args"},
    "tool.sanitize_response": {"name", "result"},
    "mark.sanitize": {"event", "fields"},
    "start.sanitize": {"event", "fields"},
    "end.sanitize": {"event", "fields"},
    "event.metadata": {"event"},
    "source": {"request"},
    "collector": {"chunk"},
    "finalizer": set(),
    "decode": {"request"},
    "encode": {"annotated_request", "original"},
    "install": {"plugin"},
}
"""Part of an entry → what callbacks of it are given."""

SPOKEN_OF = {
    "llm.sanitize_request": {"codec"},
    "llm.sanitize_response": {"codec"},
    "llm.execution": {"codecs"},
    "llm.stream": {"codecs"},
    "tool.execution": {"tool_call_id"},
}
"""Part → members that some editions have beside those: AUT-017, AUT-026 and TOL-016 say when."""

FORMS = {"request": REQUEST, "original": REQUEST, "fields": frozenset(FIELDS), "event": frozenset(FIELDS)}
"""Member → the members of what it is; an event has others beside these (EVT-018)."""

DATA: dict[str, Check] = {
    name: table[name]
    for table, names in (
        (lifecycle.CHECKS, ("LIF-004", "LIF-006")),
        (credentials.CHECKS, ("LIF-026", "LIF-027")),
        (authority.CHECKS, ("AUT-019",)),
        (executions.CHECKS, ("MID-019",)),
        (tools.CHECKS, ("TOL-015",)),
        (tool_events.CHECKS, ("TOL-013",)),
        (stream_events.CHECKS, ("STR-004",)),
        (by_hand.CHECKS, ("EVT-036", "EVT-042")),
    )
    for name in names
}
"""The rules about what the data of a start or an end are, where a payload stands there."""

FIELDS_OF_EVENTS: dict[str, Check] = DATA | {
    name: table[name]
    for table, names in (
        (event_contents.CHECKS, ("EVT-005", "EVT-006", "EVT-007", "EVT-009", "EVT-032", "EVT-033", "EVT-034")),
        (event_contents.CHECKS, ("EVT-035",)),
        (events.CHECKS, ("EVT-010",)),
        (nothing_else.CHECKS, ("EVT-014",)),
        (lifecycle.CHECKS, ("LIF-007", "LIF-013")),
        (marks.CHECKS, ("MRK-006", "MRK-012")),
        (tool_events.CHECKS, ("TOL-011",)),
        (stream_events.CHECKS, ("STR-007", "STR-008", "STR-012", "STR-013", "STR-018", "STR-019", "STR-020")),
        (by_hand.CHECKS, ("LIF-012", "TOL-017", "EVT-039", "EVT-041", "EVT-044", "EVT-045", "EVT-046")),
        (conditionals.CHECKS, ("MID-009", "MID-010", "EVT-028")),
        (guardrails.CHECKS, ("MID-028",)),
        (payloads.CHECKS, ("EVT-023", "EVT-025", "EVT-027", "EVT-029")),
        (responses.CHECKS, ("AUT-015", "AUT-016")),
        (cancelling.CHECKS, ("FLT-011",)),
        (metrics.CHECKS, ("MTR-001",)),
    )
    for name in names
}
"""The rules about what data, profile and metadata of events are."""


@register(ANYWHERE, "MID-027")
def a_callback_is_given_its_members(reading: Reading) -> Found:
    """A callback is given the members of its family, and the name of its call or helper."""
    found = list(_entries(reading))
    return judged([evidence for run, named in found for evidence in _misgiven(reading, run, named)], found)


def _entries(reading: Reading) -> Iterator[tuple[Entry, Act | None]]:
    """Yield all that was entered, each with the call or helper that it is of where that is sure."""
    for act in reading.transcript.acts:
        named = act if act.step["step"] in ("call", "helper") and act.step["as"] else None
        yield from ((run, named) for run in act.everything)
    sure = {run.entered: one.act for one in payloads_of(reading.transcript) for run in one.runs}
    yield from ((run, sure.get(run.entered)) for run in reading.transcript.published)


def _misgiven(reading: Reading, run: Entry, named: Act | None) -> Iterator[Evidence]:
    due = _members(run)
    if due is None:
        return
    due -= reading.spelling.withheld.get(run.part, frozenset())
    if (seen := set(run.given) - SPOKEN_OF.get(run.part, set())) != due:
        yield Evidence(EVERY_LANE, "what its family is given", run.entered, sorted(due), sorted(seen), "/given")
    if named is not None and "name" in run.given and not same(named.step["name"], run.given["name"]):
        yield Evidence(EVERY_LANE, "the call's name", run.entered, named.step["name"], run.given["name"], "/given/name")
    for name in run.given.keys() & FORMS.keys():
        members = set(object_of(run.given[name]))
        members &= FORMS[name] if name == "event" else members
        if members != FORMS[name]:
            text, at = f"the members of `{name}`", f"/given/{name}"
            yield Evidence(EVERY_LANE, text, run.entered, sorted(FORMS[name]), sorted(members), at)


def _members(run: Entry) -> set[str] | None:
    if run.part == "provider":
        return {"args"} if run.step["kind"] == "tool" else {"request"}
    members = MEMBERS.get(run.part)
    return None if members is None else set(members)


@register(PUBLISHED, "EVT-049")
def what_rewrites_an_event_is_given_it(reading: Reading) -> Found:
    """The first is given the fields that the rules on events have, later ones what those before left of them."""
    found = [one for one in publications(reading.transcript) if one.runs()]
    sanitizers = [run for run in reading.transcript.published if run.part in SANITIZERS]
    return judged(
        [
            *_of_the_rules(reading, as_emitted(reading), FIELDS_OF_EVENTS),
            *(evidence for one in found for evidence in _passed_on(one)),
            *_shown_as_fields(sanitizers),
        ],
        [*found, *sanitizers],
    )


def _of_the_rules(reading: Reading, emitted: Emitted, rules: dict[str, Check]) -> Iterator[Evidence]:
    """Yield where something was given that one of these rules would not have told, by the rules in force.

    What such a rule finds of the event as it was told too is that rule's.
    """
    seen: set[tuple[int, str]] = set()
    for name in rules.keys() & reading.rules if emitted.given else ():
        found = [one for one in rules[name](emitted.reading) or () if one.record in emitted.given]
        told = {(one.record, one.text) for one in rules[name](reading) or ()} if found else set()
        for one in found:
            at = emitted.given[one.record or 0]
            if (one.record, one.text) not in told and (at, one.text) not in seen:
                seen.add((at, one.text))
                text = f"given as {name} would have it told: {one.text}"
                yield Evidence(EVERY_LANE, text, at, one.expected, one.observed)


def _passed_on(one: Publication) -> Iterator[Evidence]:
    """Yield what an injector changed that is not its to change; of the metadata EVT-020 and EVT-021 are."""
    for run, after in pairwise(one.runs()):
        if run.part == "event.metadata":
            before, now = _fields(run.given["event"]), _fields(after.given["event"])
            if not same(before | {"metadata": None}, now | {"metadata": None}):
                yield Evidence(EVERY_LANE, "an injector leaves data and profile", after.entered, before, now)


def _shown_as_fields(sanitizers: Iterable[Entry]) -> Iterator[Evidence]:
    for run in sanitizers:
        event, fields = _fields(part(run.given, "event")), _fields(part(run.given, "fields"))
        if not same(event, fields):
            yield Evidence(EVERY_LANE, "the fields are those of the event", run.entered, event, fields, "/given/fields")


def _fields(value: Json) -> dict[str, Json]:
    return {name: part(value, name) for name in FIELDS}


@register(SANITIZING, "EVT-050")
def the_first_sanitizer_is_given_the_payload(reading: Reading) -> Found:
    """It is given what the start or end would show if nothing were rewritten."""
    emitted = as_payloads(reading)
    return judged(list(_of_the_rules(reading, emitted, DATA)), emitted.given)


@register(CODED, "AUT-020")
def encode_is_given_the_original(reading: Reading) -> Found:
    """Encode is given the request of the final outcome, less what only the provider is given."""
    found = [
        (one, request)
        for call in reading.scripted
        for one in call.encodes
        if isinstance(request := part(call.final, "request"), dict)
    ]
    return judged(
        [
            Evidence(
                EVERY_LANE, "the original is the outcome's request", one.entered, request, one.given.get("original")
            )
            for one, request in found
            if not same(_comparable(request), _comparable(one.given.get("original")))
        ],
        found,
    )


def _comparable(request: Json) -> Json:
    """Return a request less the headers that the runtime may set."""
    return {"content": part(request, "content"), "headers": free_headers(part(request, "headers"))}
