"""Planted faults of what JSON lacks: handed over (DLC-012), and replied (DLC-013)."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.scenario.no_json import hands_over_no_json, lacks_json

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "vague_no_json", "what JSON lacks is refused with an error that does not say so", "DLC-012")
def vague_no_json(spoiled: Spoiled) -> bool:
    """Make the error of each step that was refused for it say something else."""
    steps = {step["as"] for step in spoiled.full["steps"] if hands_over_no_json(step)}
    errors = [row["error"] for row in spoiled.log if row["fact"] == "done" and row["step"] in steps and "error" in row]
    for error in errors:
        error["message"] = "planted"
    return bool(errors)


@plant(
    FAULTS,
    "vague_no_json_reply",
    "a reply that JSON lacks fails its call with an error that does not say so",
    "DLC-013",
)
def vague_no_json_reply(spoiled: Spoiled) -> bool:
    """Make the error of each call of which such a reply was refused say something else."""
    acts = [act for act in spoiled.transcript.acts if any(lacks_json(one.raw_reply) for one in act.everything)]
    errors = [spoiled.log[act.done]["error"] for act in acts if act.done is not None and act.error is not None]
    for error in errors:
        error["message"] = "planted"
    return bool(errors)
