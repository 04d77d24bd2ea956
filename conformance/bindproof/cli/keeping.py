"""Where the command line keeps what it read: in the cache, which is the user's alone.

Enters: nothing. Leaves: a place for `core.memory`. Must not know what is kept. A cache that is not safe to use keeps
nothing: that is told where something has to be built.
"""

from __future__ import annotations

from bindproof.core.memory import Place


def place() -> Place:
    """Return the place."""
    return Place(_recall, _remember)


def _recall(name: str) -> bytes | None:
    from bindproof.targets import cache
    from bindproof.targets.unmet import Unmet

    try:
        return cache.recalled(name)
    except Unmet:
        return None


def _remember(name: str, data: bytes) -> None:
    from bindproof.targets import cache
    from bindproof.targets.unmet import Unmet

    try:
        cache.remember(name, data)
    except Unmet:
        return
