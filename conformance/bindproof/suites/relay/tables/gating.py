"""Cells about gates: each family kept out by a reason, and let in by a gate that raises.

Enters: nothing. Leaves: cells of the table of registrations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.cells import DUE, Calls, Cell, around, register, renamed

GATES = ("GAT-001", "GAT-002", "GAT-003", "GAT-004", "GAT-005")


def cells() -> Iterator[Cell]:
    """Yield the cells, in the order of their families. What a scope owns, or a plugin installed, no gate is about."""
    for family in get_args(Family):
        for calls, due in DUE[family].items():
            yield _gated(family, calls, due)


def _gated(family: Family, calls: Calls, due: list[Json]) -> Cell:
    """Of two one is kept out, until a gate of another name comes about it, which raises."""
    own = [register(family, name, "global") for name in ("j", "k")]
    shut = {"step": "gate", "as": "gate", "name": "g", "families": [family], "target": "j", "reason": "ill"}
    broken = {**shut, "as": "broken", "name": "h", "reason": None, "raises": "boom-9!"}
    steps = [
        *own,
        shut,
        {**shut, "as": "taken", "target": "k"},
        *due,
        {"step": "flush", "as": "f"},
        {"step": "ungate", "as": "back", "of": "gate"},
        broken,
        *renamed(due),
        {"step": "flush", "as": "f2"},
        {"step": "ungate", "as": "back2", "of": "broken"},
        {"step": "ungate", "as": "again", "of": "broken"},
    ]
    title = f"{family}, in {calls}: a gate says a reason against it, another one raises"
    rules = [rule for rule in GATES if family != "subscriber" or rule != "GAT-002"]  # LIF-008 says who is told
    vector = {"title": title, "exercises": rules, "editions": "0.8–"}
    return Cell(family, "global", calls, "gate", {**vector, "scenario": {"steps": around("global", steps, [])}})
