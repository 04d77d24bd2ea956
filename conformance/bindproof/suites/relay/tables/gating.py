"""Cells about gates: each family, the program's or a plugin's, kept out by a reason, and let in by a gate that raises.

Enters: nothing. Leaves: cells of the table of registrations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.cells import DUE, Calls, Cell, Level, around, register, renamed

LEVELS: tuple[Level, ...] = ("global", "plugin")

GATES = ("GAT-001", "GAT-002", "GAT-003", "GAT-004", "GAT-005")


def cells() -> Iterator[Cell]:
    """Yield the cells, in the order of their families. What a scope owns no gate is about."""
    for family in get_args(Family):
        for calls, due in DUE[family].items():
            for level in LEVELS:
                yield _gated(family, level, calls, due)


def _gated(family: Family, level: Level, calls: Calls, due: list[Json]) -> Cell:
    """Of two one is kept out, until a gate of another name comes about it, which raises."""
    own = [register(family, name, level) for name in ("j", "k")]
    whose = {"plugin": "p"} if level == "plugin" else {}
    shut = {"step": "gate", "as": "gate", "name": "g", "families": [family], "target": "j", **whose, "reason": "ill"}
    broken = {**shut, "as": "broken", "name": "h", "reason": None, "raises": "boom-9!"}
    steps = [
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
    of_plugin = ", registered by a plugin" if level == "plugin" else ""
    title = f"{family}{of_plugin}, in {calls}: a gate says a reason against it, another one raises"
    rules = [rule for rule in GATES if family != "subscriber" or rule != "GAT-002"]  # LIF-008 says who is told
    vector = {"title": title, "exercises": rules, "editions": "0.8–"}
    return Cell(family, level, calls, "gate", {**vector, "scenario": {"steps": around(level, own, steps)}})
