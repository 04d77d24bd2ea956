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


def _plant_in(spoiled: Spoiled, acts: list[Act], member: str) -> bool:
    """Replace a member of what steps came back with; tell whether there are any."""
    for act in acts:
        spoiled.log[act.done or 0]["value"][member] = PLANTED
    return bool(acts)


def _answer_all(spoiled: Spoiled, acts: list[Act], value: Json) -> bool:
    """Let steps come back with this value; tell whether there are any."""
    for act in acts:
        spoiled.succeed(act, value)
    return bool(acts)


@plant(FAULTS, "misread_for_a_program", "a codec reads something else for a program", "AUT-021")
def misread_for_a_program(spoiled: Spoiled) -> bool:
    """Say another provider of all that was read for programs."""
    return _plant_in(spoiled, _asked(spoiled, "decode", own=False), "api_specific")


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
    return _answer_all(spoiled, found, PLANTED)


@plant(FAULTS, "misread_in_a_sanitizer", "the codec that a sanitizer gets reads something else", "AUT-022")
def misread_in_a_sanitizer(spoiled: Spoiled) -> bool:
    """Say another provider of all that was read in sanitizers."""
    return _plant_in(spoiled, _asked(spoiled, "decode", own=True), "api_specific")


@plant(FAULTS, "no_codec_to_get", "a sanitizer gets no codec, though it is told of one", "AUT-022")
def no_codec_to_get(spoiled: Spoiled) -> bool:
    """Let all that sanitizers asked come back with null."""
    found = [act for kind in ("decode", "encode") for act in _asked(spoiled, kind, own=True)]
    return _answer_all(spoiled, found, None)


@plant(FAULTS, "write_nothing_in_a_sanitizer", "the codec that a sanitizer gets writes nothing", "AUT-022")
def write_nothing_in_a_sanitizer(spoiled: Spoiled) -> bool:
    """Take the content out of each request that was written in a sanitizer."""
    return _plant_in(spoiled, _asked(spoiled, "encode", own=True), "content")
