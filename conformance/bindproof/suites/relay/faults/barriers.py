"""Planted faults of the chapter *Events* (EVT) about flushes: what they wait for, and that they come to their end."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.in_flight import is_of_one_time
from bindproof.suites.relay.observation.scopes import effective

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "flush_early", "a flush is over before the last event before it is told", "EVT-043")
def flush_early(spoiled: Spoiled) -> bool:
    """Tell the last event before a flush behind it, to one who is registered then."""
    transcript = spoiled.transcript
    cancelled = bool(transcript.of_kind("cancel"))
    for flush in transcript.of_kind("flush"):
        if flush.done is None or cancelled or not is_of_one_time(spoiled.full):
            continue
        for act in effective(transcript, "subscriber", flush.began):
            before = [at for at, _ in transcript.events.get(act.step["as"], []) if at < flush.done]
            if before:
                spoiled.log.insert(flush.done, spoiled.log.pop(before[-1]))
                return True
    return False


@plant(FAULTS, "flush_fails", "a flush fails", "EVT-048")
def flush_fails(spoiled: Spoiled) -> bool:
    """Let the first flush of the program fail."""
    found = [act for act in spoiled.transcript.of_kind("flush") if act.done is not None and act.error is None]
    for flush in found[:1]:
        error = {"type": "TimeoutError", "message": "planted: no end", "code": None, "same_as": None}
        spoiled.fail(flush, error)
    return bool(found)
