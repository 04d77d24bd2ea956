"""Each known divergence, with a second fault in the same scenario, is red for the second."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks.attribution.changes import KINDS, changed
from benchmarks.attribution.classes import LAWFUL, reason
from benchmarks.attribution.words import Words
from tests.runner.recorded import OF_WHOLE_EDITIONS, Recorded, is_known, suite_of, verdict_on

pytestmark = pytest.mark.long

SAME = ("llm-stack", "pass_invalid_arguments")
"""A fault that is the known divergence itself, once more."""


@pytest.mark.parametrize("one", OF_WHOLE_EDITIONS, ids=str)
def test_a_planted_fault_beside_what_is_known_is_not_known(one: Recorded) -> None:
    spec, suite, plans = suite_of(one.suite)
    dialect, full = spec.dialects[one.dialect].as_json(), plans[one.plan].scenario
    spoiled = [(name, fault.plant(full, one.log, dialect, one.edition)) for name, fault in suite.faults.items()]
    planted = {name: log for name, log in spoiled if log not in (None, one.log) and (one.target, name) != SAME}
    known = [name for name, log in planted.items() if is_known(one, log)]

    assert [name for name in known if verdict_on(one, planted[name]).broken] == []  # else it mended the divergence


BESIDE = {
    r"leaf: event end of llm.*/metadata/otel.status_description": "the words beside a status that is known",
    r"uuid: event end of guardrail @event/propagation_root_uuid": "of a call that is known to end in its guardrail",
    r"swap: leave encode of llm_stream / read ": "where a chunk is read that is known to be read too early",
    r"swap: leave tool.sanitize_response async / enter start.sanitize": "the known divergence itself once more",
    r"(leaf: leave|other value: enter) start.sanitize": "of a start that is known to be sanitized behind another's end",
    r"uuid: event start of tool @event/propagation_root_uuid": "a root that no rule asks for",
    r"leaf: event start of llm_stream outside @event/metadata": "what one who is outside is told",
}
"""Changes of one place that nothing is said against, beside those that are lawful anywhere, and why."""


@pytest.mark.parametrize("one", [one for one in OF_WHOLE_EDITIONS if one.suite == "relay"], ids=str)
def test_a_place_that_is_changed_beside_what_is_known_is_not_known(one: Recorded) -> None:
    _, suite, plans = suite_of(one.suite)
    scenario = plans[one.plan].scenario
    reading = suite.prepare(scenario, one.edition, one.dialect).observe(one.log)[1]
    words, source, lane_of = Words(scenario, one.log, reading), random.Random(one.plan), suite.lanes(scenario)
    spoiled: dict[str, list[Any]] = {}
    for name, kind in KINDS.items():
        places = list(kind.places(one.log, lane_of))
        drawn = source.sample(places, min(2, len(places)))
        spoiled |= {words.of(name, place): changed(one.log, kind, place) for place in drawn}
    known = [name for name, log in spoiled.items() if log != one.log and is_known(one, log)]

    assert [name for name in known if not any(reason(name, table) for table in (LAWFUL, BESIDE))] == []
    assert spoiled
