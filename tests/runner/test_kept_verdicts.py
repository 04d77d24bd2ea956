"""A second run judges only what it has not seen conform; whatever decides on that has to be as it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bindproof.core import memory
from bindproof.core.memory import Place, keep_in
from bindproof.judge import judging
from bindproof.results import Line, VerdictLine
from bindproof.runner import RunRequest, assignment, execute
from tests.runner.test_execute import program

pytestmark = pytest.mark.long

MANY = 30
"""So many observations at least are judged of these vectors: some have equal ones, which are judged once."""

Verdicts = dict[str, VerdictLine]


class Runs:
    """Runs of one command line after another, on one cache."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.judged = 0
        judge = judging.judge

        def counted(*given: Any) -> Any:
            self.judged += 1
            return judge(*given)

        monkeypatch.setattr(assignment, "judge", counted)

    def run(self, fake: str, **more: Any) -> tuple[int, Verdicts]:
        """How many observations were judged, and the verdicts by plan. more: of the request."""
        self.judged = 0
        lines: list[Line] = []
        vectors = more.pop("vectors", ("relay/marks/*",))
        execute(RunRequest(adapter_commands=((fake, program(fake)),), vectors=vectors, **more), lines.append, print)
        verdicts = {line.plan: line for line in lines if isinstance(line, VerdictLine)}
        assert verdicts
        return self.judged, verdicts


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    stored: dict[str, bytes] = {}
    before = keep_in(Place(stored.get, stored.__setitem__))
    yield Runs(monkeypatch)
    keep_in(before)


def facts(verdicts: Verdicts) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Outcome and what held, by plan."""
    return {plan: (one.outcome, tuple(one.held)) for plan, one in verdicts.items()}


def test_what_conformed_is_told_again_and_not_judged(runs: Runs) -> None:
    first, told = runs.run("reference")
    second, again = runs.run("reference")

    assert first > MANY
    assert second == 0
    assert facts(again) == facts(told)
    assert {one.outcome for one in again.values()} == {"conforms"}


def test_a_binding_that_breaks_what_another_kept_is_found_out(runs: Runs) -> None:
    runs.run("reference")
    judged, verdicts = runs.run("swaps_marks")
    found = {plan for plan, one in verdicts.items() if one.outcome == "diverges"}

    assert len(found) <= judged
    assert "relay/marks/two-in-order" in found
    assert {plan for plan, one in runs.run("swaps_marks")[1].items() if one.outcome == "diverges"} == found


def test_who_chooses_requirements_hears_of_those_alone(runs: Runs) -> None:
    runs.run("reference")
    judged, verdicts = runs.run("reference", requirements=("MRK-001",))

    assert judged == 0
    assert {name for one in verdicts.values() for name in one.held} == {"MRK-001", "REF-000"}


@pytest.mark.parametrize(
    "more", [{"details": True}, {"fault": "swap_marks"}, {"edition": "0.9"}], ids=["details", "a fault", "an edition"]
)
def test_what_is_asked_otherwise_is_judged(runs: Runs, more: dict[str, Any]) -> None:
    runs.run("reference")
    judged, _ = runs.run("reference", **more)

    assert judged > MANY


def test_other_code_judges_anew(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = runs.run("reference")
    monkeypatch.setattr(memory, "_code", lambda package: b"other")

    assert runs.run("reference")[0] == first


def test_nothing_is_kept_where_there_is_no_place(runs: Runs) -> None:
    keep_in(None)  # the fixture gives it back

    assert min(runs.run("reference")[0] for _ in range(2)) > MANY
