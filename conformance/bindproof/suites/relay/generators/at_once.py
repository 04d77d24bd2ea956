"""Generated programs whose execution intercepts go on several times at once.

Enters: a source of choices, a dialect, the steps of a program. Leaves: the steps, in some of which one intercept does.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.legal import where_legal
from bindproof.suites.relay.scenario.at_once import KINDS, MOST

PERCENT: Final = 20
"""Of a hundred programs so many have one, where that is legal."""

INMOST: Final = 1_000
"""A priority above that of each other intercept: these wrap the one that goes on several times at once."""

BLOCKING: Final = frozenset(("c", "go", "go-upstream", "wasm"))
"""The dialects in which going on blocks, or nobody knows of it."""


def with_going_on_at_once(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, rarely with an intercept that goes on several times at once, or one more."""
    if dialect in BLOCKING or not choices.chance(PERCENT):
        return steps
    family = choices.pick(tuple(KINDS))
    place = "/content/n" if family == "llm.execution" else ""
    count = choices.pick((2, 3, MOST)) if choices.chance(20) else 2
    goes = {"op": "next", "at_once": True, "edits": [{"set": {place: number}} for number in range(count)]}
    inmost = {"priority": INMOST} if choices.chance(50) else {}
    step = {"step": "register", "as": "at_once", "family": family, "name": "at once", **inmost, "do": [goes]}
    at = choices.integer(0, len(steps))
    return where_legal([*steps[:at], step, *steps[at:]], steps)
