"""Checks of the chapter *Observation* (OBS)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.suite_api import Evidence, Json
from bindproof.suites.cells.checks.common import Check, Found, differs, each, known, register, wrong
from bindproof.suites.cells.output import ends_at, printed
from bindproof.suites.cells.reading import Answer, Cell, Reading

CHECKS: dict[str, Check] = {}


def _told(reading: Reading) -> list[Answer]:
    """Return what observations of cells that may be live came back with."""
    return [one for one in known(reading) if not one.asked and not one.ended]


def _later(cell: Cell, one: Answer) -> tuple[int, ...]:
    return tuple(other.index for other in cell.told if other.index > one.index)


@register(CHECKS, "OBS-001")
def in_order_and_once(reading: Reading) -> Found:
    """What is told of a cell, put together, is how its output begins."""
    cells = [cell for cell in reading.cells.values() if any(one.items for one in cell.parts())]
    return [evidence for cell in cells for evidence in _ordered(reading, cell)] if cells else None


def _ordered(reading: Reading, cell: Cell) -> Iterator[Evidence]:
    due = printed(cell.program)
    at = 0
    for one in cell.parts():
        for item in one.items:
            if at >= len(due) or not due[at].is_of(item):
                expected = due[at].do if at < len(due) else None
                text = "each item is told once, in the order in which the program puts it out"
                twins = tuple(other.index for other in cell.told if other.kind == "terminated")
                yield wrong(reading, one.index, text, expected, item, (*_later(cell, one), *twins))
                return
            at += 1


@register(CHECKS, "OBS-002")
def nothing_is_left_out(reading: Reading) -> Found:
    """A cell that is completed has told all of its output."""

    def judge(reading: Reading, one: Answer) -> Iterator[Evidence]:
        cell = reading.cells[one.cell]
        told, due = cell.before(one) + len(one.items), len(printed(cell.program))
        if told < due:
            yield wrong(reading, one.index, "a completed cell has told all its items", due, told)

    return each(reading, [one for one in known(reading) if one.kind == "completed" and not one.ended], judge)


def _stood(reading: Reading, one: Answer) -> Iterator[Evidence]:
    """Yield evidence unless all that came before the place of a cell was told."""
    cell = reading.cells[one.cell]
    told, due = cell.before(one) + len(one.items), cell.due_at(one)
    if told < due:
        yield wrong(reading, one.index, "all that was put out so far has been told", due, told, _later(cell, one))


@register(CHECKS, "OBS-003")
def a_yield_tells_all(reading: Reading) -> Found:
    """A yield of a cell that stands tells all that it has put out."""
    return each(reading, [one for one in _told(reading) if one.kind == "yielded" and one.standing is not None], _stood)


@register(CHECKS, "OBS-004")
def a_program_yields(reading: Reading) -> Found:
    """A program that yields ends the observation there, and only there."""

    def judge(reading: Reading, one: Answer) -> Iterator[Evidence]:
        cell = reading.cells[one.cell]
        yields = [n for n, do in enumerate(cell.program[: ends_at(cell.program)]) if do["do"] == "yield"]
        later = _later(cell, one)
        if one.kind == "completed":
            if yields:
                yield wrong(
                    reading, one.index, "a program that yields ends its first observation", "yielded", one.kind, later
                )
            return
        told = cell.before(one) + len(one.items)
        places = [cell.due(n) for n in yields]
        if told not in places:
            yield wrong(reading, one.index, "all that came before the yield has been told", places, told, later)

    own = [one for one in _told(reading) if not (one.nudged or one.timed)]
    yielded = [one for one in own if one.kind == "yielded" and (one.first or one.released)]
    return each(reading, [*yielded, *(one for one in own if one.first and one.kind == "completed")], judge)


@register(CHECKS, "OBS-005")
def nobody_is_told_of_an_earlier_yield(reading: Reading) -> Found:
    """An observation of a cell that yielded before does not come back for that."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        later = _later(reading.cells[one.cell], one)
        closed = tuple(
            n for n, record in enumerate(reading.log) if record["fact"] == "closed" and record["cell"] == one.cell
        )
        text = "no yield of before ends an observation"
        return (
            [] if one.kind != "yielded" else [wrong(reading, one.index, text, "completed", one.kind, (*later, *closed))]
        )

    plain = [
        one
        for one in _told(reading)
        if one.error is None and not (one.first or one.released or one.nudged or one.timed or one.second)
    ]
    return each(reading, plain, judge)


def _kind(error: Json) -> Json:
    return error.get("kind") if isinstance(error, dict) else error


@register(CHECKS, "OBS-006")
def one_at_a_time(reading: Reading) -> Found:
    """Who observes a cell that is observed is refused."""
    found: list[Evidence] = []
    several = [(index, step, record) for index, step, record in reading.of("observe") if step["count"] > 1]
    for index, step, record in several:
        value = record.get("value")
        errors = value.get("errors") if isinstance(value, dict) else None
        kinds = [_kind(one) for one in errors] if isinstance(errors, list) else errors
        found += differs(reading, index, "all but one are refused as busy", ["busy"] * (step["count"] - 1), kinds)
    seconds = [one for one in _told(reading) if one.second]
    for one in seconds:
        kind = (one.error or {}).get("kind")
        found += differs(reading, one.index, "who comes second is refused as busy", "busy", kind)
    return found if several or seconds else None


def _outcome(reading: Reading, one: Answer) -> list[Evidence]:
    """Return evidence unless an observation came back with an outcome."""
    later = _later(reading.cells[one.cell], one)
    closed = tuple(
        n for n, record in enumerate(reading.log) if record["fact"] == "closed" and record["cell"] == one.cell
    )
    if one.error is None:
        return []
    return [wrong(reading, one.index, "the observation has an outcome", "an outcome", one.error, (*later, *closed))]


def _follows_a_cancelled(reading: Reading, one: Answer) -> bool:
    cell = reading.cells[one.cell]
    before = [other for other in cell.told if other.step < one.step and not other.second]
    return bool(before) and before[-1].cancelled


@register(CHECKS, "OBS-007")
def who_is_first_is_not_disturbed(reading: Reading) -> Found:
    """An observation that was taken has an outcome."""
    usual = [
        one
        for one in _told(reading)
        if not (one.second or one.cancelled or one.nudged or one.timed or _follows_a_cancelled(reading, one))
    ]
    return each(reading, usual, _outcome)


@register(CHECKS, "OBS-008")
def cancelled(reading: Reading) -> Found:
    """An observation that is cancelled comes back as such."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        kind = (one.error or {}).get("kind")
        return differs(reading, one.index, "it was cancelled", "cancelled", kind)

    return each(reading, [one for one in _told(reading) if one.cancelled], judge)


@register(CHECKS, "OBS-009")
def a_cancelled_one_makes_room(reading: Reading) -> Found:
    """Who observes after one that was cancelled is taken."""
    after = [one for one in _told(reading) if not (one.second or one.cancelled) and _follows_a_cancelled(reading, one)]
    return each(reading, after, _outcome)


def _yields(reading: Reading, one: Answer) -> list[Evidence]:
    later = _later(reading.cells[one.cell], one)
    return (
        []
        if one.kind == "yielded"
        else [wrong(reading, one.index, "it yields", "yielded", one.kind or one.error, later)]
    )


@register(CHECKS, "OBS-010")
def at_the_deadline(reading: Reading) -> Found:
    """An observation whose time is over while its cell stands yields."""
    timed = [one for one in _told(reading) if one.timed and not one.over and not one.second]
    return each(reading, [one for one in timed if not _follows_a_cancelled(reading, one)], _yields)


@register(CHECKS, "OBS-011")
def when_asked_to(reading: Reading) -> Found:
    """An observation that is asked to yield does."""
    return each(
        reading, [one for one in _told(reading) if one.nudged and not _follows_a_cancelled(reading, one)], _yields
    )
