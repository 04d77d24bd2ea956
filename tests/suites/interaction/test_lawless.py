"""Logs that no runner should give are judged, and are no mistake of the suite."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suite_api import ObservationError
from tests.interaction import EDITION, SUITE, broken, judged, lawful

Json = Any
PREPARED = SUITE.prepare(SUITE.complete({"fallbacks": ["m2"], "steps": [{"fails": ["m1"]}]}), EDITION, "wire")


def changed(fact: str, **members: Json) -> set[str]:
    """What a lawful log breaks in which each record of a fact says something else."""
    log = [record | members if record["fact"] == fact else record for record in lawful(PREPARED)]
    return set(broken(judged(PREPARED, log)))


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, {"state": []}, {"state": "completed", "text": 3}])
def test_a_result_of_any_form_is_judged(value: Json) -> None:
    assert changed("ended", value=value) == {"RUN-012"}


@pytest.mark.parametrize("messages", [[], [3], [{"role": None}], [{"role": "user", "text": ["hello"]}]])
def test_messages_of_any_form_are_judged(messages: Json) -> None:
    assert changed("called", messages=messages) == {"CND-008"}


@pytest.mark.parametrize("value", [None, 3, {}, {"output": 3}, {"output": {"name": "[1]", "count": True}}])
def test_an_output_of_any_form_is_judged(value: Json) -> None:
    prepared = SUITE.prepare(SUITE.complete({"of": "output", "steps": [{}]}), EDITION, "wire")
    log = [one | {"value": value} if one["fact"] == "ended" else one for one in lawful(prepared)]
    assert set(broken(judged(prepared, log))) == {"STC-002"}


def test_a_state_of_any_name_is_judged() -> None:
    assert "RUN-003" in changed("event", state="dancing")


def test_an_empty_log_has_no_end() -> None:
    assert set(broken(judged(PREPARED, []))) == {"RUN-001"}


def test_calls_without_a_run_are_judged() -> None:
    assert changed("called", run=None, request=None, key="") == {"CND-001", "CND-002", "REF-000"}


@pytest.mark.parametrize(
    "record",
    [
        {"fact": "danced"},
        {"fact": "event", "type": "run_started"},
        {"fact": "checkpoint", "phase": "pre_llm", "step": True},
        {"fact": "ended"},
        {"fact": "ended", "value": None, "error": {"type": "x", "message": "y"}},
        {"fact": "ended", "error": "x"},
        {"fact": "hangs", "step": 1},
    ],
)
def test_a_record_of_another_form_is_no_observation(record: Json) -> None:
    with pytest.raises(ObservationError, match="log record 0"):
        PREPARED.observe([record])
