"""A planted fault of what JSON lacks (DLC-012)."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.scenario.no_json import hands_over_no_json

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "vague_no_json", "what JSON lacks is refused with an error that does not say so", "DLC-012")
def vague_no_json(spoiled: Spoiled) -> bool:
    """Make the error of each step that was refused for it say something else."""
    steps = {step["as"] for step in spoiled.full["steps"] if hands_over_no_json(step)}
    errors = [row["error"] for row in spoiled.log if row["fact"] == "done" and row["step"] in steps and "error" in row]
    for error in errors:
        error["message"] = "planted"
    return bool(errors)
