"""Planted faults of the chapter *Measurements* (MTR)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant

FAULTS: dict[str, Fault] = {}


def _told(spoiled: Spoiled) -> list[Json]:
    """Return the events that tell of measurements, where nothing runs when they are published."""
    if spoiled.transcript.published:
        return []
    marked = spoiled.reading.deliveries.marked
    acts = [act for act in spoiled.transcript.of_kind("mark") if act.step["measurements"]]
    return [event for act in acts for _, event in marked.get(act, {}).values()]


@plant(FAULTS, "forget_unit", "a measurement is told without what describes it", "MTR-001", also=("EVT-006",))
def forget_unit(spoiled: Spoiled) -> bool:
    """Take units, descriptions and attributes out of every measurement."""
    found = [one for event in _told(spoiled) for one in event["data"]["measurements"]]
    found = [one for one in found if one["unit"] or one["description"] or one["attributes"]]
    for one in found:
        one.update(unit=None, description=None, attributes=None)
    return bool(found)


@plant(FAULTS, "plain_metric", "measurements are told without their schema", "MTR-001", also=("EVT-007",))
def plain_metric(spoiled: Spoiled) -> bool:
    """Take the schema out of every event that tells of measurements."""
    found = _told(spoiled)
    for event in found:
        event["data_schema"] = None
    return bool(found)


@plant(
    FAULTS,
    "vague_metric",
    "unsound measurements are refused with an error that does not say so",
    "MTR-002",
    also=("LIF-030",),
)
def vague_metric(spoiled: Spoiled) -> bool:
    """Make the error of every group that was refused say something else."""
    acts = [act for act in spoiled.transcript.of_kind("mark") if act.step["measurements"] is not None]
    found = [act for act in acts if act.error is not None]
    for act in found:
        spoiled.log[act.done or 0]["error"]["message"] = "planted"
    return bool(found)
