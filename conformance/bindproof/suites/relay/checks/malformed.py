"""Which requirement a malformed outcome breaks, told from the edition's schema and the chapters' own words."""

from __future__ import annotations

from bindproof.model import Json
from bindproof.suites.relay.spelling import UNREAD
from bindproof.suites.relay.view import Invocation, View, marks_of

OUTCOME_KEYS = frozenset({"request", "annotated_request", "pending_marks", "optimization_contributions"})
MARK_KEYS = frozenset({"name", "category", "category_profile", "data", "data_schema", "metadata", "severity"})


def holds_undefined(value: Json) -> bool:
    """Tell whether an undefined, `{"$none": true}`, stands anywhere in a recorded value."""
    if isinstance(value, dict):
        return value.keys() == {"$none"} or any(map(holds_undefined, value.values()))
    return isinstance(value, list) and any(map(holds_undefined, value))


def fault_of(view: View, one: Invocation) -> str | None:
    """Return the requirement by which this reply has to be refused, or None when it is well formed.

    A reply with several faults is judged by the first of: undefined, no request, a mark's spelling, name and keys, an
    unknown key of the outcome, any other difference from the schema.
    """
    reply = one.reply
    if view.schemas["outcome"](reply) and not holds_undefined(reply):
        return None
    if holds_undefined(reply):
        return "DLC-007"
    if not isinstance(reply, dict) or "request" not in reply:
        return "OUT-001"
    return _fault_of_marks(marks_of(reply)) or ("OUT-011" if reply.keys() - OUTCOME_KEYS else "OUT-008")


def _fault_of_marks(marks: list[Json]) -> str | None:
    for mark in marks:
        if UNREAD + "category_profile" in mark:
            return "DLC-005"
        if "name" not in mark:
            return "MRK-007"
        if mark.keys() - MARK_KEYS:
            return "MRK-008"
    return None
