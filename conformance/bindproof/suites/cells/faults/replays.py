"""Faults of the chapter *Replays* (RPL)."""

from __future__ import annotations

from typing import Final

from bindproof.suite_api import Fault, Json
from bindproof.suites.cells.faults.spoiled import PLANTED, Spoiled, plant

FAULTS: dict[str, Fault] = {}

ITSELF: Final[Json] = {"value": {"cell_id": "planted"}}

SPOILED: Final[tuple[tuple[str, str, str, str, Json], ...]] = (
    ("forgets_the_first_yield", "first yield", "RPL-001", "a yield is lost that nobody observed", None),
    ("ends_without_it", "ends with it", "RPL-002", "who terminates a cell is not told what its yield showed", None),
    ("two_cells", "one cell", "RPL-003", "one key creates two cells", ITSELF),
    ("keeps_a_refusal", "tried anew", "RPL-004", "a creation that was refused stays so", {"error": PLANTED}),
    (
        "tells_nothing_again",
        "told again",
        "RPL-005",
        "an observation with its key is not told again",
        {"error": PLANTED},
    ),
    ("takes_other_contents", "other contents", "RPL-006", "a key is taken that was of something else", ITSELF),
    ("mixes_keys", "apart", "RPL-007", "a key of a creation is one of an observation too", {"error": PLANTED}),
    ("counts_each_time", "same number", "RPL-008", "an observation with the latest number fails", {"error": PLANTED}),
    ("keeps_all", "acknowledged", "RPL-009", "an observation with an older number is told", ITSELF),
    (
        "refuses_its_own",
        "same cell",
        "RPL-010",
        "a creation with a chosen id fails the second time",
        {"error": PLANTED},
    ),
    ("takes_another", "other cell", "RPL-011", "a chosen id is taken that was of something else", ITSELF),
)
"""A fault, the asks that it spoils, what it breaks, its title, and what is answered instead; None: no items."""


def _spoils(name: str, kind: str, breaks: str, title: str, instead: Json) -> None:
    @plant(FAULTS, name, title, breaks)
    def _(spoiled: Spoiled) -> bool:
        asked = spoiled.reading.asked
        number = None if asked is None else next((at for at, due in enumerate(asked.dues) if due.kind == kind), None)
        place = next((at for at, one in enumerate(spoiled.log) if one.get("ask") == number), None)
        if number is None or place is None:
            return False
        record = spoiled.log[place]
        if instead is None:
            outcome = record["value"]["outcome"]
            more = {"value": {"outcome": {**outcome, "content_items": [*outcome["content_items"], None]}}}
        else:
            more = instead
        spoiled.log[place] = {"fact": "answered", "ask": number, **more}
        return True


for _row in SPOILED:
    _spoils(*_row)
