"""Checks of the chapter *Propagation* (PRP): what another process is told, and what becomes of it there.

What was captured is known by the value of its step, so that what is received is judged by that and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import PROGRAM, Check, Found, each_has, judged, part, register
from bindproof.suites.relay.checks.contexts import begun
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import open_scopes, place_of, received_at, scopes_around, told_at
from bindproof.suites.relay.observation.spans import spans
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}

UNSHOWN = object()
"""Stands for what a scenario does not show."""


def _captures(reading: Reading, *what: str) -> list[Act]:
    return [act for act in reading.transcript.of_kind("capture") if act.step["what"] in what]


def _around(reading: Reading, act: Act) -> list[Act]:
    """Return the scopes that are open where a step is done, outermost first."""
    return open_scopes(reading.transcript, act.done or 0)


def _uuids(reading: Reading, member: str = "uuid") -> dict[str, Json]:
    """Return a member of the start of each scope, by the step that started it."""
    return {span.act.step["as"]: span.start[1].get(member) for span in spans(reading.transcript, "scope")}


@register(CHECKS, "PRP-001")
def it_says_where_it_was_captured(reading: Reading) -> Found:
    """It has the version 1, and the innermost open scope as its parent."""
    uuids = _uuids(reading)
    found = _captures(reading, "usual", "rootless", "rooted")
    return judged([evidence for act in found for evidence in _misplaced(reading, act, uuids)], found)


def _misplaced(reading: Reading, act: Act, uuids: dict[str, Json]) -> Iterator[Evidence]:
    if act.error is not None:
        yield Evidence(PROGRAM, "what is there is captured", act.done, None, act.error)
        return
    if not same(part(act.value, "version"), 1):
        yield Evidence(PROGRAM, "the version is 1", act.done, 1, part(act.value, "version"))
    scopes, parent = _around(reading, act), part(act.value, "parent_uuid")
    wanted = uuids.get(scopes[-1].step["as"]) if scopes else parent
    if parent is None or (wanted is not None and parent != wanted):
        yield Evidence(PROGRAM, "the parent is the innermost open scope", act.done, wanted, parent)


@register(CHECKS, "PRP-002")
def it_names_a_root(reading: Reading) -> Found:
    """The root is the one that was asked for: that of what starts there, a scope's, or none."""
    uuids, parents = _uuids(reading), _uuids(reading, "parent_uuid")
    found = [
        (act, wanted)
        for act in _captures(reading, "usual", "rootless", "rooted")
        if act.error is None and (wanted := _root(reading, act, uuids, parents)) is not UNSHOWN
    ]
    return judged(
        [
            Evidence(PROGRAM, "the root is the one that was asked for", act.done, wanted, seen)
            for act, wanted in found
            if (seen := part(act.value, "root_uuid")) != wanted
        ],
        found,
    )


def _root(reading: Reading, act: Act, uuids: dict[str, Json], parents: dict[str, Json]) -> Json:
    """Return the root that is to be told, None for none; UNSHOWN where nobody was told of the scope."""
    match act.step["what"]:
        case "rootless":
            return None
        case "rooted":
            return uuids.get(act.step["root"], UNSHOWN)
    scopes = _around(reading, act)
    agents = [scope.step["as"] for scope in scopes if scope.step["type"] == "agent"]
    if any(scope.step["parent"] is not None for scope in scopes):
        return UNSHOWN
    if agents:
        return uuids.get(agents[0], UNSHOWN)
    return parents.get(scopes[0].step["as"], UNSHOWN) if scopes else part(act.value, "parent_uuid")


@register(CHECKS, "PRP-003")
def what_comes_first_is_its_child(reading: Reading) -> Found:
    """Outside any scope of a context that was received, the parent is what that says."""
    found = [
        (event, told["parent_uuid"])
        for act, event in begun(reading)
        if not scopes_around(reading.transcript, act) and (told := told_at(reading.transcript, place_of(act)))
    ]
    made = [act for act in reading.transcript.of_kind("context") if act.step["from"] is not None]
    refused = [
        Evidence(PROGRAM, "a context is made of what was captured", act.done, None, act.error)
        for act in made
        if act.error is not None and isinstance(reading.transcript.by_id[act.step["from"]].value, dict)
    ]
    children = each_has(found, "parent_uuid", "what comes first is a child of what was captured")
    return judged([*refused, *(children or ())], [*made, *found])


@register(CHECKS, "PRP-004")
def all_names_the_root_that_was_captured(reading: Reading) -> Found:
    """All that starts or is marked in a context that was received names its root."""
    found = [
        (event, told["root_uuid"])
        for act, event in begun(reading)
        if (told := told_at(reading.transcript, place_of(act))) and "root_uuid" in told
    ]
    return each_has(found, "propagation_root_uuid", "all names the root that was captured")


@register(CHECKS, "PRP-005")
def the_trace_goes_on(reading: Reading) -> Found:
    """In a context that was received the trace is the captured one, or that of the root."""
    calls = [(one.act, one.executions[0].entered, part(one.executions[0].given, "request")) for one in reading.reached]
    helpers = [
        (act, act.done or 0, part(act.value, "request"))
        for act in reading.transcript.of_kind("helper")
        if act.step["kind"] == "llm.request" and act.error is None
    ]
    found = [
        (at, _trace_of(told), part(request, "headers", "traceparent"))
        for act, at, request in (*calls, *helpers)
        if act.within is None and (told := told_at(reading.transcript, act.began)) and "root_uuid" in told
    ]
    return judged(
        [
            Evidence(PROGRAM, "the trace goes on", at, wanted, header)
            for at, wanted, header in found
            if _named(header, "trace") != wanted
        ],
        found,
    )


def _trace_of(told: Json) -> Json:
    """Return the trace that goes on in a context made of what was captured."""
    return _named(told["traceparent"], "trace") if "traceparent" in told else told["root_uuid"]


def _named(header: Json, member: str) -> Json:
    """Return what a normalised trace header names as its trace, or as its span."""
    if isinstance(header, str):
        return header.removeprefix("trace(").removesuffix(")")
    return part(header, member)


@register(CHECKS, "PRP-006")
def a_captured_header_names_trace_and_scope(reading: Reading) -> Found:
    """It names the outermost scope as the trace and the innermost as the span; outside any there is none to capture."""
    uuids = _uuids(reading)
    found = [act for act in _captures(reading, "traceparent") if received_at(reading.transcript, act.done or 0) is None]
    return judged([evidence for act in found for evidence in _unlike(act, _around(reading, act), uuids)], found)


def _unlike(act: Act, scopes: list[Act], uuids: dict[str, Json]) -> Iterator[Evidence]:
    if not scopes:
        if part(act.error, "kind") != "invalid_argument":
            yield Evidence(PROGRAM, "outside any scope there is no trace to capture", act.done, "an error", act.value)
        return
    wanted = {name: uuids.get(scopes[at].step["as"]) for name, at in (("trace", 0), ("span", -1))}
    seen = {name: _named(act.value, name) for name in wanted}
    if act.error is not None or any(one not in (None, seen[name]) for name, one in wanted.items()):
        yield Evidence(PROGRAM, "the header names the outermost and the innermost scope", act.done, wanted, act.value)
