"""What a campaign found, each finding once with its smallest scenario, and what to keep of it.

Enters: a digest of a log. Leaves: text on a console. Must not know how a scenario was made smaller.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from bindproof.core.counting import plural
from bindproof.core.likeness import most_telling, shape_of
from bindproof.core.origins import FromFile
from bindproof.core.smallest import size
from bindproof.report.digest import Digest
from bindproof.report.printing import (
    MOST_SHOWN,
    Suites,
    one_line,
    print_facts,
    print_failures,
    print_lines,
    print_proof,
    print_scenario,
    program_command,
    replay_command,
)
from bindproof.results import FindingLine, VerdictLine

if TYPE_CHECKING:
    from rich.console import Console

_TRUTH: Final = re.compile(r"True|False")

LONGEST: Final = 200
"""Characters that are shown of a finding beside another."""


def print_findings(console: Console, digest: Digest, suites: Suites) -> None:
    """The smallest finding of each kind in full with those beside it, and then how many verdicts belong to none."""
    for first, *alike in groups(digest.findings):
        _print_finding(console, digest, first, suites)
        if alike:
            console.print(f"\n{plural(len(alike), 'more finding')} that look like it")
            print_lines(console, (f"{one.id}  {one_line(one.scenario)}"[:LONGEST] for one in alike[:MOST_SHOWN]))
    if digest.unreduced:
        console.print()
        console.print(f"of the same kinds, and not made smaller: {plural(digest.unreduced, 'more scenario')}")


def groups(findings: Sequence[FindingLine]) -> list[list[FindingLine]]:
    """Return findings by what they may have in common: adapter, requirement or fault, and the shape of the evidence, of
    the smallest part that breaks the requirement; true and false are one there.

    The smallest of a group is its first; groups are in the order in which they were found.
    """
    found: dict[tuple[str, ...], list[FindingLine]] = {}
    for one in findings:
        telling = most_telling(one.failures)
        shape = one.cause or ("" if telling is None else shape_of(telling))
        key = one.adapter, one.suite, one.breaks or one.outcome, _TRUTH.sub("truth", shape)
        found.setdefault(key, []).append(one)
    return [sorted(group, key=lambda one: size(one.scenario)) for group in found.values()]


def _print_finding(console: Console, digest: Digest, finding: FindingLine, suites: Suites) -> None:
    facts = digest.facts(finding.breaks) if finding.breaks else None
    console.print()
    console.rule(style="dim", characters="─")
    title = f"{facts.id} {facts.title}".rstrip() if facts else finding.outcome.replace("_", " ")
    console.print(title, style="bold red")
    level = f"{facts.level} · broken on" if facts else "on"
    count = digest.shown_by(finding)
    console.print(f"{level} {finding.adapter} in {plural(count, 'generated scenario')}", style="dim")
    if facts and facts.statement:
        console.print(facts.statement)
    print_failures(console, finding.failures)
    if not finding.failures and finding.reason:
        console.print(f"  {finding.reason}")
    print_proof(console, finding.evidence, finding.stderr)
    console.print()
    print_scenario(console, as_verdict(finding), suites)
    console.print()
    print_facts(
        console,
        ("vector", finding.id),
        ("saved as", finding.file),
        ("first in", f"{finding.plan}, of which {plural(finding.acted, 'smaller scenario')} were tried"),
        ("also broken", ", ".join(finding.also)),
        ("reproduced", finding.reproduced),
        ("not kept", finding.cut),
        ("explain", f"bindproof explain {facts.id}" if facts else None),
        ("replay", replay_command(digest, as_verdict(finding))),
        ("program", program_command(digest, as_verdict(finding), suites)),
    )
    if finding.file is None:
        print_lines(console, ["(--save FOLDER keeps the smallest scenario as a vector, to be replayed by itself)"])


def as_verdict(finding: FindingLine) -> VerdictLine:
    """The finding as the verdict that its smallest scenario gets when its file is replayed."""
    origin = finding.origin if finding.file is None else FromFile(finding.file)
    return VerdictLine(
        finding.plan, finding.suite, finding.adapter, finding.outcome, scenario=finding.scenario, origin=origin
    )
