"""One verdict in full: its scenario with everything that was found, also when it conforms.

Enters: a digest that kept its verdicts. Leaves: text on a console. Must not know how a verdict was reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindproof.core.model import Json
from bindproof.report.digest import Digest
from bindproof.report.printing import (
    Suites,
    one_line,
    print_facts,
    print_failures,
    print_lines,
    print_proof,
    print_scenario,
    program_command,
    reader_of,
    replay_command,
)
from bindproof.results import VerdictLine

if TYPE_CHECKING:
    from rich.console import Console


def print_verdict(console: Console, digest: Digest, verdict: VerdictLine, suites: Suites) -> None:
    """One verdict in full: what was acted out, what held, what broke, what was seen, what would be allowed."""
    console.print()
    console.rule(style="dim", characters="─")
    outcome = verdict.outcome.replace("_", " ")
    good = verdict.outcome == "conforms"
    console.print(f"{verdict.plan} on {_whom(digest, verdict)}: {outcome}", style="bold green" if good else "bold red")
    if verdict.title:
        console.print(verdict.title)
    console.print()
    print_scenario(console, verdict, suites)
    _held(console, digest, verdict)
    _broken(console, digest, verdict)
    if not verdict.held and not verdict.broken and verdict.reason:
        console.print(f"\n{verdict.reason}")
    print_proof(console, verdict.evidence, verdict.stderr)
    if verdict.observation is not None:
        console.print("\nwhat was seen, as the adapter recorded it")
        _lanes(console, _seen(verdict, suites))
    if verdict.prediction is not None:
        console.print("\nwhat the reference allows ($… stands for what may vary: see the suite's scenarios.md)")
        _lanes(console, {lane: list(enumerate(records)) for lane, records in verdict.allowed.items()})
    console.print()
    print_facts(
        console,
        ("reproduced", verdict.reproduced),
        ("not kept", verdict.cut),
        ("expected by", verdict.expected_by),
        ("because", digest.reason_of(verdict.expected_by)),
        ("explain", f"bindproof explain {verdict.broken[0].requirement}" if verdict.broken else None),
        ("replay", replay_command(digest, verdict)),
        ("program", program_command(digest, verdict, suites) if verdict.broken else None),
    )


def _whom(digest: Digest, verdict: VerdictLine) -> str:
    adapter = digest.adapters.get(verdict.adapter)
    if adapter is None or not adapter.target:
        return verdict.adapter
    edition = next((f", edition {s.edition}" for s in adapter.suites if s.suite == verdict.suite), "")
    return f"{verdict.adapter} ({adapter.target} {adapter.version}{edition})"


def _held(console: Console, digest: Digest, verdict: VerdictLine) -> None:
    if verdict.held:
        console.print("\nheld")
        print_lines(console, (f"{name}  {digest.facts(name).title}" for name in verdict.held))


def _broken(console: Console, digest: Digest, verdict: VerdictLine) -> None:
    for broken in verdict.broken:
        facts = digest.facts(broken.requirement)
        known = broken.expected_by is not None
        word = "broken, as is known" if known else "broken"
        console.print(f"\n{word}  {facts.id}  {facts.title}", style="bold yellow" if known else "bold red")
        console.print(facts.statement)
        if reason := digest.reason_of(broken.expected_by):
            console.print(f"known because: {reason}", style="yellow")
        print_failures(console, broken.failures)


def _seen(verdict: VerdictLine, suites: Suites) -> dict[str, list[tuple[int, Json]]]:
    """The records by lane, each with its place in the log."""
    suite, log = reader_of(verdict, suites), verdict.observation or []
    try:
        names = ["log"] * len(log) if suite is None else list(map(suite.lanes(verdict.scenario), log))
    except Exception:  # records of another version, or none at all: they are shown as they are
        names = ["log"] * len(log)
    lanes: dict[str, list[tuple[int, Json]]] = {}
    for index, (lane, record) in enumerate(zip(names, log, strict=True)):
        lanes.setdefault(lane, []).append((index, record))
    return lanes


def _lanes(console: Console, lanes: dict[str, list[tuple[int, Json]]]) -> None:
    for lane, records in lanes.items():
        console.print(f"  lane {lane}")
        print_lines(console, (f"{index:>3}  {one_line(record)}" for index, record in records))
        if not records:
            print_lines(console, ["     nothing"])
