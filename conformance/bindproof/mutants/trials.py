"""Tries faults: each is put into the copy alone, the scenarios that enter its function are acted out, and judged.

Enters: an adapter's name. Leaves: its faults, and a Trial for each that is asked for. One of the named loops.

Which scenarios enter which function is seen once, without a fault, with one scenario at a time: what a function writes
down then is of that scenario. What breaks there already breaks by no fault of ours, and counts for nothing later; nor
does a known divergence, which may occur in one run and not in the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import zip_longest
from pathlib import Path
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from bindproof.core.errors import UsageError
from bindproof.core.model import ADAPTER_FAULTS, REFERENCE_REQUIREMENT, AdapterCommand, Plan, TargetInfo, Verdict
from bindproof.core.request import RunRequest
from bindproof.drive import Answer, Failed, Job, Limits, drive
from bindproof.mutants import node_faults, python_faults
from bindproof.mutants.package_copy import PackageCopy, copy_of
from bindproof.mutants.single_fault import SingleFault
from bindproof.runner.adapter_commands import one_command
from bindproof.runner.assignment import Assignment
from bindproof.runner.inputs import Inputs, read_inputs
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.plans import plans_of
from bindproof.runner.preparing import Preparations
from bindproof.runner.setting import Setting
from bindproof.targets.manifest import Layer, Reason, manifest_of
from bindproof.targets.names import split

Fate = Literal["named", "reference", "adapter", "green", "unreached"]
"""What came of a fault: a rule by name is broken; REF-000 alone; the adapter alone is blamed; nothing is found;
no scenario enters the function."""

OUTCOMES: tuple[Fate, ...] = ("named", "reference", "adapter", "green", "unreached")

ENOUGH = 3
"""When so many scenarios broke a rule by name the others are left out."""

TOO_MANY = 32
"""When the adapter was blamed in so many scenarios the others are left out: they come after those that say most."""

FIRST = 3
"""So many units are tried before all others because they enter the function most often."""

HANGING = 4
"""A scenario that hangs counts for so many others in which the adapter was blamed: each takes seconds."""

JAVASCRIPT = ".js"

LIMITS = Limits(scenario=5.0, initialize=30.0, window=8, restarts=TOO_MANY)


class Fault(Struct, frozen=True):
    """A fault of the layer, with the file that has it."""

    file: str
    of: SingleFault

    @property
    def function(self) -> str:
        """The function's name with its module's, such as `guardrails.register_mark_sanitize`."""
        return f"{Path(self.file).stem}.{self.of.function}"

    @property
    def name(self) -> str:
        """What people call it, such as `guardrails.register_mark_sanitize:97 priority is ignored`."""
        return f"{self.function}:{self.of.line} {self.of.fault}"


class Trial(Struct, frozen=True):
    """What came of one fault."""

    fault: Fault
    outcome: Fate
    requirements: tuple[str, ...] = ()
    """Those that broke by name, in the order in which they did."""
    scenario: str = ""
    """The first one that showed it."""
    acted: int = 0
    """How many scenarios were judged."""
    excuse: Reason | None = None
    """Why no rule has to name it, as the manifest says."""

    @property
    def good(self) -> bool:
        """True when a rule names it, or there is a reason why none does."""
        return self.outcome == "named" or self.excuse is not None


class _Unit(Struct, frozen=True, eq=False):
    """The plans of one vector, and what they break without a fault: the job's plan → what."""

    assignment: Assignment
    plans: list[Plan]
    entered: Counter[str] = field(default_factory=Counter)
    """Function → how often."""
    before: dict[str, frozenset[str]] = field(default_factory=dict)


class Bench(Struct):
    """All that trials of one adapter have in common: the copy, its faults, and which scenarios enter which function."""

    copy: PackageCopy
    layer: Layer
    faults: list[Fault]
    units: dict[str, list[_Unit]]
    """Function → the units that enter it, in the order in which they are acted out."""
    vectors: int

    @property
    def tellable(self) -> list[Fault]:
        """The faults that a rule could name: a program could tell each, and the suite is about what it is in."""
        excuses = ((fault, _excuse(self.layer, fault.name)) for fault in self.faults)
        return [fault for fault, excuse in excuses if excuse is None or excuse.fate == "unset"]

    def trial(self, fault: Fault) -> Trial:
        """Try one fault."""
        tally = _Tally()
        units = self.units.get(fault.function, [])
        if units:
            command = self.copy.with_files({fault.file: fault.of.text})
            _judged(command, units, tally, LIMITS)
        outcome = tally.outcome if units else "unreached"
        excuse = _excuse(self.layer, fault.name) if outcome != "named" else None
        return Trial(fault, outcome, tuple(tally.named), tally.scenario, tally.acted, excuse)


class _Tally:
    """What the scenarios of one trial came to."""

    def __init__(self) -> None:
        self.named: dict[str, None] = {}
        self.scenario = ""
        self.acted = self._naming = self._blaming = self._differing = 0

    def take(self, verdict: Verdict, expectations: Expectations, before: frozenset[str]) -> None:
        """Count a verdict. before: what breaks without the fault; what is known to break now and then may not have."""
        self.acted += 1
        broken = [one.requirement for one in expectations.unexcused(verdict) if one.requirement not in before]
        named = [one for one in broken if one != REFERENCE_REQUIREMENT]
        if named:
            self.scenario = self.scenario if self._naming else verdict.plan.id
            self._naming += 1
            self.named.update(dict.fromkeys(named))
        elif broken:
            self._differing += 1
        elif verdict.outcome in ADAPTER_FAULTS and verdict.outcome not in before:
            self.blame(HANGING if verdict.outcome == "timeout" else 1)
        if (broken or self._blaming) and not self.scenario:
            self.scenario = verdict.plan.id

    def blame(self, weight: int = 1) -> None:
        """Take note that the adapter was blamed."""
        self._blaming += weight

    @property
    def is_over(self) -> bool:
        """Whether more scenarios would say no more."""
        return self._naming >= ENOUGH or self._blaming >= TOO_MANY

    @property
    def outcome(self) -> Fate:
        """What it comes to."""
        if self._naming:
            return "named"
        if self._differing:
            return "reference"
        return "adapter" if self._blaming else "green"


def faults(copy: PackageCopy, layer: Layer) -> list[Fault]:
    """Return the faults of the files of a layer that this release has."""
    return [Fault(file, one) for file in layer.files if copy.has(file) for one in _faults_of(copy, file)]


def _faults_of(copy: PackageCopy, file: str) -> list[SingleFault]:
    text = copy.read(file)
    return node_faults.faults_of(text, _declarations(copy, file)) if _is_node(file) else python_faults.faults_of(text)


def _traced(copy: PackageCopy, file: str, to: str) -> str:
    text, module = copy.read(file), Path(file).stem
    if _is_node(file):
        return node_faults.traced(text, _declarations(copy, file), module, to)
    return python_faults.traced(text, module, to)


def _is_node(file: str) -> bool:
    return file.endswith(JAVASCRIPT)


def _declarations(copy: PackageCopy, file: str) -> str:
    """Return what a module of JavaScript says of itself, in the file beside it."""
    return copy.read(file.removesuffix(JAVASCRIPT) + ".d.ts")


def bench(adapter: str, folder: Path, progress: Callable[[str], None]) -> Bench:
    """Copy an adapter's package into an empty folder, and see which vectors enter which of its functions.

    Raises UsageError where the adapter cannot be had, fails, or has no layer that faults can be put in.
    """
    manifest = manifest_of(split(adapter)[0])
    if manifest.layer is None:
        raise UsageError(f"the manifest of {manifest.name} names no [layer]: there is nothing to put faults in")
    inputs = read_inputs(RunRequest(adapters=(adapter,)))
    found = one_command(adapter, progress, inputs)
    copied = copy_of(found, manifest, folder)
    trace = folder / "entered"
    trace.touch()
    files = [file for file in manifest.layer.files if copied.has(file)]
    texts = {file: _traced(copied, file, str(trace)) for file in files}
    command = copied.with_files(texts)
    progress(f"acting every vector out on {adapter}, to see what enters which function")
    units: list[_Unit] = []

    def jobs(info: TargetInfo) -> Iterator[Job]:
        with trace.open() as entered:
            for unit in _units(inputs.values(), found.name, info):
                units.append(unit)
                entered.read()
                yield from _jobs_of(unit)
                unit.entered.update(entered.read().split())

    for event in drive([(command, jobs)], replace(LIMITS, window=1, restarts=1000)):
        if isinstance(event, Failed):
            raise UsageError(f"{adapter} failed: {event.reason}")
        if isinstance(event, Answer):
            _take_as_it_is(units, event)
    functions: dict[str, list[_Unit]] = {}
    for unit in sorted(units, key=lambda unit: (len(unit.entered), len(unit.plans[0].scenario["steps"]))):
        for name in unit.entered:
            functions.setdefault(name, []).append(unit)
    ordered = {name: _most_about(name, found) for name, found in functions.items()}
    return Bench(copied, manifest.layer, faults(copied, manifest.layer), ordered, len(units))


def _most_about(name: str, units: list[_Unit]) -> list[_Unit]:
    """Put first what enters a function most often: most others may enter it only when an adapter clears up."""
    first = sorted(units, key=lambda unit: -unit.entered[name])[:FIRST]
    return [*first, *(unit for unit in _from_both_ends(units) if unit not in first)]


def _from_both_ends(units: list[_Unit]) -> list[_Unit]:
    """Put what enters little else beside what enters nearly all: either may say most of one function."""
    half = (len(units) + 1) // 2
    pairs = zip_longest(units[:half], reversed(units[half:]))
    return [unit for pair in pairs for unit in pair if unit is not None]


def _units(inputs: Iterable[Inputs], adapter: str, info: TargetInfo) -> Iterator[_Unit]:
    """Yield the vectors that an adapter is judged by."""
    for one in inputs:
        if one.spec.name not in info.suites:
            continue
        setting = Setting.of_target(one.spec, one.suite, info)
        found = [vector for vector in one.vectors if vector.runs_in(setting.edition, setting.dialect)]
        known = Expectations(one.expectations, info.target, info.version)
        repeated = Preparations(setting.suite, setting.edition, setting.dialect, 2 * len(found))
        assignment = Assignment(adapter, setting, known, recalls=True, preparations=repeated)
        for vector in found:
            yield _Unit(assignment, plans_of(one.suite, vector))


def _jobs_of(unit: _Unit) -> Iterator[Job]:
    for plan in unit.plans:
        yield unit.assignment.send(plan)


def _take_as_it_is(units: list[_Unit], answer: Answer) -> None:
    """Note what a scenario breaks without a fault, and how it ends where it is not judged."""
    for unit in reversed(units):
        if any(plan.id == answer.job.id for plan in unit.plans):
            verdict = unit.assignment.verdict(answer)
            unit.before[verdict.plan.id] = frozenset((verdict.outcome, *verdict.broken))
            return


def _judged(command: AdapterCommand, units: list[_Unit], tally: _Tally, limits: Limits) -> None:
    """Act units out until their tally is over."""
    unit_of = {plan.id: unit for unit in units for plan in unit.plans}
    events = drive([(command, lambda _: (job for unit in units for job in _jobs_of(unit)))], limits)
    try:
        for event in events:
            if isinstance(event, Failed):
                tally.blame()
            elif isinstance(event, Answer):
                unit = unit_of[event.job.id]
                verdict = unit.assignment.verdict(event)
                tally.take(verdict, unit.assignment.expectations, unit.before.get(verdict.plan.id, frozenset()))
            if tally.is_over:
                return
    finally:
        if isinstance(events, Generator):
            events.close()  # which ends the process
        for assignment in {id(unit.assignment): unit.assignment for unit in units}.values():
            assignment.left_over("")


def _excuse(layer: Layer, name: str) -> Reason | None:
    return next((one for one in layer.unnamed if any(fnmatchcase(name, glob) for glob in one.faults)), None)
