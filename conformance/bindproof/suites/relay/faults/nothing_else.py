"""Planted faults of the chapter *Events* (EVT): what nobody stated, and what did not happen."""

from __future__ import annotations

from bindproof.core.model import Json, copied
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.spans import all_spans
from bindproof.suites.relay.observation.status import is_error
from bindproof.suites.relay.observation.transcript import Event

FAULTS: dict[str, Fault] = {}

LATER_UUID = "0fa117ed-0000-7000-8000-000000000001"
"""An identity that no binding gives, and no other fault."""


def _is_seen(spoiled: Spoiled) -> bool:
    """Tell whether something saw events before they were told."""
    return any("event" in run.given for run in spoiled.transcript.published)


def _calls(spoiled: Spoiled, phase: str) -> list[Json]:
    """Return the starts or the ends of calls, where nothing saw an event before it was told."""
    if _is_seen(spoiled):
        return []
    spans = [span for span in all_spans(spoiled.transcript) if span.act.step["kind"] != "scope"]
    return [event for span in spans for _, event in ([span.start] if phase == "start" else span.ends)]


@plant(FAULTS, "own_profile", "the profile of a call's end has a member of its own", "EVT-014", also=("EVT-031",))
def own_profile(spoiled: Spoiled) -> bool:
    """Add a member to the profile of every call's end."""
    found = _calls(spoiled, "end")
    for event in found:
        event["category_profile"] = {**(event["category_profile"] or {}), **PLANTED}
    return bool(found)


@plant(FAULTS, "own_metadata", "a call's start has metadata that nobody gave", "EVT-009", also=("EVT-031",))
def own_metadata(spoiled: Spoiled) -> bool:
    """Add a member to the metadata of every call's start."""
    found = [event for event in _calls(spoiled, "start") if isinstance(event["metadata"], dict | None)]
    for event in found:
        event["metadata"] = {**(event["metadata"] or {}), **PLANTED}
    return bool(found)


@plant(FAULTS, "own_end_metadata", "an end of what went well has metadata of its own", "EVT-009", also=("EVT-031",))
def own_end_metadata(spoiled: Spoiled) -> bool:
    """Add a member to the metadata of the end of every call that did not fail, and of every scope."""
    if _is_seen(spoiled):
        return False
    spans = [span for span in all_spans(spoiled.transcript) if span.act.error is None]
    spans = [span for span in spans if isinstance(span.act.step["metadata"], dict | None)]
    ends = [event for span in spans for _, event in span.ends if isinstance(event["metadata"], dict | None)]
    found = [event for event in ends if not is_error(event["metadata"])]
    for event in found:
        event["metadata"] = {**(event["metadata"] or {}), **PLANTED}
    return bool(found)


def _rejected(spoiled: Spoiled) -> list[tuple[str, Event, str]]:
    """Return who was told of the first rejection, its mark and the category of its call, the last one first.

    Nobody where something saw events before they were told.
    """
    for act, told in spoiled.reading.deliveries.rejected.items():
        category = act.step["kind"].removesuffix("_stream")
        found = [(name, event, category) for name, event in told.items()]
        return [] if _is_seen(spoiled) else sorted(found, key=lambda one: -one[1][0])
    return []


@plant(
    FAULTS,
    "tell_of_no_call",
    "a call that was rejected is told of",
    "EVT-051",
    also=("EVT-015", "LIF-001", "LIF-004", "LIF-010", "MID-008", "TOL-007"),
)
def tell_of_no_call(spoiled: Spoiled) -> bool:
    """Tell a start of the first call that was rejected, behind its mark, to each who was told of that."""
    found = _rejected(spoiled)
    for name, (at, event), category in found:
        scope: Json = {**event, "kind": "scope", "scope_category": "start", "category": category, "attributes": []}
        scope |= {"uuid": FOREIGN_UUID, "category_profile": {}}
        spoiled.insert(at, {"fact": "event", "subscriber": name, "event": copied(scope)})
    return bool(found)


@plant(FAULTS, "tell_a_strange_mark", "a mark is told that nobody emitted", "EVT-051")
def tell_a_strange_mark(spoiled: Spoiled) -> bool:
    """Tell a mark of another name behind the first rejection, to each who was told of that."""
    found = _rejected(spoiled)
    for name, (at, event), _ in found:
        mark: Json = {**event, "name": "planted", "uuid": LATER_UUID, "data": PLANTED}
        spoiled.insert(at, {"fact": "event", "subscriber": name, "event": copied(mark)})
    return bool(found)
