"""What a group of measurements has to keep, so that all languages can state it, and it is known whether it is sound.

Enters: the steps of a complete scenario. Leaves: the rules that they break, in words. Must not know spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from bindproof.core.model import Json

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_./-]{0,254}")
_UNIT = re.compile(r"[ -~]{0,63}")
LARGEST = 2**53 - 1
_LEFT_OUT = {"unit": None, "attributes": None, "boundaries": None}


def metric_misfits(steps: list[Json]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too."""
    for step in steps:
        group = step.get("measurements")
        if group is None:
            continue
        if any(step[member] is not None for member in ("data", "data_schema", "severity")):
            yield f"step {step['as']!r}: beside `measurements` a mark has no data, no schema and no severity"
        if len({one["name"].lower() for one in group}) < len(group):
            yield f"step {step['as']!r}: each measurement of a group has a name of its own, in any case"
        for one in group:
            yield from measurement_misfits(step["as"], one)


def measurement_misfits(name: str, one: Json) -> Iterator[str]:
    """Say in words which rules a measurement breaks that the step of this name states."""
    yield from (f"step {name!r}: {problem}" for problem in _problems(_LEFT_OUT | one))


def _problems(one: Json) -> Iterator[str]:
    if not _NAME.fullmatch(one["name"]) or not _UNIT.fullmatch(one["unit"] or ""):
        yield f"{one['name']!r} is no name of a measurement, or its unit no short text of ASCII"
    least = {"u64": 0, "i64": -LARGEST}.get(one["value_type"])
    if least is None:
        if not _is_broken(one["value"]) or one["value"] < 0:
            yield f"the value of {one['name']!r} is above 0 and has a fraction"
    elif type(one["value"]) is not int or not least <= one["value"] <= LARGEST:
        yield f"the value of {one['name']!r} is no {one['value_type']} of less than 2⁵³"
    if any(type(value) not in (str, bool) or not key.strip() for key, value in (one["attributes"] or {}).items()):
        yield f"an attribute of {one['name']!r} is no text and neither true nor false"
    boundaries = one["boundaries"]
    if boundaries is not None and (
        one["kind"] != "histogram"
        or not all(map(_is_broken, boundaries))
        or any(less >= more for less, more in pairwise(boundaries))
    ):
        yield f"the boundaries of {one['name']!r} are a histogram's, each above the one before, and have fractions"


def _is_broken(value: Json) -> bool:
    return isinstance(value, float) and not value.is_integer()
