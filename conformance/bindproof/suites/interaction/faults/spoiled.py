"""What every planted fault needs: a log that it may spoil, as the checks read it, and a register of faults.

Enters: a complete scenario, a raw log. Leaves: a spoiled copy of the log. Must not know the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import Struct

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.fates import FAILING
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.reading import Part, Reading, reading

PLANTED: Final[Json] = {"type": "error", "message": "planted"}


class Spoiled(Struct):
    """A copy of a log that a fault edits in place. reading is of the log before the edit."""

    full: Json
    log: list[Json]
    reading: Reading

    def last(self, kind: str) -> bool:
        """Tell whether this is how the run is to end, and it has ended."""
        last = self.reading.last
        return last is not None and last.kind == kind and self.reading.end is not None

    def fails(self, policy: str) -> bool:
        """Tell whether a run fails under its policy of this name."""
        return self.full[policy] in FAILING

    def drop(self, places: Iterable[int]) -> bool:
        """Leave records out."""
        gone = set(places)
        self.log[:] = [record for at, record in enumerate(self.log) if at not in gone]
        return bool(gone)

    def put(self, at: int, *records: Json) -> bool:
        """Put records before a place."""
        self.log[at:at] = records
        return True

    def edit(self, at: int, **members: Json) -> bool:
        """Have a record say something else."""
        self.log[at] = {**self.log[at], **members}
        return True

    def move(self, at: int, before: int) -> bool:
        """Have a record come earlier."""
        self.log.insert(before, self.log.pop(at))
        return True

    def comes_to(self, state: str | None = None) -> bool:
        """Have the run come to a state, or fail with the planted error."""
        at = self.reading.end
        if at is None:
            return False
        told = {"error": PLANTED} if state is None else {"value": {"state": state, "text": "planted"}}
        self.log[at] = {"fact": "ended", **told}
        return True

    def calls(self) -> Iterator[tuple[Part, list[int]]]:
        """Yield the steps with calls, and the places of these."""
        for part in self.reading.parts:
            if part.calls and part.fate.models:
                yield part, part.of("called")

    def event(self, kind: str, number: int) -> Json:
        """Return an event of a step of a run that goes on."""
        return {"fact": "event", "type": kind, "state": "running", "step": number}

    def checkpoint(self, phase: str, number: int) -> Json:
        """Return a checkpoint of a step, as another one of the run."""
        found = self.log[self.reading.of("checkpoint")[0]]
        named = {"key": f"checkpoint:{found['run']}:{number}:{phase}"} if "run" in found else {}
        return {**found, "phase": phase, "step": number, **named}

    def call(self, number: int, **members: Json) -> Json:
        """Return a call of a step, as another one of the run."""
        found = next((self.log[at] for at in self.reading.of("called")), None)
        run = next((record["run"] for record in self.log if record.get("run")), "r")
        tools = {"tools": False, "choice": None} if self.full["bare"] else {"tools": True, "choice": "auto"}
        plain: Json = {"fact": "called", "run": run, "messages": [], **tools, "session": None}
        base = found or {**plain, "checkpoint": None, "waited": 0}
        name = f"{base['run']}:step:{number}"
        return {**base, "model": self.full["model"], "request": name, "key": name, **members}


Spoil = Callable[[Spoiled], bool]


def plant(
    table: dict[str, Fault], name: str, title: str, *breaks: str, also: tuple[str, ...] = ()
) -> Callable[[Spoil], None]:
    """Return a decorator that puts a fault into a chapter's table; the function says whether it spoiled anything."""
    return planting(table, "run", _spoiled)(name, title, *breaks, also=also)


def _spoiled(full: Json, copy: list[Json]) -> Spoiled:
    return Spoiled(full, copy, reading(full, copy))
