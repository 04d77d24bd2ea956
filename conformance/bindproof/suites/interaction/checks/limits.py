"""Checks of the chapter *Limits and stops* (LIM, STP)."""

from __future__ import annotations

from bindproof.suite_api import Evidence
from bindproof.suites.interaction.checks.common import Check, Found, astray, comes_to, each, goes, is_last, register
from bindproof.suites.interaction.observation import PROGRAM
from bindproof.suites.interaction.reading import Part, Reading

CHECKS: dict[str, Check] = {}


@register(CHECKS, "LIM-001")
def calls(reading: Reading) -> Found:
    """A run calls in so many steps at most."""
    most = reading.scenario["most_calls"]
    if most is None or not reading.began:
        return None
    count = len(reading.of("event", "llm_called"))
    return [] if count <= most else [astray("the run calls no more often than it may", most, count)]


@register(CHECKS, "LIM-002")
def out_of_calls(reading: Reading) -> Found:
    """A run that wants one call too many fails for its budget."""
    last, most = reading.last, reading.scenario["most_calls"]
    if last is None or last.kind != "over_calls" or len(reading.of("event", "llm_called")) > most:
        return None  # what follows from a call too many is not judged here
    return comes_to(reading, "the run fails for its budget of calls", "over_budget")


@register(CHECKS, "LIM-003")
def steps(reading: Reading) -> Found:
    """A run takes so many steps at most."""
    most = reading.scenario["most_steps"]
    if most is None or not reading.began:
        return None
    text = "the run takes no more steps than it may"
    return [] if reading.begun <= most else [astray(text, most, reading.begun)]


@register(CHECKS, "LIM-004")
def out_of_steps(reading: Reading) -> Found:
    """A run that wants one step too many fails for that."""
    if not is_last(reading, "over_steps"):
        return None
    return comes_to(reading, "the run fails for its number of steps", "over_steps")


@register(CHECKS, "LIM-005")
def out_of_money(reading: Reading) -> Found:
    """A run whose cost is above its limit fails for its budget."""
    if not is_last(reading, "over_cost"):
        return None
    return comes_to(reading, "the run fails for its budget", "over_budget")


@register(CHECKS, "LIM-006")
def just_enough(reading: Reading) -> Found:
    """A run whose cost is its limit goes on."""

    def judge(part: Part) -> list[Evidence]:
        return goes("an answer that costs what is left is taken", 1, len(part.of("checkpoint", "post_llm")))

    most = reading.scenario["most_cost"]
    return each((part for part in reading.parts if part.fate.answered and part.fate.spent == most), judge)


@register(CHECKS, "LIM-007")
def not_kept(reading: Reading) -> Found:
    """An answer that costs too much is not kept."""
    kept = "checkpoint", "post_llm"
    text = "an answer that costs too much is not kept"
    return each(reading.parts_of("over_cost"), lambda part: goes(text, 0, len(part.of(*kept))))


def _stop(reading: Reading) -> str | None:
    """Return how a run is stopped while a model is called."""
    stopped = is_last(reading, "stopped")
    return reading.fates[-1].step["stop"] if stopped else None


def _stopped(reading: Reading, how: str, event: str, due: str) -> Found:
    if _stop(reading) != how or reading.end is None:
        return None
    events = [one["type"] for one in reading.log if one["fact"] == "event"][-1:]
    return [*(comes_to(reading, f"a run comes to {due}", due) or []), *goes("an event says so", [event], events)]


@register(CHECKS, "STP-001")
def cancelled(reading: Reading) -> Found:
    """A run that is cancelled returns nothing."""
    return _stopped(reading, "cancel", "run_cancelled", "nothing")


@register(CHECKS, "STP-002")
def interrupted(reading: Reading) -> Found:
    """A run that is interrupted fails as that."""
    return _stopped(reading, "interrupt", "run_interrupted", "interrupted")


@register(CHECKS, "STP-003")
def nothing_after(reading: Reading) -> Found:
    """Once a run is stopped no model is called."""
    if not reading.began:
        return goes("a run that is stopped before it begins calls no model", 0, len(reading.of("called")))
    if _stop(reading) is None:
        return None
    part = next(reading.parts_of("stopped"), None)
    if part is None:
        return None
    calls = part.of("called", part.fate.models[-1])[: part.fate.tries[-1]]
    at = calls[-1] if calls else len(reading.log)
    more = [place for place in reading.of("called") if place > at]
    return [Evidence(PROGRAM, "no model is called once the run is stopped", at, "(nothing)", "called") for at in more]


@register(CHECKS, "STP-004")
def before_it_begins(reading: Reading) -> Found:
    """A run that is stopped before it begins comes to the same as a later one."""
    if reading.began:
        return None
    due = {"cancel": "nothing", "interrupt": "interrupted"}[reading.scenario["stop"]]
    return comes_to(reading, f"the run comes to {due}", due)
