"""The reference: which hooks run around the evaluation of a flag. Standard library only; it runs as an adapter too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = Any

LEVELS = ("api", "client", "call", "provider")
DEFAULTS = {"boolean": False, "integer": 7}
VALUES = {"boolean": True, "integer": 1}


def predict(scenario: Json, edition: str, dialect: Json) -> Json:
    """Return the records that are allowed, in one lane."""
    return {"lanes": {"program": list(_records(scenario))}, "after": []}


def _records(scenario: Json) -> Iterator[Json]:
    hooks = [(level, scenario["hooks"][level]) for level in LEVELS if level in scenario["hooks"]]

    def run(stage: str, order: list[Any], *, to_the_end: bool) -> Iterator[Json]:
        for level, raises in order:
            yield {"fact": "hook", "level": level, "stage": stage}
            if stage in raises and not to_the_end:
                return

    def fails(stage: str) -> bool:
        return any(stage in raises for _, raises in hooks)

    yield from run("before", hooks, to_the_end=False)
    failed = fails("before")
    if not failed:
        yield {"fact": "asked"}
        failed = scenario["provider"] != "gives"
    after = not failed
    if after:
        yield from run("after", hooks[::-1], to_the_end=False)
        failed = fails("after")
    if failed:
        yield from run("error", hooks[::-1], to_the_end=True)
    yield from run("finally", hooks[::-1], to_the_end=True)
    # what comes out where an after hook fails, the specification leaves open
    right, default = VALUES[scenario["flag"]], DEFAULTS[scenario["flag"]]
    value = {"$one_of": [default, right]} if after and failed else default if failed else right
    yield {"fact": "result", "value": value, "failed": {"$any": True} if after and failed else failed}


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return one log that a prediction allows; where the value is open it is the default."""
    *records, result = prediction["lanes"]["program"]
    if isinstance(result["value"], dict):
        result = {**result, "value": DEFAULTS[scenario["flag"]], "failed": True}
    return [*records, result]
