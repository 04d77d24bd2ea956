"""Chapter *Dialects* (DLC): the objects that a binding builds, and what they read back as.

Enters: an object's name, its members in canonical spelling, the edition's rules. Leaves: all members that it has, or
the reason why it cannot be built.
"""

from __future__ import annotations

from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.marks import full_form, malformed_mark
from bindproof_reference.relay.open_objects import NEEDED, malformed_members, whole_object
from bindproof_reference.relay.outcomes import Outcome, malformed_outcome, malformed_request, whole_outcome
from bindproof_reference.relay.values import Json

TOOL_MEMBERS = {"tool_result": ("result", "annotation"), "tool_outcome": ("result", "annotation", "pending_marks")}


def malformed(name: str, value: Json, rules: Rules) -> str | None:
    """Say why an object of this name cannot be built, or None (DLC-010)."""
    if name == "request":
        return malformed_request(value)
    if name in NEEDED:
        return malformed_members(name, value)
    if name == "mark":
        return malformed_mark(value, rules)
    return malformed_outcome(value, rules) if name == "outcome" else _malformed_tool(name, value, rules)


def _malformed_tool(name: str, value: Json, rules: Rules) -> str | None:
    unknown = sorted(value.keys() - set(TOOL_MEMBERS[name]))
    if unknown:
        return f"there is no member {unknown[0]!r}"
    if "result" not in value:
        return "there is no result"
    marks = value.get("pending_marks", [])
    if not isinstance(marks, list):
        return "the pending marks are no list"
    return next((reason for mark in marks if (reason := malformed_mark(mark, rules))), None)


def read_back(name: str, value: Json, rules: Rules) -> Json:
    """Return what a well-formed object says of itself: what was left out is null, or empty (DLC-008, DLC-009)."""
    if name in NEEDED:
        return whole_object(name, value, rules)
    if name == "mark":
        return full_form(value, rules)
    if name == "outcome":
        marks = tuple(value.get("pending_marks", ()))
        saved = tuple(value.get("optimization_contributions", ()))
        return whole_outcome(Outcome(value["request"], value.get("annotated_request"), marks, saved), rules)
    if name == "request":
        return value
    whole = {"result": value["result"], "annotation": value.get("annotation")}
    if name == "tool_outcome":
        whole["pending_marks"] = [full_form(mark, rules) for mark in value.get("pending_marks", ())]
    return whole
