"""A case of a table, as every form gives it.

Enters: what a form has read. Leaves: the case, and what accepts its value. Must not know forms or vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from bindproof.core.model import Json

SAFE: Final = 2**53 - 1
"""An integer past this is spelled by its digits, as a suite about a function tells it."""


class Case(Struct, frozen=True):
    """One case: what is given, and what comes out."""

    title: str
    members: Mapping[str, Json]
    value: Json | UnsetType = UNSET
    error: str | None = None
    """`value` or `error`; a case that has neither expects nothing and is left out."""
    matched: bool = False
    """The value holds the matchers that it needs."""


def literal(value: Json, *, numeric: bool) -> Json:
    """Return what accepts a value and nothing else, but for equal numbers where they count as one."""
    if isinstance(value, list):
        return [literal(one, numeric=numeric) for one in value]
    if isinstance(value, dict):
        if len(value) == 1 and next(iter(value)).startswith("$"):
            return {"$literal": value}
        return {key: literal(one, numeric=numeric) for key, one in value.items()}
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if numeric and is_number:
        return {"$numeric": value}
    return {"$integer": str(value)} if isinstance(value, int) and abs(value) > SAFE else value
