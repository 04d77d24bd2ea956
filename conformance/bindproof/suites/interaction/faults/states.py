"""Faults of the chapter *Runs* in changes of state that are asked for (RUN)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.suite_api import Fault
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.states import Moved, moved

FAULTS: dict[str, Fault] = {}


plant = planting(FAULTS, "states", moved)


def _otherwise(*, may: bool) -> Callable[[Moved], bool]:
    """Return what has the first change that there is, or that there is not, come out otherwise."""

    def spoil(found: Moved) -> bool:
        changes = found.taken(may=may)[:1]
        for at, record in changes:
            found.log[at] = {**record, "allowed": not may}
        return bool(changes)

    return spoil


plant("stays_what_it_is", "a state does not become one that may follow it", "RUN-013")(_otherwise(may=True))
plant("becomes_anything", "a state becomes one that may not follow it", "RUN-014")(_otherwise(may=False))
