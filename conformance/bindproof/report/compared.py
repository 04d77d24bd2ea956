"""A comparison as text.

Enters: a comparison. Leaves: text on a stream. Must not know how it came about.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from bindproof.core.counting import plural
from bindproof.report.comparison import KINDS, Change, Comparison, Kind, Scenarios, Subject
from bindproof.report.printing import console_on, print_lines

if TYPE_CHECKING:
    from rich.console import Console

HEADS: dict[Kind, tuple[str, str]] = {
    "broke": ("broke", "bold red"),
    "mended": ("mended", "bold green"),
    "changed": ("broken before and now, in another way", "bold yellow"),
    "came": ("came: it did not apply before", "bold"),
    "went": ("went: it does not apply any more", "bold"),
    "otherwise": ("judged in one of the two alone", "bold magenta"),
}
BRIEF: frozenset[Kind] = frozenset({"came", "went"})
"""Kinds of which there may be many, and a line says all."""


def show(comparison: Comparison, stream: IO[str]) -> None:
    """Print what changed, a part for each kind of change, and one closing line."""
    console = console_on(stream)
    console.print(f"{who(comparison.old)} → {who(comparison.new)}", style="bold", soft_wrap=True)
    if comparison.old.spec != comparison.new.spec:
        console.print("they were judged by different specs: what came or went may be the spec's", style="yellow")
    for kind in KINDS:
        changes = comparison.of(kind)
        if changes:
            head, style = HEADS[kind]
            console.print()
            console.print(f"{head} ({len(changes)})", style=style)
        for change in changes:
            _print_change(console, change)
    _print_scenarios(console, "not judged any more, because the adapter fails", comparison.lost, "bold red")
    _print_scenarios(console, "judged again", comparison.found, "bold green")
    console.print()
    console.print(closing(comparison), style="bold", soft_wrap=True)


def closing(comparison: Comparison) -> str:
    """The last line, such as `176 requirements as before, 1 broke, 2 mended`."""
    counts = [(kind, len(comparison.of(kind))) for kind in KINDS]
    changed = [f"{count} {kind}" for kind, count in counts if count]
    changed += [f"{plural(comparison.lost.count, 'scenario')} lost"] if comparison.lost.count else []
    changed += [f"{plural(comparison.found.count, 'scenario')} judged again"] if comparison.found.count else []
    return ", ".join([f"{plural(comparison.unchanged, 'requirement')} as before", *changed])


def _print_scenarios(console: Console, head: str, scenarios: Scenarios, style: str) -> None:
    if not scenarios.count:
        return
    console.print()
    console.print(f"{head} ({scenarios.count})", style=style)
    print_lines(console, [f"{plan}: {outcome.replace('_', ' ')}" for plan, outcome in scenarios.some])
    if scenarios.count > len(scenarios.some):
        print_lines(console, [f"and {scenarios.count - len(scenarios.some)} more"])


def who(subject: Subject) -> str:
    """Say who is compared, such as `python (nemo-relay 0.10.4, edition 0.10)`."""
    editions = ", ".join(dict.fromkeys(subject.editions.values()))
    target = f"{subject.target} {subject.version}".strip()
    return f"{subject.adapter} ({target}, edition {editions})"


def _print_change(console: Console, change: Change) -> None:
    before, after = (status or "does not apply" for status in (change.before, change.after))
    line = f"  {change.requirement} {change.title}"
    console.print(line if change.kind in BRIEF else f"{line}: {before} → {after}", soft_wrap=True)
    print_lines(console, change.why, indent="    ")
    if change.kind in BRIEF:
        return
    more = [f"and {change.count - len(change.scenarios)} more"] if change.count > len(change.scenarios) else []
    if change.scenarios:
        print_lines(console, [f"in {', '.join([*change.scenarios, *more])}"], indent="    ")
    print_lines(console, change.replay, indent="    ")
