"""The reference of a pure function: its one value is allowed, or an error of one kind.

Enters: the function. Leaves: `predict` and `resolve`, as the module of a reference has them. Standard library only, as
it runs where there is no bindproof; a suite of another package makes its reference of it. Where what is given is a text
of some language, `bindproof_reference.tokens` reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Json = Any
Function = Callable[[Json, str], Json]
"""Takes a scenario and the name of an edition; gives the value, or raises Refused. What JSON lacks it spells as the
SDKs do, such as `{"$float": "NaN"}`."""
Predict = Callable[[Json, str, Json], Json]


class Refused(Exception):  # noqa: N818 - the contract asks for it, nothing has failed
    """What the contract has the function refuse; its text is the kind of the error."""


def predicting(function: Function) -> Predict:
    """Return the `predict` of a function; its `resolve` is the one below. Raises TypeError for what is no function."""
    if not callable(function):
        raise TypeError(f"what predicts has to be a function, and is {function!r:.100}")

    def predict(scenario: Json, edition: str, dialect: Json) -> Json:
        try:
            record: Json = {"fact": "result", "value": {"$literal": function(scenario, edition)}}
        except Refused as refused:
            record = {"fact": "result", "error": {"$contains": {"kind": str(refused)}}}
        return {"lanes": {"program": [record]}, "after": []}

    return predict


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return the one record: the value, or an error in the words of the dialect's first example of its kind."""
    (record,) = prediction["lanes"]["program"]
    if "value" in record:
        return [{**record, "value": record["value"]["$literal"]}]
    kind = record["error"]["$contains"]["kind"]
    examples = (one["example"] for one in dialect["error"] if one["kind"] == kind and one.get("example"))
    name, _, message = next(examples, ": ").partition(": ")
    return [{**record, "error": {"type": name, "message": message}}]


def same(one: Json, other: Json) -> bool:
    """Tell whether two JSON values are equal as most contracts have it: 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
