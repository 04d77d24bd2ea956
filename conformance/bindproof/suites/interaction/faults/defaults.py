"""Faults of what holds where nobody sets anything (LIM, REQ)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.defaults import LIMITS, SETTINGS, Unset, unset
from bindproof.suites.interaction.faults.planting import planting

FAULTS: dict[str, Fault] = {}


plant = planting(FAULTS, "defaults", unset)


def _another(known: Json) -> Callable[[Unset], bool]:
    """Return what has the last setting that is among these be another one."""

    def spoil(found: Unset) -> bool:
        settings = found.among(known)[-1:]
        for at, record in settings:
            found.log[at] = {**record, "value": "planted"}
        return bool(settings)

    return spoil


plant("another_limit", "a limit that nobody sets is another one", "LIM-013")(_another(LIMITS))
plant("another_setting", "a setting that nobody sets is another one", "REQ-020")(_another(SETTINGS))
