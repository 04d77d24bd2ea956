"""What two failures of one requirement have in common where they have one cause, as far as can be told from outside.

Enters: evidence. Leaves: its shape, a short text that compares. Must not know requirements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bindproof.core.model import Evidence, Json

_OWN: Final = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\d+")
"""What of a text is of one scenario alone: names in quotes, and numbers."""


UNKNOWN: Final = "unknown"
"""The kind of an error of which no pattern knows more; then its own words are all that tells it from another."""


def shape_of(failure: Evidence) -> str:
    """Return the shape of a failure: its words, its place, and of which kind what was expected and observed are.

    Two failures of one shape may have two causes; two of different shapes mostly have.
    """
    kinds = f"{_kind(failure.expected)} → {_kind(failure.observed)}"
    return f"{_OWN.sub('#', failure.text)} · {re.sub('[0-9]+', '#', failure.at)} · {kinds}"


def most_telling(failures: Sequence[Evidence]) -> Evidence | None:
    """Return of a requirement's failures the one that shows an error, whose words say most, else the first."""
    return next((one for one in failures if _kind(one.observed).startswith("error ")), next(iter(failures), None))


def _kind(value: Json) -> str:
    if isinstance(value, dict):
        error = value.get("error", value)
        if isinstance(error, dict) and isinstance(error.get("kind"), str):
            words = _OWN.sub("#", str(error.get("message", ""))) if error["kind"] == UNKNOWN else ""
            return f"error {error['kind']} {words}".rstrip()
        if len(value) == 1 and next(iter(value)).startswith("$"):
            return str(next(iter(value)))
        return "object"
    if value is None or isinstance(value, bool):
        return str(value)
    return "text" if isinstance(value, str) else "list" if isinstance(value, list) else "number"
