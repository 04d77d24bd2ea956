"""Counts as people read them.

Enters: a number and a noun. Leaves: both, in words. Must not know what is counted.
"""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """The count with its noun: `1 crash`, `2 crashes`, `3 not run`."""
    if count == 1 or noun.removeprefix("known ") in {"not run", "unsupported", "inexpressible"}:
        return f"{count} {noun}"
    return f"{count} {noun}es" if noun.endswith("sh") else f"{count} {noun}s"
