"""Plants every fault in front of one adapter: each must break exactly the requirements that it names.

Enters: an adapter's name. Leaves: what each fault broke. The adapter acts every scenario out once; each fault is then
planted between its observations and the judge. One of the named loops.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256

from msgspec import Struct, field
from msgspec.structs import replace

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand, Json, Judgement, Plan, TargetInfo
from bindproof.core.request import RunRequest
from bindproof.drive import Answer, Failed, Job, drive
from bindproof.judge import judge
from bindproof.runner.adapter_commands import one_command
from bindproof.runner.assignment import Assignment
from bindproof.runner.inputs import Inputs, read_inputs
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.plans import plans
from bindproof.runner.setting import Checks, Setting
from bindproof.suites import Fault, ObservationError, Prepared

ENOUGH = 10
"""A fault that has broken all that it names is planted in so many scenarios, and no more: each is judged anew."""


class Planted(Struct, frozen=True):
    """What one fault did in front of one adapter."""

    fault: Fault
    named: frozenset[str]
    """The requirements it names that hold here and that the adapter keeps without it."""
    broken: frozenset[str]
    """Those that it broke."""
    planted: int
    """In how many scenarios it found something to spoil."""

    @property
    def exact(self) -> bool:
        """True when it broke what it names, and nothing else but what it may break besides."""
        return self.named <= self.broken <= self.named | set(self.fault.also)


class Seen(Struct, frozen=True):
    """One scenario as the adapter acted it out, ready to be judged again and again."""

    scenario: Json
    prepared: Prepared
    log: list[Json]


class Recording(Struct, frozen=True):
    """All scenarios of one adapter, and what they are judged by."""

    setting: Setting
    checks: Checks
    dialect: Json
    seen: list[Seen]

    def judged(self, one: Seen, log: list[Json]) -> tuple[Judgement, ...]:
        """Return the judgements on a log of this scenario."""
        return judge(one.prepared, log, self.checks, self.setting.suite.lanes(one.scenario))


def check_faults(adapter: str, progress: Callable[[str], None], enough: int = ENOUGH) -> list[Planted]:
    """Plant every fault in front of an adapter, in so many scenarios at least.

    Raises UsageError when it cannot be had or does not initialize.
    """
    inputs = read_inputs(RunRequest(adapters=(adapter,)))
    found = one_command(adapter, progress, inputs)
    planted: list[Planted] = []
    for one in inputs.values():
        recording = record(found, one, progress)
        planted += [] if recording is None else without_the_idle(plant_all(recording, enough))
    return planted


def plant_all(recording: Recording, enough: int = ENOUGH) -> list[Planted]:
    """Plant every fault of the suite in a recording, each until all that it names is broken and enough were tried.

    The setting draws the order of scenarios. Of each scenario all faults are tried in turn, so that it is read once.
    """
    clean = [recording.judged(seen, seen.log) for seen in recording.seen]
    kept = frozenset(judgement.requirement for each in clean for judgement in each if judgement.holds)
    broken = [frozenset(judgement.requirement for judgement in each if not judgement.holds) for each in clean]
    setting = recording.setting
    drawn = sorted(zip(recording.seen, broken, strict=True), key=lambda one: _lot(setting, one[0]))
    tries = [_Tries(fault, kept.intersection(fault.breaks), enough) for fault in setting.suite.faults.values()]
    for one, already in drawn:
        for fault in tries:
            if not fault.done:
                fault.plant(recording, one, already)
    return [Planted(one.fault, one.named, frozenset(one.broken), one.planted) for one in tries]


def _lot(setting: Setting, one: Seen) -> bytes:
    """Return where a scenario comes in a setting's order: anywhere, and where it was when there are more."""
    return sha256(f"{setting.edition} {setting.dialect} {json.dumps(one.scenario, sort_keys=True)}".encode()).digest()


def without_the_idle(planted: list[Planted]) -> list[Planted]:
    """Return the results; a fault that found nothing to spoil has to break only what no other fault broke.

    An adapter that cannot act some scenarios out may have none that the fault could spoil.
    """
    broken = frozenset[str]().union(*(one.broken for one in planted))
    return [one if one.planted else replace(one, named=one.named - broken) for one in planted]


def record(command: AdapterCommand, one: Inputs, progress: Callable[[str], None]) -> Recording | None:
    """Let an adapter act every vector out once; None when it does not speak the suite. UsageError when it fails."""
    assignments: list[Assignment] = []

    def jobs(info: TargetInfo) -> Iterable[Job]:
        if one.spec.name not in info.suites:
            return []
        setting = Setting.of_target(one.spec, one.suite, info)
        progress(f"acting {len(one.vectors)} vectors of {one.spec.name} out on {command.name}")
        assignment = Assignment(command.name, setting, Expectations(one.expectations, info.target, info.version))
        assignments.append(assignment)
        taken = (assignment.take(plan) for plan in plans(one.suite, one.vectors, setting.edition, setting.dialect))
        return (sent for sent in taken if isinstance(sent, Job))

    acted: list[tuple[Plan, list[Json]]] = []
    for event in drive([(command, jobs)]):
        if isinstance(event, Failed):
            raise UsageError(f"{command.name} failed: {event.reason}")
        if isinstance(event, Answer) and event.outcome == "not_run":
            raise UsageError(f"{command.name} did not run {event.job.id}, nor what came behind: {event.reason}")
        if isinstance(event, Answer) and event.outcome == "observation":
            acted.append((assignments[0].plan_of(event.job), event.payload["log"]))
    if not assignments:
        return None
    setting = assignments[0].setting
    seen = [
        Seen(plan.scenario, one.suite.prepare(plan.scenario, setting.edition, setting.dialect), log)
        for plan, log in acted
    ]
    return Recording(setting, setting.checks(), one.spec.dialects[setting.dialect].as_json(), seen)


class _Tries(Struct):
    """What a fault broke so far; the fields are those of `Planted`, and one more."""

    fault: Fault
    named: frozenset[str]
    enough: int
    """In so many scenarios it is tried at least."""

    broken: set[str] = field(default_factory=set)
    planted: int = 0

    @property
    def done(self) -> bool:
        """Tell whether it has broken all that it names, in enough scenarios."""
        return self.planted >= self.enough and self.named <= self.broken

    def plant(self, recording: Recording, one: Seen, already: frozenset[str]) -> None:
        """Plant it in a scenario, if there is something to spoil. already: what is broken there without it."""
        log = self.fault.plant(one.scenario, one.log, recording.dialect, recording.setting.edition)
        if log is None:
            return
        self.planted += 1
        try:
            judgements = recording.judged(one, log)
        except ObservationError as error:
            raise UsageError(f"fault {self.fault.name} is none: what it leaves is no observation: {error}") from None
        self.broken |= {judgement.requirement for judgement in judgements if not judgement.holds} - already
