"""Measurements: what a mark of the scenario language may state in place of data, and as which data it is told; schemas.

Enters: nothing, or a complete step. Leaves: structs, for `language`; a mark that states its data. Must not know the
other steps.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from bindproof.core.model import Json

SCHEMA = {"name": "nemo.relay.metric_measurements", "version": "1"}
"""What the data of a group of measurements follow."""


class DataSchema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which schema a mark's data follow."""

    name: str
    version: str


class Measurement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One measurement of a group. A value of the type `f64` has a fraction, and so have the boundaries."""

    name: str
    kind: Literal["counter", "up_down_counter", "gauge", "histogram"]
    value_type: Literal["u64", "i64", "f64"]
    value: int | float
    unit: str | None = None
    description: str | None = None
    attributes: dict[str, Any] | None = None
    boundaries: list[float] | None = None


def as_mark(step: Json) -> Json:
    """Return a complete step; of a mark with measurements the mark as which it is told (MTR-001)."""
    if step.get("measurements") is None:
        return step
    return step | {"data": {"measurements": step["measurements"]}, "data_schema": SCHEMA}
