"""Generated scenarios of `cells`: programs of every statement, driven so that nothing is left to chance.

Enters: choices. Leaves: a scenario in the language. Each step is chosen from those that may come next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from bindproof.suite_api import Choices, Json
from bindproof.suites.cells.drawn_asks import asks

TEXTS: Final = ("a", "b", "", "ж", "x\ny", '"\\', "a longer text")
KEYS: Final = ("k", "m")
DETAILS: Final = (None, "low", "high", "auto", "original")
MOST_CELLS: Final = 3


def scenario(choices: Choices) -> Json:
    """Return a scenario: mostly of cells, now and then of one connection."""
    if choices.chance(8):
        return {"frames": _frames(choices)}
    if choices.chance(15):
        return {"asks": asks(choices)}
    return {"steps": _Program(choices).steps()}


@dataclass
class _Drawn:
    """A cell that was made, and what is known of it. segments: what stands between its latches."""

    name: str
    session: str
    segments: list[list[Json]]
    ends: str
    at: int = 0
    observed: str | None = None
    sure: bool = False
    over: bool = False

    @property
    def last(self) -> bool:
        return self.at == len(self.segments) - 1


@dataclass
class _Program:
    """Draws the steps of one scenario."""

    choices: Choices
    made: list[Json] = field(default_factory=list)
    cells: list[_Drawn] = field(default_factory=list)
    named: int = 0

    def steps(self) -> list[Json]:
        sessions = ["s", "t"][: 2 if self.choices.chance(25) else 1]
        self.made = [{"step": "open", "session": name} for name in sessions]
        if self.choices.chance(4):
            self.made.append({"step": "open", "session": sessions[0]})
        for _ in range(self.choices.integer(1, MOST_CELLS)):
            self._cell(self.choices.pick(sessions))
            self._ask_elsewhere(sessions)
            if self.choices.chance(60):
                self._drive(self.cells[-1])
        for cell in self.cells:
            self._drive(cell)
            if cell.over and self.choices.chance(40):
                self._ask_again(cell)
        if self.choices.chance(15):
            self._missing(sessions[0])
        if self.choices.chance(20):
            self.made.append({"step": "shutdown", "session": sessions[0]})
            if self.choices.chance(50):
                self._after(sessions[0])
        return self.made

    def _after(self, session: str) -> None:
        name = self._name("c")
        program = [{"do": "text", "text": "late"}]
        self.made.append(
            self.choices.pick(
                (
                    {"step": "open", "session": session},
                    {"step": "shutdown", "session": session},
                    {"step": "create", "as": name, "session": session, "program": program},
                    {"step": "terminate", "cell": "nobody", "session": session},
                )
            )
        )

    def _name(self, letter: str) -> str:
        self.named += 1
        return f"{letter}{self.named}"

    def _cell(self, session: str) -> None:
        ends = self.choices.pick(("end", "end", "throw", "fail", "busy", "left"))
        latches = self.choices.integer(0, 3)
        segments = [self._segment() for _ in range(latches + 1)]
        short = latches > 0 and self.choices.chance(15)
        if short:
            segments[0] = []
        if ends == "busy":
            segments[-1] = []
        segments[-1] = _one_yield(segments[-1])
        cell = _Drawn(self._name("c"), session, segments, ends)
        step = {"step": "create", "as": cell.name, "session": session, "program": self._written(cell)}
        if short:
            step["within"] = self.choices.pick((0, 1, 5))
        self.made.append(step)
        self.cells.append(cell)
        cell.observed, cell.sure = cell.name, True
        self._ran(cell)
        if short:
            self._await(cell)

    def _written(self, cell: _Drawn) -> list[Json]:
        program: list[Json] = []
        for number, segment in enumerate(cell.segments):
            program += segment
            if number < len(cell.segments) - 1:
                program.append({"do": "latch", "name": f"l{number}"})
        if cell.ends == "throw":
            program.append({"do": "throw", "message": self.choices.pick(("boom", "no", "ж"))})
        elif cell.ends == "fail":
            program.append({"do": "call", "name": self._name("t"), "fails": True})
        elif cell.ends == "busy":
            program.append({"do": "busy"})
        elif cell.ends == "left":
            program.insert(0 if self.choices.chance(50) and cell.segments[0] else len(program) - len(cell.segments[-1]),
                           {"do": "leave", "name": "left"})  # fmt: skip
        return program

    def _segment(self) -> list[Json]:
        return [self._statement() for _ in range(self.choices.integer(0, 3))]

    def _statement(self) -> Json:
        match self.choices.pick(("text", "text", "image", "call", "store", "load", "yield", "notify")):
            case "image":
                return {"do": "image", "detail": self.choices.pick(DETAILS)}
            case "call":
                return {"do": "call", "name": self._name("t"), "input": self.choices.pick(TEXTS)}
            case "store":
                return {"do": "store", "key": self.choices.pick(KEYS), "value": self.choices.pick(TEXTS)}
            case "load":
                return {"do": "load", "key": self.choices.pick(KEYS)}
            case "yield":
                return {"do": "yield"}
            case "notify":
                return {"do": "notify", "name": self._name("n")}
        return {"do": "text", "text": self.choices.pick(TEXTS)}

    # -- driving ------------------------------------------------------------------------------------------------------

    def _ran(self, cell: _Drawn) -> None:
        """Follow a cell to the end of its segment: wait for what it tells, reach its latch."""
        if any(one["do"] == "yield" for one in cell.segments[cell.at]) and cell.observed:
            self._await(cell)
        if not cell.last:
            self.made.append({"step": "reach", "cell": cell.name, "call": f"l{cell.at}"})
        elif cell.ends != "busy" and cell.observed:
            self._await(cell)
            cell.over = True
        if cell.last and cell.ends != "busy" and not cell.over:
            self._finish(cell)

    def _await(self, cell: _Drawn) -> None:
        self.made.append({"step": "await", "of": cell.observed})
        cell.observed = None

    def _drive(self, cell: _Drawn) -> None:
        """Do some things to a cell, from where it stands."""
        for _ in range(self.choices.integer(0, 4)):
            if cell.over:
                return
            self._one(cell)
        if not cell.over and cell.last and cell.ends != "busy":
            self._finish(cell)

    def _finish(self, cell: _Drawn) -> None:
        """A cell has run to its end and nobody was told: ask."""
        if cell.observed is None:
            self._observe(cell, None)
        self._await(cell)
        cell.over = True

    def _standing(self, cell: _Drawn) -> bool:
        return not cell.last or cell.ends == "busy"

    def _one(self, cell: _Drawn) -> None:
        if not self._standing(cell):
            self._finish(cell)
            return
        can = ["short", "several", "terminate"] if cell.observed is None else []
        if cell.observed is None and self._runs_out(cell):
            can = ["long", *can]
        if cell.observed is not None and cell.sure:
            can = ["yield", "terminate", "busy"] + (["cancel"] if cell.observed != cell.name else [])
        if not cell.last:
            can = ["release", "release", *can]
        self._do(cell, self.choices.pick(can))

    def _runs_out(self, cell: _Drawn) -> bool:
        """Tell whether a cell is over once it may go on, and yields to nobody until then."""
        rest = cell.segments[cell.at + 1 :]
        return len(rest) == 1 and cell.ends != "busy" and all(one["do"] != "yield" for one in rest[0])

    def _do(self, cell: _Drawn, what: str) -> None:
        match what:
            case "release":
                self.made.append({"step": "release", "cell": cell.name, "latch": f"l{cell.at}"})
                cell.at += 1
                self._released(cell)
            case "short":
                self._observe(cell, self.choices.pick((0, 1, 5)))
                self._await(cell)
            case "several":
                self._observe(cell, None, self.choices.integer(2, 3))
            case "long":
                self._observe(cell, None)
                self._do(cell, "release")
            case "terminate":
                self.made.append({"step": "terminate", "cell": cell.name, "session": cell.session})
                if cell.observed is not None:
                    self._await(cell)
                cell.over = True
            case "busy":
                name = self._name("o")
                self.made.append({"step": "observe", "cell": cell.name, "as": name, "session": cell.session})
                self.made.append({"step": "await", "of": name})
            case _:
                self.made.append({"step": what, "of": cell.observed})
                self._await(cell)

    def _released(self, cell: _Drawn) -> None:
        if cell.last and cell.ends == "left" and cell.observed is None:
            self.made.append({"step": "lost", "cell": cell.name, "call": "left"})
            self._over(cell)
            return
        if cell.last and cell.observed is None:
            self._strip(cell)  # an observation that begins now might still meet a yield
        self._ran(cell)

    def _strip(self, cell: _Drawn) -> None:
        """Take the yields out of the last segment of a cell that nobody observes."""
        create = next(step for step in self.made if step.get("as") == cell.name and step["step"] == "create")
        latch = max(n for n, one in enumerate(create["program"]) if one["do"] == "latch")
        rest = [one for one in create["program"][latch:] if one["do"] != "yield"]
        create["program"] = create["program"][:latch] + rest
        cell.segments[cell.at] = [one for one in cell.segments[cell.at] if one["do"] != "yield"]

    def _over(self, cell: _Drawn) -> None:
        """A cell is over and nobody was told: who comes first is."""
        if self.choices.chance(50):
            self.made.append({"step": "terminate", "cell": cell.name, "session": cell.session})
            cell.over = True
        else:
            self._finish(cell)

    def _observe(self, cell: _Drawn, within: int | None, count: int = 1) -> None:
        cell.observed, cell.sure = self._name("o"), count > 1
        step = {"step": "observe", "cell": cell.name, "as": cell.observed, "session": cell.session}
        self.made.append({**step, "within": within, "count": count})

    def _ask_again(self, cell: _Drawn) -> None:
        if self.choices.chance(50):
            self.made.append({"step": "terminate", "cell": cell.name, "session": cell.session})
            return
        name = self._name("o")
        self.made.append({"step": "observe", "cell": cell.name, "as": name, "session": cell.session})
        self.made.append({"step": "await", "of": name})

    def _ask_elsewhere(self, sessions: list[str]) -> None:
        """Ask a session that has no cells yet for a cell of another one."""
        empty = [name for name in sessions if all(cell.session != name for cell in self.cells)]
        if empty and self.choices.chance(30):
            self.made.append({"step": "terminate", "cell": self.cells[-1].name, "session": empty[0]})

    def _missing(self, session: str) -> None:
        self.made.append({"step": "terminate", "cell": "nobody", "session": session})


def _one_yield(segment: list[Json]) -> list[Json]:
    """Return a segment of which the first yield alone is left: who observes again might or might not meet a second."""
    first = next((at for at, one in enumerate(segment) if one["do"] == "yield"), len(segment))
    return [one for at, one in enumerate(segment) if one["do"] != "yield" or at == first]


def _frames(choices: Choices) -> list[Json]:
    frames: list[Json] = []
    if choices.chance(70):
        frames.append({"frame": "hello", "versions": choices.pick(([1], [1, 2], [2, 1]))})
        for number in range(choices.integer(0, 3)):
            frames.append({"frame": "request", "id": choices.integer(0, 9) * 10 + number, "session": f"s{number}"})
            if choices.chance(30):
                frames.append({"frame": "stray", "about": choices.pick(("cancel", "yield"))})
        last = choices.pick((None, "broken", "hello", "repeated"))
        if last == "broken":
            frames.append({"frame": "broken", "how": choices.pick(_BROKEN)})
        elif last == "hello":
            frames.append({"frame": "hello"})
        elif last == "repeated" and frames[-1]["frame"] == "request":
            frames.append({"frame": "request", "id": frames[-1]["id"], "session": "again"})
        return frames
    kind = choices.pick(("hello", "hello", "request", "broken"))
    if kind == "request":
        return [{"frame": "request"}]
    if kind == "broken":
        return [{"frame": "broken", "how": choices.pick(_BROKEN)}]
    versions = choices.pick(([1], [2], [1, 2], [], [2, 3], [1, 1]))
    required = choices.pick(([], ["x"], ["x", "y"]))
    optional = choices.pick(([], ["x"], ["y"], ["y", "y"])) if choices.chance(30) else []
    return [{"frame": "hello", "versions": versions, "required": required, "optional": optional}]


_BROKEN: Final = (
    "short_head", "short_body", "oversized", "empty", "not_json", "unknown_field", "unknown_member", "unknown_type",
    "unknown_method",
)  # fmt: skip
