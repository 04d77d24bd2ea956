"""Faults of the chapter *Wire* (FRM)."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.cells.faults.spoiled import Spoiled, plant

FAULTS: dict[str, Fault] = {}


def _reply(spoiled: Spoiled, kind: str, because: str | None, **members: object) -> bool:
    for index, record in enumerate(spoiled.log):
        if record["fact"] == "got" and record["reply"].get("type") == kind and record["reply"].get("reason") == because:
            spoiled.log[index] = {**record, "reply": {**record["reply"], **members}}
            return True
    return False


def _goes_on(spoiled: Spoiled, *how: str) -> bool:
    """Have a host end in good order though its last frame was one of these."""
    if not spoiled.reading.frames or spoiled.reading.frames[-1].get("how") not in how:
        return False
    return _exits(spoiled, 0)


def _exits(spoiled: Spoiled, status: int) -> bool:
    for index, record in enumerate(spoiled.log):
        if record["fact"] == "ended" and record["exit"] != status:
            spoiled.log[index] = {**record, "exit": status}
            return True
    return False


def _hellos(spoiled: Spoiled) -> int:
    return sum(frame["frame"] == "hello" for frame in spoiled.reading.frames)


def _answered(spoiled: Spoiled) -> bool:
    return any(record["fact"] == "got" for record in spoiled.log)


@plant(FAULTS, "other_version", "the host selects a version that was not offered", "FRM-001")
def _(spoiled: Spoiled) -> bool:
    return _reply(spoiled, "ready", None, version=3)


@plant(FAULTS, "version_otherwise", "a host without the version rejects for another reason", "FRM-002")
def _(spoiled: Spoiled) -> bool:
    return _reply(spoiled, "rejected", "noCompatibleVersion", reason="planted")


@plant(FAULTS, "capability_otherwise", "a host without the capability rejects for another reason", "FRM-003")
def _(spoiled: Spoiled) -> bool:
    return _reply(spoiled, "rejected", "missingRequiredCapability", reason="planted")


@plant(FAULTS, "hello_otherwise", "what is no hello is rejected for another reason", "FRM-004")
def _(spoiled: Spoiled) -> bool:
    return _reply(spoiled, "rejected", "invalidHello", reason="planted")


@plant(FAULTS, "contradiction_goes_on", "a hello that contradicts itself does not end the host", "FRM-005")
def _(spoiled: Spoiled) -> bool:
    return _hellos(spoiled) == 1 and not _answered(spoiled) and len(spoiled.reading.frames) == 1 and _exits(spoiled, 0)


@plant(FAULTS, "second_hello_goes_on", "a second hello does not end the host", "FRM-006")
def _(spoiled: Spoiled) -> bool:
    return _hellos(spoiled) > 1 and _exits(spoiled, 0)


@plant(FAULTS, "cut_goes_on", "a frame that is cut short does not end the host", "FRM-007")
def _(spoiled: Spoiled) -> bool:
    return _goes_on(spoiled, "short_head", "short_body")


@plant(FAULTS, "oversized_goes_on", "a frame that is too long does not end the host", "FRM-008")
def _(spoiled: Spoiled) -> bool:
    return _goes_on(spoiled, "oversized")


@plant(FAULTS, "unreadable_goes_on", "a frame that is no JSON does not end the host", "FRM-009")
def _(spoiled: Spoiled) -> bool:
    return _goes_on(spoiled, "empty", "not_json")


@plant(FAULTS, "unknown_goes_on", "a message with something unknown does not end the host", "FRM-010")
def _(spoiled: Spoiled) -> bool:
    return _goes_on(spoiled, "unknown_field", "unknown_member", "unknown_type", "unknown_method")


@plant(FAULTS, "repeated_goes_on", "an id that is used twice does not end the host", "FRM-011")
def _(spoiled: Spoiled) -> bool:
    ids = [frame["id"] for frame in spoiled.reading.frames if frame["frame"] == "request"]
    return len(set(ids)) < len(ids) and _exits(spoiled, 0)


@plant(FAULTS, "ends_badly", "a host whose pipe is closed ends in error", "FRM-012")
def _(spoiled: Spoiled) -> bool:
    ready = any(record["fact"] == "got" and record["reply"].get("type") == "ready" for record in spoiled.log)
    return ready and _exits(spoiled, 1)


@plant(FAULTS, "answers_another", "a request is answered by another id", "FRM-013")
def _(spoiled: Spoiled) -> bool:
    frames = spoiled.reading.frames
    ids = [frame["id"] for frame in frames if frame["frame"] == "request"]
    orderly = bool(frames) and len(set(ids)) == len(ids) and frames[-1]["frame"] != "broken" and _hellos(spoiled) == 1
    return orderly and _reply(spoiled, "opened", None, id=10**9)
