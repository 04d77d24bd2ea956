"""Faults about registrations, acted out: what a binding that has the fault does is what a right one does with another
program.

Enters: a complete scenario with its lawful log, a family and a level, and how a program is acted out. Leaves: the log
of a binding that has the fault in what is registered so. Must not know the checks, nor how a program is acted out.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.registrations import BREAKING, RUNS, Level

Log = list[Json]
Act = Callable[[Json], Log]
"""Acts a complete scenario out."""


class Place(Struct, frozen=True):
    """A lawful run, and whose registrations a binding is at fault with."""

    full: Json
    log: Log
    family: Family
    level: Level
    act: Act

    def registers(self, full: Json) -> list[Json]:
        """Return the steps of a scenario that register so."""
        steps = [step for step, level in _levelled(full["steps"]) if level == self.level]
        return [step for step in steps if step["step"] == "register" and step["family"] == self.family]

    def names(self) -> set[str]:
        """Return the ids of these steps."""
        return {step["as"] for step in self.registers(self.full)}

    def otherwise(self, change: Callable[[Json], bool]) -> Log | None:
        """Return the log of another program, made by a change that says whether it is one; None where it is none."""
        other = copy.deepcopy(self.full)
        return self.act(other) if change(other) else None


class ActedFault(Struct, frozen=True):
    """One fault: on which level it breaks which rule, what it is in words, and what it makes of a run.

    spoil: returns None where the fault changes nothing.
    """

    name: str
    title: str
    breaks: Mapping[Level, str]
    spoil: Callable[[Place], Log | None]

    def acted(self, place: Place) -> Log | None:
        """Return the log of a binding that has the fault, or None where it is as that of one that has not."""
        log = self.spoil(place)
        return None if log == place.log else log


def _levelled(steps: list[Json]) -> Iterator[tuple[Json, Level]]:
    """Yield the steps of a program, those of its plugins too, with the level on which each would register."""
    for step in steps:
        yield step, "scope" if step.get("scope", "global") != "global" else "global"
        if step["step"] == "install":
            yield from ((op["step"], "plugin") for op in step["do"] if op["op"] == "step")


def _priorities(change: Callable[[int], int]) -> Callable[[Place], Log | None]:
    def spoil(place: Place) -> Log | None:
        def changed(full: Json) -> bool:
            for step in place.registers(full):
                step["priority"] = change(step["priority"])
            return True

        return place.otherwise(changed)

    return spoil


def _ties_backwards(place: Place) -> Log | None:
    """Exchange the names of what has one priority and one level."""

    def changed(full: Json) -> bool:
        tied = defaultdict(list)
        for step in place.registers(full):
            tied[step["priority"], step["scope"]].append(step)
        for steps in tied.values():
            names = sorted({step["name"] for step in steps})
            became = dict(zip(names, reversed(names), strict=True))
            for step in steps:
                step["name"] = became[step["name"]]
        return place.family != "subscriber"

    return place.otherwise(changed)


def _levels_mixed(place: Place) -> Log | None:
    """Register on the scope what the program has globally; the order of injectors asks for no level."""

    def changed(full: Json) -> bool:
        scopes = [step["scope"] for step in place.registers(full)]
        others = [step for step in full["steps"] if step["step"] == "register" and step["family"] == place.family]
        others = [step for step in others if step["scope"] == "global"]
        for step in others:
            step["scope"] = scopes[0]
        return bool(others) and place.family not in ("subscriber", "event.metadata")

    return place.otherwise(changed)


def _silent(place: Place) -> Log | None:
    """Let it do nothing, and take out that it ran, or was told."""
    names = place.names()

    def changed(full: Json) -> bool:
        for step in place.registers(full):
            step["do"], step["break_chain"] = [], False
        return True

    log = place.otherwise(changed)
    return log and [
        record
        for record in log
        if str(record.get("callback", "")).split(".", maxsplit=1)[0] not in names
        and (record["fact"] != "event" or record["subscriber"] not in names)
    ]


def _outlives(place: Place) -> Log | None:
    """Register globally what is a scope's."""

    def changed(full: Json) -> bool:
        for step in place.registers(full):
            step["scope"] = "global"
        return True

    return place.otherwise(changed)


def _answers(kind: str, answer: Json) -> Callable[[Place], Log | None]:
    """Let each step of a kind that speaks of it answer so where it answers something else."""

    def spoil(place: Place) -> Log | None:
        names = place.names()
        own = {step["as"] for step in place.full["steps"] if step["step"] == kind and step["of"] in names}
        return [
            {**record, "value": answer} if record.get("step") in own and "value" in record else record
            for record in place.log
        ]

    return spoil


def _taken_again(place: Place) -> Log | None:
    """Let each of its registrations succeed."""
    names = place.names()
    return [
        {"fact": "done", "step": record["step"], "value": None}
        if record.get("step") in names and "error" in record
        else record
        for record in place.log
    ]


def _kept(kind: str) -> Callable[[Place], Log | None]:
    """Do nothing in place of a step that takes it back, and say the same."""

    def spoil(place: Place) -> Log | None:
        names = place.names() | {step["as"] for step in place.full["steps"] if step["step"] == "install"}
        said = {record["step"]: record for record in place.log if record["fact"] == "done"}
        gone: set[str] = set()

        def changed(full: Json) -> bool:
            for at, step in enumerate(full["steps"]):
                if step["step"] == kind and step["of"] in names and said[step["as"]].get("value") is not False:
                    full["steps"][at] = {"step": "flush", "as": step["as"]}
                    gone.add(step["as"])
            return bool(gone)

        log = place.otherwise(changed)
        return log and [said[record["step"]] if record.get("step") in gone else record for record in log]

    return spoil


def _unbroken(place: Place) -> Log | None:
    """Break no chain."""

    def changed(full: Json) -> bool:
        broken = [step for step in place.registers(full) if step["break_chain"]]
        for step in broken:
            step["break_chain"] = False
        return bool(broken)

    return place.otherwise(changed)


def _everywhere(rule: str) -> dict[Level, str]:
    return {"global": rule, "scope": rule, "plugin": rule}


FAULTS: Final = (
    ActedFault("negated", "priorities are negated", _everywhere("MID-002"), _priorities(lambda at: -at)),
    ActedFault("ignored", "priorities are ignored", _everywhere("MID-002"), _priorities(lambda at: 0)),
    ActedFault("names", "of equal priority the last name runs first", _everywhere("MID-003"), _ties_backwards),
    ActedFault("levels", "what is global is as what a scope owns", {"scope": "MID-003"}, _levels_mixed),
    ActedFault("silent", "it does not run", RUNS, _silent),
    ActedFault("outlives", "it outlives its scope", {"scope": "MID-004"}, _outlives),
    ActedFault(
        "twice", "a taken name is taken", {"global": "MID-005", "scope": "MID-005", "plugin": "MID-022"}, _taken_again
    ),
    ActedFault(
        "always", "deregistering says true", {"global": "MID-006", "scope": "MID-006"}, _answers("deregister", True)
    ),
    ActedFault(
        "never", "deregistering says false", {"global": "MID-006", "scope": "MID-006"}, _answers("deregister", False)
    ),
    ActedFault("stays", "deregistering does nothing", {"global": "MID-007", "scope": "MID-007"}, _kept("deregister")),
    ActedFault("keeps", "taking a plugin back does nothing", {"plugin": "MID-024"}, _kept("uninstall")),
    *(
        ActedFault(f"unbroken-{family}", "it does not break its chain", _everywhere(rule), _unbroken)
        for family, rule in BREAKING.items()
    ),
)
"""The faults, in the order of the rules that they break."""
