"""The vectors about registrations: each rule in each family, on each level, in each kind of call in which it applies.

Enters: nothing. Leaves: the vectors of `spec/relay/vectors/registrations`, by file name. To write them:

    python -m bindproof.suites.relay.tables.registrations spec/relay/vectors/registrations
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables import deciding, gating, moments
from bindproof.suites.relay.tables.cells import (
    BREAKING,
    DUE,
    EDITIONS,
    IN_WORDS,
    PHASES,
    TAKEN,
    UNORDERED,
    UNTIL,
    Calls,
    Cell,
    Level,
    around,
    put,
    register,
    runs,
    together,
    written,
)


def cells() -> Iterator[Cell]:
    """Yield the vectors of the table, in its order."""
    for family in get_args(Family):
        for calls, due in DUE[family].items():
            for level in get_args(Level):
                yield from _of_place(family, calls, level, due)
    yield from moments.cells()
    yield from deciding.cells()
    yield from gating.cells()


def _of_place(family: Family, calls: Calls, level: Level, due: list[Json]) -> Iterator[Cell]:
    where = family, level, calls
    words = f"{family}, registered {IN_WORDS[level]}, in {calls}"
    named = {"editions": EDITIONS[family]} if family in EDITIONS else {}
    stays = runs(family, level, calls)
    passing = [rule for rule in stays if rule != "HLP-003"]
    order = [] if family in UNORDERED else ["MID-002", "MID-003"]
    first = "a name twice" if family in UNORDERED else "in order, and each name once"
    phases = ["MID-001"] if family in PHASES and calls != "helpers" else []
    title, rules = f"{words}: {first}{UNTIL[level]}", [*phases, *order, *stays, *TAKEN[level]]
    vector = {"title": title, "exercises": list(dict.fromkeys(rules)), **named}
    yield Cell(
        *where, "order", {**vector, "scenario": {"steps": [*_beside(family, calls), *_order(family, level, due)]}}
    )
    if family in BREAKING:  # a helper that a breaking intercept cuts short need not run all: HLP-003
        vector = {"title": f"{words}: one breaks the chain", "exercises": [BREAKING[family], *passing], **named}
        yield Cell(*where, "break", {**vector, "scenario": {"steps": _break(family, level, due)}})
    if level == "plugin":
        rules = [*(["MID-002", "MID-032"] if order else []), "MID-031", *stays, *TAKEN[level]]
        title = f"{family}, registered by several plugins, in {calls}: each names its own, until they are taken back"
        vector = {"title": title, "exercises": rules, **named}
        yield Cell(*where, "several", {**vector, "scenario": {"steps": _several(family, due)}})
    if level != "plugin":  # no step names what a plugin registered: MID-024 has it go with its plugin
        vector = {"title": f"{words}: one is taken back", "exercises": ["MID-006", "MID-007", *stays], **named}
        yield Cell(*where, "removal", {**vector, "scenario": {"steps": _removal(family, level, due)}})


def _beside(family: Family, calls: Calls) -> list[Json]:
    """Return what runs before it or after it in a call, which shows that it has its place there."""
    beside = PHASES.get(family, ()) if calls != "helpers" else ()
    wrapping: dict[Family, Family] = {"llm.execution": "llm.stream"} if calls == "streams" else {}
    return [register(wrapping.get(other, other), f"q{at}", "global") for at, other in enumerate(beside)]


def _order(family: Family, level: Level, due: list[Json]) -> list[Json]:
    """Names say one order, priorities another one, and the opposite of the priorities a third.

    Of three that have one priority, and are registered against their order, the last is refused: its name is taken. On
    a scope there are one of an inner scope and a global one besides, and beside a plugin one of the program's. What a
    scope or a plugin has is gone in the end.
    """
    own = [register(family, name, level, priority=at) for name, at in (("k", 0), ("j", 7), ("l", -7), ("i", 0))]
    own.append({**register(family, "k", level), "as": "k2"})
    if level == "scope":
        own += [{"step": "start", "as": "B", "name": "B"}, register(family, "e", "scope", scope="B")]
        own.append(register(family, "z", "global"))
        due = [*due, {"step": "end", "as": "eB", "of": "B"}]
    steps = around(level, own, due, again=True)
    return [register(family, "z", "global", priority=3), *steps] if level == "plugin" else steps


def _break(family: Family, level: Level, due: list[Json]) -> list[Json]:
    """The second of three breaks; a binding in which each does, or none, is told by the first or the last."""
    own = [register(family, name, level, priority=at) for name, at in (("k", 0), ("j", 7), ("l", -7))]
    own[0]["break_chain"] = True
    return around(level, own, due)


def _several(family: Family, due: list[Json]) -> list[Json]:
    """The names of plugins say another order than the configuration, and their own names a third.

    A plugin cannot take a name twice, and each can take that of another.
    """
    first, other, again = (
        [("i", "n", 0)],
        [("j", "z", 0), ("k", "n", 0), ("k2", "n", 0)],
        [("l", "n", 0), ("o", "z", -7)],
    )
    lists = [
        [{**register(family, step, "plugin", priority=at), "name": name} for step, name, at in own]
        for own in (first, other, again)
    ]
    steps = together(["b", "a", "b"], lists, due)
    return [register(family, "z", "global", priority=3), *steps]


def _removal(family: Family, level: Level, due: list[Json]) -> list[Json]:
    own = [register(family, name, level) for name in ("j", "k")]
    taken = [{"step": "deregister", "as": "dj", "of": "j"}, {"step": "flush", "as": "f"}]
    return around(level, [*own, *taken], [*due, {"step": "deregister", "as": "again", "of": "j"}])


def main(folder: Path) -> None:
    """Write the vectors of the table into a folder, and remove those that it has no more."""
    put(folder, {f"{cell.name}.json": written(cell.vector) for cell in cells()})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
