"""Checks of the chapter *Replays* (RPL)."""

from __future__ import annotations

from typing import Final

from bindproof.suite_api import Evidence
from bindproof.suites.cells.asks import agrees
from bindproof.suites.cells.checks.common import Check, Found, register
from bindproof.suites.cells.reading import Reading

CHECKS: dict[str, Check] = {}

ANSWERED: Final = {
    "RPL-001": ("first yield", "the first yield is kept for who observes first"),
    "RPL-002": ("ends with it", "who terminates a cell is told what its first yield showed too"),
    "RPL-003": ("one cell", "one key creates one cell"),
    "RPL-004": ("tried anew", "a creation that was refused is tried anew"),
    "RPL-005": ("told again", "an observation with its key is told the same again"),
    "RPL-006": ("other contents", "a key is refused that was of something else"),
    "RPL-007": ("apart", "keys of creations and of observations are apart"),
    "RPL-008": ("same number", "an observation with the latest number is told the same again"),
    "RPL-009": ("acknowledged", "an observation with an older number is refused"),
    "RPL-010": ("same cell", "a creation with a chosen id is the same again"),
    "RPL-011": ("other cell", "a chosen id is refused that was of something else"),
}
"""Requirement → for what reason an ask is answered as it is, and how."""


def _answers(requirement: str, kind: str, text: str) -> None:
    """Put the check of the asks that are answered for a reason into the table."""

    @register(CHECKS, requirement)
    def answers(reading: Reading) -> Found:
        """Such an ask is answered like this."""
        asked = reading.asked
        about = [] if asked is None else [(number, due) for number, due in asked.judged if due.kind == kind]
        if asked is None or not about:
            return None
        return [
            Evidence("*", text, None, due.answer, asked.answers.get(number))
            for number, due in about
            if not agrees(due.answer, asked.answers.get(number))
        ]


for _requirement, (_kind, _text) in ANSWERED.items():
    _answers(_requirement, _kind, _text)
