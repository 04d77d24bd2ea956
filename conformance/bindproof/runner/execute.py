"""Performs a run: adapters are started, scenarios sent, answers judged, verdicts emitted as they come.

Enters: a RunRequest, where lines and progress go. Leaves: the log's lines in order. Each step is a function of the
one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bindproof.core.model import ADAPTER_FAULTS, AdapterCommand, Plan, TargetInfo, Verdict
from bindproof.core.origins import Origin
from bindproof.drive import Answer, Failed, Job, Limits, drive
from bindproof.results import AdapterLine, Line, Speaks, VerdictLine, verdict_line, verdict_of
from bindproof.runner.adapter_lines import failed_line, ready_line
from bindproof.runner.adapters import commands, names
from bindproof.runner.assignment import Assignment
from bindproof.runner.confirm import confirm
from bindproof.runner.earlier import Earlier
from bindproof.runner.expecting import Expectations, name_of
from bindproof.runner.material import Material, materials
from bindproof.runner.opening import run_line
from bindproof.runner.plans import plans
from bindproof.runner.request import RunRequest
from bindproof.runner.setting import settings

Emit = Callable[[Line], None]
Progress = Callable[[str], None]


@dataclass
class _Run:
    """The state of one run: the assignments by adapter, and failures that wait to be confirmed."""

    request: RunRequest
    materials: dict[str, Material]
    emit: Emit
    limits: Limits
    before: Earlier | None = None
    commands: dict[str, AdapterCommand] = field(default_factory=dict)
    lines: dict[str, AdapterLine] = field(default_factory=dict)
    assignments: dict[tuple[str, str], Assignment] = field(default_factory=dict)
    waiting: dict[tuple[str, str], Iterator[Job]] = field(default_factory=dict)
    doubtful: list[tuple[Assignment, Verdict]] = field(default_factory=list)


def execute(request: RunRequest, emit: Emit, progress: Progress, before: Earlier | None = None) -> None:
    """Perform a run. Raises UsageError or SpecError for what the user can mend, before any adapter is started.

    before: the same run, cut short; only what it lacks is done, and only lines that its log lacks are emitted.
    """
    read = materials(request)
    reasons = {name_of(d): d.reason for one in read.values() for d in one.expectations}
    first = run_line(request, [one.spec for one in read.values()], names(request, read), reasons)
    if before is None:
        emit(first)
    else:
        before.hold_same(first)
    limits = Limits.allowing(request.timeout)
    run = _Run(request, read, emit, limits, before)
    for found in commands(request, progress, read):
        if isinstance(found, AdapterLine):
            _emit_adapter(run, found)
        else:
            run.commands[found.name] = found
    try:
        _drive(run)
        _confirm(run, progress)
    finally:
        _emit_doubtful(run)
    _emit_stale(run)


def _emit_adapter(run: _Run, line: AdapterLine) -> None:
    """Emit what an adapter is, unless the log says just that already."""
    if run.before is None or not run.before.hold_same_adapter(line):
        run.emit(line)


def _drive(run: _Run) -> None:
    failed = _failed_before(run)
    work = [(command, _opener(run, command)) for command in run.commands.values() if command.name not in failed]
    for event in drive(work, run.limits, run.request.processes):
        if isinstance(event, Answer):
            _answered(run, event)
        elif isinstance(event, Failed):
            failed[event.adapter] = event.reason
            command, earlier = run.commands[event.adapter], run.lines.get(event.adapter)
            run.emit(failed_line(run.request, command, event, earlier))
    for key, assignment in run.assignments.items():
        for _ in run.waiting[key]:
            pass
        for verdict in assignment.left_over(failed.get(assignment.adapter, "the adapter ended before this scenario")):
            run.emit(verdict_line(verdict))


def _failed_before(run: _Run) -> dict[str, str]:
    """Return why adapters failed before the run was cut short: they are not started again, but counted."""
    lines = run.before.adapters.values() if run.before is not None else ()
    failed = {line.name: line for line in lines if line.state == "failed" and line.name in run.commands}
    for line in failed.values():
        suites = {speaks.suite: {"dialect": speaks.dialect} for speaks in line.suites}
        info = TargetInfo("", "", line.target, line.version, line.language, line.runtime, suites)
        _opener(run, run.commands[line.name])(info)
    return {name: line.reason for name, line in failed.items()}


def _opener(run: _Run, command: AdapterCommand) -> Callable[[TargetInfo], Iterable[Job]]:
    """Return what the drive calls once the adapter has said what it is: chooses the scenarios and emits its line."""

    def open_course(info: TargetInfo) -> Iterable[Job]:
        known = [(one.spec, one.suite, one.fault) for one in run.materials.values()]
        found, notes = settings(run.request, known, info)
        speaks, jobs = [], []
        for setting in found:
            name, one = setting.spec.name, run.materials[setting.spec.name]
            chosen = list(plans(one.suite, one.vectors, setting.edition, setting.dialect))
            known_here = Expectations(one.expectations, info.target, info.version)
            assignment = run.assignments[command.name, name] = Assignment(command.name, setting, known_here)
            speaks.append(Speaks(name, setting.edition, setting.dialect, len(chosen)))
            done = run.before.verdicts_of(command.name, name) if run.before is not None else {}
            run.waiting[command.name, name] = _jobs(assignment, chosen, done)
            jobs.append(run.waiting[command.name, name])
        line = ready_line(run.request, command, info, tuple(speaks), (*command.notes, *notes))
        run.lines[command.name] = line
        _emit_adapter(run, line)
        return (job for each in jobs for job in each)

    return open_course


def _jobs(assignment: Assignment, chosen: Iterable[Plan], done: Mapping[Origin, VerdictLine]) -> Iterator[Job]:
    for plan in chosen:
        if plan.origin in done:
            verdict = verdict_of(done[plan.origin])
            assignment.expectations.see(verdict)
            assignment.accept(verdict)
        else:
            yield assignment.send(plan)


def _answered(run: _Run, answer: Answer) -> None:
    assignment = run.assignments[answer.adapter, answer.job.suite]
    verdict = assignment.verdict(answer)
    assignment.expectations.see(verdict)
    named = assignment.expectations.of_failures(verdict)
    if verdict.outcome == "diverges" and any(name not in named for name in verdict.broken):
        run.doubtful.append((assignment, verdict))
        return
    if verdict.outcome in ADAPTER_FAULTS:
        verdict = replace(verdict, expected_by=assignment.expectations.of_outcome(verdict))
    demanded = assignment.demanded(verdict, answer)
    details = run.request.details
    run.emit(verdict_line(verdict, expected=named, demanded=demanded, stderr=answer.stderr, details=details))


def _confirm(run: _Run, progress: Progress) -> None:
    """Try the smallest scenario of each distinct failure again, alone: it is the one that the report shows."""
    if run.request.fault is not None:
        return
    run.doubtful.sort(key=lambda one: (one[0].adapter, one[1].plan.id))  # whatever order the processes answered in
    smallest: dict[tuple[str, tuple[str, ...]], int] = {}
    for index, (assignment, verdict) in enumerate(run.doubtful):
        key = (assignment.adapter, verdict.broken)
        if key not in smallest or _size(verdict) < _size(run.doubtful[smallest[key]][1]):
            smallest[key] = index
    for number, index in enumerate(smallest.values()):
        assignment, verdict = run.doubtful[index]
        progress(f"confirming {number + 1} of {len(smallest)}: {verdict.plan.id} on {assignment.adapter}")
        run.doubtful[index] = (assignment, confirm(assignment, run.commands[assignment.adapter], verdict, run.limits))


def _size(verdict: Verdict) -> int:
    return len(str(verdict.plan.scenario))


def _emit_doubtful(run: _Run) -> None:
    """Emit the failures that nothing expected, as far as they are confirmed; also when the run is cut short."""
    for assignment, verdict in run.doubtful:
        run.emit(verdict_line(verdict, expected=assignment.expectations.of_failures(verdict)))
    run.doubtful.clear()


def _emit_stale(run: _Run) -> None:
    if run.request.fault is not None or run.request.requirements or run.request.shard is not None:
        return
    for assignment in run.assignments.values():
        for line in assignment.expectations.stale(assignment.adapter):
            run.emit(line)
