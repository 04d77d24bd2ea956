"""Generated asks of `cells`: cells that are created, observed and terminated by one operation each, and asked again.

Enters: choices. Leaves: asks of which documents say what they are answered.
"""

from __future__ import annotations

from typing import Final

from bindproof.suite_api import Choices, Json
from bindproof.suites.cells.asks import OPEN, dues

PROGRAMS: Final = ("a", "a|b", "|b", "a|b|c", "", "ж")
"""Texts; a stroke is a yield."""

MOST: Final = 12


def asks(choices: Choices) -> list[Json]:
    """Return asks; what nobody could tell the answer of is left out."""
    found = [] if choices.chance(30) else [OPEN]
    style = choices.pick(("plain", "key", "key", "number"))
    for number in range(choices.integer(2, MOST)):
        for ask in (_ask(choices, style, number), *([OPEN] if OPEN not in found else [])):
            if _is_told([*found, ask]):
                found.append(ask)
    return found or [OPEN]


def _ask(choices: Choices, style: str, number: int) -> Json:
    cells = ("a", "a", "b")
    if number == 0 or choices.chance(35):
        made: Json = {"as": choices.pick(cells) if style == "number" else f"c{number}", "chosen": style == "number"}
        key = choices.pick(("k", "m")) if style == "key" and choices.chance(80) else None
        return {"ask": "create", **made, "key": key, "program": _program(choices)}
    cell = choices.pick(cells) if style == "number" else f"c{choices.integer(0, number)}"
    if choices.chance(15):
        return {"ask": "terminate", "cell": cell}
    key = choices.pick(("k", "m", "n")) if style == "key" and choices.chance(80) else None
    at = choices.pick((0, 0, 0, 1, 1, 2)) if style == "number" and choices.chance(90) else None
    return {"ask": "observe", "cell": cell, "key": key, "number": at}


def _program(choices: Choices) -> list[Json]:
    return [{"do": "yield"} if one == "|" else {"do": "text", "text": one} for one in choices.pick(PROGRAMS)]


def _is_told(made: list[Json]) -> bool:
    try:
        dues(made)
    except ValueError:
        return False
    return True
