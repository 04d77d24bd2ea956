"""Faults of the chapters *Ends* (END) and *Calls* (CAL)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.suite_api import Fault
from bindproof.suites.cells.faults.spoiled import Spoiled, first, plant
from bindproof.suites.cells.output import ends_at, printed
from bindproof.suites.cells.reading import Answer

FAULTS: dict[str, Fault] = {}


def _last(spoiled: Spoiled, one: Answer) -> str | None:
    program = spoiled.cell(one).program
    end = ends_at(program)
    return program[end]["do"] if end < len(program) else None


def _completed(spoiled: Spoiled, end: str | None) -> Iterator[Answer]:
    return (one for one in spoiled.answers("completed") if _last(spoiled, one) == end and not one.ended)


@plant(FAULTS, "error_of_nothing", "a program that runs out has an error", "END-001")
def _(spoiled: Spoiled) -> bool:
    return first(_completed(spoiled, None), lambda one: spoiled.edit(one, error_text="planted"))


@plant(FAULTS, "error_lost", "a program that throws has no error", "END-002")
def _(spoiled: Spoiled) -> bool:
    return first(_completed(spoiled, "throw"), lambda one: spoiled.edit(one, error_text=None))


@plant(FAULTS, "terminated_though_over", "a cell that is over is terminated", "END-003")
def _(spoiled: Spoiled) -> bool:
    for one in spoiled.answers("completed"):
        if one.asked and one.over:
            outcome = {key: value for key, value in one.outcome.items() if key != "error_text"}
            return spoiled.outcome(one, outcome | {"type": "terminated"})
    return False


def _asked(spoiled: Spoiled) -> Iterator[Answer]:
    for one in spoiled.answers("terminated"):
        if one.asked and one.standing is not None and spoiled.alone(one):
            yield one


@plant(FAULTS, "terminated_with_less", "a termination does not tell what is left", "END-004")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in _asked(spoiled) if one.items)
    return first(found, lambda one: spoiled.edit(one, content_items=one.items[:-1]))


@plant(FAULTS, "told_otherwise", "who observes a cell that is terminated is told less", "END-005")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.answers("terminated") if not one.asked and one.items and not spoiled.alone(one))
    return first(found, lambda one: spoiled.edit(one, content_items=[]))


@plant(FAULTS, "never_gone", "a cell whose end was told is terminated once more", "END-006")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.answers("missing") if one.ended)
    return first(found, lambda one: spoiled.edit(one, type="terminated", content_items=[]))


@plant(FAULTS, "nobody_is_refused", "an id that no cell has is an error", "END-007")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.reading.answers if one.kind == "missing" and one.cell not in spoiled.reading.cells)
    return first(found, spoiled.fail)


@plant(FAULTS, "busy_goes_on", "a cell that computes for ever is not terminated", "END-008", also=("END-005",))
def _(spoiled: Spoiled) -> bool:
    found = (one for one in _asked(spoiled) if spoiled.cell(one).program[one.standing or 0]["do"] == "busy")
    return first((one for one in found if not one.items), spoiled.fail)


@plant(FAULTS, "closed_twice", "the host says twice that a cell is gone", "END-009")
def _(spoiled: Spoiled) -> bool:
    for index, record in enumerate(spoiled.log):
        if record["fact"] == "closed":
            spoiled.log.insert(index + 1, dict(record))
            return True
    return False


@plant(FAULTS, "closed_first", "the host says that a cell is gone before its end is told", "END-009")
def _(spoiled: Spoiled) -> bool:
    for one in spoiled.answers("completed"):
        at = [n for n, r in enumerate(spoiled.log) if r["fact"] == "closed" and r["cell"] == one.cell]
        if at and at[0] > one.index and not one.ended and not one.asked:
            spoiled.log.insert(one.index, spoiled.log.pop(at[0]))
            return True
    return False


@plant(FAULTS, "given_otherwise", "a tool is given something else", "CAL-001")
def _(spoiled: Spoiled) -> bool:
    for index, record in enumerate(spoiled.log):
        if record["fact"] == "called":
            spoiled.log[index] = {**record, "input": "planted"}
            return True
    return False


@plant(FAULTS, "answer_lost", "a program is given another answer than the tool's", "CAL-002")
def _(spoiled: Spoiled) -> bool:
    for cell in spoiled.reading.cells.values():
        due = iter(printed(cell.program))
        for one in cell.parts():
            for place, _item in enumerate(one.items):
                if next(due).do["do"] == "call" and (one.kind != "terminated" or spoiled.alone(one)):
                    return spoiled.text(one, place, "planted")
    return False


@plant(FAULTS, "failure_lost", "a tool that fails does not throw", "CAL-003")
def _(spoiled: Spoiled) -> bool:
    return first(_completed(spoiled, "call"), lambda one: spoiled.edit(one, error_text=None))


@plant(FAULTS, "notified_late", "a notification is delivered after the end", "CAL-004")
def _(spoiled: Spoiled) -> bool:
    for one in spoiled.answers("completed"):
        at = [n for n, r in enumerate(spoiled.log) if r["fact"] == "notified" and r["cell"] == one.cell]
        if at and not one.ended:
            return spoiled.move(at[0], len(spoiled.log) - 1)
    return False


@plant(FAULTS, "cancelled_late", "a call is cancelled after the end of its cell", "CAL-005", also=("SES-008",))
def _(spoiled: Spoiled) -> bool:
    for one in spoiled.answers("completed", "terminated"):
        at = [n for n, r in enumerate(spoiled.log) if r["fact"] == "cancelled" and r["cell"] == one.cell]
        alone = one.kind == "completed" or spoiled.alone(one)
        waited = any(step["step"] in ("lost", "shutdown") for step in spoiled.reading.steps)
        if at and at[0] < one.index and not waited and alone and not one.ended:
            closed = [n for n, r in enumerate(spoiled.log) if r["fact"] == "closed" and r["cell"] == one.cell]
            return bool(closed) and spoiled.move(at[0], one.index)
    return False
