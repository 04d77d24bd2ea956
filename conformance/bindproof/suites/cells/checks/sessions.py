"""Checks of the chapter *Sessions* (SES)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from bindproof.suite_api import Evidence, Json
from bindproof.suites.cells.checks.calls import told_items
from bindproof.suites.cells.checks.common import Check, Found, differs, each, register, wrong
from bindproof.suites.cells.checks.ends import last_of
from bindproof.suites.cells.output import written
from bindproof.suites.cells.reading import Answer, Cell, Reading

CHECKS: dict[str, Check] = {}
ABSENT = "(absent)"


class Load(Struct):
    """A value that was loaded and told. due: what it has to be. source: who stored that, None where nobody did."""

    cell: Cell
    answer: Answer
    key: str
    told: Json
    due: str
    source: Cell | None
    own: bool


def _completed(cell: Cell) -> int | None:
    """Return the index of the record that told that a cell is completed."""
    return next((one.index for one in cell.ends if one.kind == "completed"), None)


def loads(reading: Reading) -> Iterator[Load]:
    """Yield what was loaded."""
    for cell in reading.cells.values():
        for answer, _, due, item in told_items(cell):
            if due.do["do"] == "load" and isinstance(item, dict):
                key = due.do["key"]
                before = [
                    one["value"] for one in cell.program[: due.statement] if one["do"] == "store" and one["key"] == key
                ]
                source = None if before else _source(reading, cell, key)
                value = before[-1] if before else written(source.program)[key] if source else ABSENT
                yield Load(cell, answer, key, item.get("text"), value, source, bool(before))


def _source(reading: Reading, cell: Cell, key: str) -> Cell | None:
    """Return the cell of the session that stored a key last before a cell was created."""
    found = None
    for end, other in sorted(
        ((_completed(one), one) for one in reading.cells.values() if _completed(one)), key=lambda p: p[0] or 0
    ):
        if end is not None and other.session == cell.session and end < cell.created and key in written(other.program):
            found = other
    return found


def _loaded(reading: Reading, found: Iterable[Load]) -> Found:
    picked = list(found)
    return [
        evidence
        for one in picked
        for evidence in differs(
            reading,
            one.answer.index,
            f"what is loaded of {one.key!r}",
            one.due,
            one.told,
            tuple(other.index for other in one.cell.told if other.kind == "terminated"),
        )
    ] if picked else None  # fmt: skip


def _thrown(cell: Cell | None) -> bool:
    last = last_of(cell) if cell is not None else None
    return last is not None and last["do"] in ("throw", "call")


@register(CHECKS, "SES-001")
def later_cells_load(reading: Reading) -> Found:
    """A cell loads what cells stored that were completed before it was created."""
    return _loaded(reading, (one for one in loads(reading) if one.source is not None and not _thrown(one.source)))


@register(CHECKS, "SES-002")
def also_after_an_error(reading: Reading) -> Found:
    """What a cell stored stays stored though it threw an error."""
    return _loaded(reading, (one for one in loads(reading) if _thrown(one.source)))


def _leaked(reading: Reading, text: str, others: Callable[[Reading, Load], list[Cell]]) -> Found:
    """Return evidence where a value was loaded that one of the others stored, and that was not due."""
    found: list[Evidence] = []
    judged = False
    for one in loads(reading):
        values = [written(other.program).get(one.key) for other in others(reading, one)]
        values = [value for value in values if value is not None and value != one.due]
        judged = judged or bool(values)
        if one.told in values:
            found.append(wrong(reading, one.answer.index, text, one.due, one.told))
    return found if judged else None


@register(CHECKS, "SES-003")
def what_was_terminated_stores_nothing(reading: Reading) -> Found:
    """What a cell stored that was terminated is gone."""

    def others(reading: Reading, one: Load) -> list[Cell]:
        return [
            cell
            for cell in reading.cells.values()
            if cell.session == one.cell.session and any(end.kind == "terminated" for end in cell.ends)
        ]

    return _leaked(reading, "what a terminated cell stored is gone", others)


@register(CHECKS, "SES-004")
def as_it_was_at_creation(reading: Reading) -> Found:
    """A cell does not see what is stored after it was created."""

    def others(reading: Reading, one: Load) -> list[Cell]:
        ends = [(cell, _completed(cell)) for cell in reading.cells.values() if cell.session == one.cell.session]
        return [cell for cell, end in ends if end is not None and cell is not one.cell and one.cell.created < end]

    return _leaked(reading, "a cell sees what was stored when it was created", others)


@register(CHECKS, "SES-005")
def sessions_store_apart(reading: Reading) -> Found:
    """A cell sees nothing that another session stored."""

    def others(reading: Reading, one: Load) -> list[Cell]:
        ends = [cell for cell in reading.cells.values() if _completed(cell) is not None]
        return [cell for cell in ends if cell.session != one.cell.session]

    return _leaked(reading, "a session sees what it stored itself", others)


@register(CHECKS, "SES-006")
def its_own(reading: Reading) -> Found:
    """A cell loads what it stored itself."""
    return _loaded(reading, (one for one in loads(reading) if one.own))


@register(CHECKS, "SES-007")
def cells_of_others(reading: Reading) -> Found:
    """A session knows no cell of another one."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        return differs(reading, one.index, "a cell of another session is missing", "missing", one.kind)

    return each(reading, [one for one in reading.answers if one.foreign and not one.shut], judge)


@register(CHECKS, "SES-008")
def told_before_the_end(reading: Reading) -> Found:
    """Who observes a cell of a session that is shut down is told so before the shutdown is over."""
    found: list[Evidence] = []
    judged = False
    for index, step, record in reading.of("shutdown"):
        if "value" not in record:
            continue
        for one in _waiting(reading, step):
            judged = True
            if one.kind != "terminated" or one.index > index:
                text = "the observation comes back before the session is gone"
                found.append(wrong(reading, one.index, text, "terminated", one.kind or one.error, (index,)))
    return found if judged else None


def _waiting(reading: Reading, step: Json) -> list[Answer]:
    """Return the observations that were waited for when a session was shut down."""
    at = reading.steps.index(step)
    awaited = {one["of"] for one in reading.steps[:at] if one["step"] == "await"}
    found = [one for one in reading.answers if not one.asked and one.step < at and one.name not in awaited]
    usual = [one for one in found if one.cell in reading.cells and not (one.ended or one.second or one.foreign)]
    return [one for one in usual if reading.cells[one.cell].session == step["session"] and one.standing is not None
            and not (one.nudged or one.cancelled or one.timed)]  # fmt: skip


def _refused(reading: Reading, kind: str, when: Callable[[Json, bool, bool], bool], text: str) -> Found:
    """Return evidence for each step about a session that was not refused, though it had to be."""
    found: list[Evidence] = []
    judged = False
    open_, closed = set(), set()
    for number, step in enumerate(reading.steps):
        session = step.get("session")
        if session is None:
            continue
        if when(step, session in open_, session in closed):
            for index in _records(reading, number, step):
                judged = True
                error = reading.log[index].get("error") or {}
                found += differs(reading, index, text, kind, error.get("kind"))
        elif step["step"] == "open":
            open_.add(session)
        elif step["step"] == "shutdown":
            open_.discard(session)
            closed.add(session)
    return found if judged else None


def _records(reading: Reading, number: int, step: Json) -> list[int]:
    """Return the record that tells how a step came out."""
    if step["step"] == "observe":
        return [one.index for one in reading.answers if one.name == step["as"]]
    return [reading.done[number]] if number in reading.done else []


@register(CHECKS, "SES-009")
def no_such_session(reading: Reading) -> Found:
    """A session that is not open does nothing."""
    text = "what is asked of a session that is not open is refused"
    return _refused(reading, "unknown_session", lambda step, is_open, _: step["step"] != "open" and not is_open, text)


@register(CHECKS, "SES-010")
def already_open(reading: Reading) -> Found:
    """A session that is open cannot be opened."""
    text = "a session that is open is not opened again"
    return _refused(reading, "already_open", lambda step, is_open, _: step["step"] == "open" and is_open, text)


@register(CHECKS, "SES-011")
def never_again(reading: Reading) -> Found:
    """A session that was shut down cannot be opened again."""
    text = "a session that was shut down is not opened again"
    return _refused(
        reading, "reused", lambda step, is_open, closed: step["step"] == "open" and closed and not is_open, text
    )


@register(CHECKS, "SES-012")
def ids_of_their_own(reading: Reading) -> Found:
    """Each cell of a session has an id of its own."""
    found: list[Evidence] = []
    created = [(index, step, record) for index, step, record in reading.of("create") if "value" in record]
    for index, step, record in created:
        told = record["value"].get("cell_id") if isinstance(record["value"], dict) else None
        also = tuple(one.index for one in reading.answers if one.cell == step["as"])
        found += differs(reading, index, "each cell has an id of its own", f"cell:{step['as']}", told, also)
    return found if created else None
