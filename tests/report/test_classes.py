"""Conformance classes that are claimed, and how they stand."""

from __future__ import annotations

import io

import msgspec
import pytest

from bindproof.core.request import RunRequest
from bindproof.report import report_of
from bindproof.report.classes import print_classes, standings
from bindproof.report.digest import Digest
from bindproof.report.printing import console_on
from bindproof.results import AdapterLine, Broken, ClassFacts, Fold, Line, RunLine, Speaks, VerdictLine

MARKS = ClassFacts("marks", "Marks", ("MRK-001", "MRK-002"))
CLAIMED = (Speaks("relay", "0.10", "python", 1, ("marks",)),)
HELD = VerdictLine("relay/a", "relay", "a", "conforms", held=("MRK-001", "MRK-002"))
HALF = VerdictLine("relay/a", "relay", "a", "conforms", held=("MRK-001",))
UNSUPPORTED = VerdictLine("relay/b", "relay", "a", "unsupported", exercises=("MRK-002",))


def broken(expected_by: str | None) -> VerdictLine:
    """A verdict that shows MRK-002 broken."""
    return VerdictLine("relay/b", "relay", "a", "diverges", broken=(Broken("MRK-002", (), expected_by),), scenario={})


def log_of(run: RunLine, *lines: Line, speaks: tuple[Speaks, ...] = CLAIMED) -> list[Line]:
    """A log in which the adapter `a` claims classes of a suite that has one."""
    suites = (msgspec.structs.replace(run.suites[0], classes=(MARKS,)),)
    return [msgspec.structs.replace(run, suites=suites), AdapterLine("a", "ready", suites=speaks), *lines]


def stand(run: RunLine, *lines: Line, speaks: tuple[Speaks, ...] = CLAIMED) -> list[tuple[str, str]]:
    """How the classes of the adapter `a` stand after these lines: state and words."""
    found = standings(Digest.over(log_of(run, *lines, speaks=speaks)))
    return [(one.state, one.words) for one in found.get("a", ())]


@pytest.mark.parametrize(
    ("lines", "state", "words"),
    [
        ([HELD], "kept", "kept"),
        ([HELD, broken("shipped#1")], "known", "kept but for 1 known divergence"),
        ([HELD, broken(None)], "not kept", "not kept: 1 requirement broken"),
        ([HALF], "open", "kept as far as was seen: 1 requirement not shown"),
        ([HALF, UNSUPPORTED], "open", "kept as far as was seen: 1 requirement not shown"),
        ([HALF, UNSUPPORTED, broken(None)], "not kept", "not kept: 1 requirement broken"),
        ([UNSUPPORTED], "not judged", "not judged: none of its 2 requirements was shown"),
        ([], "not judged", "not judged: none of its 2 requirements was shown"),
    ],
)
def test_a_class_stands_as_its_requirements_do(run_line: RunLine, lines: list[Line], state: str, words: str) -> None:
    assert stand(run_line, *lines) == [(state, words)]


def test_it_is_told_which_requirements_are_broken_known_and_open(run_line: RunLine) -> None:
    (one,) = standings(Digest.over(log_of(run_line, HALF, broken(None))))["a"]
    assert (one.broken, one.known, one.open) == (("MRK-002",), (), ())
    (one,) = standings(Digest.over(log_of(run_line, HALF)))["a"]
    assert (one.broken, one.known, one.open) == ((), (), ("MRK-002",))


def test_what_does_not_hold_in_the_edition_is_not_missed(run_line: RunLine) -> None:
    old = (Speaks("relay", "0.9", "python", 1, ("marks",)),)
    assert stand(run_line, HALF, speaks=old) == [("kept", "kept")]


def test_nothing_is_said_of_what_nobody_claims(run_line: RunLine) -> None:
    assert stand(run_line, HELD, speaks=(Speaks("relay", "0.10", "python", 1),)) == []


PARTS = [RunRequest(vectors=("relay/marks/*",)), RunRequest(requirements=("MRK-001",))]


@pytest.mark.parametrize("request_", PARTS)
def test_a_part_of_a_run_judges_no_class(run_line: RunLine, request_: RunRequest) -> None:
    run = msgspec.structs.replace(run_line, request=request_)
    assert [state for state, _ in stand(run, HELD)] == ["not judged"]
    stream = io.StringIO()
    print_classes(console_on(stream), Digest.over(log_of(run, HELD)))
    assert stream.getvalue() == "", "who asks for a part is told of that part"


@pytest.mark.long
@pytest.mark.parametrize("name", ["markdown", "html", "summary"])
def test_each_report_for_a_file_tells_of_each_claim(name: str, run_line: RunLine) -> None:
    lines = log_of(run_line, UNSUPPORTED)
    stream = io.StringIO()
    report = report_of(name, stream)
    for line in [*lines, Fold.over(lines).summary()]:
        report.add(line)
    report.end()
    told = stream.getvalue().replace("\\", "")
    assert "marks" in told
    assert "not judged: none of its 2 requirements was shown" in told


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
