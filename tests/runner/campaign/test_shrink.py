"""Scenarios made smaller, beside what Hypothesis makes of the same faults."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st

from bindproof.core.smallest import size
from bindproof.runner.campaign.shrink import MOST, shrink
from bindproof.suites.relay.generators.calls import call_scenario
from tests.choices import DrawnChoices
from tests.relay import SUITE
from tests.runner.campaign.played import first_of, legal, made_smaller, shows

Json = Any

SUBSCRIBER = {"step": "register", "family": "subscriber", "name": "a"}
CALL = {"step": "call", "name": "a"}
TWO_MARKS = {
    "step": "register",
    "family": "llm.request",
    "name": "a",
    "do": [{"op": "edit", "append": {"/pending_marks": [{"name": "a"}, {"name": "b"}]}}],
}
SMALLEST: dict[str, tuple[str, Json]] = {
    "swap_marks": ("MRK-002", [TWO_MARKS, SUBSCRIBER, CALL]),
    "wrong_decoding": ("AUT-007", [{"step": "register", "family": "llm.request", "name": "a"}, {**CALL, "codec": {}}]),
    "early_end": ("LIF-003", [SUBSCRIBER, CALL]),
}
"""Fault → the requirement, and the steps of the smallest scenario that shows it: the parts that matter."""


@pytest.mark.long
@pytest.mark.parametrize("fault", SMALLEST)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_left_are_the_parts_that_matter(fault: str, seed: int) -> None:
    requirement, steps = SMALLEST[fault]
    asked = shows(fault, requirement)
    _, scenario = first_of(seed, asked)
    made = made_smaller(scenario, asked)
    assert made.scenario == {"steps": steps}
    assert made.acted <= MOST


@pytest.mark.parametrize(
    "fault",
    [
        "forget_outcome",
        *(pytest.param(fault, marks=pytest.mark.long) for fault in ("deaf_subscriber", "wrong_mark_data")),
        pytest.param("stale_annotation", marks=pytest.mark.long),
    ],
)
def test_it_is_no_larger_than_what_hypothesis_finds(fault: str) -> None:
    (requirement,) = SUITE.faults[fault].breaks
    asked = shows(fault, requirement)

    @st.composite
    def scenarios(draw: Any) -> Json:
        return SUITE.brief(SUITE.complete(call_scenario(DrawnChoices(draw), None)))

    phases = [Phase.generate, Phase.shrink]
    steady = settings(max_examples=1000, derandomize=True, database=None, deadline=None, phases=phases)
    theirs = find(scenarios(), asked, settings=steady)
    ours = made_smaller(first_of(0, asked)[1], asked).scenario
    assert size(ours) <= size(theirs)


def test_nothing_smaller_shows_it() -> None:
    asked = shows("swap_marks", "MRK-002")
    assert made_smaller({"steps": [TWO_MARKS, SUBSCRIBER, CALL]}, asked).scenario == {
        "steps": [TWO_MARKS, SUBSCRIBER, CALL]
    }


@pytest.mark.long
def test_it_asks_the_same_each_time_and_never_twice() -> None:
    asked = shows("swap_marks", "MRK-002")
    _, scenario = first_of(1, asked)
    first, second = (list(_questions(scenario, asked)) for _ in range(2))
    assert first == second
    assert len(first) == len({str(one) for one in first})


def _questions(scenario: Json, asked: Any, most: int = MOST) -> Any:
    asking = shrink(scenario, legal, most)
    batch = next(asking)
    while True:
        yield from batch
        try:
            batch = asking.send([asked(one) for one in batch])
        except StopIteration:
            return


def test_it_stops_when_it_has_asked_enough() -> None:
    scenario = {"steps": [SUBSCRIBER, TWO_MARKS, CALL, CALL]}
    assert len(list(_questions(scenario, lambda one: False, most=5))) == 5


def test_a_part_that_the_suite_knows_of_is_taken_first() -> None:
    whole = {"text": "f(long(x), y)"}
    parts = {"f(long(x), y)": ["long(x)", "y"], "long(x)": ["x"]}
    asking = shrink(whole, lambda one: True, MOST, lambda one: [{"text": part} for part in parts.get(one["text"], [])])
    first = next(asking)
    assert first == [{"text": "y"}, {"text": "long(x)"}]
    assert asking.send([False, True]) == [{"text": "x"}], "and of that its own parts"
