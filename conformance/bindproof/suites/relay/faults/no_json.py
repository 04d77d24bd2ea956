"""A planted fault of what JSON lacks (DLC-012)."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.scenario.no_json import hands_over_no_json

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "vague_no_json", "what JSON lacks is refused with an error that does not say so", "DLC-012")
def vague_no_json(spoiled: Spoiled) -> bool:
    """Make the error of each step that was refused for it say something else."""
    refused = [act for act in spoiled.transcript.acts if act.error is not None and hands_over_no_json(act.step)]
    for act in refused:
        spoiled.log[act.done or 0]["error"]["message"] = "planted"
    return bool(refused)
