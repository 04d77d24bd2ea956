"""The report for a terminal: the table, the divergences, the faults, and one closing line.

Enters: a digest of a log. Leaves: text on a stream. Must not know how a verdict was reached.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from bindproof.report.digest import Digest, Divergence, KnownOutcome
from bindproof.report.exercise import print_exercise
from bindproof.report.findings import print_findings
from bindproof.report.printing import (
    MOST_SHOWN,
    Suites,
    console_on,
    plural,
    print_evidence,
    print_facts,
    print_lines,
    print_proof,
    print_scenario,
    replay_command,
)
from bindproof.report.table import print_table
from bindproof.report.verdict import print_verdict

if TYPE_CHECKING:
    from rich.console import Console

NO_SUITES: Suites = {}


def show(digest: Digest, stream: IO[str], *, suites: Suites = NO_SUITES) -> None:
    """Prints the report of a run.

    Args:
        digest: a log that was taken to its end.
        stream: where to print.
        suites: the suites whose scenarios may have to be shown.
    """
    console = console_on(stream)
    print_table(console, digest)
    _unready(console, digest)
    print_exercise(console, digest)
    print_findings(console, digest, suites)
    told = {(finding.adapter, name) for finding in digest.findings for name in (finding.breaks, *finding.also)}
    for divergence in digest.divergences:
        if divergence.expected_by is None and (divergence.adapter, divergence.requirement.id) not in told:
            _divergence(console, digest, divergence, suites)
    _known(console, digest)
    _faults(console, digest)
    _unjudged(console, digest)
    _bugs(console, digest)
    _stale(console, digest)
    _closing(console, digest)


def show_replay(digest: Digest, stream: IO[str], *, suites: Suites = NO_SUITES) -> None:
    """Prints the report of a replay: no table, but all that is known of each verdict.

    Args:
        digest: a log that was taken to its end, by a digest that keeps verdicts.
        stream: where to print.
        suites: as for `show`.
    """
    console = console_on(stream)
    _unready(console, digest)
    order = list(digest.adapters)
    for verdict in sorted(digest.verdicts, key=lambda v: order.index(v.adapter) if v.adapter in order else len(order)):
        print_verdict(console, digest, verdict, suites)
    _stale(console, digest)
    _closing(console, digest)


def closing_line(digest: Digest) -> str:
    """The last line, such as `2 of 3 adapters judged: 164 scenarios, 0 unexpected divergences, 6 known, 1 crash`."""
    judged = sum(1 for name in digest.adapters if digest.judged.get(name))
    known = sum(1 for d in digest.divergences if d.expected_by is not None)
    unexpected = len(digest.divergences) - known
    parts = [
        plural(sum(digest.judged.values()), "scenario"),
        plural(unexpected, "unexpected divergence"),
        f"{known} known",
    ]
    if digest.stale:
        parts.append(plural(len(digest.stale), "stale expectation"))
    outcomes = _unjudged_outcomes(digest)
    for known_outcome in digest.known_outcomes:
        word = known_outcome.outcome
        outcomes[word] -= len(known_outcome.plans)
        outcomes[f"known {word}"] = outcomes.get(f"known {word}", 0) + len(known_outcome.plans)
    parts += [plural(count, outcome.replace("_", " ")) for outcome, count in outcomes.items() if count]
    return f"{judged} of {plural(len(digest.adapters), 'adapter')} judged: {', '.join(parts)}"


def _unjudged_outcomes(digest: Digest) -> dict[str, int]:
    """How many verdicts of each outcome in which nothing was judged; those that are known are among them."""
    counts: dict[str, int] = {known.outcome: 0 for known in digest.known_outcomes}
    if digest.summary is None:
        return counts | {known.outcome: len(known.plans) for known in digest.known_outcomes}
    for outcomes in digest.summary.outcomes.values():
        for outcome, count in outcomes.items():
            if outcome not in {"conforms", "diverges"}:
                counts[outcome] = counts.get(outcome, 0) + count
    return counts


def _unready(console: Console, digest: Digest) -> None:
    for adapter in digest.adapters.values():
        for note in adapter.notes:
            console.print(f"{adapter.name}: {note}", style="yellow")
        if adapter.state == "ready":
            continue
        console.print()
        console.print(f"adapter {adapter.name} {adapter.state}: {adapter.reason}", style="bold red")
        if adapter.remedy:
            print_lines(console, [f"to have it: {adapter.remedy}"])
        print_proof(console, adapter.evidence, adapter.stderr)


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
    for evidence in divergence.broken.failures:
        console.print()
        print_evidence(console, evidence)
    console.print()
    print_scenario(console, verdict, suites)
    also = [name for name in (broken.requirement for broken in verdict.broken) if name != facts.id]
    console.print()
    print_facts(
        console,
        ("vector", f"{verdict.plan}  {verdict.title}".rstrip()),
        ("also broken", ", ".join(also)),
        ("reproduced", verdict.reproduced),
        ("explain", f"bindproof explain {facts.id}"),
        ("replay", replay_command(digest, verdict)),
    )


def _known(console: Console, digest: Digest) -> None:
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
        print_lines(console, [replay_command(digest, divergence.verdict)], indent="    ")
    for outcome in digest.known_outcomes:
        _known_outcome(console, digest, outcome)


def _known_outcome(console: Console, digest: Digest, known: KnownOutcome) -> None:
    outcome = known.outcome.replace("_", " ")
    console.print(f"  {outcome} on {known.adapter}: {', '.join(known.plans)}", style="yellow", soft_wrap=True)
    reason = digest.reason_of(known.expected_by)
    print_lines(console, [reason] if reason else [], indent="    ")
    print_lines(console, [replay_command(digest, known.verdict)], indent="    ")


def _faults(console: Console, digest: Digest) -> None:
    for verdict in digest.faults[:MOST_SHOWN]:
        console.print()
        outcome = verdict.outcome.replace("_", " ")
        console.print(f"{outcome} of {verdict.adapter} on {verdict.plan}", style="bold red")
        if verdict.reason:
            console.print(f"  {verdict.reason}")
        print_proof(console, verdict.evidence, verdict.stderr)
        print_lines(console, [f"replay   {replay_command(digest, verdict)}"])
    _more(console, len(digest.faults))


def _unjudged(console: Console, digest: Digest) -> None:
    if not digest.unjudged:
        return
    console.print()
    console.print("not judged, though they should have been", style="bold red")
    for verdict in digest.unjudged[:MOST_SHOWN]:
        console.print(f"  {verdict.plan} on {verdict.adapter}: {verdict.outcome.replace('_', ' ')}, {verdict.reason}")
    _more(console, len(digest.unjudged))


def _bugs(console: Console, digest: Digest) -> None:
    """Our own failures have few causes: the first is told in full, of the others the scenarios."""
    if not digest.bugs:
        return
    first, *others = digest.bugs
    console.print()
    console.print(f"bindproof itself failed on {first.plan} on {first.adapter}: please report this", style="bold red")
    print_lines(console, first.reason.rstrip().splitlines())
    if others:
        named = ", ".join(f"{verdict.plan} on {verdict.adapter}" for verdict in others[:MOST_SHOWN])
        print_lines(console, [f"and on {plural(len(others), 'more scenario')}: {named}"])
        _more(console, len(others))


def _stale(console: Console, digest: Digest) -> None:
    if not digest.stale:
        return
    console.print()
    console.print("stale expectations (they did not occur though their vectors ran: remove them)", style="bold red")
    for stale in digest.stale:
        where = f" in {stale.source}" if stale.source else ""
        print_lines(console, [f"{stale.requirement} on {stale.adapter}{where}"])
        print_lines(console, [f"not seen in {', '.join(stale.vectors)}"] if stale.vectors else [], indent="    ")


def _closing(console: Console, digest: Digest) -> None:
    console.print()
    if digest.summary is not None and digest.summary.exit not in (0, 1):
        console.print(digest.summary.why, style="bold red")
    console.print(closing_line(digest), style="bold", soft_wrap=True)


def _more(console: Console, count: int) -> None:
    if count > MOST_SHOWN:
        console.print(f"  and {count - MOST_SHOWN} more, all in the log (--results FILE)")
