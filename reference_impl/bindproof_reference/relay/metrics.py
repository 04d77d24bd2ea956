"""Chapter *Measurements* (MTR): which groups are sound, and as which mark one is told.

Enters: a mark's step. Leaves: the mark with its data, or None for what is refused.
"""

from __future__ import annotations

from bindproof_reference.relay.values import Json

TYPES = {
    "counter": ("u64", "f64"),
    "up_down_counter": ("i64", "f64"),
    "gauge": ("u64", "i64", "f64"),
    "histogram": ("u64", "f64"),
}
"""Kind → the types that a value may have (MTR-002)."""

SCHEMA = {"name": "nemo.relay.metric_measurements", "version": "1"}


def measured(step: Json) -> Json | None:
    """Return a mark with the data of its measurements, where it has some (MTR-001); None where they are not sound."""
    group = step["measurements"]
    if group is None:
        return step
    if not group or not all(one["value_type"] in TYPES[one["kind"]] for one in group):
        return None
    return {**step, "data": {"measurements": group}, "data_schema": SCHEMA}
