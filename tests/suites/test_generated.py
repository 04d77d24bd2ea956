"""Generated scenarios are complete and legal as they are: nothing completes or checks them afterwards."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators import scenario
from bindproof.suites.relay.scenario.defaults import fill
from bindproof.suites.relay.scenario.language import Scenario
from bindproof.suites.relay.scenario.rules.program import FIELDS
from tests.relay import NEWEST, SUITE, VECTORS, judged, lawful, plain, through_json

pytestmark = pytest.mark.long

Json = Any

DIALECTS = (None, "c", "node", "python")
"""What generators tell apart, and None: anything may be said."""

SEEDS = 1000
WITH_FAULTS = 20


@pytest.mark.parametrize("dialect", DIALECTS)
def test_completing_a_generated_scenario_finds_nothing_and_changes_nothing(dialect: str | None) -> None:
    for seed in range(SEEDS):
        full = SUITE.generate(SeededChoices(seed), dialect)
        assert json.dumps(SUITE.complete(through_json(full))) == json.dumps(full), seed


def test_a_scenario_is_filled_in_as_its_model_says() -> None:
    stated = [vector.scenario for vector in VECTORS]
    for short in stated + [scenario(SeededChoices(seed), None) for seed in range(SEEDS)]:
        model = msgspec.to_builtins(msgspec.convert(short, Scenario))
        assert _without_names(fill(short)["steps"]) == _without_names(_own(model["steps"]))


def _own(value: Json) -> Json:
    """A value of a scenario without the members that are of other kinds of step."""
    if isinstance(value, list):
        return [_own(item) for item in value]
    if not isinstance(value, dict):
        return value
    others = FIELDS.get(str(value["kind"]), ()) if "step" in value and "kind" in value else ()
    return {name: _own(item) for name, item in value.items() if name not in others}


def _without_names(value: Json) -> Json:
    if isinstance(value, list):
        return [_without_names(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: _without_names(item) for name, item in value.items() if not ("step" in value and name == "as")}


def test_what_is_done_with_a_scenario_leaves_it_as_it_was() -> None:
    """It shares its parts with others, and with the generator."""
    for seed in range(100):
        full = SUITE.generate(SeededChoices(seed), "wire")
        before = json.dumps(full)
        prepared = SUITE.prepare(full, NEWEST, "wire")
        if "inexpressible" not in prepared.prediction:
            log = lawful(prepared, seed, "wire")
            judged(prepared, log, NEWEST, "wire")
            if seed < WITH_FAULTS:
                for fault in SUITE.faults.values():
                    fault.plant(full, log, plain("wire"), NEWEST)
        SUITE.complete(SUITE.brief(full))
        assert json.dumps(full) == before, seed
