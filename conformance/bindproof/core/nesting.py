"""What is nested in a JSON value, and how deep. What is too deep ends functions that call themselves: none does here.

Enters: a JSON value. Leaves: yes or no, or objects. Must not know what the value means.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json

_HOLDING = frozenset({dict, list})


def depth_is_above(most: int, value: Json) -> bool:
    """Tell whether a value is nested deeper; it goes level by level, as a deep one would end a function that recurs."""
    level = [value] if type(value) in _HOLDING else []
    for _ in range(most):
        if not level:
            return False
        level = [item for held in level for item in _items(held) if type(item) in _HOLDING]
    return any(_items(held) for held in level)


def objects_in(value: Json) -> Iterator[dict[str, Json]]:
    """Yield every object in a value, itself included, the last ones first."""
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if isinstance(held, dict):
            yield held
        if isinstance(held, dict | list):
            waiting.extend(_items(held))


def _items(held: Json) -> list[Json]:
    return list(held.values()) if isinstance(held, dict) else held
