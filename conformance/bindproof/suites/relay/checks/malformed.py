"""Which requirement a malformed outcome breaks, told from the edition's schema and the chapters' own words."""

from __future__ import annotations

from collections.abc import Mapping

from bindproof.core.model import Json, same
from bindproof.spec.forms import Form
from bindproof.suites.relay.checks.common import part
from bindproof.suites.relay.observation.outcomes import contributions_of
from bindproof.suites.relay.observation.reading import Entry, LlmCall, Reading, marks_of
from bindproof.suites.relay.scenario.no_json import lacks_json
from bindproof.suites.relay.scenario.spelling import UNREAD


def holds_undefined(value: Json) -> bool:
    """Tell whether an undefined, `{"$none": true}`, stands anywhere in a recorded value."""
    if type(value) is dict:
        return (len(value) == 1 and "$none" in value) or any(map(holds_undefined, value.values()))
    return type(value) is list and any(map(holds_undefined, value))


def fault_of(reading: Reading, one: Entry) -> str | None:
    """Return the requirement by which this reply has to be refused, or None when it is well formed.

    A reply with several faults is judged by the first of: undefined, what JSON lacks, no request, a mark's spelling,
    name and keys, a contribution's parts, an unknown key of the outcome, any other difference from the schema.
    """
    if one not in reading.faults:
        reading.faults[one] = _fault_of(one.reply, reading.forms)
    return reading.faults[one]


def all_well_formed(reading: Reading, call: LlmCall) -> bool:
    """Tell whether every intercept of a call replied with a well-formed outcome: else what it did is not known."""
    return all(one.replied and fault_of(reading, one) is None for one in call.intercepts)


def content_changed(one: Entry) -> bool:
    """Tell whether a well-formed outcome has another content than its intercept was given."""
    return not same(part(one.given, "request", "content"), part(one.reply, "request", "content"))


def offends(one: Entry) -> bool:
    """Tell whether a well-formed outcome breaks the authority of an active codec, and so is not accepted (AUT-006)."""
    return content_changed(one) or one.reply.get("annotated_request") is None


def _fault_of(reply: Json, forms: Mapping[str, Form]) -> str | None:
    if holds_undefined(reply):
        return "DLC-007"
    if lacks_json(reply):
        return "DLC-013"
    if forms["outcome"].accepts(reply):
        return None
    if not isinstance(reply, dict) or "request" not in reply:
        return "OUT-001"
    unknown = reply.keys() - forms["outcome"].keys
    fault = fault_of_marks(marks_of(reply), forms["pending-mark"].keys) or _fault_of_contributions(reply, forms)
    return fault or ("OUT-011" if unknown else "OUT-008")


def _fault_of_contributions(reply: Json, forms: Mapping[str, Form]) -> str | None:
    """Return the requirement by which an outcome is refused for one of its contributions, where it may have any."""
    known = "optimization_contributions" in forms["outcome"].keys
    return "CTR-007" if known and any(map(_lacks_a_part, contributions_of(reply))) else None


def _lacks_a_part(contribution: Json) -> bool:
    """Tell whether a contribution does not say whose it is, of which kind, or says of `applied` what cannot be."""
    texts = all(isinstance(contribution.get(name), str) for name in ("producer", "kind"))
    return not texts or not isinstance(contribution.get("applied", False), bool)


def fault_of_marks(marks: list[Json], keys: frozenset[str]) -> str | None:
    """Return the requirement by which the first of these marks that is none has to be refused."""
    for mark in marks:
        if UNREAD + "category_profile" in mark:
            return "DLC-005"
        if "name" not in mark:
            return "MRK-007"
        if mark.keys() - keys:
            return "MRK-008"
    return None
