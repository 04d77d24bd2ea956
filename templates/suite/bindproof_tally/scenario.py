"""The language of scenarios: a list of steps, each of which adds a number to a counter or takes one from it."""

from __future__ import annotations

from bindproof.suite_api import Json, SmokeStep

KINDS = ("add", "take")
DEFAULT = 1


def complete(scenario: Json) -> Json:
    """Return a scenario with all defaults filled in; raises ValueError, which says where it is none."""
    if not isinstance(scenario, dict) or set(scenario) != {"steps"} or not isinstance(scenario["steps"], list):
        raise ValueError('a scenario is {"steps": [...]}')
    return {"steps": [_complete_step(number, step) for number, step in enumerate(scenario["steps"])]}


def _complete_step(number: int, step: Json) -> Json:
    if not isinstance(step, dict) or step.get("step") not in KINDS or set(step) - {"step", "number"}:
        raise ValueError(f'step {number}: a step is {{"step": {" or ".join(KINDS)}, "number": a whole number}}')
    given = step.get("number", DEFAULT)
    if type(given) is not int or given < 0:
        raise ValueError(f"step {number}: {given!r} is not a whole number of 0 or more")
    return {"step": step["step"], "number": given}


def brief(full: Json) -> Json:
    """Return a complete scenario as one would write it: without what has its default."""
    return {"steps": [{k: v for k, v in step.items() if (k, v) != ("number", DEFAULT)} for step in full["steps"]]}


STEPS = (
    SmokeStep("adds to a new counter", {"steps": [{"step": "add"}]}, "one record a step: fact, step, total"),
    SmokeStep("takes too much", {"steps": [{"step": "take", "number": 2}, {"step": "add"}]}, "a counter a scenario"),
)
"""The scenarios that lead the author of an adapter from little to all, for `bindproof smoke`."""
