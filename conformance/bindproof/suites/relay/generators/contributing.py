"""Generated programs whose request intercepts list contributions.

Enters: a source of choices, the steps of a program. Leaves: the steps, where some `llm.request` lists some.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Json
from bindproof.suites import Choices

LISTING_PERCENT: Final = 8
"""Of a hundred request intercepts so many list contributions."""

MALFORMED_PERCENT: Final = 5
"""Of a hundred such lists so many have one that is none."""

PLAIN: Final[tuple[Json, ...]] = (
    {"producer": "a", "kind": "input_compression", "applied": True},
    {"producer": "b", "kind": "own", "x": {"y": None}},
    {"producer": "", "kind": "", "applied": False, "sequence": 7, "payload": None},
    {"producer": "a", "kind": "model_routing", "applied": True, "model_transition": {"effective": {"model": "small"}}},
    {"producer": "c", "kind": "own", "payload": [1], "payload_schema": {"name": "own", "version": "1"}},
    {"producer": "c", "kind": "own", "payload": {"k": "text"}},
)
"""Those that are taken; the last one is not told, as nothing says how to read it."""

MALFORMED: Final[tuple[Json, ...]] = (
    {"kind": "own"},
    {"producer": None, "kind": "own"},
    {"producer": "a", "kind": 1},
    {"producer": "a", "kind": "own", "applied": None},
)

NEEDED: Final = {"cancel", "read", "close"}
"""Steps beside which no intercept lists any: whether a cancelled call's end sums them up is open, and a stream has to
be open to be read, which an edition that knows no contributions does not let it be."""


def with_contributions(choices: Choices, steps: list[Json]) -> list[Json]:
    """Return the steps with intercepts that list contributions."""
    if any(step["step"] in NEEDED for step in steps):
        return steps
    return [_listing(choices, step) if step.get("family") == "llm.request" else step for step in steps]


def _listing(choices: Choices, step: Json) -> Json:
    if not choices.chance(LISTING_PERCENT):
        return step
    stated = [choices.pick(PLAIN) for _ in range(choices.integer(0, 3))]
    if choices.chance(MALFORMED_PERCENT):
        stated.append(choices.pick(MALFORMED))
    listing = {"op": "edit", "set": {"/optimization_contributions": stated}}
    return {**step, "do": [listing, *step.get("do", [])]}
