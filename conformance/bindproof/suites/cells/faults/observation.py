"""Faults of the chapter *Observation* (OBS)."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.cells.faults.spoiled import PLANTED, Spoiled, first, plant
from bindproof.suites.cells.output import printed

FAULTS: dict[str, Fault] = {}


@plant(
    FAULTS, "told_twice", "the last item of a yield is told again", "OBS-001", also=("CAL-002", "SES-001", "SES-006")
)
def _(spoiled: Spoiled) -> bool:
    for one in spoiled.answers("yielded"):
        later = [other for other in spoiled.cell(one).parts() if other.index > one.index]
        plain = all(item.do["do"] == "text" for item in printed(spoiled.cell(one).program))
        if plain and one.items and later and later[0].kind == "completed" and spoiled.last(later[0]):
            return spoiled.edit(later[0], content_items=[one.items[-1], *later[0].items])
    return False


@plant(FAULTS, "drops_the_last", "the last item of a completed cell is not told", "OBS-002")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.answers("completed") if one.items and not one.ended)
    return first(found, lambda one: spoiled.edit(one, content_items=one.items[:-1]))


@plant(FAULTS, "yields_too_little", "a yield of a cell that stands holds an item back", "OBS-003")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.answers("yielded") if one.standing is not None)
    return first(found, spoiled.held_back)


@plant(FAULTS, "yields_too_early", "a program's own yield holds an item back", "OBS-004")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.answers("yielded") if one.first and not (one.nudged or one.timed))
    return first(found, spoiled.held_back)


@plant(FAULTS, "yields_late", "a yield that nobody observed ends the next observation", "OBS-005", also=("END-009",))
def _(spoiled: Spoiled) -> bool:
    for one in spoiled.answers("completed"):
        if one.over and not one.asked and spoiled.last(one):
            outcome = {key: value for key, value in one.outcome.items() if key != "error_text"}
            return spoiled.outcome(one, outcome | {"type": "yielded"})
    return False


@plant(FAULTS, "busy_otherwise", "who comes second is refused for another reason", "OBS-006")
def _(spoiled: Spoiled) -> bool:
    for index, step, record in spoiled.reading.of("observe"):
        if step["count"] > 1 and record["value"]["errors"]:
            spoiled.log[index] = {**record, "value": {"errors": [PLANTED, *record["value"]["errors"][1:]]}}
            return True
    return first((one for one in spoiled.reading.answers if one.second and one.error), spoiled.fail)


@plant(FAULTS, "disturbed", "an observation that was taken fails", "OBS-007", also=("END-009",))
def _(spoiled: Spoiled) -> bool:
    for one in spoiled.answers("completed"):
        plain = not (one.asked or one.ended or one.over or one.nudged or one.timed or one.second or one.cancelled)
        before = [other for other in spoiled.cell(one).told if other.index < one.index]
        if plain and spoiled.last(one) and not any(other.cancelled for other in before):
            return spoiled.fail(one)
    return False


@plant(FAULTS, "cancelled_otherwise", "an observation that is cancelled fails for another reason", "OBS-008")
def _(spoiled: Spoiled) -> bool:
    return first((one for one in spoiled.reading.answers if one.cancelled), spoiled.fail)


@plant(FAULTS, "no_room", "who observes after one that was cancelled is refused", "OBS-009", also=("END-009",))
def _(spoiled: Spoiled) -> bool:
    for cell in spoiled.reading.cells.values():
        for at, one in enumerate(cell.told[:-1]):
            after = cell.told[at + 1]
            if one.cancelled and not (after.asked or after.second) and after.error is None and spoiled.last(after):
                return spoiled.fail(after)
    return False


def _not_yielded(spoiled: Spoiled, which: str) -> bool:
    for one in spoiled.answers("yielded"):
        if getattr(one, which) and (not one.items or spoiled.last(one)):
            before = [other for other in spoiled.cell(one).told if other.index < one.index]
            if not any(other.cancelled for other in before):
                return spoiled.fail(one)
    return False


@plant(FAULTS, "no_deadline", "an observation fails at its deadline", "OBS-010")
def _(spoiled: Spoiled) -> bool:
    return _not_yielded(spoiled, "timed")


@plant(FAULTS, "no_yield", "an observation that is asked to yield fails", "OBS-011")
def _(spoiled: Spoiled) -> bool:
    return _not_yielded(spoiled, "nudged")
