"""The language of `interaction`: what it refuses, and that a scenario as one writes it means the same when complete."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interaction import SUITE, VECTORS

Json = Any


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ({}, "not a scenario"),
        ({"steps": []}, "not a scenario"),
        ({"steps": [{}], "fallbacks": ["gpt"]}, "not a scenario"),
        ({"steps": [{"gate": "maybe"}]}, "not a scenario"),
        ({"steps": [{"gate": "approval", "answer": "none"}]}, "step 1: what is never answered has to be put off"),
        ({"steps": [{}, {}]}, "step 1: the run ends by an answer without a tool"),
        ({"streams": True, "steps": [{"error": "slow"}]}, "step 1: nobody ends the wait for a stream"),
        ({"streams": True, "idempotent": True, "steps": [{}]}, "no `idempotent` beside `streams`"),
        ({"steps": [{"tool": True, "fails": ["m2"]}] * 5}, "m2 fails in 5 steps: a breaker may open"),
    ],
)
def test_what_is_no_scenario_is_refused(scenario: Json, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SUITE.complete(scenario)


def test_a_model_that_is_named_twice_fails_once() -> None:
    steps = [{"tool": True, "fails": ["m2", "m2"]}] * 4
    assert len(SUITE.complete({"steps": steps})["steps"]) == 4


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_a_vector_is_written_briefly(vector: Json) -> None:
    assert SUITE.brief(SUITE.complete(vector.scenario)) == vector.scenario
