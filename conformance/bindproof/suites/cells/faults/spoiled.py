"""What every planted fault needs: a log that it may spoil, as the checks read it, and a register of faults.

Enters: a complete scenario, a raw log. Leaves: a spoiled copy of the log. Must not know the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from bindproof.suite_api import Fault, Json, copied
from bindproof.suites.cells.reading import Answer, Cell, Reading, reading

PLANTED: Json = {"type": "error", "message": "planted"}
ITEM: Json = {"type": "input_text", "text": "planted"}


class Spoiled(Struct):
    """A copy of a log that a fault edits in place. reading is of the log before the edit."""

    full: Json
    log: list[Json]
    reading: Reading

    def answers(self, *kinds: str) -> Iterator[Answer]:
        """Yield the outcomes of these kinds, of cells of the scenario and of their own sessions."""
        for one in self.reading.answers:
            if one.kind in kinds and one.cell in self.reading.cells and not (one.foreign or one.shut):
                yield one

    def cell(self, one: Answer) -> Cell:
        """Return the cell of an answer."""
        return self.reading.cells[one.cell]

    def alone(self, one: Answer) -> bool:
        """Tell whether nobody else was told the same."""
        return sum(other.kind == "terminated" and not other.ended for other in self.cell(one).told) < 2

    def last(self, one: Answer) -> bool:
        """Tell whether nothing more was told of its cell, but that it is gone."""
        return all(other.index <= one.index or other.ended for other in self.cell(one).told)

    def outcome(self, one: Answer, outcome: Json) -> bool:
        """Have an answer come back with another outcome."""
        record = self.log[one.index]
        if one.asked:
            self.log[one.index] = {**record, "value": {**record["value"], "outcome": outcome}}
        else:
            self.log[one.index] = {key: value for key, value in record.items() if key != "error"} | {"outcome": outcome}
        return True

    def edit(self, one: Answer, **members: Json) -> bool:
        """Have an answer come back with other members."""
        return self.outcome(one, {**one.outcome, **members})

    def fail(self, one: Answer, error: Json = PLANTED) -> bool:
        """Have an answer come back with an error."""
        left = {key: value for key, value in self.log[one.index].items() if key not in ("value", "outcome")}
        self.log[one.index] = {**left, "error": error}
        return True

    def move(self, index: int, behind: int) -> bool:
        """Have a record come later, right behind another one."""
        if index >= behind:
            return False
        self.log.insert(behind, self.log.pop(index))
        return True

    def held_back(self, one: Answer) -> bool:
        """Have the last item that was told come with what is told next."""
        later = [other for other in self.cell(one).parts() if other.index > one.index]
        if not one.items or not later or (later[0].kind == "terminated" and not self.alone(later[0])):
            return False
        self.edit(later[0], content_items=[one.items[-1], *later[0].items])
        return self.edit(one, content_items=one.items[:-1])

    def text(self, one: Answer, place: int, text: str) -> bool:
        """Have an item tell another text."""
        items = copied(one.items)
        items[place] = {**items[place], "text": text}
        return self.edit(one, content_items=items)


Spoil = Callable[[Spoiled], bool]


def plant(
    table: dict[str, Fault], name: str, title: str, *breaks: str, also: tuple[str, ...] = ()
) -> Callable[[Spoil], None]:
    """Return a decorator that puts a fault into a chapter's table; the function says whether it spoiled anything."""

    def put(spoil: Spoil) -> None:
        def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
            copy = copied(log)
            return copy if spoil(Spoiled(full, copy, reading(full, copy))) else None

        table[name] = Fault(name, title, breaks, planted, also)

    return put


def first(found: Iterator[Answer], spoil: Callable[[Answer], bool]) -> bool:
    """Spoil the first answer that can be."""
    return any(spoil(one) for one in found)
