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


def _no_more(reading: Reading, of: Callable[[Json], bool], text: str, *, safe: bool = True) -> Found:
    """Judge that models that fail in such steps are called no more often than is due.

    safe: where the provider promises idempotency; else where it does not.
    """
    if bool(reading.scenario["idempotent"]) is not safe:
        return None

    def judge(owed: Owed) -> Iterator[Evidence]:
        _, due, places = owed
        if len(places) > due:
            yield astray(text, due, len(places))

    def wanted(step: Json, owed: Owed) -> bool:
        return of(step) and not tried(reading.scenario, step, owed[0])[1]

    return _judged(reading, wanted, judge)


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

    def opening(step: Json) -> bool:
        return step["error"] in PASSING and not step["begun"]

    return _no_more(reading, opening, "a call is made again as often as it may")


@register(CHECKS, "AGN-003")
def safe(reading: Reading) -> Found:
    """Where the provider promises no idempotency no call is made again."""
    return _no_more(reading, lambda _: True, "a call whose repetition is not safe is made once", safe=False)


@register(CHECKS, "AGN-004")
def lasting(reading: Reading) -> Found:
    """What will not pass is not tried again."""

    def stays(step: Json) -> bool:
        return step["error"] in LASTING

    return _no_more(reading, stays, "a call that fails for a reason that stays is made once")


@register(CHECKS, "AGN-005")
def unknown(reading: Reading) -> Found:
    """What is not known to pass is not tried again."""

    def nobody_knows(step: Json) -> bool:
        return step["error"] not in (*PASSING, *LASTING)

    return _no_more(reading, nobody_knows, "a call that fails for an unknown reason is made once")


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


@register(CHECKS, "AGN-007")
def begun(reading: Reading) -> Found:
    """A stream that broke when it had begun is not begun anew."""

    def broke(step: Json) -> bool:
        return step["error"] in PASSING and step["begun"]

    return _no_more(reading, broke, "a stream that had begun is not begun anew")
