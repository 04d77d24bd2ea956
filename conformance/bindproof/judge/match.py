"""Compares a normalised log with a prediction, lane by lane and position by position.

Enters: lanes of records with matchers, the log, the lane of each record. Leaves: at most one difference for each
lane, the first.
Equality is strict: true, 1 and 1.0 differ.

| matcher | accepts |
|-|-|
| `{"$any": true}` | every value |
| `{"$literal": X}` | X, whatever it looks like |
| `{"$one_of": [...]}` | what one of the alternatives accepts |
| `{"$contains": {...}}` | an object that has at least these members |
| `{"$text": T}` | a text in which T stands |
| `{"$id": N}` | one identity for each N, another for every other name |
| `{"$trace": N}` | the trace header of the identity N |
| `{"$time": {as, of, equal \\| at_least}}` | a time in nanoseconds; `as` names it, `of` the time it is measured from |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bindproof.model import Evidence, Json


@dataclass(slots=True)
class Bindings:
    """The identities and times that the log has shown so far, by the names that the prediction gives them."""

    identity: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)

    def bind(self, name: str, label: Json) -> bool:
        """Tell whether `label` is, or can become, the identity of `name`."""
        if not isinstance(label, str):
            return False
        return self.identity.setdefault(name, label) == label and self.named.setdefault(label, name) == name


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record differs: JSON pointer, what the prediction says, what was seen."""

    pointer: str
    expected: Json
    observed: Json


MISSING = "(nothing)"


def compare(prediction: Json, log: list[Json], lane_of: Callable[[Json], str]) -> list[Evidence]:
    """Return the first difference of each lane; an empty list when the log is a run that the prediction allows."""
    places: dict[str, list[int]] = {lane: [] for lane in prediction["lanes"]}
    for index, record in enumerate(log):
        places.setdefault(lane_of(record), []).append(index)
    bindings = Bindings()
    found: list[Evidence] = []
    for lane, indices in places.items():
        difference = _lane(lane, prediction["lanes"].get(lane, []), indices, log, bindings)
        if difference is not None:
            found.append(difference)
    return found or _unordered(prediction["after"], places)


def _lane(lane: str, expected: list[Json], indices: list[int], log: list[Json], bindings: Bindings) -> Evidence | None:
    for position, index in enumerate(indices):
        if position >= len(expected):
            return Evidence(lane, "the reference allows no further record here", index, MISSING, log[index])
        difference = match(expected[position], log[index], bindings)
        if difference is not None:
            where = difference.pointer or "the record"
            return Evidence(
                lane, f"differs from the reference at {where}", index, difference.expected, difference.observed
            )
    if len(indices) < len(expected):
        return Evidence(lane, "the reference demands a further record", None, expected[len(indices)], MISSING)
    return None


def _unordered(after: list[Json], places: dict[str, list[int]]) -> list[Evidence]:
    for lane, position, other, seen in after:
        if places[lane][position] < places[other][seen]:
            text = f"comes before record {seen} of lane {other}, on which it depends"
            return [Evidence(lane, text, places[lane][position])]
    return []


def match(expected: Json, observed: Json, bindings: Bindings, pointer: str = "") -> Difference | None:
    """Return the first place at which a value differs from what is expected, or None."""
    if isinstance(expected, dict):
        if len(expected) == 1:
            name = next(iter(expected))
            if name[:1] == "$":
                return _matcher(name, expected[name], observed, bindings, pointer)
        return _object(expected, observed, bindings, pointer)
    if isinstance(expected, list):
        if not isinstance(observed, list) or len(expected) != len(observed):
            return Difference(pointer, expected, observed)
        for index, (left, right) in enumerate(zip(expected, observed, strict=True)):
            difference = match(left, right, bindings, f"{pointer}/{index}")
            if difference is not None:
                return difference
        return None
    if type(expected) is type(observed) and expected == observed:
        return None
    return Difference(pointer, expected, observed)


def _object(expected: dict[str, Json], observed: Json, bindings: Bindings, pointer: str) -> Difference | None:
    if not isinstance(observed, dict):
        return Difference(pointer, expected, observed)
    for key, value in expected.items():
        if key not in observed:
            return Difference(f"{pointer}/{key}", value, MISSING)
        difference = match(value, observed[key], bindings, f"{pointer}/{key}")
        if difference is not None:
            return difference
    if len(observed) > len(expected):
        key = next(key for key in observed if key not in expected)
        return Difference(f"{pointer}/{key}", MISSING, observed[key])
    return None


def _matcher(name: str, argument: Json, observed: Json, bindings: Bindings, pointer: str) -> Difference | None:
    if name == "$literal":
        return None if _same(argument, observed) else Difference(pointer, argument, observed)
    if name == "$one_of":
        differences = [match(option, observed, bindings, pointer) for option in argument]
        return None if None in differences else differences[0]
    accepts = _MATCHERS[name]
    return None if accepts(argument, observed, bindings) else Difference(pointer, {name: argument}, observed)


def _contains(argument: Json, observed: Json, bindings: Bindings) -> bool:
    return isinstance(observed, dict) and all(
        key in observed and match(value, observed[key], bindings) is None for key, value in argument.items()
    )


def _trace(argument: Json, observed: Json, bindings: Bindings) -> bool:
    if not isinstance(observed, str) or not observed.startswith("trace("):
        return False
    return bindings.bind(argument, observed[len("trace(") : -1])


def _time(argument: Json, observed: Json, bindings: Bindings) -> bool:
    if type(observed) is not int:
        return False
    if "as" in argument and bindings.times.setdefault(argument["as"], observed) != observed:
        return False
    if "of" not in argument:
        return True
    start = bindings.times.get(argument["of"])
    if start is None:
        return True
    if "equal" in argument:
        return bool(observed == start + argument["equal"])
    return bool(observed >= start + argument["at_least"])


_MATCHERS: dict[str, Callable[[Any, Json, Bindings], bool]] = {
    "$any": lambda argument, observed, bindings: True,
    "$contains": _contains,
    "$text": lambda argument, observed, bindings: isinstance(observed, str) and argument in observed,
    "$id": lambda argument, observed, bindings: bindings.bind(argument, observed),
    "$trace": _trace,
    "$time": _time,
}


def _same(left: Json, right: Json) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_same(value, right[key]) for key, value in left.items())
    if isinstance(left, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return bool(left == right)
