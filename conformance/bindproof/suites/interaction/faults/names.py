"""Faults of the chapter *Names of models* (NAM)."""

from __future__ import annotations

from typing import Final

from bindproof.suite_api import Fault
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.names import Resolved, resolved

FAULTS: dict[str, Fault] = {}


LOST: Final = {
    "openai": ("NAM-001", "the prefix openai leads elsewhere"),
    "anthropic": ("NAM-002", "the prefix anthropic leads elsewhere"),
    "claude": ("NAM-003", "the prefix claude leads elsewhere"),
    "litellm": ("NAM-004", "a prefix of LiteLLM leads elsewhere"),
    "cased": ("NAM-005", "a prefix in another case leads elsewhere"),
    "registered": ("NAM-006", "the prefix of a provider that was registered leads elsewhere"),
    "inferred": ("NAM-007", "a name that is known leads elsewhere"),
    "default": ("NAM-008", "another name leads elsewhere than to the default provider"),
    "resolver": ("NAM-009", "a resolver is not asked"),
}
"""The kind of a name → what breaks when it is lost, and the fault's title."""

plant = planting(FAULTS, "names", resolved)


def _loses(kind: str, breaks: str, title: str) -> None:
    @plant(f"{kind}_names_get_lost", title, breaks)
    def _(found: Resolved) -> bool:
        due = next((one for one in found.meant if one.kind == kind), None)
        alone = due is not None and all(
            one.kind == kind or (one.provider, one.model) != (due.provider, due.model) for one in found.meant
        )
        if due is None or not alone or [due.provider, due.model] not in found.tried:
            return False
        at = found.log.index({"fact": "tried", "provider": due.provider, "model": due.model})
        found.log[at] = {**found.log[at], "provider": "planted"}
        return True


for _kind, (_breaks, _title) in LOST.items():
    _loses(_kind, _breaks, _title)


@plant("tries_it_twice", "what two names lead to is tried twice", "NAM-010")
def _(found: Resolved) -> bool:
    if len(found.tried) == len(found.meant) or not found.tried:
        return False
    found.log.insert(1, found.log[0])
    return True
