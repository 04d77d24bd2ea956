"""What a scenario comes to where company makes it fail: nothing is found small that does not show it alone."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from bindproof.core.model import Plan, Verdict
from bindproof.core.origins import FromFile
from bindproof.drive import HardEnd
from bindproof.runner.campaign.attempts import Smallest, smaller

Json = Any

WHOLE = {"steps": [{"step": letter} for letter in "abcdef"]}
NEEDED = {"step": "c"}


class Leaking:
    """Shows it with what is needed; and without, wherever `leaks` says that something was acted out before."""

    def __init__(self, leaks: Iterable[str]) -> None:
        self.end, self._leaks, self.asked = HardEnd(), set(leaks), list[str]()

    def batches(self) -> Any:
        return SimpleNamespace(answers="one process", close=lambda: None)

    afresh = "a process for each batch"

    def verdicts(self, scenarios: list[Json], larger: Any, answers: Any = "alone") -> list[Verdict]:
        self.asked.append(answers)
        return [self._verdict(one, answers) for one in scenarios]

    def _verdict(self, scenario: Json, answers: str) -> Verdict:
        shown = NEEDED in scenario["steps"] or answers in self._leaks
        return verdict("diverges" if shown else "conforms", scenario)

    def legal(self, scenario: Json) -> bool:
        return isinstance(scenario, dict) and isinstance(scenario.get("steps"), list)

    def parts(self, scenario: Json) -> list[Json]:
        return []

    smaller = parts


def verdict(outcome: Any, scenario: Json) -> Verdict:
    return Verdict(Plan(FromFile("a.json"), "relay", scenario), "a", outcome)


def made_small(*leaks: str, outcome: str = "diverges") -> tuple[Smallest, list[str]]:
    attempts: Any = Leaking(leaks)
    smallest = Smallest(WHOLE, verdict(outcome, WHOLE))
    smaller(attempts, smallest, lambda seen: seen.outcome == "diverges")
    return smallest, list(dict.fromkeys(attempts.asked))


def test_one_process_is_enough_where_nothing_leaks() -> None:
    smallest, asked = made_small()

    assert smallest.scenario == {"steps": [NEEDED]}
    assert smallest.verdict.plan.scenario == {"steps": [NEEDED]}
    assert asked == ["one process", "alone"]


def test_what_one_process_leaks_is_made_small_by_fresh_ones() -> None:
    smallest, asked = made_small("one process")

    assert smallest.scenario == {"steps": [NEEDED]}
    assert asked == ["one process", "alone", "a process for each batch"]


def test_what_leaks_within_a_batch_too_stays_as_it_was_found() -> None:
    smallest, _ = made_small("one process", "a process for each batch")

    assert smallest.scenario == smallest.verdict.plan.scenario == WHOLE


def test_a_fault_that_costs_the_process_has_a_fresh_one_for_each_batch() -> None:
    _, asked = made_small(outcome="crash")

    assert asked == ["a process for each batch", "alone"]
