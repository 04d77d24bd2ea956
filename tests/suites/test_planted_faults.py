"""Each planted fault breaks exactly the requirements that it names, and each requirement has one that breaks it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

import pytest

import bindproof_reference.relay as reference
from bindproof.runner.fault_trials import Recording, Seen, plant_all, without_the_idle
from bindproof.runner.plans import plans
from bindproof.runner.setting import Setting
from bindproof.spec import Vector, holds_in
from bindproof.suites import Fault
from bindproof.suites.relay.faults import CHAPTERS, FAULTS
from tests.relay import APART, SPEC, SUITE, VECTORS, at_the_ends, plain

ENOUGH = 2
"""In so many scenarios of a setting each fault is tried at least: in all of them in five times what a command tries."""


def recorded(edition: str, dialect: str, wanted: Collection[str] | None = None) -> Recording:
    """Every vector as the reference acts it out, without a process. wanted: only those that exercise one of these."""
    setting = Setting(SPEC, SUITE, edition, dialect, (), None)
    chosen = [one for one in VECTORS if wanted is None or not set(wanted).isdisjoint(one.exercises)]
    return Recording(setting, setting.checks(), plain(dialect), list(acted_out(chosen, edition, dialect)))


def acted_out(vectors: Sequence[Vector], edition: str, dialect: str) -> Iterator[Seen]:
    """Yield the scenarios that this setting can express."""
    for plan in plans(SUITE, vectors, edition, dialect):
        prepared = SUITE.prepare(plan.scenario, edition, dialect)
        if "inexpressible" not in prepared.prediction:
            yield Seen(plan.scenario, prepared, reference.resolve(prepared.prediction, 7, plain(dialect)))


@pytest.mark.long
@pytest.mark.parametrize(("edition", "dialect"), at_the_ends())
def test_a_fault_breaks_what_it_names_and_nothing_else(edition: str, dialect: str) -> None:
    """All faults of a setting in one test: they share its recording, which takes longer than to plant one.

    One that finds nothing to spoil there has another that breaks the same: of a cancelled call 0.5 tells no end.
    Each setting draws other scenarios.
    """
    found = without_the_idle(plant_all(recorded(edition, dialect), ENOUGH))

    assert {one.fault.name for one in found} == set(SUITE.faults)
    assert {one.fault.name: (one.broken, one.named) for one in found if not one.exact} == {}


def test_no_two_chapters_have_a_fault_of_one_name() -> None:
    assert len(FAULTS) == sum(len(chapter.FAULTS) for chapter in CHAPTERS)


@pytest.mark.long
def test_every_requirement_is_named_by_a_fault_where_it_is_kept() -> None:
    """A fault breaks what it names where that is kept (above), so each requirement is broken somewhere.

    But for those that say why no fault could show.
    """
    in_force = {name for name, rule in SPEC.requirements.items() if rule.in_editions}
    untestable = {name for name in in_force if SPEC.requirements[name].untestable is not None}
    named = {rule for fault in SUITE.faults.values() for rule in fault.breaks}
    unseen = set(named)
    for setting in settings_of(unseen):
        unseen -= kept_in(*setting, unseen)

    assert named == in_force - untestable
    assert unseen == set()


def settings_of(wanted: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the settings, newest first, in which a requirement holds that is still wanted when its turn comes.

    One setting that shows a requirement is enough, so those in which none is left to show are not acted out.
    """
    for edition, dialect in reversed(APART):
        if any(holds_in(SPEC.requirements[name], edition, dialect) for name in wanted):
            yield edition, dialect


def kept_in(edition: str, dialect: str, wanted: set[str]) -> set[str]:
    """The requirements that the reference is seen to keep in a setting, where vectors exercise one that is wanted."""
    recording = recorded(edition, dialect, wanted)
    judged = [recording.judged(one, one.log) for one in recording.seen]
    return {judgement.requirement for each in judged for judgement in each if judgement.holds}


@pytest.mark.long
def test_every_fault_finds_something_to_spoil_somewhere() -> None:
    """Mostly where a vector exercises what it breaks; what is left is looked for in all of them."""
    idle = without_those_that_spoil(SUITE.faults, everywhere=False)
    assert without_those_that_spoil(idle, everywhere=True) == {}


def without_those_that_spoil(faults: Mapping[str, Fault], *, everywhere: bool) -> dict[str, Fault]:
    """The faults that find nothing to spoil in vectors that exercise what they break, or in any."""
    idle = dict(faults)
    unspoilt = {rule for fault in idle.values() for rule in fault.breaks}
    for edition, dialect in settings_of(unspoilt):
        recording = recorded(edition, dialect, None if everywhere else unspoilt)
        for one in recording.seen:
            idle = {name: fault for name, fault in idle.items() if not spoils(fault, one, recording)}
        unspoilt &= {rule for fault in idle.values() for rule in fault.breaks}
    return idle


def spoils(fault: Fault, one: Seen, recording: Recording) -> bool:
    """Tell whether a fault has something to spoil in a scenario of a recording."""
    return fault.plant(one.scenario, one.log, recording.dialect, recording.setting.edition) is not None


@pytest.mark.long
def test_a_fault_leaves_the_observation_alone() -> None:
    recording = recorded("0.10", "wire")
    before = json.dumps([one.log for one in recording.seen])
    for one in recording.seen:
        for fault in SUITE.faults.values():
            fault.plant(one.scenario, one.log, recording.dialect, "0.10")

    assert json.dumps([one.log for one in recording.seen]) == before
