"""Each planted fault breaks exactly the requirements that it names, and each requirement has one that breaks it."""

from __future__ import annotations

import json
from functools import cache

import pytest

from bindproof.runner.fault_trials import Planted, Recording, Seen, plant_all
from bindproof.runner.plans import plans
from bindproof.runner.setting import Setting
from tests.cells import EDITION, SPEC, SUITE, VECTORS, lawful


@cache
def recording() -> Recording:
    """Every vector as the reference acts it out, without a process."""
    setting = Setting(SPEC, SUITE, EDITION, "wire", (), None)
    ready = [(plan, SUITE.prepare(plan.scenario, EDITION, "wire")) for plan in plans(SUITE, VECTORS, EDITION, "wire")]
    seen = [Seen(plan.scenario, prepared, lawful(prepared, 7)) for plan, prepared in ready]
    return Recording(setting, setting.checks(), SPEC.dialects["wire"].as_json(), seen)


@cache
def planted() -> dict[str, Planted]:
    """What every fault did, by name."""
    return {one.fault.name: one for one in plant_all(recording())}


@pytest.mark.parametrize("fault", SUITE.faults)
def test_a_fault_breaks_what_it_names_and_nothing_else(fault: str) -> None:
    one = planted()[fault]

    assert one.planted
    assert one.named == set(one.fault.breaks)
    assert one.exact, (one.broken, one.named)


def test_every_requirement_is_broken_by_a_fault() -> None:
    assert {rule for one in planted().values() for rule in one.broken} == set(SPEC.requirements)


def test_a_fault_leaves_the_observation_alone() -> None:
    before = json.dumps([one.log for one in recording().seen])
    for fault in SUITE.faults.values():
        for one in recording().seen:
            fault.plant(one.scenario, one.log, recording().dialect, EDITION)

    assert json.dumps([one.log for one in recording().seen]) == before
