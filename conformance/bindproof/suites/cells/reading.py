"""An observation as the checks and the planted faults read it: what each step was told, and what each cell told.

Enters: a complete scenario, a normalised log. Leaves: a Reading. Where a cell stands is known from the steps alone:
from those that wait for it, and from those that let it go on. Must not know requirements.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from bindproof.suite_api import Json
from bindproof.suites.cells.asks import Asked, asked
from bindproof.suites.cells.output import printed

TERMINAL = ("completed", "terminated")


class Answer(Struct):
    """What an observation or a termination came back with.

    index: of its record in the log. step: the step that asked, None for a first observation. kind: of the outcome.
    """

    index: int
    cell: str
    name: str
    step: int
    outcome: Json
    error: Json
    standing: int | None = None
    """The statement of the program at which the cell was known to stand when it came back."""
    nudged: bool = False
    timed: bool = False
    cancelled: bool = False
    first: bool = False
    released: bool = False
    """A latch of the cell was opened while it was waited for."""
    ended: bool = False
    """The cell's end had been told before it was asked for."""
    over: bool = False
    """The cell was known to be over, and nobody had been told."""
    second: bool = False
    """It was asked for while another observation was waited for."""
    foreign: bool = False
    """It was asked of a session that is not the cell's."""
    shut: bool = False
    """Its session was not open."""

    @property
    def kind(self) -> str | None:
        """The type of the outcome."""
        return self.outcome.get("type") if isinstance(self.outcome, dict) else None

    @property
    def items(self) -> list[Json]:
        """What was told."""
        items = self.outcome.get("content_items") if isinstance(self.outcome, dict) else None
        return items if isinstance(items, list) else []

    @property
    def asked(self) -> bool:
        """It is a termination's, and no observation's."""
        return not self.name


class Cell(Struct):
    """A cell: its program, and all that was told of it, in its order."""

    name: str
    session: str
    program: list[Json]
    created: int
    """The index of the record of its creation."""
    told: list[Answer] = field(default_factory=list)

    @property
    def ends(self) -> list[Answer]:
        """What told its end."""
        return [one for one in self.told if one.kind in TERMINAL and not one.ended and not one.foreign]

    def parts(self) -> list[Answer]:
        """Return what told output, once each: who is told with a termination is told nothing else."""
        found = [one for one in self.told if one.kind in ("yielded", *TERMINAL) and not one.ended and not one.foreign]
        asked = any(one.asked and one.kind == "terminated" for one in found)
        return [one for one in found if not (asked and one.kind == "terminated" and not one.asked)]

    def before(self, answer: Answer) -> int:
        """Return how many items were told before an answer."""
        return sum(len(one.items) for one in self.parts() if one.index < answer.index and one is not answer)

    def due(self, statement: int) -> int:
        """Return how many items it had put out when it stood at a statement."""
        return len(printed(self.program, statement))

    def due_at(self, answer: Answer) -> int:
        """Return how many items it had put out where it stood when an answer came back."""
        return self.due(answer.standing or 0)


class Reading(Struct):
    """What the checks are given."""

    full: Json
    log: list[Json]
    done: dict[int, int] = field(default_factory=dict)
    """Step → the index of its record."""
    answers: list[Answer] = field(default_factory=list)
    cells: dict[str, Cell] = field(default_factory=dict)
    asked: Asked | None = None
    """What asks were answered, where the scenario has some."""

    @property
    def steps(self) -> list[Json]:
        """The scenario's steps, none where it is about a connection."""
        steps: list[Json] = self.full.get("steps", [])
        return steps

    @property
    def frames(self) -> list[Json]:
        """The frames of a connection."""
        frames: list[Json] = self.full.get("frames", [])
        return frames

    def of(self, kind: str) -> Iterator[tuple[int, Json, Json]]:
        """Yield the steps of a kind that were done: index of the record, step, record."""
        for number, step in enumerate(self.steps):
            if step["step"] == kind and number in self.done:
                yield self.done[number], step, self.log[self.done[number]]


def reading(full: Json, log: list[Json]) -> Reading:
    """Read a log."""
    found = Reading(full, log, asked=asked(full, log))
    found.done = {record["step"]: index for index, record in enumerate(log) if record["fact"] == "done"}
    told = {
        record["observation"]: index for index, record in reversed(list(enumerate(log))) if record["fact"] == "told"
    }
    _Walk(found, told).steps()
    found.answers.sort(key=lambda one: one.index)
    for one in found.answers:
        if one.cell in found.cells:
            found.cells[one.cell].told.append(one)
    return found


class _Walk(Struct):
    """The steps, one after the other, with what is known of each cell then."""

    found: Reading
    told: dict[str, int]
    waited: dict[str, Answer] = field(default_factory=dict)
    """Observations that have not been waited for."""
    stands: dict[str, int | None] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    over: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)

    def steps(self) -> None:
        for number, step in enumerate(self.found.steps):
            one = getattr(self, f"_{step['step']}", None)
            if one is not None:
                one(number, step)
        for cell in self.found.cells.values():  # every scenario ends by shutting down what is open
            self._stopped(cell.name)

    def _ok(self, number: int) -> bool:
        return number in self.found.done and "value" in self.found.log[self.found.done[number]]

    def _open(self, number: int, step: Json) -> None:
        if self._ok(number):
            self.open.add(step["session"])

    def _shutdown(self, number: int, step: Json) -> None:
        self.open.discard(step["session"])
        for cell in self.found.cells.values():
            if cell.session == step["session"]:
                self._stopped(cell.name)

    def _stopped(self, cell: str) -> None:
        for one in self.waited.values():
            if one.cell == cell:
                one.standing = self.stands.get(cell)
        self.ended.add(cell)

    def _create(self, number: int, step: Json) -> None:
        if not self._ok(number) or step["session"] not in self.open:
            return
        cell = Cell(step["as"], step["session"], step["program"], self.found.done[number])
        self.found.cells[cell.name] = cell
        stands = cell.program[0]["do"] in ("latch", "busy") if cell.program else False
        self.stands[cell.name] = 0 if stands else None
        self._answer(cell.name, step["as"], number, first=True, timed=step["within"] is not None)

    def _answer(self, cell: str, name: str, number: int, **more: bool) -> None:
        if name in self.told:
            index = self.told[name]
            record = self.found.log[index]
            one = Answer(index, cell, name, number, record.get("outcome"), record.get("error"), **more)
            self.found.answers.append(one)
            self.waited[name] = one

    def _asked(self, step: Json) -> dict[str, bool]:
        cell = self.found.cells.get(step["cell"])
        foreign = cell is not None and cell.session != step["session"]
        shut = step["session"] not in self.open
        return {
            "foreign": foreign,
            "shut": shut,
            "ended": step["cell"] in self.ended and not foreign,
            "over": step["cell"] in self.over and not foreign,
        }

    def _observe(self, number: int, step: Json) -> None:
        more = self._asked(step)
        waits = any(one.cell == step["cell"] and not one.second for one in self.waited.values())
        self._answer(step["cell"], step["as"], number, second=waits, timed=step["within"] is not None, **more)
        self.over.discard(step["cell"])

    def _await(self, number: int, step: Json) -> None:
        one = self.waited.pop(step["of"], None)
        if one is None:
            return
        if one.standing is None and (one.nudged or one.timed):
            one.standing = self.stands.get(one.cell)
        if one.kind in TERMINAL and not one.foreign:
            self.ended.add(one.cell)

    def _reach(self, number: int, step: Json) -> None:
        program = self.found.cells[step["cell"]].program if step["cell"] in self.found.cells else []
        for at, one in enumerate(program):
            if one["do"] == "latch" and one["name"] == step["call"]:
                self.stands[step["cell"]] = at

    def _release(self, number: int, step: Json) -> None:
        cell = self.found.cells.get(step["cell"])
        if cell is None:
            return
        at = next(n for n, one in enumerate(cell.program) if one.get("name") == step["latch"]) + 1
        busy = at < len(cell.program) and cell.program[at]["do"] == "busy"
        self.stands[cell.name] = at if busy else None
        for one in self.waited.values():
            one.released = one.released or one.cell == cell.name

    def _lost(self, number: int, step: Json) -> None:
        observed = any(one.cell == step["cell"] for one in self.waited.values())
        if step["cell"] not in self.ended and not observed:
            self.over.add(step["cell"])

    def _cancel(self, number: int, step: Json) -> None:
        if step["of"] in self.waited:
            self.waited[step["of"]].cancelled = True

    def _yield(self, number: int, step: Json) -> None:
        if step["of"] in self.waited:
            self.waited[step["of"]].nudged = True

    def _terminate(self, number: int, step: Json) -> None:
        if number not in self.found.done:
            return
        index = self.found.done[number]
        record = self.found.log[index]
        value = record.get("value")
        outcome = value.get("outcome") if isinstance(value, dict) else None
        more = self._asked(step)
        one = Answer(index, step["cell"], "", number, outcome, record.get("error"), **more)
        if not one.foreign and not one.shut:
            one.standing = None if one.ended else self.stands.get(step["cell"])
            for other in self.waited.values():
                if other.cell == step["cell"]:
                    other.standing = one.standing
            self.ended.add(step["cell"])
            self.over.discard(step["cell"])
        self.found.answers.append(one)
