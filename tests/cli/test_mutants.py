"""What is told of all faults together: how many are named of those that could be, and what became of the others."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from bindproof.cli.mutants import share
from bindproof.mutants import Fault, Trial
from bindproof.mutants.single_fault import SingleFault
from bindproof.targets.manifest import Reason

FAULT = Fault("a.py", SingleFault("f", "x is lost", 1, "x = 1", "x = None", "x = None\n"))


def named(count: int) -> list[Trial]:
    return [Trial(FAULT, "named", ("MID-002",))] * count


def excused(count: int, fate: Literal["same", "apart", "unset"]) -> list[Trial]:
    return [Trial(FAULT, "green", excuse=Reason(("*",), fate, "so"))] * count


@pytest.mark.parametrize(
    ("trials", "told"),
    [
        (named(2), "2 of 2 faults (100 %) are named by a rule"),
        ([*named(1), Trial(FAULT, "green")], "1 of 2 faults (50 %) are named by a rule"),
        (
            [*named(3), *excused(1, "unset"), *excused(2, "same"), *excused(4, "apart")],
            "3 of 4 faults (75 %) are named by a rule; 1 of the others no scenario shows yet; "
            "2 besides no program could tell; 4 besides are in what the suite is not about",
        ),
        (excused(1, "same"), "0 of 0 faults are named by a rule; 1 besides no program could tell"),
    ],
)
def test_what_a_rule_could_name_is_counted_and_the_rest_is_told(trials: Any, told: str) -> None:
    assert share(trials) == told
