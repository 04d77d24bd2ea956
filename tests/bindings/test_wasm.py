"""The WebAssembly package, which is older than the contract: what it keeps of it, and what it loses in silence."""

from __future__ import annotations

import pytest

from bindproof.core.paths import data_root
from bindproof.results import Line, VerdictLine
from bindproof.runner import RunRequest, execute
from bindproof.runner.fault_trials import check_faults
from bindproof.spec import load
from bindproof.spec.changes import read_changes

pytestmark = pytest.mark.binding

SPEC = load(data_root(), "relay")
CHANGES = read_changes(SPEC)[0]


def verdicts(**more: object) -> dict[str, VerdictLine]:
    """The verdict on each plan."""
    lines: list[Line] = []
    execute(RunRequest(adapters=("wasm",), suite="relay", **more), lines.append, lambda words: None)  # type: ignore[arg-type]
    return {line.plan: line for line in lines if isinstance(line, VerdictLine)}


def test_it_keeps_its_edition_and_nothing_passes_that_was_not_put_to_the_test() -> None:
    found = verdicts()
    assert {line.outcome for line in found.values()} <= {"conforms", "diverges", "unsupported", "inexpressible"}
    passed = {plan: line for plan, line in found.items() if line.outcome == "conforms"}
    assert len(passed) > 200
    in_force = {rule.id for rule in SPEC.requirements.values() if "0.4" in rule.in_editions}
    empty = {plan: line for plan, line in passed.items() if not {*line.exercises} & in_force <= {*line.held}}
    assert empty == {}
    assert all(line.held for line in passed.values())


def test_marks_are_lost_in_silence_and_break_the_next_edition() -> None:
    (note,) = [note for change in CHANGES for _, note in change.notes if note.title == "Pending marks are told"]
    lived = verdicts(vectors=note.vectors, edition="0.5")
    assert {*lived} == {*note.vectors}
    for line in lived.values():
        assert line.outcome == "diverges"
        assert "MRK-001" in {one.requirement for one in line.broken}
    (alone,) = verdicts(vectors=("relay/outcomes/marks-before-0-5",)).values()
    assert (alone.outcome, "OUT-014" in alone.held) == ("conforms", True)


def test_each_fault_breaks_exactly_what_it_names() -> None:
    found = check_faults("wasm", lambda text: None)
    assert [(one.fault.name, one.broken) for one in found if not one.exact] == []
    assert sum(1 for one in found if one.planted) > 100
