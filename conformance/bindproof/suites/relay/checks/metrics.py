"""Checks of the chapter *Measurements* (MTR)."""

from __future__ import annotations

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register, rewrites
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}

SOUND = {
    "counter": ("u64", "f64"),
    "up_down_counter": ("i64", "f64"),
    "gauge": ("u64", "i64", "f64"),
    "histogram": ("u64", "f64"),
}
"""Kind of a measurement → the types that its value may have."""


def _groups(reading: Reading, *, sound: bool) -> list[Act]:
    acts = [act for act in reading.transcript.of_kind("mark") if act.step["measurements"] is not None]
    return [act for act in acts if _is_sound(act.step["measurements"]) is sound]


def _is_sound(group: list[Json]) -> bool:
    return bool(group) and all(one["value_type"] in SOUND[one["kind"]] for one in group)


@register(CHECKS, "MTR-001")
def measurements_are_told_as_a_mark(reading: Reading) -> Found:
    """A group of measurements is told as a mark with the schema of measurements, and each as it was stated."""
    found = _groups(reading, sound=True)
    return judged(
        [
            Evidence(EVERY_LANE, "sound measurements are emitted", act.done, None, act.error)
            for act in found
            if act.error is not None
        ]
        + [
            Evidence(EVERY_LANE, "measurements are told in full", at, expected, seen)
            for act in found
            if not rewrites(reading, act.done or 0, "mark.sanitize")
            for at, event in reading.deliveries.marked.get(act, {}).values()
            for expected in [{"data": act.step["data"], "data_schema": act.step["data_schema"]}]
            if not same(expected, seen := {name: event.get(name) for name in expected})
        ],
        found,
    )


@register(CHECKS, "MTR-002")
def unsound_measurements_are_refused(reading: Reading) -> Found:
    """A group that is empty, or has a value of a type that is not its kind's, is refused."""
    found = _groups(reading, sound=False)
    return judged(
        [
            Evidence(EVERY_LANE, "unsound measurements are refused", act.done, "invalid_argument", act.error)
            for act in found
            if part(act.error, "kind") != "invalid_argument"
        ],
        found,
    )
