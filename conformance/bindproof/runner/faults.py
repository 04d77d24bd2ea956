"""The planted fault of a run, which may be several.

Enters: a suite, what the user named. Leaves: one fault, or None. Must not know what a fault does.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault, Suite

ALSO = "+"
"""Stands between the names of several faults."""


def names_of(fault: str | None) -> list[str]:
    """Return the names that stand in what the user named."""
    return fault.split(ALSO) if fault is not None else []


def fault_of(suite: Suite, fault: str | None) -> Fault | None:
    """Return the fault of this name; of several names, one that plants all of them, one after the other."""
    chosen = [suite.faults[name] for name in names_of(fault)]
    if fault is None or len(chosen) == 1:
        return chosen[0] if chosen else None
    return _together(fault, chosen)


def _together(name: str, chosen: list[Fault]) -> Fault:
    def plant(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
        spoiled: list[Json] | None = None
        for fault in chosen:
            spoiled = fault.plant(full, log if spoiled is None else spoiled, dialect, edition) or spoiled
        return spoiled

    breaks = tuple(dict.fromkeys(requirement for fault in chosen for requirement in fault.breaks))
    return Fault(name, "; ".join(fault.title for fault in chosen), breaks, plant)
