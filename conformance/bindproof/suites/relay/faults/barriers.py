"""Planted faults of the chapter *Events* (EVT) about delivery: what flushes wait for, that they end, and who raises."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.checks.failing_subscribers import first_raised
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.in_flight import is_of_one_time
from bindproof.suites.relay.observation.scopes import effective
from bindproof.suites.relay.observation.stays import stays_of

FAULTS: dict[str, Fault] = {}

TOLD_OF = ("LIF-001", "LIF-008", "MRK-001", "EVT-006", "EVT-015", "TOL-007", "STR-005", "MID-004")
"""Rules that what nobody is told of breaks too."""


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


@plant(FAULTS, "flush_while_one_waits", "a flush is over before a subscriber that waits has come back", "EVT-043")
def flush_while_one_waits(spoiled: Spoiled) -> bool:
    """Let a subscriber that waits go on behind the flush that it kept."""
    for stay in stays_of(spoiled.reading):
        behind = [act.done for act in spoiled.transcript.of_kind("flush") if act.began > stay.began and act.done]
        if stay.subscriber and behind and behind[0] > stay.ended:
            told = [at for at, _ in spoiled.transcript.events[stay.subscriber] if stay.ended < at < behind[0]]
            late = [spoiled.log[at] for at in (stay.ended, *told)]
            spoiled.insert(behind[0], *late)
            for at in reversed((stay.ended, *told)):
                del spoiled.log[at]
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


@plant(FAULTS, "deafen_others", "who raises has the others told nothing more", "EVT-052", also=TOLD_OF)
def deafen_others(spoiled: Spoiled) -> bool:
    """Take from all others what they are told from the place on at which a subscriber first raised."""
    events = spoiled.transcript.events
    for raiser, at in first_raised(spoiled.transcript).items():
        keys = {event["uuid"] for _, event in events[raiser][at:]}
        lost = [one for name in spoiled.subscribers() if name != raiser for _, one in events.get(name, [])]
        lost = [event for event in lost if event["uuid"] in keys]
        if lost:
            spoiled.drop(lost)
            return True
    return False


@plant(FAULTS, "deafen_who_raises", "who raises is told nothing more", "EVT-052", also=TOLD_OF)
def deafen_who_raises(spoiled: Spoiled) -> bool:
    """Take from a subscriber what it is told behind the event at which it first raised."""
    for raiser, at in first_raised(spoiled.transcript).items():
        lost = [event for _, event in spoiled.transcript.events[raiser][at + 1 :]]
        others = [name for name in spoiled.subscribers() if name != raiser]
        if lost and others and raiser in spoiled.subscribers():
            spoiled.drop(lost)
            return True
    return False
