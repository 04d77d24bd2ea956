"""Each planted fault breaks exactly the requirements that it names, and each requirement has one that breaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest

import bindproof_reference.relay as reference
from bindproof.paths import data_root
from bindproof.run.course import Setting
from bindproof.run.plans import plans
from bindproof.run.planting import Planted, Recording, Seen, plant_all
from bindproof.spec import load, settings, vectors
from bindproof.suites import load as load_suite

SPEC = load(data_root(), "relay")
SUITE = load_suite(SPEC)
SETTINGS = [one for one in settings(SPEC) if one[1] != "wire" or one == ("0.10", "wire")]
"""Python acts out the canonical spelling in every edition: wire adds nothing to it but in one."""


def recorded(edition: str, dialect: str) -> Recording:
    """Every vector as the reference acts it out, without a process."""
    plain = SPEC.dialects[dialect].as_json()
    setting = Setting(SPEC, SUITE, edition, dialect, (), None)
    return Recording(setting, setting.checks(), plain, list(acted_out(edition, dialect)))


def acted_out(edition: str, dialect: str) -> Iterator[Seen]:
    """Yield the scenarios that this setting can express."""
    plain = SPEC.dialects[dialect].as_json()
    for plan in plans(SUITE, vectors(SPEC), edition, dialect):
        prepared = SUITE.prepare(plan.scenario, edition, dialect)
        if "inexpressible" not in prepared.prediction:
            yield Seen(plan.scenario, prepared, reference.resolve(prepared.prediction, 7, plain))


@cache
def planted(edition: str, dialect: str) -> dict[str, Planted]:
    """What every fault did, by name."""
    return {one.fault.name: one for one in plant_all(recorded(edition, dialect))}


@pytest.mark.parametrize("fault", SUITE.faults)
@pytest.mark.parametrize(("edition", "dialect"), SETTINGS)
def test_a_fault_breaks_what_it_names_and_nothing_else(fault: str, edition: str, dialect: str) -> None:
    one = planted(edition, dialect)[fault]

    assert one.broken == one.named
    assert one.named <= set(one.fault.breaks)


def test_every_requirement_is_broken_by_a_fault() -> None:
    broken = {rule for setting in SETTINGS for one in planted(*setting).values() for rule in one.broken}

    assert broken == set(SPEC.requirements)


def test_every_fault_finds_something_to_spoil_somewhere() -> None:
    idle = [name for name in SUITE.faults if not any(planted(*setting)[name].planted for setting in SETTINGS)]

    assert idle == []


def test_a_fault_leaves_the_observation_alone() -> None:
    recording = recorded("0.10", "wire")
    before = json.dumps([one.log for one in recording.seen])
    for fault in SUITE.faults.values():
        for one in recording.seen:
            fault.plant(one.scenario, one.log, recording.dialect, "0.10")

    assert json.dumps([one.log for one in recording.seen]) == before
