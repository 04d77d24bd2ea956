"""How deep a JSON value is nested. What is too deep ends functions that call themselves, so that is asked before.

Enters: a JSON value. Leaves: yes or no. Must not know what the value means.
"""

from __future__ import annotations

from bindproof.core.model import Json


def depth_is_above(most: int, value: Json) -> bool:
    """Tell whether a value is nested deeper; it goes level by level, as a deep one would end a function that recurs."""
    level = [value]
    for _ in range(most + 1):
        level = [item for held in level if (kind := type(held)) is dict or kind is list for item in _items(held)]
        if not level:
            return False
    return True


def _items(held: Json) -> list[Json]:
    return list(held.values()) if isinstance(held, dict) else held
