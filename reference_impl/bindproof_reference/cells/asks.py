"""Operations apart: a cell is created, observed and terminated by one each, which may be asked again.

Enters: complete asks. Leaves: records: what each is answered. Nothing waits: a cell's program is over at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bindproof_reference.cells.record import PROGRAM, Json, Records, refusal


def act(asks: list[Json], records: Records) -> None:
    """Ask one after the other."""
    session = Session()
    for number, ask in enumerate(asks):
        try:
            told = {"value": getattr(session, ask["ask"])(ask)}
        except Refused as refused:
            told = {"error": refusal(str(refused))}
        records.put(PROGRAM, {"fact": "answered", "ask": number, **told})


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """An ask is refused; its words are the kind of the error."""


@dataclass
class Cell:
    """What is told of a cell, in its order, until it is gone. latest: the last number, and what came of it."""

    name: str
    program: list[Json]
    parts: list[list[Json]]
    latest: tuple[int, Json] = (-1, None)

    def next(self) -> Json:
        """Return the outcome of an observation."""
        if not self.parts:
            return {"type": "missing", "cell_id": f"cell:{self.name}"}
        items = self.parts.pop(0)
        return self._told("yielded", items) if self.parts else self._told("completed", items)

    def end(self) -> Json:
        """Return the outcome of a termination: the program is over, and that stays."""
        self.parts = [[item for part in self.parts for item in part]] if self.parts else []
        return self.next()

    def _told(self, kind: str, items: list[Json]) -> Json:
        told = {"type": kind, "cell_id": f"cell:{self.name}", "content_items": items}
        return {**told, "error_text": None} if kind == "completed" else told


@dataclass
class Session:
    """The one session, and what it remembers of what it was asked."""

    is_open: bool = False
    cells: dict[str, Cell] = field(default_factory=dict)
    created: dict[str, Cell] = field(default_factory=dict)
    """Key → the cell that was created by it."""
    observed: dict[str, tuple[Cell, Json]] = field(default_factory=dict)
    """Key → the cell that was observed by it, and the outcome."""

    def open(self, _: Json) -> None:
        """Open it."""
        self.is_open = True

    def create(self, ask: Json) -> Json:
        """Create a cell, or find the one that was created so."""
        if not self.is_open:
            raise Refused("unknown_session")  # which is not remembered (RPL-004)
        known = self.cells.get(ask["as"]) if ask["chosen"] else self.created.get(ask["key"])
        if known is not None and known.program != ask["program"]:
            raise Refused("conflict")  # RPL-006, RPL-011
        cell = known or Cell(ask["as"], ask["program"], _parts(ask["program"]))  # RPL-003, RPL-010
        self.cells[ask["as"]] = cell
        if ask["key"] is not None:
            self.created[ask["key"]] = cell
        return {"cell_id": f"cell:{cell.name}"}

    def observe(self, ask: Json) -> Json:
        """Observe a cell, or tell again what came of that."""
        cell, number = self.cells[ask["cell"]], ask["number"]
        if number is not None:
            if number < cell.latest[0]:
                raise Refused("stale")  # RPL-009
            if number > cell.latest[0]:
                cell.latest = number, cell.next()
            return {"outcome": cell.latest[1]}  # RPL-008
        if ask["key"] is None:
            return {"outcome": cell.next()}
        of, told = self.observed.get(ask["key"], (cell, None))
        if of is not cell:
            raise Refused("conflict")  # RPL-006
        self.observed[ask["key"]] = cell, told or cell.next()  # RPL-005
        return {"outcome": self.observed[ask["key"]][1]}

    def terminate(self, ask: Json) -> Json:
        """Terminate a cell; nothing of that is remembered."""
        return {"outcome": self.cells[ask["cell"]].end()}


def _parts(program: list[Json]) -> list[list[Json]]:
    """Return what is told of a program: to its first yield, where it has one (RPL-001), and to its end."""
    ends = next((at for at, one in enumerate(program) if one["do"] == "yield"), None)
    halves = [program] if ends is None else [program[:ends], program[ends:]]
    return [[{"type": "input_text", "text": one["text"]} for one in half if one["do"] == "text"] for half in halves]
