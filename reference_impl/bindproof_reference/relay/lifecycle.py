"""Chapter *Managed LLM lifecycle* (LIF): the events of one call, as matchers.

Enters: what a call resolved to, the edition's rules. Leaves: start, marks and end, in the order in which every
subscriber is told (LIF-002). Identities are named after the call's step (`c`, `c/mark/0`), times likewise (`c/start`,
`c/end`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.marks import MARK_OFFSET_NS, mark_fields
from bindproof_reference.relay.values import Json, literal

ATOF_VERSION = "0.1"
ROOT = {"$id": "root"}
"""The identity that calls outside any scope have as parent and as propagation root (LIF-014, LIF-016)."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose interception succeeded: its step's id, name and model, the resolved request and the annotation.

    rules: what the events of its edition have.
    """

    step: str
    name: str
    model: str | None
    request: Json
    annotation: Json
    rules: Rules


def start(call: Call) -> dict[str, Json]:
    """Return the start event (LIF-001, LIF-004, LIF-012, LIF-013)."""
    profile = _model(call) | ({} if call.annotation is None else {"annotated_request": call.annotation})
    return _scope(call, "start", profile, literal(call.request), None) | {
        "timestamp": {"$time": {"as": f"{call.step}/start"}}
    }


def marks(call: Call, pending: Sequence[Json]) -> list[dict[str, Json]]:
    """Return one event for each pending mark (MRK-001 to MRK-006, MRK-012)."""
    return [
        {
            "atof_version": ATOF_VERSION,
            "kind": "mark",
            **{key: literal(value) for key, value in mark_fields(mark).items()},
            "uuid": {"$id": f"{call.step}/mark/{index}"},
            "parent_uuid": {"$id": call.step},
            **_root(call),
            "timestamp": {"$time": {"of": f"{call.step}/start", "equal": MARK_OFFSET_NS}},
        }
        for index, mark in enumerate(pending)
    ]


def end_with_answer(call: Call, answer: Json) -> dict[str, Json]:
    """Return the end event of a call whose provider answered (LIF-006, LIF-007)."""
    return _end(call, literal(answer), {"otel.status_code": "OK"})


def end_with_error(call: Call) -> dict[str, Json]:
    """Return the end event of a call whose provider failed (LIF-007)."""
    return _end(call, None, {"$contains": {"otel.status_code": "ERROR"}})


def _end(call: Call, data: Json, metadata: Json) -> dict[str, Json]:
    time = {"as": f"{call.step}/end", "of": f"{call.step}/start", "at_least": MARK_OFFSET_NS}  # LIF-003
    return _scope(call, "end", _model(call), data, metadata) | {"timestamp": {"$time": time}}


def _model(call: Call) -> dict[str, Json]:
    return {} if call.model is None else {"model_name": call.model}


def _root(call: Call) -> dict[str, Json]:
    return {"propagation_root_uuid": ROOT} if call.rules.propagation_root else {}


def _scope(call: Call, category: str, profile: Json, data: Json, metadata: Json) -> dict[str, Json]:
    return {
        "atof_version": ATOF_VERSION,
        "attributes": [],
        "category": "llm",
        "category_profile": literal(profile),
        "data": data,
        "data_schema": None,
        "kind": "scope",
        "metadata": metadata,
        "name": call.name,
        "parent_uuid": ROOT,
        **_root(call),
        "scope_category": category,
        "uuid": {"$id": call.step},
    }
