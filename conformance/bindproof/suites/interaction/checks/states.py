"""Checks of the chapter *Runs* on changes of state that are asked for (RUN)."""

from __future__ import annotations

from bindproof.suites.interaction.checks.common import Check, Found, differs, register
from bindproof.suites.interaction.states import Moved

CHECKS: dict[str, Check] = {}


def _each(seen: Moved, text: str, *, may: bool) -> Found:
    """Judge every change that there is, or that there is not."""
    found = seen.taken(may=may)
    told = [differs(at, "/allowed", text, may, one["allowed"]) for at, one in found]
    return [evidence for one in told for evidence in one] if found else None


@register(CHECKS, "RUN-013", Moved)
def taken(seen: Moved) -> Found:
    """A state may become each that may follow it, and stay what it is."""
    return _each(seen, "a state becomes one that may follow it", may=True)


@register(CHECKS, "RUN-014", Moved)
def refused(seen: Moved) -> Found:
    """A state becomes none that may not follow it."""
    return _each(seen, "a state becomes none that may not follow it", may=False)
