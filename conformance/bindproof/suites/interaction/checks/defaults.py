"""Checks of what holds where nobody sets anything (LIM, REQ)."""

from __future__ import annotations

from bindproof.suite_api import Json
from bindproof.suites.interaction.checks.common import Check, Found, differs, register
from bindproof.suites.interaction.defaults import LIMITS, SETTINGS, Unset

CHECKS: dict[str, Check] = {}


def _each(seen: Unset, known: Json, text: str) -> Found:
    """Judge every setting that is among these."""
    found = seen.among(known)
    told = [differs(at, "/value", text, known[one["name"]], one.get("value")) for at, one in found]
    return [evidence for one in told for evidence in one] if found else None


@register(CHECKS, "LIM-013", Unset)
def limits(seen: Unset) -> Found:
    """A limit of a run that nobody sets is what its page says."""
    return _each(seen, LIMITS, "a limit that nobody sets is what its page says")


@register(CHECKS, "REQ-020", Unset)
def settings(seen: Unset) -> Found:
    """A setting of the model layer that nobody sets is what its page says."""
    return _each(seen, SETTINGS, "a setting that nobody sets is what its page says")
