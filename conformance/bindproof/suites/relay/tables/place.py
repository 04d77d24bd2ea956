"""Where a fault about registrations is acted out: a lawful run, and whose registrations a binding is at fault with.

Enters: a complete scenario with its lawful log, a family and a level, and how a program is acted out. Leaves: the steps
that register so, and logs of other programs. Must not know the checks, nor how a program is acted out.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import inner_steps
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.cells import Level

Log = list[Json]
Act = Callable[[Json], Log]
"""Acts a complete scenario out."""


class Place(Struct, frozen=True):
    """A lawful run, and whose registrations a binding is at fault with."""

    full: Json
    log: Log
    family: Family
    level: Level
    act: Act

    def registers(self, full: Json) -> list[Json]:
        """Return the steps of a scenario that register so."""
        steps = [step for step, level in _levelled(full["steps"]) if level == self.level]
        return [step for step in steps if step["step"] == "register" and step["family"] == self.family]

    def names(self) -> set[str]:
        """Return the ids of these steps."""
        return {step["as"] for step in self.registers(self.full)}

    def otherwise(self, change: Callable[[Json], bool]) -> Log | None:
        """Return the log of another program, made by a change that says whether it is one; None where it is none."""
        other = copy.deepcopy(self.full)
        return self.act(other) if change(other) else None


def _levelled(steps: list[Json]) -> Iterator[tuple[Json, Level]]:
    """Yield the steps of a program, those of its callbacks too, with the level on which each would register."""
    for step in steps:
        yield step, _level(step)
        for inner in inner_steps(step):
            yield inner, "plugin" if step["step"] == "install" else _level(inner)


def _level(step: Json) -> Level:
    return "scope" if step.get("scope", "global") != "global" else "global"
