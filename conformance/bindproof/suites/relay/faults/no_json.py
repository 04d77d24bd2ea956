"""A planted fault of what JSON lacks (DLC-012)."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.scenario.no_json import hands_over_no_json

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "take_no_json", "what JSON lacks is taken, and nobody is told", "DLC-012")
def take_no_json(spoiled: Spoiled) -> bool:
    """Let each step that was refused for it come back with nothing."""
    refused = [act for act in spoiled.transcript.acts if act.error is not None and hands_over_no_json(act.step)]
    for act in refused:
        spoiled.succeed(act, None)
    return bool(refused)
