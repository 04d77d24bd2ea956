"""Checks of the chapter *Names of models* (NAM)."""

from __future__ import annotations

from typing import Final

from bindproof.suites.interaction.checks.common import Check, Found, astray, register
from bindproof.suites.interaction.names import Resolved

CHECKS: dict[str, Check] = {}

LEADS: Final = {
    "NAM-001": ("openai", "the prefix openai leads to that provider"),
    "NAM-002": ("anthropic", "the prefix anthropic leads to its provider"),
    "NAM-003": ("claude", "the prefix claude leads to the provider of Anthropic"),
    "NAM-004": ("litellm", "the prefixes of LiteLLM lead to it, with the whole name"),
    "NAM-005": ("cased", "a prefix leads to its provider in whatever case"),
    "NAM-006": ("registered", "the prefix of a provider that was registered leads to it"),
    "NAM-007": ("inferred", "a name that is known leads to its provider"),
    "NAM-008": ("default", "any other name leads to the default provider"),
    "NAM-009": ("resolver", "a resolver is asked first"),
}
"""Requirement → the names that it is about, and what becomes of them."""


def _leads(requirement: str, kind: str, text: str) -> None:
    """Put the check of one kind of names into the table."""

    @register(CHECKS, requirement, Resolved)
    def leads(seen: Resolved) -> Found:
        """Such a name leads to its provider and model."""
        if not any(one.kind == kind and one not in seen.rejected for one in seen.meant):
            return None
        misled = [one for one in seen.misled if one.kind == kind]
        return [astray(text, [one.provider, one.model], seen.tried) for one in misled]


for _requirement, (_kind, _text) in LEADS.items():
    _leads(_requirement, _kind, _text)


@register(CHECKS, "NAM-010", Resolved)
def once(seen: Resolved) -> Found:
    """What several names lead to is tried once."""
    twice = [one for at, one in enumerate(seen.tried) if one in seen.tried[:at]]
    return [astray("what several names lead to is tried once", 1, seen.tried.count(one)) for one in twice[:1]]
