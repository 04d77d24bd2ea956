"""Why an adapter cannot run here, as an exception that ends in `Unavailable`.

Enters: reason and remedy in plain words. Leaves: itself. Must not know who raises it.
"""

from __future__ import annotations


class Unmet(Exception):  # noqa: N818 - a condition to report, not a programming error
    """What the adapter needs is not there. `reason` says what, `remedy` is what the user could type."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
