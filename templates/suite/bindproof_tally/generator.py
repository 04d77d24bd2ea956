"""Scenarios from choices: `bindproof fuzz` makes the choices, from a seed."""

from __future__ import annotations

from bindproof.suite_api import Choices, Json
from bindproof_tally.scenario import KINDS, complete

LONGEST = 6
LARGEST = 9


def generate(choices: Choices) -> Json:
    """Return a complete scenario; the first of what can be chosen is the simplest."""
    steps = [
        {"step": choices.pick(KINDS), "number": choices.integer(0, LARGEST)} for _ in range(choices.integer(1, LONGEST))
    ]
    return complete({"steps": steps})
