"""Faults of the chapter *Sessions* (SES)."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.cells.faults.spoiled import PLANTED, Spoiled, first, plant
from bindproof.suites.cells.output import printed, written
from bindproof.suites.cells.reading import Answer, Cell

FAULTS: dict[str, Fault] = {}


def _throws(cell: Cell) -> bool:
    return any(one["do"] in ("throw",) or one.get("fails") for one in cell.program)


def _loads(spoiled: Spoiled) -> list[tuple[Cell, Answer, int, str, bool]]:
    """Return each load that was told alone: cell, answer, place in it, key, and whether the cell stored that itself."""
    found = []
    for cell in spoiled.reading.cells.values():
        due = iter(printed(cell.program))
        for one in cell.parts():
            for place, _ in enumerate(one.items):
                item = next(due)
                if item.do["do"] == "load" and (one.kind != "terminated" or spoiled.alone(one)):
                    before = cell.program[: item.statement]
                    own = any(do["do"] == "store" and do["key"] == item.do["key"] for do in before)
                    found.append((cell, one, place, item.do["key"], own))
    return found


def _ended(cell: Cell, kind: str) -> int | None:
    return next((one.index for one in cell.ends if one.kind == kind), None)


def _unsaid(spoiled: Spoiled, thrown: bool) -> bool:
    """Have a load find nothing of what a cell stored that was completed."""
    for cell, one, place, key, own in _loads(spoiled):
        ends = [(other, _ended(other, "completed")) for other in spoiled.reading.cells.values()]
        before = [
            other
            for other, end in ends
            if end is not None
            and end < cell.created
            and other.session == cell.session
            and key in written(other.program)
        ]
        if before and not own and all(_throws(other) == thrown for other in before):
            return spoiled.text(one, place, "planted")
    return False


@plant(FAULTS, "not_stored", "what a cell stored is not there for the next", "SES-001")
def _(spoiled: Spoiled) -> bool:
    return _unsaid(spoiled, thrown=False)


@plant(FAULTS, "not_stored_after_an_error", "what a cell stored that threw is not there for the next", "SES-002")
def _(spoiled: Spoiled) -> bool:
    return _unsaid(spoiled, thrown=True)


def _leak(spoiled: Spoiled, kind: str, same_session: bool, after: bool) -> bool:
    """Have a load that finds nothing find what another cell stored."""
    for cell, one, place, key, own in _loads(spoiled):
        if own or one.items[place].get("text") != "(absent)":
            continue
        for other in spoiled.reading.cells.values():
            end = _ended(other, kind)
            late = end is not None and end > cell.created
            if (
                end is None
                or other is cell
                or (other.session == cell.session) != same_session
                or (same_session and late != after)
            ):
                continue
            if key in written(other.program):
                return spoiled.text(one, place, written(other.program)[key])
    return False


@plant(FAULTS, "terminated_stores", "what a terminated cell stored is there", "SES-003")
def _(spoiled: Spoiled) -> bool:
    return _leak(spoiled, "terminated", same_session=True, after=False)


@plant(FAULTS, "sees_the_present", "a cell sees what is stored after it was created", "SES-004")
def _(spoiled: Spoiled) -> bool:
    return _leak(spoiled, "completed", same_session=True, after=True)


@plant(FAULTS, "shares_with_others", "a session sees what another one stored", "SES-005")
def _(spoiled: Spoiled) -> bool:
    return _leak(spoiled, "completed", same_session=False, after=False)


@plant(FAULTS, "forgets_its_own", "a cell does not see what it stored itself", "SES-006")
def _(spoiled: Spoiled) -> bool:
    return any(own and spoiled.text(one, place, "planted") for _, one, place, _, own in _loads(spoiled))


@plant(FAULTS, "knows_others", "a session knows a cell of another one", "SES-007")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.reading.answers if one.foreign and one.kind == "missing")
    return first(found, lambda one: spoiled.edit(one, type="terminated", content_items=[]))


@plant(FAULTS, "shuts_down_early", "a session is gone before its observers are told", "SES-008", also=("END-009",))
def _(spoiled: Spoiled) -> bool:
    for index, step, record in spoiled.reading.of("shutdown"):
        told = [
            one
            for one in spoiled.answers("terminated")
            if not one.asked
            and one.index < index
            and spoiled.cell(one).session == step["session"]
            and spoiled.alone(one)
        ]
        if "value" in record and told:
            return spoiled.move(told[-1].index, index)
    return False


def _refused(spoiled: Spoiled, kind: str) -> bool:
    """Have a step about a session that is refused be refused for another reason."""
    open_, closed = set(), set()
    for number, step in enumerate(spoiled.reading.steps):
        session = step.get("session")
        if session is None or number not in spoiled.reading.done:
            continue
        index = spoiled.reading.done[number]
        record = spoiled.log[index]
        if "error" in record:
            what = "reused" if session in closed else "already_open"
            if (what if step["step"] == "open" else "unknown_session") == kind:
                spoiled.log[index] = {**record, "error": PLANTED}
                return True
        elif step["step"] == "open":
            open_.add(session)
        elif step["step"] == "shutdown":
            closed.add(session)
    return False


@plant(FAULTS, "no_such_session_otherwise", "a session that is not open is refused for another reason", "SES-009")
def _(spoiled: Spoiled) -> bool:
    return _refused(spoiled, "unknown_session")


@plant(FAULTS, "already_open_otherwise", "a session that is open is refused for another reason", "SES-010")
def _(spoiled: Spoiled) -> bool:
    return _refused(spoiled, "already_open")


@plant(FAULTS, "reused_otherwise", "a session that was shut down is refused for another reason", "SES-011")
def _(spoiled: Spoiled) -> bool:
    return _refused(spoiled, "reused")


@plant(FAULTS, "one_id_for_two", "two cells of a session have one id", "SES-012", also=("SHP-006",))
def _(spoiled: Spoiled) -> bool:
    given: dict[str, str] = {}
    for index, step, record in spoiled.reading.of("create"):
        if "value" not in record:
            continue
        if step["session"] in given:
            other = given[step["session"]]
            spoiled.log[index] = {**record, "value": {"cell_id": other}}
            return True
        given[step["session"]] = record["value"]["cell_id"]
    return False
