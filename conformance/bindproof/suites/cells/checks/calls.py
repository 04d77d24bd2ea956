"""Checks of the chapter *Calls* (CAL)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bindproof.suite_api import Evidence, Json
from bindproof.suites.cells.checks.common import Check, Found, differs, each, register, wrong
from bindproof.suites.cells.checks.ends import completed, last_of
from bindproof.suites.cells.output import Item, printed
from bindproof.suites.cells.reading import TERMINAL, Answer, Cell, Reading

CHECKS: dict[str, Check] = {}


@register(CHECKS, "CAL-001")
def given(reading: Reading) -> Found:
    """A tool is called once, with what the program gives it."""
    found: list[Evidence] = []
    seen: set[tuple[str, str]] = set()
    calls = [(n, r) for n, r in enumerate(reading.log) if r["fact"] == "called" and r["cell"] in reading.cells]
    for index, record in calls:
        program = reading.cells[record["cell"]].program
        due = next((one.get("input") for one in program if one.get("name") == record["call"]), None)
        found += differs(reading, index, "the tool is given what the program gives it", due, record["input"])
        if (record["cell"], record["call"]) in seen:
            found.append(wrong(reading, index, "a tool is called once", 1, 2))
        seen.add((record["cell"], record["call"]))
    return found if calls else None


def told_items(cell: Cell) -> Iterator[tuple[Answer, int, Item, Json]]:
    """Yield each item that was told with the place in its answer, and what the program put out there."""
    due = iter(printed(cell.program))
    for one in cell.parts():
        for place, item in enumerate(one.items):
            expected = next(due, None)
            if expected is None:
                return
            yield one, place, expected, item


@register(CHECKS, "CAL-002")
def given_back(reading: Reading) -> Found:
    """What a tool answers is what the program is given."""
    found: list[Evidence] = []
    judged = False
    for cell in reading.cells.values():
        twins = tuple(one.index for one in cell.told if one.kind == "terminated")
        for one, _, due, item in told_items(cell):
            if due.do["do"] == "call" and isinstance(item, dict):
                judged = True
                text = "the program is given what the tool answers"
                found += differs(reading, one.index, text, due.do["input"], item.get("text"), twins)
    return found if judged else None


@register(CHECKS, "CAL-003")
def failing(reading: Reading) -> Found:
    """A tool that fails throws in the program."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        message = f"{last_of(reading.cells[one.cell])['name']} fails"
        error = one.outcome.get("error_text")
        found = isinstance(error, str) and message in error
        return [] if found else [wrong(reading, one.index, "the tool's error is told", message, error)]

    return each(reading, completed(reading, "call"), judge)


@register(CHECKS, "CAL-004")
def notified(reading: Reading) -> Found:
    """Notifications are delivered before a cell is completed."""

    def judge(reading: Reading, one: Answer) -> Iterable[Evidence]:
        for name in _notes(reading.cells[one.cell]):
            at = [
                n
                for n, r in enumerate(reading.log)
                if r["fact"] == "notified" and (r["cell"], r["note"]) == (one.cell, name)
            ]
            if not at or at[0] > one.index:
                also = tuple(at)
                lane = f"note {one.cell}/{name}"
                text = "a notification is delivered before the cell is completed"
                yield Evidence(
                    lane, text, at[0] if at else None, "before", "later" if at else "(nothing)", also=(*also, one.index)
                )

    found = [one for one in completed(reading, None, "throw", "call") if _notes(reading.cells[one.cell])]
    return each(reading, found, judge)


def _notes(cell: Cell) -> list[str]:
    end = printed_end(cell)
    return [one["name"] for one in cell.program[:end] if one["do"] == "notify"]


def printed_end(cell: Cell) -> int:
    """Return where a cell's program ends."""
    last = last_of(cell)
    return cell.program.index(last) if last is not None else len(cell.program)


@register(CHECKS, "CAL-005")
def cancelled_first(reading: Reading) -> Found:
    """What has no answer is cancelled before the end of its cell is told."""
    found: list[Evidence] = []
    judged = False
    for cell in reading.cells.values():
        ends = [one for one in cell.told if one.kind in TERMINAL and not one.ended and not one.foreign]
        for record in reading.log:
            if (
                record["fact"] != "called"
                or record["cell"] != cell.name
                or not _unanswered(reading, cell, record["call"])
            ):
                continue
            for end in ends:
                judged = True
                found += _late(reading, cell, record["call"], end)
    return found if judged else None


def _unanswered(reading: Reading, cell: Cell, call: str) -> bool:
    do = next((one["do"] for one in cell.program if one.get("name") == call), None)
    released = any(
        step["step"] == "release" and (step["cell"], step["latch"]) == (cell.name, call) for step in reading.steps
    )
    return do == "leave" or (do == "latch" and not released)


def _late(reading: Reading, cell: Cell, call: str, end: Answer) -> Iterator[Evidence]:
    at = [
        n for n, r in enumerate(reading.log) if r["fact"] == "cancelled" and (r["cell"], r["call"]) == (cell.name, call)
    ]
    if not at or at[0] > end.index:
        text = "a call without an answer is cancelled before the end of its cell is told"
        observed = "later" if at else "(nothing)"
        yield Evidence(f"call {cell.name}/{call}", text, at[0] if at else None, "before", observed, also=(end.index,))
