"""A scenario as one would write it: what reports show."""

from __future__ import annotations

import pytest

from bindproof.core.paths import data_root
from bindproof.spec import load, vectors
from bindproof.suites.relay.scenario.complete import ScenarioError, brief, complete

VECTORS = list(vectors(load(data_root(), "relay")))


@pytest.mark.long
def test_the_brief_form_means_the_same_and_says_no_more() -> None:
    assert VECTORS
    for vector in VECTORS:
        full = complete(vector.scenario)
        short = brief(full)
        assert complete(short) == full, vector.id
        assert len(str(short)) <= len(str(vector.scenario)), vector.id


def test_defaults_and_given_ids_are_left_out() -> None:
    full = complete({"steps": [{"step": "call", "name": "gpt"}, {"step": "flush", "as": "end"}]})
    assert brief(full) == {"steps": [{"step": "call", "name": "gpt"}, {"step": "flush", "as": "end"}]}


def test_what_only_equals_a_default_in_python_stays() -> None:
    request = {"headers": {"n": False}, "content": {"messages": [], "n": 0}}
    full = complete({"steps": [{"step": "call", "name": "gpt", "request": request}]})
    assert brief(full)["steps"][0]["request"] == request


def test_what_is_no_scenario_is_refused() -> None:
    with pytest.raises(ScenarioError):
        brief({"do": 1})
