"""The requirements as predicates. They never call the reference."""

from __future__ import annotations

from bindproof.suite_api import Evidence, Json, same
from bindproof_openfeature.observation import LEVELS, STAGES, Reading

DEFAULTS = {"boolean": False, "integer": 7}
Found = list[Evidence] | None


def _unlike(text: str, expected: Json, observed: Json, reading: Reading) -> list[Evidence]:
    if same(expected, observed):
        return []
    every = tuple(range(len(reading.ran) + reading.asked + 1))
    return [Evidence("program", text, None, expected, observed, also=every)]


def in_order(reading: Reading) -> Found:
    """Before hooks run from the API inwards, all others outwards."""
    found = []
    for stage in STAGES:
        ran = reading.levels(stage)
        found += _unlike(
            f"the order of {stage} hooks", sorted(ran, key=LEVELS.index, reverse=stage != "before"), ran, reading
        )
    return found if len(reading.scenario["hooks"]) > 1 else None


def before_ends_it(reading: Reading) -> Found:
    """Behind a before hook that raises no other runs, and the provider is not asked."""
    raising = reading.raising("before")
    if not raising:
        return None
    ran = reading.levels("before")
    first = min(raising, key=LEVELS.index)
    wanted = [level for level in LEVELS[: LEVELS.index(first) + 1] if level in reading.scenario["hooks"]]
    found = _unlike("the before hooks that run", wanted, sorted(ran, key=LEVELS.index), reading)
    return found + _unlike("whether the provider is asked", False, reading.asked, reading)


def errors_are_told(reading: Reading) -> Found:
    """Where a before or an after hook or the provider fails, all error hooks run, and where nothing does none."""
    raised = any(level in reading.raising(stage) for stage in ("before", "after") for level in reading.levels(stage))
    if not raised and reading.scenario["provider"] == "another type":
        return None
    failed = raised or (reading.asked and reading.scenario["provider"] == "raises")
    wanted = sorted(reading.scenario["hooks"]) if failed else []
    return _unlike("the error hooks that run", wanted, sorted(reading.levels("error")), reading)


def the_end_is_told(reading: Reading) -> Found:
    """Each finally hook runs, behind all others."""
    stages = [stage for _, _, stage in reading.ran]
    wanted = sorted(stages, key=lambda stage: stage == "finally")
    found = _unlike(
        "the finally hooks that run", sorted(reading.scenario["hooks"]), sorted(reading.levels("finally")), reading
    )
    return found + _unlike("that finally hooks run last", wanted, stages, reading)


def the_default_comes_out(reading: Reading) -> Found:
    """Where nothing was evaluated the default comes out, as a failure."""
    failed = reading.raising("before") or reading.scenario["provider"] == "raises"
    return _is_default(reading) if failed else None


def types_are_kept(reading: Reading) -> Found:
    """A value of another type is none: the default comes out, as a failure, and no after hook runs."""
    if not reading.asked or reading.scenario["provider"] != "another type":
        return None
    return _is_default(reading) + _unlike("the after hooks that run", [], reading.levels("after"), reading)


def _is_default(reading: Reading) -> list[Evidence]:
    wanted = {"value": DEFAULTS[reading.scenario["flag"]], "failed": True}
    return _unlike("what comes out", wanted, {"value": reading.value, "failed": reading.failed}, reading)


CHECKS = {
    "OFE-001": in_order,
    "OFE-002": before_ends_it,
    "OFE-003": errors_are_told,
    "OFE-004": the_end_is_told,
    "OFE-005": the_default_comes_out,
    "OFE-006": types_are_kept,
}
