"""Tells whether a normalised log is one that a prediction allows, lane by lane and position by position.

Enters: lanes of records with matchers, the log, the lane of each record. Leaves: yes or no, at the first difference;
what the differences are is told by `differing`, which takes longer.
Equality is strict: true, 1 and 1.0 differ.

| matcher | accepts |
|-|-|
| `{"$any": true}` | every value |
| `{"$literal": X}` | X, whatever it looks like |
| `{"$one_of": [...]}` | what one of the alternatives accepts |
| `{"$contains": {...}}` | an object that has at least these members |
| `{"$unordered": [...]}` | a list of as many members, each of which one of these accepts, in any order |
| `{"$numeric": N}` | a number equal to N: 1 and 1.0 are, and one that is spelled by its digits |
| `{"$text": T}` | a text in which T stands |
| `{"$number": {as, at_least}}` | a number that is at least so large; one for each `as` |
| `{"$id": N}` | one identity for each N, another for every other name |
| `{"$trace": {trace, span}}` | the trace header of these identities; without `trace`, of any trace |
| `{"$time": {as, of, equal \\| at_least}}` | a time; `as` names it, `of` the time it is measured from, or zero |
| `{"$time": {as, at}}` | the time that is so many microseconds after 1970 began |
| `{"$counted": {all, of}}` | the number `all`, less what was counted of `of` and did not come |

In a lane, `{"$maybe": [...], "of": N}` stands for records of which either all come there, or none; where those are
missing, so are all later ones of N. Its `counts`, where it has some, say how many of what they hold. Its `with`, where
it has one, is a position in a lane where none has such: where those there are missing, these are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from bindproof.core.model import Json, same
from bindproof.core.pointer import pointer_to
from bindproof.judge.lanes import places


class Bindings(Struct):
    """The identities, times and numbers that the log has shown so far, by the names that the prediction gives them."""

    identity: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    absent: Counter[str] = field(default_factory=Counter)
    """How many of what did not come that might have."""

    def bind(self, name: str, label: Json) -> bool:
        """Tell whether `label` is, or can become, the identity of `name`."""
        if type(label) is not str:
            return False
        return self.identity.setdefault(name, label) == label and self.named.setdefault(label, name) == name

    def bind_all(self, pairs: list[tuple[str, Json]]) -> bool:
        """Tell whether each label is, or can become, the identity of its name; else nothing is bound."""
        trial = Bindings(self.identity.copy(), self.named.copy())
        if not all(trial.bind(name, label) for name, label in pairs):
            return False
        self.identity, self.named = trial.identity, trial.named
        return True

    def copy(self) -> Bindings:
        """Return the same bindings, to be tried with others; what is absent is shared, as no match counts it."""
        own = self.identity.copy(), self.named.copy(), self.times.copy(), self.numbers.copy()
        return Bindings(*own, self.absent)


class Difference(Struct, frozen=True):
    """Where a record differs: JSON pointer, what the prediction says, what was seen."""

    pointer: str
    expected: Json
    observed: Json

    def within(self, key: str | int) -> Difference:
        """Return the same difference as seen from one level further out."""
        return Difference(pointer_to([key]) + self.pointer, self.expected, self.observed)


MISSING = "(nothing)"
_ABSENT = object()


def allows(prediction: Json, log: list[Json], lane_of: Callable[[Json], str]) -> bool:
    """Tell whether a log is a run that the prediction allows."""
    lanes = prediction["lanes"]
    bindings = Bindings()
    seen: dict[str, list[int | None]] = {}
    found = places(lanes, map(lane_of, log))
    for lane in in_turn(lanes, found):
        records = _lane(lanes.get(lane, []), found[lane], log, bindings, seen)
        if records is None:
            return False
        seen[lane] = records
    return not any(unordered(prediction["after"], seen))


def in_turn(expected: dict[str, list[Json]], found: Iterable[str]) -> list[str]:
    """Return lanes in an order in which each comes behind those by which it is told what of it is missing."""
    return sorted(found, key=lambda lane: any("with" in item for item in expected.get(lane, ())))


def goes_missing(item: Json, seen: dict[str, list[int | None]]) -> bool:
    """Tell whether an expected record is missing as those are that it comes with."""
    lane, position = item.get("with", (None, 0))
    return lane is not None and seen[lane][position] is None


def _lane(
    expected: list[Json],
    indices: list[int],
    log: list[Json],
    bindings: Bindings,
    others: dict[str, list[int | None]],
) -> list[int | None] | None:
    """Return where in the log each expected record was seen; None at the first difference."""
    seen: list[int | None] = []
    missing: set[str] = set()
    at, count = 0, len(indices)
    for item in expected:
        possible = item.get("$maybe")
        if possible and (
            item["of"] in missing
            or goes_missing(item, others)
            or not _came(possible, indices[at : at + 1], log, bindings)
        ):
            missing.add(item["of"])
            bindings.absent.update(item.get("counts", {}))
            seen.append(None)
            continue
        for wanted in possible or [item]:
            if at == count or match(wanted, log[indices[at]], bindings) is not None:
                return None
            at += 1
        seen.append(indices[at - 1])
    return seen if at == count else None


def _came(possible: list[Json], indices: list[int], log: list[Json], bindings: Bindings) -> bool:
    """Tell whether records that may be missing come next; nothing is bound."""
    return bool(indices) and match(possible[0], log[indices[0]], bindings.copy()) is None


def unordered(after: list[Json], seen: dict[str, list[int | None]]) -> Iterator[tuple[Json, int, int]]:
    """Yield each pair of lanes' places that the prediction has in order, and the two records that are not."""
    for pair in after:
        lane, position, other, before = pair
        here, there = seen[lane][position], seen[other][before]
        if here is not None and there is not None and here < there:
            yield pair, here, there


def match(expected: Json, observed: Json, bindings: Bindings) -> Difference | None:
    """Return the first place at which a value differs from what is expected, or None."""
    kind = type(expected)
    if kind is dict:
        if len(expected) == 1:
            name = next(iter(expected))
            matcher = _MATCHERS.get(name)
            if matcher is not None:
                return matcher(expected[name], observed, bindings)
        return _object(expected, observed, bindings)
    if kind is list:
        return _list(expected, observed, bindings)
    if kind is type(observed) and expected == observed:
        return None
    return Difference("", expected, observed)


def is_matcher(expected: Json) -> bool:
    """Tell whether an expected value is a matcher."""
    return type(expected) is dict and len(expected) == 1 and next(iter(expected)) in _MATCHERS


def _object(expected: dict[str, Json], observed: Json, bindings: Bindings) -> Difference | None:
    if type(observed) is not dict:
        return Difference("", expected, observed)
    for key, value in expected.items():
        seen = observed.get(key, _ABSENT)
        kind = type(value)
        if kind is type(seen) and kind in SCALARS and value == seen:
            continue  # as `match` would find, without asking it
        if seen is _ABSENT:
            return Difference(pointer_to([key]), value, MISSING)
        difference = match(value, seen, bindings)
        if difference is not None:
            return difference.within(key)
    if len(observed) > len(expected):
        key = next(key for key in observed if key not in expected)
        return Difference(pointer_to([key]), MISSING, observed[key])
    return None


SCALARS = frozenset({str, type(None), bool, int, float})


def _list(expected: list[Json], observed: Json, bindings: Bindings) -> Difference | None:
    if type(observed) is not list or len(expected) != len(observed):
        return Difference("", expected, observed)
    for index, (left, right) in enumerate(zip(expected, observed, strict=True)):
        difference = match(left, right, bindings)
        if difference is not None:
            return difference.within(index)
    return None


# -- the matchers: each says what differs, or None ---------------------------------------------------------------------


def _any(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    return None


def _literal(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    return None if same(argument, observed) else Difference("", argument, observed)


def _one_of(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    differences = [match(option, observed, bindings) for option in argument]
    return None if None in differences else differences[0]


def _contains(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    if isinstance(observed, dict) and all(
        key in observed and match(value, observed[key], bindings) is None for key, value in argument.items()
    ):
        return None
    return Difference("", {"$contains": argument}, observed)


def _unordered(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    if isinstance(observed, list) and len(observed) == len(argument) and _paired(argument, observed, bindings):
        return None
    return Difference("", {"$unordered": argument}, observed)


def _paired(expected: list[Json], observed: list[Json], bindings: Bindings) -> bool:
    """Tell whether every value can be given an expected one of its own that accepts it (by augmenting paths)."""
    fitting = [
        [at for at, value in enumerate(observed) if match(one, value, bindings.copy()) is None] for one in expected
    ]
    taken: dict[int, int] = {}

    def placed(one: int, tried: set[int]) -> bool:
        for at in fitting[one]:
            if at not in tried:
                tried.add(at)
                if at not in taken or placed(taken[at], tried):
                    taken[at] = one
                    return True
        return False

    return all(placed(one, set()) for one in range(len(expected)))


def _numeric(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    number = _number_of(observed)
    if number is not None and number == _number_of(argument):
        return None
    return Difference("", {"$numeric": argument}, observed)


def _number_of(value: Json) -> int | float | None:
    """Return the number that a value is, also one that is spelled by its digits; None for any other."""
    if type(value) is int or type(value) is float:
        return value
    digits = value.get("$integer") if type(value) is dict and len(value) == 1 else None
    return int(digits) if isinstance(digits, str) and re.fullmatch(r"-?[0-9]+", digits) else None


def _text(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    if isinstance(observed, str) and argument in observed:
        return None
    return Difference("", {"$text": argument}, observed)


def _number(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    enough = type(observed) in (int, float) and observed >= argument["at_least"]
    if enough and bindings.numbers.setdefault(argument["as"], observed) == observed:
        return None
    return Difference("", {"$number": argument}, observed)


def _counted(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    return _literal(argument["all"] - bindings.absent[argument["of"]], observed, bindings)


def _id(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    return None if bindings.bind(argument, observed) else Difference("", {"$id": argument}, observed)


def _trace(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    seen = traced(observed)
    if seen and bindings.bind_all([(argument[part], seen.get(part)) for part in argument]):
        return None
    return Difference("", {"$trace": argument}, observed)


def traced(observed: Json) -> dict[str, Json]:
    """Return the labels of the trace and the span that a header names; none where it names none."""
    if isinstance(observed, str) and observed.startswith("trace("):
        label = observed[len("trace(") : -1]
        return {"trace": label, "span": label}
    return observed if isinstance(observed, dict) else {}


def _time(argument: Json, observed: Json, bindings: Bindings) -> Difference | None:
    if _in_time(argument, observed, bindings):
        return None
    exact = due(argument, bindings)
    return Difference("", {"$time": argument} if exact is None else exact, observed)


def due(argument: Json, bindings: Bindings) -> int | None:
    """Return the time that a matcher of times asks for, where it asks for one and it can be told."""
    if "at" in argument:
        return int(argument["at"]) * 1000
    start = bindings.times.get(argument["of"]) if "of" in argument else 0
    return None if start is None or "equal" not in argument else int(start + argument["equal"])


def _in_time(argument: Json, observed: Json, bindings: Bindings) -> bool:
    if type(observed) is not int:
        return False
    if "as" in argument and bindings.times.setdefault(argument["as"], observed) != observed:
        return False
    if "at" in argument:
        return bool(observed == argument["at"] * 1000)
    start = bindings.times.get(argument["of"]) if "of" in argument else 0
    if start is None:
        return True
    if "equal" in argument:
        return bool(observed == start + argument["equal"])
    return "at_least" not in argument or bool(observed >= start + argument["at_least"])


_MATCHERS: dict[str, Callable[[Any, Json, Bindings], Difference | None]] = {
    "$any": _any,
    "$literal": _literal,
    "$one_of": _one_of,
    "$contains": _contains,
    "$unordered": _unordered,
    "$numeric": _numeric,
    "$text": _text,
    "$number": _number,
    "$counted": _counted,
    "$id": _id,
    "$trace": _trace,
    "$time": _time,
}
