"""The one loop of every run: adapters are started, scenarios sent, answers judged.

Enters: a request, what it is judged by, a source of scenarios, a policy for what comes of them. Leaves: the lines of
the log in order, but for the first. Must not know where scenarios come from, nor what is done about one that fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from bindproof.core.errors import SuiteError
from bindproof.core.model import ADAPTER_FAULTS, AdapterCommand, Plan, TargetInfo, Verdict
from bindproof.core.origins import Origin
from bindproof.core.request import RunRequest
from bindproof.drive import Answer, Failed, HardEnd, Job, Limits, Unanswered, drive
from bindproof.results import AdapterLine, Emit, Line, Speaks, VerdictLine, verdict_line, verdict_of
from bindproof.runner.adapter_commands import REFERENCE_TARGET, commands
from bindproof.runner.adapter_lines import failed_line, ready_line
from bindproof.runner.assignment import Assignment
from bindproof.runner.budgets import within_budget
from bindproof.runner.earlier import Earlier
from bindproof.runner.inputs import Inputs
from bindproof.runner.kept_verdicts import KeptVerdicts
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.plans import killing_first
from bindproof.runner.preparing import KEPT, Preparations
from bindproof.runner.setting import Setting, settings

Progress = Callable[[str], None]
"""Takes words for a waiting user."""


class Unmade(Struct, frozen=True):
    """A scenario that a mistake in its suite's code let nobody make."""

    origin: Origin
    suite: str
    mistake: SuiteError

    def verdict(self, adapter: str) -> Verdict:
        """Return what is said of it in the log: it was not run."""
        return Verdict(Plan(self.origin, self.suite, None), adapter, "not_run", reason=str(self.mistake))


class Source(Protocol):
    """Where the scenarios of a run come from."""

    @property
    def mistakes(self) -> Sequence[SuiteError]:
        """Those in the code of suites that were met so far; such a suite has the fewer scenarios."""
        ...

    @property
    def open_ended(self) -> bool:
        """True where the time decides how many there are."""
        ...

    @property
    def end(self) -> HardEnd:
        """When scenarios that have no answer are waited for no longer."""
        ...

    def withdraw(self, adapter: str, suite: str) -> None:
        """Take note that a scenario had no answer by then, and does not count."""
        ...

    def prepare(self) -> None:
        """Do beforehand, while adapters start, what does not depend on what they are."""
        ...

    def open(self, adapter: str, found: Sequence[Setting]) -> Sequence[int]:
        """Get ready for an adapter that is judged so; return how many scenarios are selected in each setting."""
        ...

    def plans(self, adapter: str) -> Iterator[Plan | Unmade]:
        """Yield the scenarios of an adapter that was opened, a negative right after its twin."""
        ...

    def give_up(self, adapter: str) -> None:
        """Take note that an adapter cannot be judged any further."""
        ...

    def closing(self, adapters: Iterable[AdapterLine]) -> Iterator[Line]:
        """Yield what is only known once all is sent. adapters: those that were ready."""
        ...


class Judged(Struct, frozen=True):
    """A verdict that was just reached."""

    assignment: Assignment
    command: AdapterCommand
    verdict: Verdict
    expected: Mapping[str, str]
    """Requirement → the expectation that names its failure."""
    demanded: bool
    stderr: str

    def line(self, *, details: bool = False) -> VerdictLine:
        """Return its line. details: keep what was seen and allowed also where it conforms."""
        kept = within_budget(self.verdict)
        return verdict_line(kept, expected=self.expected, demanded=self.demanded, stderr=self.stderr, details=details)


class Policy(Protocol):
    """What is done with verdicts, of failures above all: they are confirmed, or made smaller."""

    def recall(self, assignment: Assignment, verdict: Verdict) -> None:
        """Take a verdict that stands in the log already, of a run that was cut short."""
        ...

    def take(self, judged: Judged) -> None:
        """Take a verdict; its line is emitted now, or kept until more is known."""
        ...

    def finish(self) -> None:
        """Do what can be done once all verdicts are known."""
        ...

    def close(self) -> None:
        """Emit the lines that were kept, also of a run that is cut short."""
        ...


class _Loop(Struct):
    """The state of a run."""

    request: RunRequest
    inputs: Mapping[str, Inputs]
    source: Source
    policy: Policy
    emit: Emit
    limits: Limits
    before: Earlier | None
    commands: dict[str, AdapterCommand] = field(default_factory=dict)
    lines: dict[str, AdapterLine] = field(default_factory=dict)
    """Each adapter that was ready, as it is now."""
    assignments: dict[tuple[str, str], Assignment] = field(default_factory=dict)
    preparations: dict[tuple[str, str, str], Preparations] = field(default_factory=dict)
    """By suite, edition and dialect."""
    kept_verdicts: KeptVerdicts = field(default_factory=KeptVerdicts)
    jobs: dict[str, Iterator[Job]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    """Why adapters are at fault."""
    unanswered: Counter[str] = field(default_factory=Counter)
    """How many scenarios of each had no answer at the end."""
    answered: set[str] = field(default_factory=set)
    """Who answered any."""
    mistakes: list[SuiteError] = field(default_factory=list)
    """In the code of suites: they are told when all else is judged."""


def perform(
    request: RunRequest,
    inputs: Mapping[str, Inputs],
    source: Source,
    policy: Policy,
    limits: Limits,
    emit: Emit,
    progress: Progress,
    before: Earlier | None,
) -> None:
    """Judge every adapter of the request by every scenario of the source.

    before: the same run, cut short; only what it lacks is done, and only lines that its log lacks are emitted. Raises
    UsageError or SpecError for what the user can mend; SuiteError, after all else was judged, for a suite's mistake.
    """
    loop = _Loop(request, inputs, source, policy, emit, limits, before)
    for found in commands(request, progress, inputs):
        if isinstance(found, AdapterLine):
            _emit_adapter(loop, found)
        else:
            loop.commands[found.name] = found
    try:
        _drive(loop)
        policy.finish()
        _raise_mistakes(loop)
    finally:
        loop.kept_verdicts.keep()
        policy.close()
        for line in source.closing(loop.lines.values()):
            emit(line)


def _raise_mistakes(loop: _Loop) -> None:
    """Raise what was wrong with a suite's code: the run has judged all that it could, and is not as it should be."""
    met = (one.mistake for one in loop.assignments.values() if one.mistake is not None)
    for mistake in (*loop.mistakes, *loop.source.mistakes, *met):
        raise mistake


def _emit_adapter(loop: _Loop, line: AdapterLine) -> None:
    """Emit what an adapter is, unless the log says just that already."""
    if loop.before is None or not loop.before.hold_same_adapter(line, selected=not loop.source.open_ended):
        loop.emit(line)


def _drive(loop: _Loop) -> None:
    _leave_out_failed(loop)
    names = [name for name in loop.commands if name not in loop.failed]
    work = [(loop.commands[name], _opener(loop, loop.commands[name])) for name in names]
    for event in drive(work, loop.limits, loop.request.processes, loop.source.end, loop.source.prepare):
        if isinstance(event, Answer):
            loop.answered.add(event.adapter)
            _answered(loop, event)
        elif isinstance(event, Unanswered):
            loop.assignments[event.adapter, event.job.suite].withdraw(event.job)
            loop.source.withdraw(event.adapter, event.job.suite)
            loop.unanswered[event.adapter] += 1
        elif isinstance(event, Failed):
            _failed(loop, event)
    for name, count in loop.unanswered.items():
        if name not in loop.answered and name not in loop.failed:
            _failed(loop, Failed(name, f"it answered none of {count} scenarios before the time was up"))
    _emit_not_run(loop)


def _failed(loop: _Loop, event: Failed) -> None:
    loop.failed[event.adapter] = event.reason
    loop.source.give_up(event.adapter)
    line = failed_line(loop.commands[event.adapter], event, loop.lines.get(event.adapter))
    loop.emit(line)
    if event.adapter in loop.lines:
        loop.lines[event.adapter] = line


def _leave_out_failed(loop: _Loop) -> None:
    """Adapters that failed before the run was cut short are not started again, but counted."""
    before = loop.before.adapters.values() if loop.before is not None else ()
    for line in before:
        if line.state == "failed" and line.name in loop.commands:
            loop.failed[line.name] = line.reason
            loop.source.give_up(line.name)
            spoken = {one.suite: {"dialect": one.dialect, "edition": one.edition} for one in line.suites}
            info = TargetInfo("", "", line.target, line.version, line.language, line.runtime, spoken)
            _opener(loop, loop.commands[line.name])(info)
            loop.lines[line.name] = line


def _opener(loop: _Loop, command: AdapterCommand) -> Callable[[TargetInfo], Iterable[Job]]:
    """Return what the drive calls once the adapter has said what it is: chooses the scenarios and emits its line."""

    def open_adapter(info: TargetInfo) -> Iterable[Job]:
        found, notes, mistakes = settings(loop.request, loop.inputs.values(), info)
        loop.mistakes += mistakes
        selected = loop.source.open(command.name, found)
        for one, count in zip(found, selected, strict=True):
            known = Expectations(loop.inputs[one.spec.name].expectations, info.target, info.version)
            shared = _preparations(loop, one, count)
            loop.assignments[command.name, one.spec.name] = Assignment(
                command.name,
                one,
                known,
                recalls=not loop.request.details,
                preparations=shared,
                acts_by_reference=info.target == REFERENCE_TARGET,
            )
        speaks = [
            Speaks(one.spec.name, one.edition, one.dialect, count, tuple(command.claims.get(one.spec.name, ())))
            for one, count in zip(found, selected, strict=True)
        ]
        line = ready_line(command, info, tuple(speaks), (*command.notes, *notes))
        loop.lines[command.name] = line
        _emit_adapter(loop, line)
        jobs = loop.jobs[command.name] = _jobs(loop, command.name)
        return jobs

    return open_adapter


def _preparations(loop: _Loop, setting: Setting, count: int) -> Preparations:
    """Return what makes scenarios ready in a setting: all adapters that are judged in it share predictions.

    count: so many scenarios are selected. Vectors stay ready for an adapter that comes to them later.
    """
    key = setting.spec.name, setting.edition, setting.dialect
    if key not in loop.preparations:
        kept = KEPT if loop.request.campaign is not None else max(KEPT, count)
        known = None if loop.request.details or loop.request.campaign is not None else loop.kept_verdicts.of(setting)
        loop.preparations[key] = Preparations(setting.suite, setting.edition, setting.dialect, kept, known)
    return loop.preparations[key]


def _jobs(loop: _Loop, adapter: str) -> Iterator[Job]:
    """Yield the jobs of an adapter as they are asked for, but for those that were judged before.

    Raises LogError where something was judged before that is not asked for.
    """
    done: dict[tuple[str, Origin], VerdictLine] = loop.before.verdicts_of(adapter) if loop.before is not None else {}
    for plan in _plans(loop, adapter):
        assignment = loop.assignments[adapter, plan.suite]
        if done and (line := done.pop((plan.suite, plan.origin), None)) is not None:
            verdict = verdict_of(line)
            assignment.accept(verdict)
            loop.policy.recall(assignment, verdict)
            continue
        if isinstance(plan, Unmade):
            loop.emit(verdict_line(plan.verdict(adapter)))
            continue
        taken = assignment.take(plan)
        if isinstance(taken, Verdict):
            loop.emit(verdict_line(taken))
        else:
            yield taken
    if loop.before is not None and not loop.source.open_ended:
        loop.before.hold_all_asked_for(adapter, done)


def _plans(loop: _Loop, adapter: str) -> Iterator[Plan | Unmade]:
    plans = loop.source.plans(adapter)
    if loop.request.campaign is not None:  # it has no vectors, and of others nobody knows that they kill
        return plans
    return killing_first(plans, lambda plan: loop.assignments[adapter, plan.suite].expectations.kills(plan.origin))


def _answered(loop: _Loop, answer: Answer) -> None:
    assignment = loop.assignments[answer.adapter, answer.job.suite]
    verdict = assignment.verdict(answer)
    if answer.outcome == "not_run":
        loop.source.give_up(answer.adapter)
    elif verdict.outcome in ADAPTER_FAULTS:
        verdict = replace(verdict, expected_by=assignment.expectations.of_outcome(verdict))
    expected = assignment.expectations.of_failures(verdict)
    demanded = assignment.demanded(verdict, answer)
    command = loop.commands[answer.adapter]
    loop.policy.take(Judged(assignment, command, verdict, expected, demanded, answer.stderr))


def _emit_not_run(loop: _Loop) -> None:
    """Emit a verdict for every scenario that is left: of adapters that were not started, or ended early."""
    for jobs in loop.jobs.values():
        for _ in jobs:  # what is left is taken, so that it gets its verdict
            pass
    for (adapter, _), assignment in loop.assignments.items():
        reason = loop.failed.get(adapter, "the adapter ended before this scenario")
        for verdict in assignment.left_over(reason):
            loop.emit(verdict_line(verdict))
