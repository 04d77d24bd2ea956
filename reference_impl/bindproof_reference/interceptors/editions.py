"""The editions of `interceptors` that the reference knows. So far there is one, and no rule that an edition switches.

Enters: an edition's name. Leaves: nothing, or an error.
"""

from __future__ import annotations

EDITIONS = ("0.7",)
"""Oldest first."""


class UnknownEditionError(ValueError):
    """The reference has no rules for this edition."""


def known(edition: str) -> None:
    """Raise UnknownEditionError for an edition that the reference does not know."""
    if edition not in EDITIONS:
        raise UnknownEditionError(f"edition {edition!r} is not known to the reference; known: {', '.join(EDITIONS)}")
