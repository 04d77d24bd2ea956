"""Faults of the chapter *Limits and stops* in runs that are stopped wherever they are (STP)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.suite_api import Fault, Json, copied
from bindproof.suites.interaction.stops import Stopped, stopped

FAULTS: dict[str, Fault] = {}

Spoil = Callable[[Stopped], bool]
"""Edits the log of a run in place; tells whether it did."""


def plant(name: str, title: str, *breaks: str) -> Callable[[Spoil], None]:
    """Return a decorator that puts a fault into the table."""

    def put(spoil: Spoil) -> None:
        def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
            if full["of"] != "stop":
                return None
            found = stopped(full, copied(log))
            return found.log if spoil(found) else None

        FAULTS[name] = Fault(name, title, breaks, planted)

    return put


@plant("cancelled_is_told_otherwise", "a run that is cancelled says that it has failed", "STP-005")
def _(found: Stopped) -> bool:
    places = [at for at, one in enumerate(found.log) if one["fact"] == "event" and one["type"] == "run_cancelled"]
    for at in places:
        found.log[at] = {**found.log[at], "type": "run_failed"}
    return bool(places)


@plant("interrupted_and_hangs", "who waits for a run that is interrupted is told nothing", "STP-006")
def _(found: Stopped) -> bool:
    if found.scenario["how"] != "interrupt":
        return False
    found.log[:] = [{"fact": "hangs"} if one["fact"] == "ended" else one for one in found.log]
    return True


@plant("uses_a_tool_all_the_same", "a tool is used when the run is stopped", "STP-007")
def _(found: Stopped) -> bool:
    ends = [at for at, one in enumerate(found.log) if one["fact"] == "event"]
    if not ends:
        return False
    found.log.insert(ends[-1], {"fact": "used", "step": found.scenario["step"]})
    return True
