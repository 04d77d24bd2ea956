"""A prediction in a plain form: values to be equal to, and a short list of places that are open, each with its rule.

Enters: a prediction with matchers. Leaves: the runs that it allows, one of which what was seen has to be; None where a
matcher says what this form has no words for. Whoever compares takes the open places out and asks for equality: a match
that walks through values is not needed, so a runner in any language is short (docs/export.md).

| rule | `says` | holds of what was seen there |
|-|-|-|
| `any` | null | whatever it is, so long as there is something |
| `has` | members | it has these members, those that are open as null |
| `text` | a text | this stands in it |
| `error` | `kind`, `text` | the message of an error: the expression of the kind finds it, and the text stands in it |
| `ids` | `pattern`, `names` | less its hyphens it is as the pattern says, whose groups are the ids of these names |
| `time` | `name`, `of`, `least`, `most` | so many nanoseconds after the time called `of`, or after 1970 began |

Open places stand in the order in which they are looked at: those within an object before the `has` of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product

from bindproof.core.model import Json
from bindproof.judge.match import is_matcher

ALTERNATIVES = 64
"""More runs than these a plain form does not list."""

IDENTITY = "^(.*(.{16}))$"
TRACE = "^00(.{32})(.{16})0[01]$"
"""A trace header names the outermost id and the end of another one."""

CUT, REFUSED = "\ufffc", "\ufffb"
"""What stands in a message for a text that a callback raised, and for the message of a reply's refusal."""
NEVER = "(?!)"


class _BeyondError(Exception):
    """What has no plain form."""


def plain(prediction: Json) -> list[Json] | None:
    """Return the runs that a prediction allows; None where it has no such form.

    A run has `records`, those of one lane behind those of another as `lanes` names them; `callbacks`, the lane of each
    (what has a subscriber is in the lane of that name, and what has neither in the first one); `open`, each with the
    keys that lead to what holds it, its own key, and its rule; and `after`, pairs of places in `records`, of which the
    first is seen later than the second.
    """
    lanes = prediction["lanes"]
    starts = dict(zip(lanes, _starts(lanes.values()), strict=True))
    after = [[starts[one] + here, starts[other] + there] for one, here, other, there in prediction["after"]]
    choices = [_alternatives(record) for lane in lanes.values() for record in lane]
    if math.prod(map(len, choices)) > ALTERNATIVES:
        return None
    try:
        named = {"lanes": list(lanes), "callbacks": _callbacks(lanes)}
        return [{**named, **_opened(list(records)), "after": after} for records in product(*choices)]
    except _BeyondError:
        return None


def kinds(errors: Sequence[tuple[str, str]], known: Sequence[str]) -> dict[str, str]:
    """Return kind → the expression that finds it in a message in which CUT and REFUSED stand for texts of others.

    errors: kinds with their expressions in ECMAScript's syntax, of which the first that is found gives the kind.
    known: all the kinds that a prediction may name; what can be of none of them is never found.
    """
    return {kind: _of_kind(kind, errors) for kind in [*known, "unknown"]}


def _of_kind(kind: str, errors: Sequence[tuple[str, str]]) -> str:
    ways = []
    others: list[str] = []
    for of, pattern in errors:
        if of == kind:
            ways.append(_none_of(others) + _somewhere(pattern))
        else:
            others.append(pattern)
    if kind in ("callback_raised", "unknown"):
        cut = _somewhere(CUT) if kind == "callback_raised" else _none_of([CUT])
        ways.append(_none_of([pattern for _, pattern in errors]) + cut)
    ways = [_none_of([REFUSED]) + way for way in ways]
    if kind == "outcome_malformed":
        ways.append(_somewhere(REFUSED))
    return f"^(?:{'|'.join(ways)})" if ways else NEVER


def _somewhere(pattern: str) -> str:
    return rf"(?=[\s\S]*?(?:{pattern}))"


def _none_of(patterns: Sequence[str]) -> str:
    return rf"(?![\s\S]*?(?:{'|'.join(patterns)}))" if patterns else ""


def _starts(lanes: Iterable[list[Json]]) -> Iterator[int]:
    start = 0
    for lane in lanes:
        yield start
        start += len(lane)


def _callbacks(lanes: dict[str, list[Json]]) -> dict[str, str]:
    """Return callback → its lane. Raises _BeyondError where the lane of a record cannot be told by its names."""
    found: dict[str, str] = {}
    first = next(iter(lanes))
    for lane, records in lanes.items():
        for record in chain.from_iterable(map(_alternatives, records)):
            if "callback" in record:
                told = found.setdefault(record["callback"], lane)
            else:
                told = record.get("subscriber", first)
            if told != lane:
                raise _BeyondError
    return found


def _alternatives(record: Json) -> list[Json]:
    """Return the records of which one comes."""
    return list(record["$one_of"]) if is_matcher(record) and "$one_of" in record else [record]


def _opened(records: list[Json]) -> dict[str, Json]:
    places = _Open()
    return {"records": places.value(records, ()), "open": places.found}


class _Open:
    """Takes the matchers out of values, and lists what each of them says of its place."""

    def __init__(self) -> None:
        self.found: list[Json] = []
        self._times: set[str] = set()

    def value(self, value: Json, at: tuple[str | int, ...]) -> Json:
        """Return a value with null where it is open. Raises _BeyondError."""
        if isinstance(value, list):
            return [self.value(item, (*at, index)) for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if "$maybe" in value:
            raise _BeyondError
        if is_matcher(value):
            ((name, argument),) = value.items()
            return self._matcher(name, argument, at)
        if isinstance(value.get("kind"), str) and "message" in value and at[-1] == "error":
            return self._error(value, at)
        return {key: self.value(item, (*at, key)) for key, item in value.items()}

    def _matcher(self, name: str, argument: Json, at: tuple[str | int, ...]) -> Json:
        match name:
            case "$literal":
                return argument
            case "$any":
                self._open(at, "any", None)
            case "$text":
                self._open(at, "text", argument)
            case "$contains":
                self._open(at, "has", {key: self.value(item, (*at, key)) for key, item in argument.items()})
            case "$id":
                self._open(at, "ids", {"pattern": IDENTITY, "names": [argument, f"end of {argument}"]})
            case "$trace" if "trace" not in argument:
                self._open(at, "text", "")
            case "$trace":
                self._open(at, "ids", {"pattern": TRACE, "names": [argument["trace"], f"end of {argument['span']}"]})
            case "$time":
                self._open(at, "time", self._time(argument))
            case _:
                raise _BeyondError
        return None

    def _error(self, error: dict[str, Json], at: tuple[str | int, ...]) -> Json:
        """Return an error without its kind, which the runner finds in its message."""
        rest = {key: item for key, item in error.items() if key not in ("kind", "message")}
        text = error["message"].get("$text", "") if is_matcher(error["message"]) else error["message"]
        self._open((*at, "message"), "error", {"kind": error["kind"], "text": text})
        return {"message": None, **{key: self.value(item, (*at, key)) for key, item in rest.items()}}

    def _time(self, argument: dict[str, Json]) -> Json:
        least, most, of = argument.get("at_least", 0), None, argument.get("of")
        if "at" in argument:
            least = most = argument["at"] * 1000
        elif "equal" in argument:
            least = most = argument["equal"]
        if of is not None and of not in self._times:
            least, most, of = 0, None, None  # as a match has it: nothing is known yet to measure from
        name = argument.get("as", f"time {len(self.found)}")
        self._times.add(name)
        return {"name": name, "of": of, "least": str(least), "most": None if most is None else str(most)}

    def _open(self, at: tuple[str | int, ...], rule: str, says: Json) -> None:
        *holder, key = at
        self.found.append({"at": holder, "key": key, "rule": rule, "says": says})
