"""The language of `interaction`: what it refuses, and that a scenario as one writes it means the same when complete."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interaction import SUITE, VECTORS

Json = Any

FAILS = {"tool": True, "fails": ["m1"]}


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ({}, "not a scenario"),
        ({"steps": []}, "not a scenario"),
        ({"of": "dance", "steps": [{}]}, "not a scenario"),
        ({"of": "resume", "dies": "tool", "step": 2, "steps": [{}]}, "dies in step 2, and there are 1"),
        ({"of": "resume", "dies": "tool", "steps": [{}]}, "the last step calls no tool"),
        ({"of": "resume", "dies": "run_terminal", "steps": [{}, {}]}, "a run is over in its last step"),
        ({"of": "request", "lacks": ["chat"], "steps": [{"model": ""}]}, "nothing says which of the two is told"),
        ({"of": "request", "ceiling": 8, "steps": [{"messages": ["hello"] * 2}]}, "which of several messages is cut"),
        ({"of": "request", "steps": [{"fails": "503", "streams": True}]}, "runs have streams that fail"),
        ({"of": "request", "through": "client", "steps": [{"streams": True}]}, "why a stream was not opened"),
        ({"of": "request", "through": "bare client", "steps": [{"id": None}]}, "nobody looks at requests of a bare"),
        ({"of": "policy", "steps": [{"id": "a", "action": "deny"}] * 2}, "two rules are called a"),
        ({"of": "names", "steps": [{"name": "gpt/x"}]}, "prefixes are openai, anthropic"),
        ({"of": "names", "steps": [{"name": "Mine/x"}]}, "may be written otherwise"),
        ({"of": "names", "default": "mine", "steps": [{"name": "gpt-4"}]}, "the one that is inferred comes first"),
        ({"of": "budget", "steps": [{}, {}]}, "the run ends by an answer without tools"),
        ({"of": "budget", "steps": [{"rests": 4}]}, "it is the tools that rest"),
        ({"of": "budget", "most_tools": 1, "steps": [{"tools": 2}]}, "where all are too many"),
        ({"of": "budget", "most_time": 30, "steps": [{"silent": 1}]}, "very moment in which the time ends"),
        ({"of": "stop", "how": "cancel", "at": "called", "step": 2, "steps": [{}]}, "in step 2, and there are 1"),
        ({"of": "stop", "how": "cancel", "at": "tool", "steps": [{}]}, "the last step calls no tool"),
        ({"of": "stream", "steps": [{}]}, "not a scenario"),
        ({"of": "stream", "steps": [{"does": "ends"}, {"does": "delta"}]}, "nothing more once its stream is over"),
        ({"of": "stream", "steps": [{"does": "waits"}] * 3}, "so many wait at most: 2"),
        ({"of": "output", "steps": [{"says": "song"}]}, "not a scenario"),
        ({"steps": [{}], "fallbacks": ["gpt"]}, "not a scenario"),
        ({"steps": [{"gate": "maybe"}]}, "not a scenario"),
        ({"steps": [{"gate": "approval", "answer": "none"}]}, "step 1: what is never answered has to be put off"),
        ({"steps": [{}, {}]}, "step 1: the run ends by an answer without a tool"),
        ({"streams": True, "steps": [{"error": "slow", "begun": True}]}, "step 1: nobody ends the wait for a stream"),
        ({"steps": [{"begun": True}]}, "step 1: it is a stream that has `begun`"),
        ({"steps": [{"rests": 1}]}, "step 1: it is the tool that `rests`"),
        ({"bare": True, "steps": [{"tool": True}]}, "step 1: an agent that is `bare` has no tool to call"),
        ({"threshold": 1, "cooldown": 5, "fallbacks": ["m2"], "steps": [FAILS | {"rests": 5}, {}]}, "very moment"),
        (
            {"threshold": 1, "cooldown": 5, "fallbacks": ["m2"], "steps": [FAILS | {"rests": 6}, FAILS]},
            "shuts it at once",
        ),
        ({"threshold": 1, "idempotent": True, "fallbacks": ["m2"], "steps": [FAILS]}, "whether repetitions count"),
    ],
)
def test_what_is_no_scenario_is_refused(scenario: Json, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SUITE.complete(scenario)


@pytest.mark.long
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_a_vector_is_written_briefly(vector: Json) -> None:
    assert SUITE.brief(SUITE.complete(vector.scenario)) == vector.scenario
