"""Checks of the chapter *Ends* (END)."""

from __future__ import annotations

from collections.abc import Iterable

from bindproof.suite_api import Evidence, Json, same
from bindproof.suites.cells.checks.common import Check, Found, differs, each, known, register, wrong
from bindproof.suites.cells.output import ends_at
from bindproof.suites.cells.reading import Answer, Cell, Reading

CHECKS: dict[str, Check] = {}


def last_of(cell: Cell) -> Json:
    """Return the statement by which a program ends, None where it runs out."""
    end = ends_at(cell.program)
    return cell.program[end] if end < len(cell.program) else None


def completed(reading: Reading, *ends: str | None) -> list[Answer]:
    """Return what told that a cell is completed whose program ends by one of these."""
    found = [one for one in known(reading) if one.kind == "completed" and not one.ended]
    return [one for one in found if (last_of(reading.cells[one.cell]) or {}).get("do") in ends]


@register(CHECKS, "END-001")
def no_error(reading: Reading) -> Found:
    """A cell whose program runs out has no error."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        return differs(reading, one.index, "there is no error", None, one.outcome.get("error_text"))

    return each(reading, completed(reading, None), judge)


@register(CHECKS, "END-002")
def an_error(reading: Reading) -> Found:
    """A cell whose program throws is completed with the error's message."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        message = last_of(reading.cells[one.cell])["message"]
        error = one.outcome.get("error_text")
        found = isinstance(error, str) and message in error
        return [] if found else [wrong(reading, one.index, "the error's message is told", message, error)]

    return each(reading, completed(reading, "throw"), judge)


def _live(reading: Reading) -> list[Answer]:
    """Return the terminations of cells that stood."""
    asked = [one for one in known(reading) if one.asked]
    return [one for one in asked if not (one.ended or one.over) and one.standing is not None]


def _busy(reading: Reading, one: Answer) -> bool:
    return one.standing is not None and bool(reading.cells[one.cell].program[one.standing]["do"] == "busy")


@register(CHECKS, "END-003")
def an_end_stays(reading: Reading) -> Found:
    """Who terminates a cell that is over is told that it is completed."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        return differs(reading, one.index, "a cell that is over is completed", "completed", one.kind)

    return each(reading, [one for one in known(reading) if one.asked and one.over], judge)


@register(CHECKS, "END-004")
def terminated(reading: Reading) -> Found:
    """Who terminates a cell that stands is told so, with what was told to nobody."""

    def judge(reading: Reading, one: Answer) -> Iterable[Evidence]:
        cell = reading.cells[one.cell]
        twins = tuple(other.index for other in cell.ends if other.kind == "terminated" and other is not one)
        if one.kind != "terminated":
            yield wrong(reading, one.index, "the cell is terminated", "terminated", one.kind or one.error, twins)
            return
        told, due = cell.before(one) + len(one.items), cell.due_at(one)
        yield from differs(reading, one.index, "what was told to nobody is told now", due, told, twins)

    return each(reading, [one for one in _live(reading) if not _busy(reading, one)], judge)


@register(CHECKS, "END-005")
def both_are_told(reading: Reading) -> Found:
    """Who observes a cell that is terminated is told the same as who terminates it."""

    def judge(reading: Reading, one: Answer) -> Iterable[Evidence]:
        told = reading.cells[one.cell].told
        twins = [other for other in told if other.asked and not (other.ended or other.foreign) and other.outcome]
        for twin in twins:
            if not same(twin.outcome, one.outcome):
                told = one.outcome or one.error
                yield wrong(reading, one.index, "both are told the same", twin.outcome, told)

    return each(reading, _observed_ends(reading), judge)


def _observed_ends(reading: Reading) -> list[Answer]:
    """Return the observations that were waited for when their cell was terminated."""
    found = []
    for one in known(reading):
        told = reading.cells[one.cell].told
        asked = [other for other in told if other.asked and not (other.ended or other.over or other.foreign)]
        usual = not (one.asked or one.ended or one.second or one.cancelled or one.nudged or one.timed)
        if usual and one.standing is not None and any(other.step > one.step for other in asked):
            found.append(one)
    return found


@register(CHECKS, "END-006")
def gone(reading: Reading) -> Found:
    """A cell whose end was told is missing, for both operations."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        return differs(reading, one.index, "a cell whose end was told is missing", "missing", one.kind)

    return each(reading, [one for one in known(reading) if one.ended], judge)


@register(CHECKS, "END-007")
def nobody(reading: Reading) -> Found:
    """An id that no cell was given is missing."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        return differs(reading, one.index, "a cell that never was is missing", "missing", one.kind)

    never = [one for one in reading.answers if one.cell not in reading.cells and not one.shut and not one.second]
    return each(reading, never, judge)


@register(CHECKS, "END-008")
def busy(reading: Reading) -> Found:
    """A cell that computes for ever can be terminated."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        closed = tuple(n for n, r in enumerate(reading.log) if r["fact"] == "closed" and r["cell"] == one.cell)
        text = "a cell that computes is terminated"
        return (
            []
            if one.kind == "terminated"
            else [wrong(reading, one.index, text, "terminated", one.kind or one.error, closed)]
        )

    return each(reading, [one for one in _live(reading) if _busy(reading, one)], judge)


@register(CHECKS, "END-009")
def closed_last(reading: Reading) -> Found:
    """The host says once that a cell is gone, after its end was told."""
    found: list[Evidence] = []
    closings = [(n, r["cell"]) for n, r in enumerate(reading.log) if r["fact"] == "closed"]
    for cell in reading.cells.values():
        at = [n for n, name in closings if name == cell.name]
        for again in at[1:]:
            found.append(wrong(reading, again, "a cell is gone once", 1, len(at)))
        late = [one for one in cell.ends if at and one.index > at[0]]
        if late:
            also = tuple(one.index for one in late)
            found.append(wrong(reading, at[0], "its end is told before a cell is gone", "later", "earlier", also))
    return found if closings else None
