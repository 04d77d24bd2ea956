"""The report on requirements: the table, the divergences, the faults, and one closing line.

Enters: a digest of a log. Leaves: text on a stream. Must not know how a verdict was reached.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, TextIO

from bindproof.core.counting import plural
from bindproof.report import Report
from bindproof.report.classes import print_classes
from bindproof.report.digest import MOST_KEPT, Digest, Divergence, KnownOutcome
from bindproof.report.exercise import print_exercise
from bindproof.report.findings import print_findings
from bindproof.report.frame import print_closing, print_stale, print_unready
from bindproof.report.printed import Printed
from bindproof.report.printing import (
    NO_SUITES,
    Suites,
    console_on,
    print_facts,
    print_failures,
    print_lines,
    print_proof,
    print_scenario,
    program_command,
    replay_command,
)
from bindproof.report.table import print_table

if TYPE_CHECKING:
    from rich.console import Console


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Printed(Digest(), show, stream)


def show(digest: Digest, stream: IO[str], *, suites: Suites = NO_SUITES) -> None:
    """Prints the report of a run.

    Args:
        digest: a log that was taken to its end.
        stream: where to print.
        suites: the suites whose scenarios may have to be shown.
    """
    console = console_on(stream)
    print_table(console, digest)
    print_classes(console, digest)
    print_unready(console, digest)
    print_exercise(console, digest)
    print_findings(console, digest, suites)
    told = {(finding.adapter, name) for finding in digest.findings for name in (finding.breaks, *finding.also)}
    for divergence in digest.divergences:
        if divergence.expected_by is None and (divergence.adapter, divergence.requirement.id) not in told:
            _divergence(console, digest, divergence, suites)
    _known(console, digest, suites)
    _faults(console, digest)
    _unjudged(console, digest)
    _bugs(console, digest)
    print_stale(console, digest)
    print_closing(console, digest)


def _divergence(console: Console, digest: Digest, divergence: Divergence, suites: Suites) -> None:
    facts, verdict = divergence.requirement, divergence.verdict
    console.print()
    console.rule(style="dim", characters="─")
    console.print(f"{facts.id} {facts.title}".rstrip(), style="bold red")
    shown = f"in {plural(divergence.count, 'scenario')}, of which this is the smallest"
    times = "" if divergence.count == 1 else f" {shown}"
    console.print(f"{facts.level} · broken on {divergence.adapter}{times}", style="dim")
    if facts.statement:
        console.print(facts.statement)
    print_failures(console, divergence.broken.failures)
    console.print()
    print_scenario(console, verdict, suites)
    also = [name for name in (broken.requirement for broken in verdict.broken) if name != facts.id]
    console.print()
    print_facts(
        console,
        ("vector", f"{verdict.plan}  {verdict.title}".rstrip()),
        ("also broken", ", ".join(also)),
        ("reproduced", verdict.reproduced),
        ("not kept", verdict.cut),
        ("explain", f"bindproof explain {facts.id}"),
        ("replay", replay_command(digest, verdict)),
        ("program", program_command(digest, verdict, suites)),
    )


def _known(console: Console, digest: Digest, suites: Suites) -> None:
    known = [d for d in digest.divergences if d.expected_by is not None]
    if not known and not digest.known_outcomes:
        return
    console.print()
    console.print("known divergences (an expectation names each and says why)", style="bold")
    for divergence in known:
        facts = divergence.requirement
        console.print(f"  {facts.id} on {divergence.adapter}: {facts.title}", style="yellow")
        reason = digest.reason_of(divergence.expected_by)
        print_lines(console, [reason] if reason else [], indent="    ")
        commands = [replay_command(digest, divergence.verdict), program_command(digest, divergence.verdict, suites)]
        print_lines(console, filter(None, commands), indent="    ")
    for outcome in digest.known_outcomes:
        _known_outcome(console, digest, outcome)


def _known_outcome(console: Console, digest: Digest, known: KnownOutcome) -> None:
    outcome = known.outcome.replace("_", " ")
    more = [f"and {known.count - len(known.plans)} more"] if known.count > len(known.plans) else []
    console.print(f"  {outcome} on {known.adapter}: {', '.join([*known.plans, *more])}", style="yellow", soft_wrap=True)
    reason = digest.reason_of(known.expected_by)
    print_lines(console, [reason] if reason else [], indent="    ")
    print_lines(console, [replay_command(digest, known.verdict)], indent="    ")


def _faults(console: Console, digest: Digest) -> None:
    for verdict in digest.faults:
        console.print()
        outcome = verdict.outcome.replace("_", " ")
        console.print(f"{outcome} of {verdict.adapter} on {verdict.plan}", style="bold red")
        if verdict.reason:
            console.print(f"  {verdict.reason}")
        print_proof(console, verdict.evidence, verdict.stderr)
        print_lines(console, [f"replay   {replay_command(digest, verdict)}"])
    _more(console, digest.counts_of["faults"])


def _unjudged(console: Console, digest: Digest) -> None:
    if not digest.unjudged:
        return
    console.print()
    console.print("not judged, though they should have been", style="bold red")
    for verdict in digest.unjudged:
        console.print(f"  {verdict.plan} on {verdict.adapter}: {verdict.outcome.replace('_', ' ')}, {verdict.reason}")
    _more(console, digest.counts_of["unjudged"])


def _bugs(console: Console, digest: Digest) -> None:
    """Our own failures have few causes: the first is told in full, of the others the scenarios."""
    if not digest.bugs:
        return
    first, *others = digest.bugs
    console.print()
    console.print(f"bindproof itself failed on {first.plan} on {first.adapter}: please report this", style="bold red")
    print_lines(console, first.reason.rstrip().splitlines())
    if others:
        named = ", ".join(f"{verdict.plan} on {verdict.adapter}" for verdict in others)
        print_lines(console, [f"and on {plural(digest.counts_of['bugs'] - 1, 'more scenario')}: {named}"])
        _more(console, digest.counts_of["bugs"])


def _more(console: Console, count: int) -> None:
    if count > MOST_KEPT:
        console.print(f"  and {count - MOST_KEPT} more, all in the log (--results FILE)")
