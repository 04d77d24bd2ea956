"""Tells whether a scenario has in it what a smaller one shows.

Enters: two scenarios. Leaves: yes or no. Must not know what either means.
"""

from __future__ import annotations

from bindproof.core.model import Json, same


def contains(big: Json, small: Json) -> bool:
    """Tell whether every part of `small` has its counterpart in `big`, in the same order.

    A single letter and zero stand for anything plain: making smaller put them where the value did not matter. A yes is
    a good reason to believe that both show the same fault; a no is none that they do not.
    """
    if isinstance(small, dict):
        return isinstance(big, dict) and all(_member(key, value, big) for key, value in small.items())
    if isinstance(small, list):
        rest = iter(big) if isinstance(big, list) else iter(())
        return isinstance(big, list) and all(any(contains(other, one) for other in rest) for one in small)
    if isinstance(small, str):
        return isinstance(big, str) and _word(small, big)
    return same(small, big) or (same(small, 0) and not isinstance(big, dict | list))


def _member(key: str, value: Json, big: Json) -> bool:
    return any(_word(key, other) and contains(big[other], value) for other in big)


def _word(small: str, big: str) -> bool:
    parts, others = small.split("/"), big.split("/")
    if len(small) == 1 or small == big:
        return True
    return len(parts) == len(others) and len(parts) > 1 and all(map(_word, parts, others))
