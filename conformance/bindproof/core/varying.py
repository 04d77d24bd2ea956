"""What differs from one run to the next, and means nothing: uuids, identities of traces, times.

Enters: text. Leaves: its parts that stay. Must not know what the text is about.
"""

from __future__ import annotations

import re

_VARIES = re.compile(
    r"\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{16}|\d{12,}"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)\b",
    re.IGNORECASE,
)


def parts_that_stay(text: str) -> list[str]:
    """Return what stands before, between and behind what varies: one part where nothing does."""
    return _VARIES.split(text)
