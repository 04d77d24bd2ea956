"""Planted faults of the chapter *Pending marks* (MRK)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.normalise import nanoseconds
from bindproof.suites.relay.observation.reading import Life, LlmCall

FAULTS: dict[str, Fault] = {}
SEVERITY_KEY = "nemo_relay.log.severity"


@plant(FAULTS, "swap_marks", "two marks of a call change places", "MRK-002", also=("FLT-001", "STR-006"))
def swap_marks(spoiled: Spoiled) -> bool:
    """Exchange the first two neighbours of different names, for every subscriber alike."""
    done = False
    for _, lives in spoiled.marked():
        for life in lives:
            for (first, one), (second, other) in zip(life.marks, life.marks[1:], strict=False):
                if one["name"] != other["name"]:
                    spoiled.log[first]["event"], spoiled.log[second]["event"] = other, one
                    done = True
                    break
    return done


@plant(FAULTS, "late_mark", "a mark comes a microsecond late", "MRK-003", also=("EVT-018", "STR-006"))
def late_mark(spoiled: Spoiled) -> bool:
    """Move the first mark of each call by 1 µs."""
    for _, lives in spoiled.marked():
        for life in lives:
            event = life.marks[0][1]
            event["timestamp"] = later(event["timestamp"], 1000)
    return bool(spoiled.marked())


def later(timestamp: str, by: int) -> str:
    """Return an event's time moved by some nanoseconds, within its second or into the next."""
    whole = nanoseconds(timestamp)
    if not isinstance(whole, int):
        return timestamp
    second, fraction = divmod(whole + by, 1_000_000_000)
    start, _, _ = timestamp.partition(".")
    carried = second - whole // 1_000_000_000
    return f"{start[:17]}{int(start[17:19]) + carried:02}.{fraction:09}+00:00"


@plant(FAULTS, "orphan_mark", "a mark has no parent", "MRK-004", also=("EVT-018", "MRK-006"))
def orphan_mark(spoiled: Spoiled) -> bool:
    """Take the parent of the first mark of each call away."""
    for _, lives in spoiled.marked():
        for life in lives:
            life.marks[0][1]["parent_uuid"] = None
    return bool(spoiled.marked())


@plant(FAULTS, "known_mark", "a mark is told in an edition that has none", "OUT-014")
def known_mark(spoiled: Spoiled) -> bool:
    """Where the edition has no pending marks, tell of the first that a call's intercepts state, behind its start."""
    known = "pending_marks" in spoiled.rules.outcome_fields
    stating = [] if known else [(call, lives) for call, lives in spoiled.lives() if call.pending_marks]
    for call, lives in stating[:1]:
        for index, start in sorted((life.starts[0] for life in lives if life.starts), key=lambda one: -one[0]):
            spoiled.insert(index, spoiled.log[index] | {"event": _as_mark(start, call.pending_marks[0])})
    return any(life.starts for _, lives in stating[:1] for life in lives)


def _as_mark(start: Json, mark: Json) -> Json:
    """Return the event that a mark is in the scope of a call."""
    told = {key: start[key] for key in ("kind", "atof_version", "data_schema", "timestamp")}
    said = {key: mark.get(key) for key in ("name", "category", "category_profile", "data", "metadata")}
    return {**told, **said, "kind": "mark", "uuid": FOREIGN_UUID, "parent_uuid": start["uuid"]}


@plant(FAULTS, "duplicate_mark", "a mark is emitted twice", "MRK-001", also=("FLT-001", "HLP-005", "STR-007"))
def duplicate_mark(spoiled: Spoiled) -> bool:
    """Emit the last mark of the last call once more, with a new uuid."""
    for _, lives in spoiled.marked()[-1:]:
        for index, event in sorted((life.marks[-1] for life in lives), key=lambda mark: -mark[0]):
            twin = {**spoiled.log[index], "event": {**event, "uuid": FOREIGN_UUID}}
            spoiled.insert(index, twin)
    return bool(spoiled.marked())


@plant(FAULTS, "drop_mark", "a mark is never emitted", "MRK-001", also=("FLT-001", "STR-006", "STR-007"))
def drop_mark(spoiled: Spoiled) -> bool:
    """Drop the last mark of each call; where an intercept breaks the chain MRK-009 would break too."""
    if spoiled.breaks_chain():
        return False
    unwanted = {life.marks[-1][1]["uuid"] for _, lives in spoiled.marked() for life in lives}
    spoiled.remove(lambda record: record["fact"] == "event" and record["event"]["uuid"] in unwanted)
    return bool(unwanted)


@plant(FAULTS, "drop_breaking_marks", "the marks of the breaking intercept are lost", "MRK-001", "MRK-009")
def drop_breaking_marks(spoiled: Spoiled) -> bool:
    """Drop every mark that the last intercept of a broken chain returned."""
    unwanted: set[int] = set()
    for call, lives in spoiled.marked():
        last = call.intercepts[-1]
        names = {mark.get("name") for mark in last.reply.get("pending_marks", [])}
        if spoiled.reading.intercepts[last.callback]["break_chain"]:
            unwanted |= {id(event) for life in lives for _, event in life.marks if event["name"] in names}
    spoiled.remove(lambda record: record["fact"] == "event" and id(record["event"]) in unwanted)
    return bool(unwanted)


@plant(FAULTS, "shared_uuid", "two marks share a uuid", "MRK-005", also=("EVT-002",))
def shared_uuid(spoiled: Spoiled) -> bool:
    """Give the second mark of each call the uuid of the first."""
    pairs = [life.marks for _, lives in spoiled.marked() for life in lives if len(life.marks) > 1]
    for marks in pairs:
        marks[1][1]["uuid"] = marks[0][1]["uuid"]
    return bool(pairs)


@plant(FAULTS, "wrong_mark_data", "a mark's event carries other data", "MRK-006", also=("EVT-016",))
def wrong_mark_data(spoiled: Spoiled) -> bool:
    """Replace the data of the first mark of each call."""
    for _, lives in spoiled.marked():
        for life in lives:
            life.marks[0][1]["data"] = PLANTED
    return bool(spoiled.marked())


@plant(FAULTS, "keep_discarded_marks", "marks of a failed interception are emitted", "MRK-010", also=("EVT-051",))
def keep_discarded_marks(spoiled: Spoiled) -> bool:
    """Emit a mark that an accepted outcome stated before a later intercept failed."""
    for call in spoiled.managed:
        names = [mark["name"] for mark in call.pending_marks if isinstance(mark.get("name"), str)]
        if call.error is not None and not call.providers and names and not any(c.lives for c in spoiled.managed):
            return _tell_all(spoiled, call, names[0])
    return False


def _tell_all(spoiled: Spoiled, call: LlmCall, name: str) -> bool:
    for subscriber in spoiled.subscribers():
        event = spoiled.mark_event(name, FOREIGN_UUID)
        spoiled.insert(call.done or 0, {"fact": "event", "subscriber": subscriber, "event": event})
    return bool(spoiled.subscribers())


@plant(FAULTS, "severity_as_spelled", "a severity is told as it was spelled", "MRK-013")
def severity_as_spelled(spoiled: Spoiled) -> bool:
    """Write the severity of every mark into its event as the intercept spelled it."""
    found = [
        (mark, event)
        for call in spoiled.managed
        for life in call.lives.values()
        for mark, told in life.pending
        if told is not None and isinstance(mark.get("severity"), str)
        for event in [told[1]]
        if isinstance(event["metadata"], dict) and event["metadata"].get(SEVERITY_KEY) != mark["severity"]
    ]
    for mark, event in found:
        event["metadata"] = {**event["metadata"], SEVERITY_KEY: mark["severity"]}
    return bool(found)


@plant(FAULTS, "lose_severity", "a mark's data schema and severity are lost", "MRK-012", also=("EVT-016", "MRK-013"))
def lose_severity(spoiled: Spoiled) -> bool:
    """Take the data schema and the severity out of every mark's event."""
    done = [_untagged(life) for _, lives in spoiled.marked() for life in lives]
    return any(done)


def _untagged(life: Life) -> bool:
    done = False
    for _, event in life.marks:
        if event["data_schema"] is not None:
            event["data_schema"], done = None, True
        if isinstance(event["metadata"], dict) and SEVERITY_KEY in event["metadata"]:
            rest = {key: value for key, value in event["metadata"].items() if key != SEVERITY_KEY}
            event["metadata"], done = rest or None, True
    return done
