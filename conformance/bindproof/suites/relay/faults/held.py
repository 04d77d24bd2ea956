"""Planted faults of what waits when an event is published (EVT-057)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.scenario.callbacks import PUBLISHED, callback_named

FAULTS: dict[str, Fault] = {}


def _places(spoiled: Spoiled, fact: str) -> list[int]:
    """Return where what runs when an event is published waits, or goes on."""
    found = enumerate(spoiled.log)
    return [at for at, row in found if row["fact"] == fact and callback_named(row["callback"]).part in PUBLISHED]


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


@plant(FAULTS, "wait_for_held", "the program waits for a sanitizer that waits", "EVT-057")
def wait_for_held(spoiled: Spoiled) -> bool:
    """Let the program do what comes before it opens the latch when the sanitizer has gone on."""
    stood, gone = _places(spoiled, "wait"), _places(spoiled, "resume")
    done = [at for at, row in enumerate(spoiled.log) if row["fact"] == "done" and stood and at < gone[0]]
    before = [at for at in done if spoiled.log[at]["step"] not in _opening(spoiled)]
    if not before or before[-1] < stood[0]:
        return False
    resumed: Json = spoiled.log.pop(gone[0])
    spoiled.log.insert(before[-1], resumed)
    return True


def _opening(spoiled: Spoiled) -> list[str]:
    return [act.step["as"] for act in spoiled.transcript.of_kind("open")]
