"""Chapter *Contributions* (CTR): what an intercept says that it saved, and what is told of it.

Enters: the contributions of a call's outcomes. Leaves: the reason why one is refused, a mark of each, and what the end
of the call says of all.
"""

from __future__ import annotations

from collections.abc import Sequence

from bindproof_reference.relay import events
from bindproof_reference.relay.events import Emitted, Span
from bindproof_reference.relay.values import Json, Opaque, literal

NAME = "nemo_relay.llm.optimization"
SCHEMA: Json = {"name": "nemo.relay.llm_optimization_contribution", "version": "1"}

TEXTS = ("producer", "kind")
"""What every contribution has, each a text."""

OMITTED = ("id", "sequence", "model_transition", "token_impact", "payload_schema", "payload")
"""What a contribution is told without where it states null."""


def malformed_contributions(contributions: Json) -> str | None:
    """Say why a value is no list of contributions, or None when it is one (OUT-008)."""
    if not isinstance(contributions, list):
        return "the optimization contributions are no list"
    return next((reason for one in contributions if (reason := _malformed(one))), None)


def _malformed(contribution: Json) -> str | None:
    if not isinstance(contribution, dict):
        return "an optimization contribution is no object"
    if not all(isinstance(contribution.get(name), str) for name in TEXTS):
        return "an optimization contribution needs a producer and a kind"
    if not isinstance(contribution.get("applied", False), bool):
        return "whether an optimization contribution is applied is no truth value"
    return None


def in_full(contribution: Json) -> dict[str, Json]:
    """Return a contribution as a helper gives it back (CTR-006): it says whether it is applied, and nothing null."""
    stated = {name: value for name, value in contribution.items() if value is not None or name not in OMITTED}
    return {"applied": False, **stated}


def accepted(contributions: Sequence[Json]) -> list[Json]:
    """Return those that are told, in their order (CTR-004)."""
    found = [in_full(one) for one in contributions]
    return [one for one in found if "payload" not in one or "payload_schema" in one]


def marks(span: Span, contributions: Sequence[Json]) -> list[Emitted]:
    """Return the mark of each contribution of a call (CTR-001 to CTR-003)."""
    return [_mark(span, number, told) for number, told in enumerate(_told(span, contributions))]


def _mark(span: Span, number: int, told: Json) -> Emitted:
    name = f"{span.identity}/contribution/{number}"
    time = {"as": name, "of": f"{span.identity}/start", "at_least": events.LEAST_NS}
    fields = {"name": NAME, "category": "custom", "category_profile": {"subtype": NAME}, "data_schema": SCHEMA}
    return events.mark(name, {**fields, "data": Opaque(told), "metadata": None}, span.identity, span.root, time)


def _told(span: Span, contributions: Sequence[Json]) -> list[Json]:
    """Return what is told of a call's contributions, as matchers: each has an identity of its own, and its number."""
    return [
        {**literal(one), "id": {"$id": f"{span.identity}/contribution/{number}/id"}, "sequence": number}
        for number, one in enumerate(accepted(contributions))
    ]


def with_summary(span: Span, contributions: Sequence[Json], annotation: Json) -> Json:
    """Return what the end of a call says of its answer: where something was contributed, with the summary (CTR-005).

    annotation: what it says else, or None.
    """
    if not contributions:
        return annotation
    summary = {"optimization_summary": {"$contains": {"contributions": _told(span, contributions)}}}
    if annotation is None:
        return Opaque(summary)
    stated = {key: literal(value) for key, value in annotation.items()}
    if isinstance(usage := annotation.get("usage"), dict):
        stated["usage"] = {"$contains": literal(usage)}  # to sum up what was saved, the runtime adds and prices it
    return Opaque({"$contains": {**stated, **summary}})
