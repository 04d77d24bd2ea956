"""One lawful run of a prediction: lanes are merged in an order that is allowed, and matchers made into values.

Enters: a prediction, a seed, the dialect as plain data. Leaves: a raw log as an adapter would record it. The same seed
gives the same run.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bindproof_reference.cells.record import Json, Place


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return the records of one lawful run."""
    random = Random(seed)  # noqa: S311 - a run, no secret
    words = {error["kind"]: error["example"] for error in reversed(dialect.get("error", ())) if error.get("example")}
    return [_plain(record, seed, words) for record in _merged(prediction, random)]


def _merged(prediction: Json, random: Random) -> Iterator[Json]:
    """Yield the records in an order that is allowed."""
    before: dict[Place, list[Place]] = {}
    for lane, at, other, place in prediction["after"]:
        before.setdefault((lane, at), []).append((other, place))
    lanes = {lane: 0 for lane, records in prediction["lanes"].items() if records}
    out: set[Place] = set()
    while lanes:
        ready = [lane for lane, at in lanes.items() if out.issuperset(before.get((lane, at), ()))]
        lane = random.choice(ready)
        at = lanes[lane]
        yield prediction["lanes"][lane][at]
        out.add((lane, at))
        lanes[lane] += 1
        if lanes[lane] == len(prediction["lanes"][lane]):
            del lanes[lane]


def _plain(value: Json, seed: int, words: dict[str, str]) -> Json:
    """Return a value that a matcher accepts, the same in the whole run; one that is none is itself."""
    if isinstance(value, list):
        return [_plain(item, seed, words) for item in value]
    if not isinstance(value, dict):
        return value
    if "$one_of" in value:
        return _plain(value["$one_of"][seed % len(value["$one_of"])], seed, words)
    if "$text" in value:
        return f"Error: {value['$text']}"
    if "kind" in value and "message" in value:
        return {"type": "error", "message": words.get(value["kind"], f"{value['kind']}: refused")}
    return {key: _plain(item, seed, words) for key, item in value.items()}
