"""Planted faults about codecs that are asked (AUT): by a program, and in a sanitizer."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.transcript import Act

FAULTS: dict[str, Fault] = {}


def _asked(spoiled: Spoiled, kind: str, *, own: bool, failed: bool = False) -> list[Act]:
    """Return the steps that asked a codec: one that a sanitizer got or a named one, and came to an error or a value."""
    found = [act for act in spoiled.transcript.of_kind(kind) if (act.step["codec"] == "own") is own]
    return [act for act in found if (act.error is not None) is failed and (failed or act.value is not None)]


def _answer(spoiled: Spoiled, act: Act) -> Json:
    """Return what a step came back with, which is the copy's own."""
    return spoiled.log[act.done or 0]["value"]


@plant(FAULTS, "misread_for_a_program", "a codec reads something else for a program", "AUT-021")
def misread_for_a_program(spoiled: Spoiled) -> bool:
    """Say another provider of all that was read for programs."""
    found = [_answer(spoiled, act) for act in _asked(spoiled, "decode", own=False)]
    for said in found:
        said["api_specific"] = PLANTED
    return bool(found)


@plant(FAULTS, "lose_what_a_program_writes", "a codec writes nothing of what a program has edited", "AUT-021")
def lose_what_a_program_writes(spoiled: Spoiled) -> bool:
    """Give back each request into which an edited annotation was to be written."""
    found = [act for act in _asked(spoiled, "encode", own=False) if act.value != act.step["payload"]]
    for act in found:
        spoiled.succeed(act, act.step["payload"])
    return bool(found)


@plant(FAULTS, "read_what_nobody_can", "a codec reads for a program what it cannot read", "AUT-021")
def read_what_nobody_can(spoiled: Spoiled) -> bool:
    """Let all that a codec refused come back."""
    found = [act for kind in ("decode", "encode") for act in _asked(spoiled, kind, own=False, failed=True)]
    for act in found:
        spoiled.succeed(act, PLANTED)
    return bool(found)


@plant(FAULTS, "misread_in_a_sanitizer", "the codec that a sanitizer gets reads something else", "AUT-022")
def misread_in_a_sanitizer(spoiled: Spoiled) -> bool:
    """Say another provider of all that was read in sanitizers."""
    found = [_answer(spoiled, act) for act in _asked(spoiled, "decode", own=True)]
    for said in found:
        said["api_specific"] = PLANTED
    return bool(found)


@plant(FAULTS, "no_codec_to_get", "a sanitizer gets no codec, though it is told of one", "AUT-022")
def no_codec_to_get(spoiled: Spoiled) -> bool:
    """Let all that sanitizers asked come back with null."""
    found = [act for kind in ("decode", "encode") for act in _asked(spoiled, kind, own=True)]
    for act in found:
        spoiled.succeed(act, None)
    return bool(found)


@plant(FAULTS, "write_nothing_in_a_sanitizer", "the codec that a sanitizer gets writes nothing", "AUT-022")
def write_nothing_in_a_sanitizer(spoiled: Spoiled) -> bool:
    """Take the content out of each request that was written in a sanitizer."""
    found = [_answer(spoiled, act) for act in _asked(spoiled, "encode", own=True)]
    for request in found:
        request["content"] = PLANTED
    return bool(found)
