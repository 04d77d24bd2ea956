"""All that a report tells, as values: what every form of report but those for the terminal is made of.

Enters: a digest of a log that was taken to its end. Leaves: frozen values, which are JSON too. Must not know what any
form looks like.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from bindproof.core.command_line import command
from bindproof.core.errors import UsageError
from bindproof.core.model import Evidence, Json
from bindproof.report.classes import Standing, standings
from bindproof.report.digest import STATUSES, Digest, Divergence, Status
from bindproof.report.findings import as_verdict
from bindproof.report.frame import closing_line
from bindproof.report.printing import Suites, program_command, reader_of, replay_command
from bindproof.results import Broken, FindingLine, RequirementFacts, VerdictLine

if TYPE_CHECKING:
    from bindproof.suites import Suite

FORMAT = 1


class Target(Struct, frozen=True):
    """An adapter, and what it drives."""

    name: str
    state: str
    """ready, unavailable or failed."""
    target: str
    version: str
    language: str
    runtime: str
    editions: tuple[str, ...]
    required: bool
    reason: str
    remedy: str
    """`reason` and `remedy`: why it is not ready, and the command that would help."""
    notes: tuple[str, ...]
    judged: int
    """Scenarios that were judged."""
    outcomes: dict[str, int]
    """Verdicts of each outcome; empty where the log has no summary."""
    counts: dict[Status, int]
    """Requirements of each status."""
    classes: tuple[Standing, ...]
    """The conformance classes that it claims."""


class Row(Struct, frozen=True):
    """A requirement, and its status on each adapter to which it applies."""

    id: str
    level: str
    title: str
    statement: str
    chapter: str
    status: dict[str, Status]


class Shown(Struct, frozen=True):
    """A divergence: a requirement that an adapter breaks, with the smallest scenario that shows it."""

    id: str
    """Of this divergence in this log: requirement and adapter."""
    requirement: str
    level: str
    title: str
    statement: str
    chapter: str
    adapter: str
    known: bool
    """An expectation names it."""
    because: str
    """Why it is known."""
    scenarios: int
    """How many show it."""
    vector: str
    origin: Literal["vector", "file", "twin", "generated"]
    suite: str
    about: str
    """The title of the scenario."""
    steps: tuple[Json, ...]
    """The scenario as one would write it."""
    failures: tuple[Evidence, ...]
    also: tuple[str, ...]
    """Other requirements that the same scenario breaks."""
    reproduced: str
    not_kept: str
    explain: str
    replay: str
    """`explain` and `replay`: commands."""
    program: str = ""
    """The command that writes the scenario as a program in the adapter's language, where there is one."""


class Fault(Struct, frozen=True):
    """A scenario that came to no judgement, where it should have: an adapter's fault, or ours."""

    adapter: str
    outcome: str
    vector: str
    reason: str
    evidence: str
    stderr: str
    replay: str


class KnownFault(Struct, frozen=True):
    """Scenarios that cannot be judged on an adapter, as an expectation says."""

    adapter: str
    outcome: str
    because: str
    vectors: tuple[str, ...]
    """The first of them."""
    scenarios: int
    """How many there are."""
    replay: str


class Stale(Struct, frozen=True):
    """An expectation that did not occur."""

    adapter: str
    requirement: str
    source: str
    vectors: tuple[str, ...]


class Told(Struct, frozen=True):
    """A whole report."""

    format: int
    bindproof: str
    started: str
    platform: str
    spec: str
    exit: int
    """The exit code of the run."""
    why: str
    closing: str
    """The closing line of the report."""
    targets: tuple[Target, ...]
    requirements: tuple[Row, ...]
    divergences: tuple[Shown, ...]
    """Unexpected ones first."""
    faults: tuple[Fault, ...]
    """The first of them; the log has all."""
    known_faults: tuple[KnownFault, ...]
    stale: tuple[Stale, ...]


def told(digest: Digest) -> Told:
    """Return what a report tells of a log."""
    run, (code, why) = digest.run, digest.ending
    return Told(
        format=FORMAT,
        bindproof=run.bindproof if run else "",
        started=run.started if run else "",
        platform=run.platform if run else "",
        spec=run.spec if run else "",
        exit=code,
        why=why,
        closing=closing_line(digest),
        targets=tuple(_target(digest, name) for name in digest.adapters),
        requirements=tuple(_row(digest, facts) for rows in digest.chapters().values() for facts in rows),
        divergences=tuple(one for one, _ in with_verdicts(digest)),
        faults=tuple(_fault(digest, verdict) for verdict in faults(digest)),
        known_faults=tuple(
            KnownFault(
                known.adapter,
                known.outcome,
                digest.reason_of(known.expected_by),
                known.plans,
                known.count,
                replay_command(digest, known.verdict),
            )
            for known in digest.known_outcomes
        ),
        stale=tuple(Stale(one.adapter, one.requirement, one.source, one.vectors) for one in digest.stale),
    )


def with_verdicts(digest: Digest) -> Iterator[tuple[Shown, VerdictLine]]:
    """Yield each divergence with the verdict that shows it; what a campaign found has its smallest scenario."""
    suites = suites_of(digest)
    found = {(one.adapter, one.breaks): one for one in digest.findings if one.breaks}
    also = {(one.adapter, name) for one in digest.findings for name in one.also} - found.keys()
    for divergence in digest.divergences:
        key = (divergence.adapter, divergence.requirement.id)
        if divergence.expected_by is None and key in found:
            verdict = _of_finding(found[key])
            yield _shown(digest, divergence, verdict, found[key].failures, suites), verdict
        elif divergence.expected_by is not None or key not in also:
            yield _shown(digest, divergence, divergence.verdict, divergence.broken.failures, suites), divergence.verdict


def faults(digest: Digest) -> list[VerdictLine]:
    """Return the scenarios that came to no judgement and should have, our own failures last."""
    found = [_of_finding(one) for one in digest.findings if not one.breaks]
    return [*digest.faults, *found, *digest.unjudged, *digest.bugs]


def suites_of(digest: Digest) -> Suites:
    """Return the suites whose scenarios are shown; a log may speak of one that is not installed here."""
    from bindproof import spec, suites

    found: dict[str, Suite] = {}
    for name in dict.fromkeys(divergence.verdict.suite for divergence in digest.divergences):
        with suppress(UsageError):
            found[name] = suites.load(spec.installed(name))
    return found


def _of_finding(finding: FindingLine) -> VerdictLine:
    """Return the verdict that the smallest scenario of a finding got."""
    broken = [Broken(finding.breaks, finding.failures)] if finding.breaks else []
    return replace(
        as_verdict(finding),
        broken=(*broken, *(Broken(name) for name in finding.also)),
        reason=finding.reason,
        evidence=finding.evidence,
        stderr=finding.stderr,
        reproduced=finding.reproduced,
        observation=finding.observation,
        prediction=finding.prediction,
        cut=finding.cut,
    )


def _target(digest: Digest, name: str) -> Target:
    line = digest.adapters[name]
    rows = [facts for facts_of in digest.chapters().values() for facts in facts_of]
    counts = digest.counts(name, rows) if digest.judged.get(name) else dict.fromkeys(STATUSES, 0)
    return Target(
        name=name,
        state=line.state,
        target=line.target,
        version=line.version,
        language=line.language,
        runtime=line.runtime,
        editions=tuple(dict.fromkeys(speaks.edition for speaks in line.suites)),
        required=line.required,
        reason=line.reason,
        remedy=line.remedy,
        notes=line.notes,
        judged=digest.judged.get(name, 0),
        outcomes=digest.summary.outcomes.get(name, {}) if digest.summary else {},
        counts={status: count for status, count in counts.items() if count},
        classes=standings(digest).get(name, ()),
    )


def _row(digest: Digest, facts: RequirementFacts) -> Row:
    status = {
        name: status
        for name in digest.adapters
        if digest.counts(name, [facts]).get(status := digest.status(name, facts.id))
    }
    return Row(facts.id, facts.level, facts.title, facts.statement, facts.chapter, status)


def _shown(
    digest: Digest, divergence: Divergence, verdict: VerdictLine, failures: tuple[Evidence, ...], suites: Suites
) -> Shown:
    facts = divergence.requirement
    return Shown(
        id=f"{facts.id} on {divergence.adapter}",
        requirement=facts.id,
        level=facts.level,
        title=facts.title,
        statement=facts.statement,
        chapter=facts.chapter,
        adapter=divergence.adapter,
        known=divergence.expected_by is not None,
        because=digest.reason_of(divergence.expected_by),
        scenarios=divergence.count,
        vector=verdict.plan,
        origin=verdict.came_from.__struct_config__.tag,  # type: ignore[arg-type]
        suite=verdict.suite,
        about=verdict.title,
        steps=tuple(steps_of(verdict, suites)),
        failures=failures,
        also=tuple(one.requirement for one in verdict.broken if one.requirement != facts.id),
        reproduced=verdict.reproduced or "",
        not_kept=verdict.cut,
        explain=command(["explain", facts.id]),
        replay=replay_command(digest, verdict),
        program=program_command(digest, verdict, suites) or "",
    )


def steps_of(verdict: VerdictLine, suites: Suites) -> list[Json]:
    """Return the scenario as one would write it: its steps, or what stands there instead."""
    suite = reader_of(verdict, suites)
    scenario = verdict.scenario if suite is None else suite.brief(verdict.scenario)
    steps = scenario.get("steps") if isinstance(scenario, dict) else None
    return steps if isinstance(steps, list) else [scenario]


def _fault(digest: Digest, verdict: VerdictLine) -> Fault:
    return Fault(
        verdict.adapter,
        verdict.outcome,
        verdict.plan,
        verdict.reason,
        verdict.evidence or "",
        verdict.stderr,
        replay_command(digest, verdict),
    )
