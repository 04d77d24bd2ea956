"""Planted faults about what another process is told, and what becomes of it there (PRP)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, Spoiled, plant
from bindproof.suites.relay.observation.scopes import open_scopes, place_of, received_at, scopes_around
from bindproof.suites.relay.observation.spans import all_spans
from bindproof.suites.relay.observation.transcript import Act

FAULTS: dict[str, Fault] = {}


def _captured(spoiled: Spoiled) -> list[tuple[Act, Json]]:
    """Return the steps that captured what has a parent, each with the value in its record."""
    found = [act for act in spoiled.transcript.of_kind("capture") if act.error is None and isinstance(act.value, dict)]
    return [(act, spoiled.log[act.done or 0]["value"]) for act in found]


@plant(
    FAULTS,
    "capture_a_stray_parent",
    "what is captured in a scope has another parent",
    "PRP-001",
    also=("PRP-003", "REF-000"),
)
def capture_a_stray_parent(spoiled: Spoiled) -> bool:
    """Name nothing that ever was as the parent of each place in a scope."""
    found = [value for act, value in _captured(spoiled) if open_scopes(spoiled.transcript, act.done or 0)]
    for value in found:
        value["parent_uuid"] = FOREIGN_UUID
    return bool(found)


@plant(
    FAULTS,
    "capture_a_stray_root",
    "what is captured has another root",
    "PRP-002",
    also=("PRP-004", "PRP-005", "MID-029"),
)
def capture_a_stray_root(spoiled: Spoiled) -> bool:
    """Name nothing that ever was as the root of each place, in editions in which each has one."""
    found = [value for _, value in _captured(spoiled) if spoiled.rules.captured_roots]
    for value in found:
        value["root_uuid"] = FOREIGN_UUID
    return bool(found)


@plant(
    FAULTS,
    "forget_the_captured_parent",
    "what comes first in a context that was received has another parent",
    "PRP-003",
    also=("LIF-025", "MID-029"),
)
def forget_the_captured_parent(spoiled: Spoiled) -> bool:
    """Give each start outside any scope of such a context another parent, and its end with it."""
    return _name_otherwise(spoiled, "parent_uuid", first=True)


@plant(FAULTS, "forget_the_captured_root", "what starts in a context that was received names another root", "PRP-004")
def forget_the_captured_root(spoiled: Spoiled) -> bool:
    """Give each start in such a context another root, in editions in which events name theirs."""
    return spoiled.rules.propagation_root and _name_otherwise(spoiled, "propagation_root_uuid", first=False)


def _name_otherwise(spoiled: Spoiled, member: str, *, first: bool) -> bool:
    spans = [
        span
        for span in all_spans(spoiled.transcript)
        if span.act.within is None and span.act.step["parent"] is None and _is_received(spoiled, span.act)
        if not first or not scopes_around(spoiled.transcript, span.act)
    ]
    for span in spans:
        for _, event in (span.start, *(span.ends if first else ())):
            event[member] = FOREIGN_UUID
    return bool(spans)


def _is_received(spoiled: Spoiled, act: Act) -> bool:
    return received_at(spoiled.transcript, place_of(act)) is not None


@plant(FAULTS, "begin_another_trace", "the trace does not go on in a context that was received", "PRP-005")
def begin_another_trace(spoiled: Spoiled) -> bool:
    """Have the header of each request in such a context, made of what has a root, name a trace of its own."""
    found = [
        call.executions[0].raw_given["request"]["headers"]
        for call in spoiled.managed
        if call.executions
        and (made := received_at(spoiled.transcript, call.act.began))
        and "root_uuid" in (made.value or ())
    ]
    found = [headers for headers in found if "traceparent" in headers]
    for headers in found:
        headers["traceparent"] = f"00-{FOREIGN_UUID.replace('-', '')}-{headers['traceparent'][36:]}"
    return bool(found)


@plant(FAULTS, "capture_no_trace", "the header that is captured names no scope", "PRP-006")
def capture_no_trace(spoiled: Spoiled) -> bool:
    """Give a header of another trace and another scope."""
    found = [act for act in spoiled.transcript.of_kind("capture") if act.step["what"] == "traceparent"]
    found = [act for act in found if act.error is None]
    for act in found:
        spoiled.log[act.done or 0]["value"] = f"00-{FOREIGN_UUID.replace('-', '')}-8000000000000f01-01"
    return bool(found)
