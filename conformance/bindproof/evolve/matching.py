"""Texts that match a pattern.

Enters: a pattern as JSON Schema has them, a source of randomness. Leaves: a text that Python's own expressions would
match, which is near enough for a candidate, or None where none can be made.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

from bindproof.evolve.vocabulary import LONGEST

_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f]")


def matching(random: Random, pattern: str) -> str | None:
    """Return a text that a pattern might match; None for a pattern that Python does not know."""
    import rstr

    try:
        made = str(rstr.Rstr(random).xeger(pattern[:LONGEST]))[:LONGEST]
    except (re.error, ValueError, KeyError, TypeError, IndexError, RecursionError, OverflowError):
        return None
    return made if made.isprintable() else _UNSEEN.sub("-", made)  # no `.` takes what ends a line
