"""What differs between the editions of `relay`: named rules, set here and nowhere else.

Enters: an edition's name. Leaves: its rules. Every other module asks a rule by name and never compares editions.
"""

from __future__ import annotations

from dataclasses import dataclass


class UnknownEditionError(ValueError):
    """The reference has no rules for this edition."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that an edition switches.

    original_exception: the caller is given the very exception that a callback raised (OUT-012).
    tracestate_removed: the caller's `tracestate` does not reach the provider (LIF-011).
    """

    original_exception: bool
    tracestate_removed: bool


_RULES = {
    "0.9": Rules(original_exception=False, tracestate_removed=False),
    "0.10": Rules(original_exception=True, tracestate_removed=True),
}

EDITIONS = tuple(_RULES)
"""The editions that the reference knows, oldest first."""


def rules(edition: str) -> Rules:
    """Return the rules of `edition`; raises UnknownEditionError with the known names."""
    try:
        return _RULES[edition]
    except KeyError:
        raise UnknownEditionError(
            f"edition {edition!r} is not known to the reference; known: {', '.join(EDITIONS)}"
        ) from None
