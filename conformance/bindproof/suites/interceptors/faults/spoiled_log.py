"""What every planted fault needs: an observation that it may spoil, seen call by call, and a register of faults.

Enters: a complete scenario, a raw log. Leaves: a spoiled copy of the log. Must not know the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from bindproof.suite_api import Fault, Json, copied
from bindproof.suites.interceptors.reading import Invocation, Passage, Reading, Visit, reading

PLANTED = {"planted": True}
"""A value that no scenario has."""


class Spoiled(Struct):
    """A copy of an observation that a fault edits in place. reading is of the log before the edit."""

    full: Json
    log: list[Json]
    reading: Reading

    def calls(self) -> Iterator[Invocation]:
        """Yield the calls that stand alone in their step and came back."""
        yield from (call for call in self.reading.calls if call.step["step"] == "call" and call.came_back)

    def passages(self, kind: str, domain: str | None = None) -> Iterator[Passage]:
        """Yield the passages of a kind of layer, in calls that stand alone and came back."""
        for one in self.reading.passages(kind):
            if one.call.step["step"] == "call" and one.call.came_back and domain in (None, one.call.domain):
                yield one

    def outermost(self, kind: str, domain: str | None = None) -> Iterator[Passage]:
        """Yield the passages of layers that are the outermost, so that their result is the call's."""
        yield from (one for one in self.passages(kind, domain) if one.place == 0)

    @property
    def untimed(self) -> bool:
        """True when the scenario has no timeout, so that more time does not change what happens."""
        layers = [layer for step in self.full["steps"] for layer in step.get("layers", ())]
        return all(layer["layer"] != "timeout" for layer in layers)

    def delay(self, index: int, milliseconds: int) -> None:
        """Let the record at an index, and all after it, come later."""
        for record in self.log[index:]:
            if "at" in record:
                record["at"] += milliseconds

    def given(self, visit: Visit, given: Json) -> bool:
        """Have something entered with another request; nothing inside it may depend on that."""
        self.log[visit.entered] = {**self.log[visit.entered], "given": given}
        return True

    def misgiven(self, visit: Visit) -> bool:
        """Have a layer or an operation entered with another request than it was."""
        other = {"messages": ["planted"]} if "messages" in visit.given else {"arguments": PLANTED}
        return self.given(visit, {**visit.given, **other})

    def result(self, call: Invocation, **members: Json) -> bool:
        """Have a call come back with another result: members replace those of a tool's, or are all of a model's."""
        record = self.log[call.done or 0]
        value = {**record["value"], **members} if call.domain == "tool" else members
        self.log[call.done or 0] = {**record, "value": value}
        return True

    def run_again(self, visit: Visit) -> bool:
        """Have an operation run once more, right after it ended and in no time; False where that would take some."""
        if visit.left is None or visit.inside or visit.began != visit.ended:
            return False
        again = [{**self.log[index], "k": self.log[index]["k"] + 1} for index in (visit.entered, visit.left)]
        self.log[visit.left + 1 : visit.left + 1] = again
        return True

    def unrun(self, visit: Visit) -> bool:
        """Have an operation not run; False where something is inside it."""
        if visit.left is None or visit.inside or visit.began != visit.ended:
            return False
        del self.log[visit.entered : visit.left + 1]
        return True


def leaf(visit: Visit) -> bool:
    """Tell whether nothing was entered inside a visit, which came to its end."""
    return visit.finished and not visit.inside


def plant(table: dict[str, Fault], name: str, title: str, *breaks: str) -> Callable[[Callable[[Spoiled], bool]], None]:
    """Return a decorator that puts a fault into a chapter's table; the function says whether it spoiled anything."""

    def put(spoil: Callable[[Spoiled], bool]) -> None:
        def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
            copy = copied(log)
            return copy if spoil(Spoiled(full, copy, reading(full, copy))) else None

        table[name] = Fault(name, title, breaks, planted)

    return put
