"""Cells about conditionals that reject and raise, and about callbacks that are asynchronous.

Enters: nothing. Leaves: cells of the table of registrations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import OF_ONE_KIND, Family
from bindproof.suites.relay.tables.cells import (
    DUE,
    EDITIONS,
    IN_WORDS,
    Calls,
    Cell,
    Level,
    around,
    register,
    renamed,
)

CONDITIONALS: Final[dict[Family, Family]] = {"llm.conditional": "llm.request", "tool.conditional": "tool.request"}
"""Family → what would run after it in a call that goes on."""

DECIDES: Final[list[Json]] = [
    {"op": "each", "ops": [[{"op": "edit", "set": {"": "no-1"}}], [{"op": "raise", "text": "boom-1!"}], []]}
]
"""First it rejects, then it raises, then it lets pass."""


def cells() -> Iterator[Cell]:
    """Yield the cells, in the order of their families."""
    for family in CONDITIONALS:
        for calls, due in DUE[family].items():
            for level in get_args(Level):
                yield _decided(family, level, calls, due)
    for family in get_args(Family):
        for calls, due in DUE[family].items() if family not in OF_ONE_KIND else ():
            yield _awaited(family, calls, due)


def _decided(family: Family, level: Level, calls: Calls, due: list[Json]) -> Cell:
    """One lets pass, one decides, a third is due where that lets pass; the intercept shows which call goes on."""
    rules = ["MID-008", "MID-009", *([] if calls == "helpers" else ["MID-010"])]
    own = [register(family, name, level, priority=at) for name, at in (("j", -1), ("k", 0), ("l", 1))]
    own[1]["do"] = DECIDES
    title = f"{family}, registered {IN_WORDS[level]}, in {calls}: one rejects, then raises, then lets pass"
    steps = around(level, own, [*due, *renamed(due, "2"), *renamed(due, "3")])
    steps = steps if calls == "helpers" else [register(CONDITIONALS[family], "r", "global"), *steps]
    return Cell(family, level, calls, "reject", {"title": title, "exercises": rules, "scenario": {"steps": steps}})


def _awaited(family: Family, calls: Calls, due: list[Json]) -> Cell:
    """Two that are asynchronous: each has replied before the other is entered."""
    own = [{**register(family, name, "global", priority=at), "async": True} for name, at in (("j", 0), ("k", 1))]
    vector = {
        "title": f"{family}, asynchronous, in {calls}: each is awaited",
        "exercises": ["MID-017"],
        "editions": EDITIONS.get(family, "").replace("0.6", "0.7") or "0.7–",
        "scenario": {"steps": around("global", own, due)},
    }
    return Cell(family, "global", calls, "await", vector)
