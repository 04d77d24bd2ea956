"""Planted faults of the chapter *Dialects* (DLC)."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.marks import later
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, Spoiled, plant
from bindproof.suites.relay.scenario.spelling import UNREAD

FAULTS: dict[str, Fault] = {}


@plant(
    FAULTS,
    "rename_key",
    "an event spells category_profile in camel case",
    "DLC-001",
    "LIF-009",
    also=("EVT-001", "EVT-018"),
)
def rename_key(spoiled: Spoiled) -> bool:
    """Rename the profile of every mark's event."""
    events = [event for _, lives in spoiled.marked() for life in lives for _, event in life.marks]
    for event in events:
        event["categoryProfile"] = event.pop("category_profile")
    return bool(events)


@plant(
    FAULTS,
    "rename_start_key",
    "a start spells data_schema in camel case",
    "DLC-001",
    "LIF-009",
    also=("EVT-001", "EVT-018"),
)
def rename_start_key(spoiled: Spoiled) -> bool:
    """Rename what every start of a call says of its data's schema; where nobody states marks there are no others."""
    events = [event for _, lives in spoiled.lives() for life in lives for _, event in life.starts]
    for event in events:
        event["dataSchema"] = event.pop("data_schema")
    return bool(events)


@plant(FAULTS, "lose_profile", "a mark's profile does not arrive", "DLC-002", "MRK-006", also=("EVT-016",))
def lose_profile(spoiled: Spoiled) -> bool:
    """Empty the profile of every mark's event that has one."""
    events = [event for _, lives in spoiled.marked() for life in lives for _, event in life.marks]
    named = [event for event in events if event["category_profile"]]
    for event in named:
        event["category_profile"] = None
    return bool(named)


@plant(FAULTS, "helper_speaks_wire", "the helper's marks are in the wire's spelling", "DLC-003", also=("OUT-009",))
def helper_speaks_wire(spoiled: Spoiled) -> bool:
    """Rename the empty profile of the marks that a helper returns, where the dialect has its own name for it."""
    own = spoiled.spelling.mark_helper.get("category_profile")
    name = spoiled.spelling.helper.get("pending_marks", "pending_marks")
    values = [call.raw_value for call in spoiled.reading.calls if call.helper and isinstance(call.raw_value, dict)]
    marks = [mark for value in values for mark in value.get(name, []) if own in mark and mark[own] is None]
    for mark in marks:
        mark["category_profile"] = mark.pop(own)
    return bool(marks)


@plant(FAULTS, "extra_argument", "an intercept is given something besides its arguments", "DLC-004", also=("MID-027",))
def extra_argument(spoiled: Spoiled) -> bool:
    """Add a name to what every intercept is given, where the dialect has its own names for arguments."""
    found = [one for call in spoiled.reading.calls for one in call.intercepts if spoiled.spelling.argument]
    for one in found:
        one.raw_given["planted"] = 1
    return bool(found)


@plant(FAULTS, "read_wire_marks", "marks under the wire's name are emitted", "DLC-006", also=("EVT-051",))
def read_wire_marks(spoiled: Spoiled) -> bool:
    """Emit the mark that an outcome stated under `pending_marks`, where the dialect has its own name for it."""
    for call in spoiled.managed:
        for one in call.intercepts:
            marks = one.reply.get(UNREAD + "pending_marks") if isinstance(one.reply, dict) else None
            if marks:
                return _emit(spoiled, str(marks[0]["name"]))
    return False


def _emit(spoiled: Spoiled, name: str) -> bool:
    starts = [(sub, life.starts[0]) for call in spoiled.managed for sub, life in call.lives.items() if life.starts]
    for subscriber, (index, start) in sorted(starts, key=lambda found: -found[1][0]):
        event = spoiled.mark_event(name, start["uuid"], start)
        event["timestamp"] = later(start["timestamp"], 1000)
        spoiled.insert(index, {"fact": "event", "subscriber": subscriber, "event": event})
    if not starts:
        for subscriber in spoiled.subscribers():
            event = spoiled.mark_event(name, FOREIGN_UUID)
            spoiled.insert(0, {"fact": "event", "subscriber": subscriber, "event": event})
    return bool(starts or spoiled.subscribers())
