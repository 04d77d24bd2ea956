"""Performs a campaign: every adapter is sent the scenarios of one stream, and what comes back is judged.

Enters: a CampaignRequest, where lines and progress go. Leaves: the log's lines in order. Memory does not grow with the
number of scenarios: what conforms is forgotten.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from bindproof.campaign.findings import Findings
from bindproof.campaign.guidance import rare_numbers
from bindproof.campaign.request import CampaignRequest
from bindproof.campaign.saving import saved
from bindproof.campaign.stream import Stream
from bindproof.core.model import ADAPTER_FAULTS, AdapterCommand, Plan, TargetInfo, Verdict
from bindproof.core.origins import Generated, Origin
from bindproof.drive import Answer, Failed, Job, Limits, drive
from bindproof.results import AdapterLine, ChoicesLine, Line, RunLine, Speaks, verdict_line
from bindproof.runner.adapter_lines import failed_line, ready_line
from bindproof.runner.adapters import commands, names
from bindproof.runner.assignment import Assignment
from bindproof.runner.earlier import Earlier
from bindproof.runner.expecting import Expectations, name_of
from bindproof.runner.material import Material, materials
from bindproof.runner.opening import run_line
from bindproof.runner.setting import settings

RESTARTS = 1000
"""Processes that scenarios may cost one adapter: a known crash must not end a campaign."""

Emit = Callable[[Line], None]
Progress = Callable[[str], None]


@dataclass
class _Campaign:
    """The state of a campaign.

    over: adapters that are given up. sent: how many scenarios went to each assignment. ends: when nothing more is sent;
    the clock starts with the first adapter that is ready. judged: the scenarios that were judged before this campaign
    was cut short, by assignment.
    """

    request: CampaignRequest
    materials: dict[str, Material]
    emit: Emit
    progress: Progress
    limits: Limits
    findings: Findings
    streams: dict[str, Stream] = field(default_factory=dict)
    commands: dict[str, AdapterCommand] = field(default_factory=dict)
    lines: dict[str, AdapterLine] = field(default_factory=dict)
    assignments: dict[tuple[str, str], Assignment] = field(default_factory=dict)
    sent: Counter[tuple[str, str]] = field(default_factory=Counter)
    over: set[str] = field(default_factory=set)
    ends: float | None = None
    before: Earlier | None = None
    judged: dict[tuple[str, str], set[Origin]] = field(default_factory=dict)


def campaign(request: CampaignRequest, emit: Emit, progress: Progress, before: Earlier | None = None) -> None:
    """Perform a campaign. Raises UsageError or SpecError for what the user can mend, before any adapter is started.

    before: the same campaign, cut short. What nothing expected is done again, for its findings, and so is the rest.
    """
    run = request.run
    read, first = opening(request)
    if before is None:
        emit(first)
    else:
        before.hold_same(first)
    limits = replace(Limits.allowing(run.timeout), restarts=RESTARTS)
    state = _Campaign(request, read, emit, progress, limits, Findings(limits, progress), before=before)
    for verdict in before.verdicts if before is not None else ():
        state.judged.setdefault((verdict.adapter, verdict.suite), set()).add(verdict.came_from)
    state.streams = {name: Stream(one.suite, request.seed, _rare(request, one)) for name, one in read.items()}
    for found in commands(run, progress, read):
        if isinstance(found, AdapterLine):
            emit(found)
        else:
            state.commands[found.name] = found
    try:
        _drive(state)
    finally:
        _emit_counts(state)


def opening(request: CampaignRequest) -> tuple[dict[str, Material], RunLine]:
    """Return what a campaign is judged by, and its first line; raises UsageError or SpecError."""
    run = request.run
    read = materials(run)
    reasons = {name_of(d): d.reason for one in read.values() for d in one.expectations}
    line = run_line(run, [one.spec for one in read.values()], names(run, read), reasons)
    return read, msgspec.structs.replace(line, seed=request.seed, minimum=request.minimum)


def _rare(request: CampaignRequest, material: Material) -> Sequence[int]:
    return rare_numbers(material.suite, material.spec, request.seed) if request.guided else ()


def _drive(state: _Campaign) -> None:
    work = [(command, _opener(state, command)) for command in state.commands.values()]
    failed: dict[str, str] = {}
    for event in drive(work, state.limits, state.request.run.processes):
        if isinstance(event, Answer):
            _answered(state, event)
        elif isinstance(event, Failed):
            failed[event.adapter] = event.reason
            state.over.add(event.adapter)
            line = failed_line(state.request.run, state.commands[event.adapter], event, state.lines.get(event.adapter))
            state.lines[event.adapter] = line
            state.emit(line)
    for assignment in state.assignments.values():
        for verdict in assignment.left_over(failed.get(assignment.adapter, "the adapter ended before this scenario")):
            state.emit(verdict_line(verdict))


def _opener(state: _Campaign, command: AdapterCommand) -> Callable[[TargetInfo], Iterable[Job]]:
    """Return what the drive calls once the adapter has said what it is."""

    def open_courses(info: TargetInfo) -> Iterable[Job]:
        known = [(one.spec, one.suite, one.fault) for one in state.materials.values()]
        found, notes = settings(state.request.run, known, info)
        for setting in found:
            expectations = Expectations(state.materials[setting.spec.name].expectations, info.target, info.version)
            state.assignments[command.name, setting.spec.name] = Assignment(command.name, setting, expectations)
        if state.request.seconds is not None and state.ends is None:
            state.ends = time.monotonic() + state.request.seconds
        selected = 0 if state.request.seconds is not None else state.request.count or 0
        speaks = tuple(Speaks(one.spec.name, one.edition, one.dialect, selected) for one in found)
        line = ready_line(state.request.run, command, info, speaks, (*command.notes, *notes))
        state.lines[command.name] = line
        if state.before is not None:
            state.before.hold_same_adapter(line, selected=False)
        state.emit(line)
        return _jobs(state, command.name, [one.spec.name for one in found])

    return open_courses


def _jobs(state: _Campaign, adapter: str, suites: Sequence[str]) -> Iterator[Job]:
    """Yield the jobs of an adapter as they are asked for, its suites in turns."""
    for number in state.request.numbers():
        for suite in suites:
            if state.ends is not None and (adapter in state.over or time.monotonic() >= state.ends):
                return
            plan = Plan(
                Generated(state.request.seed, number, state.request.guided),
                suite,
                state.streams[suite].scenario(number),
            )
            state.sent[adapter, suite] += 1
            if plan.origin in state.judged.get((adapter, suite), ()):
                continue
            assignment = state.assignments[adapter, suite]
            taken = assignment.take(plan)
            if isinstance(taken, Verdict):
                state.emit(verdict_line(taken))
            else:
                yield taken


def _answered(state: _Campaign, answer: Answer) -> None:
    assignment = state.assignments[answer.adapter, answer.job.suite]
    verdict = assignment.verdict(answer)
    if verdict.outcome == "not_run":
        state.over.add(answer.adapter)
    named = assignment.expectations.of_failures(verdict)
    if verdict.outcome in ADAPTER_FAULTS:
        verdict = replace(verdict, expected_by=assignment.expectations.of_outcome(verdict))
    demanded = assignment.demanded(verdict, answer)
    line = verdict_line(_light(verdict), expected=named, demanded=demanded, stderr=answer.stderr)
    found: list[str] = []
    try:
        found = state.findings.of(assignment, state.commands[answer.adapter], verdict)
    finally:
        _emit_found(state)
        state.emit(msgspec.structs.replace(line, found=tuple(found)))


def _emit_found(state: _Campaign) -> None:
    fresh, state.findings.fresh = state.findings.fresh, []
    for line in fresh:
        folder = state.request.save
        state.emit(line if folder is None else saved(line, folder))


def _light(verdict: Verdict) -> Verdict:
    """Return a verdict without what was seen and allowed: its scenario makes both again."""
    return replace(verdict, observation=None, prediction=None)


def _emit_counts(state: _Campaign) -> None:
    """Say what the generator never chose, and how many scenarios each adapter was sent, where the time decided it."""
    for name, stream in state.streams.items():
        state.emit(ChoicesLine(name, stream.tally.never(), stream.counted))
    if state.request.seconds is None:
        return
    for name, line in state.lines.items():
        speaks = tuple(msgspec.structs.replace(one, selected=state.sent[name, one.suite]) for one in line.suites)
        state.emit(msgspec.structs.replace(line, suites=speaks))
