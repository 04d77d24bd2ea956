"""What outcomes say leaks to nothing: each callback of the table is named by MRK-011 where it is given some of it."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.relay.faults.leaks import FAULTS, PLACES, UNANNOTATED
from bindproof.suites.relay.tables.cells import written
from bindproof.suites.relay.tables.leaks import Cell, cells
from tests.relay import NEWEST, SPEC, SUITE, broken, intercept, judged, lawful, marks, plain, prepare

Json = Any

DIALECT = "python"


def test_the_committed_vectors_are_those_of_the_table() -> None:
    """To write them: python -m bindproof.suites.relay.tables.leaks spec/relay/vectors/leaks."""
    folder = SPEC.folder / "vectors" / "leaks"

    assert {path.stem: path.read_text("utf-8") for path in folder.iterdir()} == {
        cell.name: written(cell.vector) for cell in cells()
    }


@pytest.mark.parametrize("cell", list(cells()), ids=lambda cell: cell.name)
def test_a_leak_to_any_callback_of_a_call_is_named(cell: Cell) -> None:
    full = SUITE.complete(cell.vector["scenario"])
    prepared = SUITE.prepare(full, NEWEST, DIALECT)
    log = lawful(prepared, 7, DIALECT)
    kind = next(step["kind"] for step in full["steps"] if step["step"] in ("call", "helper"))
    named: set[str] = set()
    for name, (_, kinds, parts) in PLACES.items():
        spoiled = FAULTS[name].plant(full, log, plain(DIALECT), NEWEST) if kind in kinds else None
        if spoiled is not None:
            assert "MRK-011" in broken(judged(prepared, spoiled, NEWEST, DIALECT)), name
            named.update(parts)

    assert named >= set(cell.parts)


def test_an_annotation_is_for_what_neither_sends_nor_answers() -> None:
    for part in UNANNOTATED:
        cell = next(cell for cell in cells() if part in cell.parts)
        full = SUITE.complete(cell.vector["scenario"])
        prepared = SUITE.prepare(full, NEWEST, DIALECT)
        log = lawful(prepared, 7, DIALECT)
        found = [record for record in log if record["fact"] == "enter" and _is(record, part, full)]
        found[-1]["given"]["annotated_request"] = {"messages": []}

        assert "MRK-011" in broken(judged(prepared, log, NEWEST, DIALECT)), part


def _is(record: Json, part: str, full: Json) -> bool:
    step, _, last = record["callback"].partition(".")
    of_family = {one["as"] for one in full["steps"] if one.get("family") == part}
    return bool(last == part or step in of_family)


def test_what_a_scenario_itself_puts_there_is_no_leak() -> None:
    steps = [intercept(marks("m"), {"op": "edit", "set": {"/request/content/pending_marks": [1]}})]
    prepared = prepare(*steps, {"step": "call", "as": "c", "name": "gpt"}, dialect=DIALECT)

    assert broken(judged(prepared, lawful(prepared, 7, DIALECT), NEWEST, DIALECT)) == {}
