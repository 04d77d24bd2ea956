"""Planted faults about the objects that a binding builds (DLC)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.building import MEMBERS

FAULTS: dict[str, Fault] = {}

OPTIONAL = ("metadata", "annotation", "annotated_request")
"""Members that may be left out, and are null then."""


def _built(spoiled: Spoiled) -> list[tuple[Act, Json]]:
    """Return the steps that built an object with what was read back, which is the copy's own."""
    acts = [act for act in spoiled.transcript.acts if act.step["step"] == "build" and act.error is None]
    return [(act, spoiled.log[act.done or 0]["value"]) for act in acts]


@plant(FAULTS, "build_another", "an object reads back something else", "DLC-008")
def build_another(spoiled: Spoiled) -> bool:
    """Change a member that was stated, one that may be anything."""
    found = [
        (read, member)
        for act, read in _built(spoiled)
        for member in ("content", "data", "result")
        if member in act.step["value"]
    ]
    for read, member in found:
        read[member] = PLANTED
    return bool(found)


@plant(FAULTS, "build_refused", "a well-formed object is refused", "DLC-008", "DLC-016")
def build_refused(spoiled: Spoiled) -> bool:
    """Let the first object that was built fail."""
    for act, _ in _built(spoiled)[:1]:
        spoiled.fail(act, {"type": "TypeError", "message": "planted", "code": None, "same_as": None})
        return True
    return False


@plant(FAULTS, "build_more", "an object has what was not stated", "DLC-009")
def build_more(spoiled: Spoiled) -> bool:
    """Let a member that was not stated read back as something, or be there where the object has none such."""
    found = [
        (read, next((member for member in OPTIONAL if member in read and member not in act.step["value"]), "planted"))
        for act, read in _built(spoiled)
    ]
    for read, member in found:
        read[member] = PLANTED
    return bool(found)


@plant(FAULTS, "build_malformed", "a malformed object is built", "DLC-010")
def build_malformed(spoiled: Spoiled) -> bool:
    """Let what was refused read back as it was stated."""
    refused = [act for act in spoiled.transcript.acts if act.step["step"] == "build" and act.error is not None]
    for act in refused:
        spoiled.succeed(act, act.step["value"])
    return bool(refused)


@plant(FAULTS, "build_another_without_schema", "an annotation, or the like, reads back something else", "DLC-016")
def build_another_without_schema(spoiled: Spoiled) -> bool:
    """Change the member that was stated last of each object that has no schema."""
    found = [(read, [*act.step["value"]][-1:]) for act, read in _built(spoiled) if act.step["object"] in MEMBERS]
    for read, last in found:
        read.update(dict.fromkeys(last, PLANTED))
    return any(last for _, last in found)


@plant(FAULTS, "answer_another", "an object does not answer what its members say", "DLC-016")
def answer_another(spoiled: Spoiled) -> bool:
    """Let objects answer the first thing that they are asked for otherwise."""
    found = [read["asked"] for _, read in _built(spoiled) if read.get("asked")]
    for asked in found:
        asked[min(asked)] = PLANTED
    return bool(found)


@plant(FAULTS, "deny_tools", "an annotation denies that a message asks for tools", "DLC-016")
def deny_tools(spoiled: Spoiled) -> bool:
    """Let annotations in which a tool is asked for deny it."""
    found = [read["asked"] for _, read in _built(spoiled) if read.get("asked", {}).get("has_tool_calls")]
    for asked in found:
        asked["has_tool_calls"] = False
    return bool(found)
