"""Faults of the chapter *Limits and stops* in runs that are stopped wherever they are (STP)."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.stops import Stopped, stopped

FAULTS: dict[str, Fault] = {}


plant = planting(FAULTS, "stop", stopped)


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
