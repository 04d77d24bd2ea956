"""Measurements of generated programs: a mark without data is a group of them now and then.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, some marks with measurements.
They are drawn last.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices

METRIC_PERCENT = {"python": 20, "node": 20, "c": 20, "go": 20, "rust": 20, None: 20}
"""Dialect → how many of a hundred marks may be measurements; where it is not named, none: its adapter emits none."""

KINDS = ("counter", "up_down_counter", "gauge", "histogram")
VALUES: tuple[tuple[str, Json], ...] = (("u64", 0), ("u64", 3), ("i64", -3), ("f64", 1.5), ("f64", 0.25))
MORE: tuple[Json, ...] = (
    {}, {}, {"unit": "ms"}, {"description": "what it is", "attributes": {"a": "x", "b": True}}, {"attributes": {}},
)  # fmt: skip


def with_metrics(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; some of its marks are measurements."""
    return [_measured(choices, dialect, step) for step in steps]


def _measured(choices: Choices, dialect: str | None, step: Json) -> Json:
    if step["step"] != "mark" or "data" in step or "severity" in step:
        return step
    if not choices.chance(METRIC_PERCENT.get(dialect, 0)):
        return step
    return step | {"measurements": [_measurement(choices, number) for number in range(choices.integer(0, 3))]}


def _measurement(choices: Choices, number: int) -> Json:
    kind = choices.pick(KINDS)
    value_type, value = choices.pick(VALUES)
    one = {"name": f"n{number}", "kind": kind, "value_type": value_type, "value": value} | choices.pick(MORE)
    if kind == "histogram" and choices.chance(30):
        one["boundaries"] = [0.5, 2.5]
    return one
