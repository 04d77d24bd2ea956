"""Conformance classes that are claimed, and how they stand."""

from __future__ import annotations

import io

import msgspec
import pytest

from bindproof.core.request import RunRequest
from bindproof.report.classes import print_classes, standings
from bindproof.report.digest import Digest
from bindproof.report.printing import console_on
from bindproof.results import AdapterLine, Broken, ClassFacts, Line, RunLine, Speaks, VerdictLine

MARKS = ClassFacts("marks", "Marks", ("MRK-001", "MRK-002"))
CLAIMED = (Speaks("relay", "0.10", "python", 1, ("marks",)),)
HELD = VerdictLine("relay/a", "relay", "a", "conforms", held=("MRK-001", "MRK-002"))
HALF = VerdictLine("relay/a", "relay", "a", "conforms", held=("MRK-001",))
UNSUPPORTED = VerdictLine("relay/b", "relay", "a", "unsupported", exercises=("MRK-002",))


def broken(expected_by: str | None) -> VerdictLine:
    """A verdict that shows MRK-002 broken."""
    return VerdictLine("relay/b", "relay", "a", "diverges", broken=(Broken("MRK-002", (), expected_by),), scenario={})


def stand(run: RunLine, *lines: Line, speaks: tuple[Speaks, ...] = CLAIMED) -> list[tuple[str, str, str]]:
    """How the classes of the adapter `a` stand after these lines."""
    suites = (msgspec.structs.replace(run.suites[0], classes=(MARKS,)),)
    run = msgspec.structs.replace(run, suites=suites)
    return list(standings(Digest.over([run, AdapterLine("a", "ready", suites=speaks), *lines])))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([HELD], "kept"),
        ([HELD, broken("shipped#1")], "kept but for 1 known divergence"),
        ([HELD, broken(None)], "not kept: 1 requirement broken"),
        ([HALF], "kept as far as was seen: 1 requirement not shown"),
        ([HALF, UNSUPPORTED], "kept as far as was seen: 1 requirement not shown"),
        ([HALF, UNSUPPORTED, broken(None)], "not kept: 1 requirement broken"),
    ],
)
def test_a_class_stands_as_its_requirements_do(run_line: RunLine, lines: list[Line], said: str) -> None:
    assert stand(run_line, *lines) == [("a", "marks", said)]


def test_what_does_not_hold_in_the_edition_is_not_missed(run_line: RunLine) -> None:
    old = (Speaks("relay", "0.9", "python", 1, ("marks",)),)
    assert stand(run_line, HALF, speaks=old) == [("a", "marks", "kept")]


def test_nothing_is_said_of_what_nobody_claims(run_line: RunLine) -> None:
    assert stand(run_line, HELD, speaks=(Speaks("relay", "0.10", "python", 1),)) == []


def test_nothing_is_said_of_who_was_not_judged(run_line: RunLine) -> None:
    assert stand(run_line) == []


@pytest.mark.parametrize("request_", [RunRequest(vectors=("relay/marks/*",)), RunRequest(requirements=("MRK-001",))])
def test_nothing_is_said_after_a_part_of_a_run(run_line: RunLine, request_: RunRequest) -> None:
    assert stand(msgspec.structs.replace(run_line, request=request_), HELD) == []


def test_what_is_simply_kept_is_told_in_one_line(run_line: RunLine) -> None:
    both = (MARKS, ClassFacts("outcomes", "Outcomes", ("OUT-001",)), ClassFacts("second", "One", ("MRK-002",)))
    run = msgspec.structs.replace(run_line, suites=(msgspec.structs.replace(run_line.suites[0], classes=both),))
    speaks = (Speaks("relay", "0.10", "python", 1, ("marks", "outcomes", "second")),)
    held = msgspec.structs.replace(HELD, held=("MRK-001", "OUT-001"))
    lines: list[Line] = [run, AdapterLine("a", "ready", suites=speaks), held, broken(None)]
    stream = io.StringIO()
    print_classes(console_on(stream), Digest.over(lines))
    assert stream.getvalue().splitlines() == [
        "",
        "conformance classes that are claimed",
        "  a: outcomes kept",
        "  a: marks not kept: 1 requirement broken",
        "  a: second not kept: 1 requirement broken",
    ]
