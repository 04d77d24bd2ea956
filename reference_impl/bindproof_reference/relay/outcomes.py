"""Chapter *LLM request outcomes* (OUT): which outcomes are well formed, and what omitted fields mean.

Enters: an intercept's reply in canonical spelling, the edition's rules. Leaves: an Outcome, or the
reason why it is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from bindproof_reference.relay.contributions import in_full, malformed_contributions
from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.marks import full_form, malformed_mark
from bindproof_reference.relay.values import Json, only


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one intercept decided: the request, its annotation or None, marks to emit and contributions, in order."""

    request: Json
    annotated_request: Json = None
    pending_marks: tuple[Json, ...] = ()
    contributions: tuple[Json, ...] = ()


def read_outcome(reply: Json, rules: Rules) -> Outcome | str:
    """Return the outcome that a reply states, or in a few words why it is malformed."""
    reason = malformed_outcome(reply, rules)
    if reason is not None:
        return reason
    return Outcome(
        request=reply["request"],
        annotated_request=reply.get("annotated_request"),  # OUT-002
        pending_marks=tuple(_listed(reply, "pending_marks", rules)),  # OUT-003
        contributions=tuple(_listed(reply, "optimization_contributions", rules)),
    )


class UnpredictableError(ValueError):
    """Something malformed of which nobody can say what it would be, were it accepted."""


def read_leniently(reply: Json, rules: Rules) -> Outcome:
    """Return a malformed outcome as one reads it who accepts it: a list by position, an unknown key as if it were not.

    Raises UnpredictableError where that leaves it malformed.
    """
    if isinstance(reply, list):
        reply = dict(zip(rules.outcome_fields, reply, strict=False))
    if isinstance(reply, dict):
        reply = only(reply, rules.outcome_fields)
        marks = reply.get("pending_marks")
        if isinstance(marks, list):
            reply["pending_marks"] = [only(mark, rules.mark_fields) for mark in marks]
    outcome = read_outcome(reply, rules)
    if isinstance(outcome, str):
        raise UnpredictableError(outcome)
    return outcome


def whole_outcome(outcome: Outcome, rules: Rules) -> dict[str, Json]:
    """Return an outcome with every field that the edition has, as the standalone helper gives it back (OUT-009)."""
    whole = {
        "request": outcome.request,
        "annotated_request": outcome.annotated_request,
        "pending_marks": [full_form(mark, rules) for mark in outcome.pending_marks],
        "optimization_contributions": [in_full(one) for one in outcome.contributions],  # CTR-006
    }
    return {field: whole[field] for field in rules.outcome_fields}


def malformed_outcome(reply: Json, rules: Rules) -> str | None:
    """Say why a reply is no outcome, or None when it is one (OUT-001, OUT-008, OUT-011, MRK-007, MRK-008)."""
    if not isinstance(reply, dict):
        return "the outcome is no object"
    if "request" not in reply:
        return "the outcome has no request"
    unknown = sorted(reply.keys() - set(rules.outcome_fields))
    if unknown and rules.outcomes_are_closed:
        return f"the outcome has an unknown key {unknown[0]!r}"
    return (
        malformed_request(reply["request"])
        or _malformed_annotation(reply.get("annotated_request"))
        or _malformed_marks(_listed(reply, "pending_marks", rules), rules)
        or malformed_contributions(_listed(reply, "optimization_contributions", rules))
    )


def _listed(reply: Json, field: str, rules: Rules) -> Json:
    """Return what a reply lists in a field, which has no effect in an edition without it (OUT-014)."""
    return reply.get(field, []) if field in rules.outcome_fields else []


def malformed_request(request: Json) -> str | None:
    """Say why a value is no LLM request, or None: it needs `headers`, an object, and `content`, any value (OUT-008)."""
    if not isinstance(request, dict):
        return "the request is no object"
    if not isinstance(request.get("headers"), dict):
        return "the request's headers are no object"
    if "content" not in request:
        return "the request has no content"
    return None


def _malformed_annotation(annotation: Json) -> str | None:
    if annotation is None:
        return None
    if not isinstance(annotation, dict):
        return "the annotation is no object"
    if not isinstance(annotation.get("messages", []), list):
        return "the annotation's messages are no list"
    return None


def _malformed_marks(marks: Json, rules: Rules) -> str | None:
    if not isinstance(marks, list):
        return "the pending marks are no list"
    return next((reason for mark in marks if (reason := malformed_mark(mark, rules))), None)
