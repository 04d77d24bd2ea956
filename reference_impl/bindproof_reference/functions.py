"""The reference of a pure function: its one value is allowed, or an error of one kind.

Enters: the function. Leaves: `predict` and `resolve`, as the module of a reference has them. Standard library only, as
it runs where there is no bindproof; a suite of another package makes its reference of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Json = Any
Function = Callable[[Json, str], Json]
"""Takes a scenario and the name of an edition; gives the value, or raises Refused."""
Predict = Callable[[Json, str, Json], Json]
Resolve = Callable[[Json, int, Json, Json], list[Json]]


class Refused(Exception):  # noqa: N818 - the contract asks for it, nothing has failed
    """What the contract has the function refuse; its text is the kind of the error."""


def reference(function: Function) -> tuple[Predict, Resolve]:
    """Return `predict` and `resolve` of a function."""

    def predict(scenario: Json, edition: str, dialect: Json) -> Json:
        try:
            record: Json = {"fact": "result", "value": {"$literal": function(scenario, edition)}}
        except Refused as refused:
            record = {"fact": "result", "error": {"$contains": {"kind": str(refused)}}}
        return {"lanes": {"program": [record]}, "after": []}

    return predict, resolve


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return the one record: the value, or an error in the words of the dialect's first example of its kind."""
    (record,) = prediction["lanes"]["program"]
    if "value" in record:
        return [{**record, "value": record["value"]["$literal"]}]
    kind = record["error"]["$contains"]["kind"]
    examples = (one["example"] for one in dialect["error"] if one["kind"] == kind and one.get("example"))
    name, _, message = next(examples, ": ").partition(": ")
    return [{**record, "error": {"type": name, "message": message}}]
