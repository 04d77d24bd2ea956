"""Gates of generated programs: what is registered globally is kept out for a while, or let in.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, and gates between them. They are
drawn last, so that a program without them is the one that it was before there were any.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices

GATE_PERCENT = {"python": 12, "node": 12, "c": 12, "go": 12, "rust": 12, None: 12}
"""Dialect → how many of a hundred programs may have gates; where it is not named, none: its adapter has no gates."""

MOST = 3
"""So many gates at most."""

VERDICTS: tuple[Json, ...] = ({"reason": "shut"}, {"reason": "shut"}, {}, {"raises": "boom-G!"})


def with_gates(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, now and then with gates about what it registers."""
    if not choices.chance(GATE_PERCENT.get(dialect, 0)):
        return steps
    named = [step for step in steps if step["step"] == "register" and step["as"] != "s"]
    unfit = any(step["step"] == "install" or step.get("background") for step in steps)
    if unfit or not named:
        return steps
    found = list(steps)
    for number in range(choices.integer(1, MOST)):
        _put(choices, choices.pick(named), number, found)
    return found


def _put(choices: Choices, about: Json, number: int, steps: list[Json]) -> None:
    """Put a gate about a registration somewhere, and where it is taken back again behind it."""
    families = {about["family"], choices.pick(("subscriber", "tool.request", "llm.execution"))}
    gate = {"step": "gate", "as": f"g{number}", "name": choices.pick(("g", f"g{number}")), "target": about["name"]}
    at = choices.integer(1, len(steps))
    steps.insert(at, {**gate, "families": sorted(families), **choices.pick(VERDICTS)})
    if choices.chance(60) and gate["name"] != "g":
        steps.insert(choices.integer(at + 1, len(steps)), {"step": "ungate", "as": f"u{number}", "of": gate["as"]})
