"""Checks of the chapter *Retries* (AGN)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bindproof.suite_api import Evidence, Json
from bindproof.suites.interaction.checks.common import Check, Found, astray, each, register
from bindproof.suites.interaction.observation import PROGRAM
from bindproof.suites.interaction.reading import Part, Reading
from bindproof.suites.interaction.trying import LASTING, PASSING, pause, tried

CHECKS: dict[str, Check] = {}

Owed = tuple[str, int, list[int]]
"""A model, how often it is to be called, and where it is."""


def _judged(
    reading: Reading, wanted: Callable[[Json, Owed], bool], judge: Callable[[Owed], Iterator[Evidence]]
) -> Found:
    """Judge the models of each step that are wanted; None where there are none."""
    found = [one for part in reading.met for one in part.owed if wanted(part.fate.step, one)]
    return [evidence for one in found for evidence in judge(one)] if found else None


def _no_more(text: str) -> Callable[[Owed], Iterator[Evidence]]:
    def judge(owed: Owed) -> Iterator[Evidence]:
        _, due, places = owed
        if len(places) > due:
            yield astray(text, due, len(places))

    return judge


def _fails(reading: Reading, step: Json, owed: Owed) -> bool:
    return not tried(reading.scenario, step, owed[0])[1]


@register(CHECKS, "AGN-001")
def again(reading: Reading) -> Found:
    """A call that fails for a reason that may pass is made again."""

    def judge(owed: Owed) -> Iterator[Evidence]:
        _, due, places = owed
        if len(places) < due:
            yield astray("a call that fails for a reason that may pass is made again", due, len(places))

    return _judged(reading, lambda _, owed: owed[1] > 1, judge)


@register(CHECKS, "AGN-002")
def no_more_than(reading: Reading) -> Found:
    """A call is made again so many times at most."""
    if not reading.scenario["idempotent"]:
        return None
    passing = _no_more("a call is made again as often as it may")
    return _judged(reading, lambda step, owed: step["error"] in PASSING and _fails(reading, step, owed), passing)


@register(CHECKS, "AGN-003")
def safe(reading: Reading) -> Found:
    """Where the provider promises no idempotency no call is made again."""
    if reading.scenario["idempotent"]:
        return None
    unsafe = _no_more("a call whose repetition is not safe is made once")
    return _judged(reading, lambda step, owed: _fails(reading, step, owed), unsafe)


@register(CHECKS, "AGN-004")
def lasting(reading: Reading) -> Found:
    """What will not pass is not tried again."""
    if not reading.scenario["idempotent"]:
        return None
    once = _no_more("a call that fails for a reason that stays is made once")
    return _judged(reading, lambda step, owed: step["error"] in LASTING and _fails(reading, step, owed), once)


@register(CHECKS, "AGN-005")
def unknown(reading: Reading) -> Found:
    """What is not known to pass is not tried again."""
    if not reading.scenario["idempotent"]:
        return None
    once = _no_more("a call that fails for an unknown reason is made once")
    return _judged(
        reading,
        lambda step, owed: step["error"] not in (*PASSING, *LASTING) and _fails(reading, step, owed),
        once,
    )


@register(CHECKS, "AGN-006")
def pauses(reading: Reading) -> Found:
    """The pause before a call that is made again doubles each time."""

    def judge(part: Part) -> Iterator[Evidence]:
        for _, due, places in part.owed:
            for nth, at in enumerate(places[1:due], 2):
                shortest, longest = pause(reading.scenario, nth)
                seen = part.log[at]["waited"]
                if not shortest <= seen <= longest:
                    text = "the pause before a call that is made again doubles each time"
                    yield Evidence(PROGRAM, text, at, [shortest, longest], seen, "/waited")

    return each((part for part in reading.met if any(due > 1 < len(places) for _, due, places in part.owed)), judge)
