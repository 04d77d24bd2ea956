"""Operations apart, each waited for, and asked again: what is due of each, and their logs, read.

Enters: a complete scenario with `asks`, a normalised log. Leaves: what is wrong with the former, an Asked. Must not
know the requirements, nor the reference.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from bindproof.suite_api import Json, same

Kind = Literal[
    "first yield", "ends with it", "one cell", "tried anew", "other contents", "told again", "apart", "same number",
    "acknowledged", "same cell", "other cell",
]  # fmt: skip
"""For what reason an ask is answered as it is; without one it is answered as any other."""


OPEN: Final = {"ask": "open"}


class Due(msgspec.Struct, frozen=True):
    """What an ask is answered, and for what reason."""

    kind: Kind | None
    answer: Json


class Asked(msgspec.Struct, frozen=True):
    """A log of such asks, read."""

    dues: list[Due]
    answers: dict[int, Json]
    """What each was answered, by its number."""

    @property
    def judged(self) -> list[tuple[int, Due]]:
        """The asks to the first that is answered otherwise: what follows from that is wrong for the same reason."""
        found: list[tuple[int, Due]] = []
        for number, due in enumerate(self.dues):
            found.append((number, due))
            if not agrees(due.answer, self.answers.get(number)):
                break
        return found


def agrees(due: Json, answer: Json) -> bool:
    """Tell whether an answer is the one that is due; of an error its kind alone is."""
    if not isinstance(answer, dict):
        return False
    error = answer.get("error")
    if "error" in due:
        return isinstance(error, dict) and error.get("kind") == due["error"]
    return error is None and same(due["value"], answer.get("value"))


@dataclass
class Kept:
    """A cell whose program is over. first: what it had put out by its first yield, until that was told."""

    id: str
    program: list[Json]
    first: list[Json] | None
    rest: list[Json]
    gone: bool = False
    ended: bool = False
    """It was terminated."""
    again: bool = False
    """It was created again, which leaves it as it is."""
    latest: int = -1
    told: Json = None
    """What the observation with the latest number came back with."""


@dataclass
class _Course:
    """What lasts from ask to ask; it raises ValueError where nothing says what an ask is answered."""

    opened: bool = False
    cells: dict[str, Kept] = field(default_factory=dict)
    """By the name that a scenario gave them; two names may be of one cell."""
    admitted: dict[str, Kept] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    observed: dict[str, tuple[str, Json]] = field(default_factory=dict)

    def create(self, ask: Json) -> Due:
        if ask["chosen"] and ask["key"] is not None:
            raise ValueError("a cell is created by a key, or by an id that was chosen")
        if not self.opened:
            if ask["chosen"]:
                raise ValueError("nothing says whether a chosen id that was refused is taken; `open` first")
            self.refused |= {ask["key"]} - {None}
            return Due(None, {"error": "unknown_session"})
        if ask["chosen"]:
            return self._chosen(ask)
        if ask["as"] in self.cells:
            raise ValueError(f"{ask['as']!r} is the name of two cells: give each its own")
        known = self.admitted.get(ask["key"])
        if known is not None and known.program != ask["program"]:
            return Due("other contents", {"error": "conflict"})
        cell = self.cells[ask["as"]] = known or _cell(ask)
        if known is not None:
            return Due("one cell", _created(cell))
        if ask["key"] is not None:
            self.admitted[ask["key"]] = cell
        kind: Kind | None = "tried anew" if ask["key"] in self.refused else None
        return Due("apart" if ask["key"] in self.observed else kind, _created(cell))

    def _chosen(self, ask: Json) -> Due:
        known = self.cells.get(ask["as"])
        if known is None:
            cell = self.cells[ask["as"]] = _cell(ask)
            return Due(None, _created(cell))
        if known.program != ask["program"]:
            return Due("other cell", {"error": "conflict"})
        if known.gone:
            raise ValueError(f"nothing says what it is to create {ask['as']!r} again once it is gone")
        known.again = True
        return Due("same cell", _created(known))

    def observe(self, ask: Json) -> Due:
        cell = self._cell(ask)
        if ask["number"] is not None:
            return self._numbered(cell, ask["number"])
        if ask["key"] is None:
            return _fresh(cell)
        if ask["key"] in self.observed:
            of, told = self.observed[ask["key"]]
            return Due("told again", told) if of == cell.id else Due("other contents", {"error": "conflict"})
        due = _fresh(cell)
        self.observed[ask["key"]] = cell.id, due.answer
        return Due("apart", due.answer) if ask["key"] in self.admitted else due

    def _numbered(self, cell: Kept, number: int) -> Due:
        if number < cell.latest:
            return Due("acknowledged", {"error": "stale"})
        if number == cell.latest:
            if cell.ended:
                raise ValueError(f"nothing says what is kept of {cell.id!r} once it is terminated")
            return Due("same number", cell.told)
        if number > cell.latest + 1:
            raise ValueError(f"nothing says what it is to leave a number out: {number} behind {cell.latest}")
        due = _fresh(cell)
        cell.latest, cell.told = number, due.answer
        return due

    def terminate(self, ask: Json) -> Due:
        cell = self._cell(ask)
        if cell.gone:
            return Due(None, _missing(cell))
        kind: Kind | None = None if cell.first is None else "ends with it"
        outcome = _completed(cell, [*(cell.first or []), *cell.rest])
        cell.first, cell.gone, cell.ended = None, True, True
        return Due(kind, outcome)

    def _cell(self, ask: Json) -> Kept:
        if ask["cell"] not in self.cells:
            raise ValueError(f"there is no cell {ask['cell']!r} by then")
        return self.cells[ask["cell"]]


def _cell(ask: Json) -> Kept:
    program = ask["program"]
    ends = next((at for at, one in enumerate(program) if one["do"] == "yield"), None)
    first = None if ends is None else _items(program[:ends])
    return Kept(f"cell:{ask['as']}", program, first, _items(program if ends is None else program[ends:]))


def _items(program: list[Json]) -> list[Json]:
    return [{"type": "input_text", "text": one["text"]} for one in program if one["do"] == "text"]


def _fresh(cell: Kept) -> Due:
    """Return what an observation that was not made before comes back with."""
    if cell.gone:
        return Due(None, _missing(cell))
    if cell.first is not None:
        items, cell.first = cell.first, None
        told = {"type": "yielded", "cell_id": cell.id, "content_items": items}
        return Due("first yield", {"value": {"outcome": told}})
    cell.gone = True
    return Due("same cell" if cell.again else None, _completed(cell, cell.rest))


def _created(cell: Kept) -> Json:
    return {"value": {"cell_id": cell.id}}


def _missing(cell: Kept) -> Json:
    return {"value": {"outcome": {"type": "missing", "cell_id": cell.id}}}


def _completed(cell: Kept, items: list[Json]) -> Json:
    told = {"type": "completed", "cell_id": cell.id, "content_items": items, "error_text": None}
    return {"value": {"outcome": told}}


def dues(asks: list[Json]) -> list[Due]:
    """Return what each ask is answered; raises ValueError where nothing says so."""
    course = _Course()
    found: list[Due] = []
    for number, ask in enumerate(asks):
        if ask.get("key") is not None and ask.get("number") is not None:
            raise ValueError(f"ask {number}: it has a key or a number")
        try:
            found.append(_due(course, ask))
        except ValueError as error:
            raise ValueError(f"ask {number}: {error}") from None
    return found


def _due(course: _Course, ask: Json) -> Due:
    if ask["ask"] == "open":
        if course.opened:
            raise ValueError("a session is opened once")
        course.opened = True
        return Due(None, {"value": None})
    due: Due = getattr(course, ask["ask"])(ask)
    return due


def asked(scenario: Json, log: list[Json]) -> Asked | None:
    """Read a log; None where the scenario has no asks."""
    if "asks" not in scenario:
        return None
    answers = {record["ask"]: record for record in log if record["fact"] == "answered"}
    return Asked(dues(scenario["asks"]), answers)


def asked_again(asks: list[Json], log: list[Json]) -> list[Json]:
    """Return a log in which each id is the name of the cell that first was given it."""
    names: dict[str, str] = {}
    found: list[Json] = []
    for record in log:
        value = record.get("value")
        if isinstance(value, dict) and isinstance(value.get("cell_id"), str) and record["ask"] < len(asks):
            name = names.setdefault(value["cell_id"], f"cell:{asks[record['ask']].get('as')}")
            record = {**record, "value": {**value, "cell_id": name}}
        elif isinstance(value, dict) and isinstance(value.get("outcome"), dict):
            outcome = value["outcome"]
            name = names.get(str(outcome.get("cell_id")), outcome.get("cell_id"))
            record = {**record, "value": {**value, "outcome": {**outcome, "cell_id": name}}}
        found.append(record)
    return found
