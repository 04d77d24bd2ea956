"""Why a class of changes breaks no rule: that no statement speaks of it, or that it is lawful."""

from __future__ import annotations

import re
from functools import lru_cache

UNSPOKEN: dict[str, str] = {}
LAWFUL: dict[str, str] = {}


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def reason(name: str, table: dict[str, str]) -> str | None:
    """Return why a class is in a table, or None where it is not."""
    return next((why for pattern, why in table.items() if _compiled(pattern).search(name)), None)
