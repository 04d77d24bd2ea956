"""Each known divergence, with a second fault in the same scenario, is red for the second."""

from __future__ import annotations

import copy
import random
import re

import pytest

from benchmarks.attribution import CHANGES, about
from tests.runner.recorded import EACH, RECORDED, Recorded, is_known, suite_of, verdict_on

SAME = ("llm-stack", "pass_invalid_arguments")
"""A fault that is the known divergence itself, once more."""


@EACH
def test_a_planted_fault_beside_what_is_known_is_not_known(one: Recorded) -> None:
    spec, suite, plans = suite_of(one.suite)
    dialect, full = spec.dialects[one.dialect].as_json(), plans[one.plan].scenario
    spoiled = [(name, fault.plant(full, one.log, dialect, one.edition)) for name, fault in suite.faults.items()]
    planted = {name: log for name, log in spoiled if log not in (None, one.log) and (one.target, name) != SAME}
    known = [name for name, log in planted.items() if is_known(one, log)]

    assert [name for name in known if verdict_on(one, planted[name]).broken] == []  # else it mended the divergence


LAWFUL = {
    r"time: (start|end) ": "a start or an end may be a microsecond earlier or later where no mark is due at that time",
    r"time: mark -/|leaf: event:mark -/event/data/(provider|note)": "what marks of chunks tell beside their number",
    r"identity: mark -/uuid": "a uuid that nothing else has",
    r"leaf: done .*/error/(code|type|same_as)": "what the contract does not say of an error",
    r"leaf: event:end llm/event/metadata/otel.status_description": "the words beside a status that is known",
    r"(drop|double): (chunk|over) ": "how far what hands chunks over has come when its stream is closed",
    r"swap: leave encode of llm_stream / read ": "where a chunk is read that is known to be read too early",
}
"""Changes of one place that nothing is said against, and why."""


@pytest.mark.parametrize("one", [one for one in RECORDED if one.suite == "relay"], ids=str)
def test_a_place_that_is_changed_beside_what_is_known_is_not_known(one: Recorded) -> None:
    scenario = suite_of(one.suite)[2][one.plan].scenario
    source, of = random.Random(one.plan), about(scenario)
    made = {name: change(copy.deepcopy(one.log), source, of) for name, change in CHANGES.items() for _ in range(2)}
    spoiled = {f"{name}: {found[1]}": found[0] for name, found in made.items() if found is not None}
    known = [name for name, log in spoiled.items() if log != one.log and is_known(one, log)]

    assert [name for name in known if not any(re.match(pattern, name) for pattern in LAWFUL)] == []
    assert spoiled
