"""Planted faults of what waits when an event is published (EVT-057), and of who waits that is told (EVT-058)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.scenario.callbacks import PUBLISHED, TOLD, callback_named

FAULTS: dict[str, Fault] = {}

WHO_IS_TOLD = frozenset((TOLD,))


def _places(spoiled: Spoiled, fact: str, parts: frozenset[str] = PUBLISHED) -> list[int]:
    """Return where a callback of these parts waits, or goes on."""
    found = enumerate(spoiled.log)
    return [at for at, row in found if row["fact"] == fact and callback_named(row["callback"]).part in parts]


@plant(
    FAULTS, "overtake_held", "who is told is told before a sanitizer that waits goes on", "EVT-057", also=("REF-000",)
)
def overtake_held(spoiled: Spoiled) -> bool:
    """Tell the first event that is told behind the sanitizer's stay before it goes on."""
    gone = _places(spoiled, "resume")
    told = [at for at, row in enumerate(spoiled.log) if gone and row["fact"] == "event" and at > gone[0]]
    if not told:
        return False
    early: Json = spoiled.log.pop(told[0])
    spoiled.log.insert(gone[0], early)
    return True


@plant(FAULTS, "tell_who_waits", "a subscriber that waits is told of the next thing", "EVT-058")
def tell_who_waits(spoiled: Spoiled) -> bool:
    """Tell a subscriber the next event before it goes on."""
    for gone in _places(spoiled, "resume", WHO_IS_TOLD):
        name = callback_named(spoiled.log[gone]["callback"]).step
        told = [at for at, _ in spoiled.transcript.events.get(name, []) if at > gone]
        if told:
            spoiled.log.insert(told[0], spoiled.log.pop(gone))
            return True
    return False


@plant(FAULTS, "wait_for_held", "the program waits for a sanitizer that waits", "EVT-057")
def wait_for_held(spoiled: Spoiled) -> bool:
    """Let the program do what comes before it opens the latch when the sanitizer has gone on."""
    return _waits_for(spoiled, PUBLISHED)


@plant(FAULTS, "wait_for_who_is_told", "the program waits for a subscriber that waits", "EVT-058")
def wait_for_who_is_told(spoiled: Spoiled) -> bool:
    """Let the program do what comes before it opens the latch when the subscriber has gone on."""
    return _waits_for(spoiled, WHO_IS_TOLD)


def _waits_for(spoiled: Spoiled, parts: frozenset[str]) -> bool:
    stood, gone = _places(spoiled, "wait", parts), _places(spoiled, "resume", parts)
    if not stood:
        return False
    # who waits may come back some time after the program opened the latch: until then it waited for nobody
    before = [at for at in _done_before_opening(spoiled) if stood[0] < at < gone[0]]
    if not before:
        return False
    resumed: Json = spoiled.log.pop(gone[0])
    spoiled.log.insert(before[-1], resumed)
    return True


def _done_before_opening(spoiled: Spoiled) -> list[int]:
    """Return where the program did what comes before it opens a latch."""
    opened = [act.done for act in spoiled.transcript.of_kind("open") if act.done is not None]
    done = [act.done for act in spoiled.transcript.acts if act.within is None and act.done is not None]
    return [at for at in done if opened and at < opened[0]]
