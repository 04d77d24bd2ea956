"""What changed between two judgements."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import Evidence
from bindproof.core.origins import FromVector, TwinOf
from bindproof.core.visible import visible
from bindproof.report.compared import show
from bindproof.report.comparison import Comparison, Side, compare, vectors_of
from bindproof.results import (
    AdapterLine,
    Broken,
    Fold,
    Line,
    RequirementFacts,
    RunLine,
    Speaks,
    SuiteFacts,
    VerdictLine,
)
from tests.report.hostile import hostile_log

UUIDS = ("01a20d9b-e9ab-7341-adca-2d32e67f37cb", "01a20d9b-e9ab-7341-adca-000000000000")


def diverging(plan: str, requirement: str, *, observed: Any = "b", known: bool = False) -> VerdictLine:
    failure = Evidence("s", "it differs", 0, "a", observed)
    broken = Broken(requirement, (failure,), "known#1" if known else None)
    return VerdictLine(plan, "relay", "a", "diverges", broken=(broken,), scenario={"steps": []})


def holding(plan: str, *requirements: str) -> VerdictLine:
    return VerdictLine(plan, "relay", "a", "conforms", held=requirements)


def side(run_line: RunLine, *verdicts: VerdictLine, edition: str = "0.10") -> Side:
    lines: list[Line] = [
        run_line,
        AdapterLine("a", "ready", target="t", version="1", suites=(Speaks("relay", edition, "wire", len(verdicts)),)),
        *verdicts,
    ]
    found = Side("a")
    for line in [*lines, Fold.over(lines).summary()]:
        found.add(line)
    return found


def changes(comparison: Comparison) -> dict[str, tuple[str, Any, Any]]:
    return {one.requirement: (one.kind, one.before, one.after) for one in comparison.changes}


@pytest.mark.long
def test_each_change_is_told_by_its_name(run_line: RunLine) -> None:
    old = side(run_line, diverging("v", "OUT-001"), holding("w", "MRK-001", "MRK-002"))
    new = side(run_line, holding("v", "OUT-001"), diverging("w", "MRK-001"), holding("x", "MRK-002"))
    comparison = compare(old, new)
    assert changes(comparison) == {"OUT-001": ("mended", "broken", "held"), "MRK-001": ("broke", "held", "broken")}
    assert [one.requirement for one in comparison.changes] == ["MRK-001", "OUT-001"]
    assert comparison.unchanged == 1
    assert comparison.of("broke")[0].scenarios == ("w",)
    assert comparison.of("broke")[0].replay == ("bindproof replay w --adapter a",)


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (diverging("v", "OUT-001"), diverging("v", "OUT-001"), None),
        (diverging("v", "OUT-001"), diverging("v", "OUT-001", observed="c"), "changed"),
        (diverging("v", "OUT-001"), diverging("w", "OUT-001"), "changed"),
        (diverging("v", "OUT-001", observed=UUIDS[0]), diverging("v", "OUT-001", observed=UUIDS[1]), None),
        (diverging("v", "OUT-001", observed="at 1"), diverging("v", "OUT-001", observed="at 2"), "changed"),
        (holding("v", "OUT-001"), diverging("v", "OUT-001", known=True), "broke"),
        (holding("v", "OUT-001"), VerdictLine("v", "relay", "a", "unsupported", exercises=("OUT-001",)), "otherwise"),
    ],
    ids=["the same", "another value", "another scenario", "another uuid", "another text", "known", "not judged"],
)
def test_kinds(before: VerdictLine, after: VerdictLine, kind: str | None, run_line: RunLine) -> None:
    judged = holding("judged", "MRK-001")
    found = changes(compare(side(run_line, before, judged), side(run_line, after, judged)))
    assert found.get("OUT-001", (None,))[0] == kind


def test_a_scenario_that_crashes_now_is_lost_also_where_others_hold(run_line: RunLine) -> None:
    judged = holding("judged", "OUT-001")
    crash = VerdictLine("v", "relay", "a", "crash", exercises=("OUT-001",))
    known = VerdictLine("w", "relay", "a", "crash", exercises=("MRK-001",), expected_by="known#1")
    old, new = side(run_line, holding("v", "OUT-001"), judged), side(run_line, crash, judged, known)
    worse, better = compare(old, new), compare(new, old)
    assert (worse.lost.some, worse.found.count, worse.is_worse) == ((("v", "crash"),), 0, True)
    assert (better.lost.count, better.found.some, better.is_worse) == (0, (("v", "crash"),), False)


@pytest.mark.long
def test_what_an_edition_brings_is_explained_by_it(run_line: RunLine) -> None:
    old, new = (
        side(run_line, holding("v", "OUT-001"), edition="0.9"),
        side(run_line, holding("v", "OUT-001", "MRK-002")),
    )
    (came,) = compare(old, new).of("came")
    assert came.requirement == "MRK-002"
    assert came.why == ("in force in edition 0.10, and not in 0.9",)
    (went,) = compare(new, old).of("went")
    assert went.requirement == "MRK-002"


@pytest.mark.long
def test_a_rule_that_came_and_is_broken_at_once_broke(run_line: RunLine) -> None:
    new = side(run_line, diverging("v", "MRK-002"))
    assert changes(compare(side(run_line, holding("v", "OUT-001"), edition="0.9"), new))["MRK-002"][0] == "broke"


@pytest.mark.long
def test_migration_notes_name_what_they_are_about() -> None:
    """Those of the suite relay, as they are."""
    facts = RequirementFacts("OUT-012", "MUST", "The own exception", "It is.", "Outcomes", ("0.10",))
    run = RunLine(2, "1", "3", "linux", "ab", "now", (SuiteFacts("relay", (facts,)),), adapters=("a",))
    failing = diverging("relay/outcomes/first-fails", "REF-000")
    held = holding("relay/outcomes/first-fails", "REF-000")
    comparison = compare(side(run, held, edition="0.9"), side(run, failing))
    note = "edition 0.9 → 0.10: The caller gets the callback's own exception"
    assert {one.requirement: one.why[-1] for one in comparison.changes} == {"REF-000": note, "OUT-012": note}


def test_a_twin_is_of_the_vector_that_it_came_from_whatever_it_is_called(run_line: RunLine) -> None:
    twin, other = diverging("one", "REF-000"), diverging("relay/outcomes/first-fails+twin", "REF-000")
    twin = msgspec.structs.replace(twin, origin=TwinOf(FromVector("relay/outcomes/first-fails")))
    assert vectors_of(["one"], side(run_line, twin)) == {"relay/outcomes/first-fails"}
    assert vectors_of([other.plan, "none"], side(run_line, other)) == {"relay/outcomes/first-fails+twin"}


def test_who_was_not_judged_is_not_compared(run_line: RunLine, mixed_log: list[Line]) -> None:
    there = side(run_line, holding("v", "OUT-001"))
    gone = Side("python")
    for line in mixed_log:
        gone.add(line)
    with pytest.raises(UsageError, match="nothing was judged of python"):
        compare(there, gone)
    with pytest.raises(UsageError, match="there is no adapter 'nobody'"):
        compare(there, Side("nobody"))


def test_text_and_json_say_the_same(run_line: RunLine) -> None:
    comparison = compare(side(run_line, holding("v", "OUT-001")), side(run_line, diverging("v", "OUT-001")))
    stream = io.StringIO()
    show(comparison, stream)
    assert stream.getvalue().splitlines() == [
        "a (t 1, edition 0.10) → a (t 1, edition 0.10)",
        "",
        "broke (1)",
        "  OUT-001 An outcome is used: held → broken",
        "    in v",
        "    bindproof replay v --adapter a",
        "",
        "0 requirements as before, 1 broke",
    ]
    assert msgspec.json.decode(msgspec.json.encode(comparison), type=Comparison) == comparison


def test_nothing_of_a_stranger_is_unseen() -> None:
    lines = hostile_log()
    name = next(line.name for line in lines if isinstance(line, AdapterLine))
    broken = next(line for line in lines if isinstance(line, VerdictLine))
    sides = Side(name), Side(name)
    for line in lines:
        sides[1].add(line)
        if line is not broken:
            sides[0].add(line)
    stream = io.StringIO()
    show(compare(*sides), stream)
    assert "broke" in stream.getvalue()
    assert visible(stream.getvalue()) == stream.getvalue()
