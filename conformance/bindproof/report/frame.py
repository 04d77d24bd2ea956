"""What every report for people begins and ends with: adapters that are not ready, stale expectations, the closing line.

Enters: a digest of a log. Leaves: text on a console. Must not know how a verdict was reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindproof.core.counting import plural
from bindproof.report.digest import Digest
from bindproof.report.printing import print_lines, print_proof

if TYPE_CHECKING:
    from rich.console import Console


def print_unready(console: Console, digest: Digest) -> None:
    """What the user should know of each adapter, and why one is not ready."""
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


def print_stale(console: Console, digest: Digest) -> None:
    """The expectations that did not occur."""
    if not digest.stale:
        return
    console.print()
    console.print("stale expectations (they did not occur though their vectors ran: remove them)", style="bold red")
    for stale in digest.stale:
        where = f" in {stale.source}" if stale.source else ""
        print_lines(console, [f"{stale.requirement} on {stale.adapter}{where}"])
        print_lines(console, [f"not seen in {', '.join(stale.vectors)}"] if stale.vectors else [], indent="    ")


def print_closing(console: Console, digest: Digest) -> None:
    """Why the run ended as it did, where that needs words, and the closing line."""
    console.print()
    if digest.summary is not None and digest.summary.exit not in (0, 1):
        console.print(digest.summary.why, style="bold red")
    console.print(closing_line(digest), style="bold", soft_wrap=True)


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
        outcomes[word] -= known_outcome.count
        outcomes[f"known {word}"] = outcomes.get(f"known {word}", 0) + known_outcome.count
    parts += [plural(count, outcome.replace("_", " ")) for outcome, count in outcomes.items() if count]
    return f"{judged} of {plural(len(digest.adapters), 'adapter')} judged: {', '.join(parts)}"


def _unjudged_outcomes(digest: Digest) -> dict[str, int]:
    """How many verdicts of each outcome in which nothing was judged; those that are known are among them."""
    counts: dict[str, int] = {known.outcome: 0 for known in digest.known_outcomes}
    if digest.summary is None:
        return counts | {known.outcome: known.count for known in digest.known_outcomes}
    for outcomes in digest.summary.outcomes.values():
        for outcome, count in outcomes.items():
            if outcome not in {"conforms", "diverges"}:
                counts[outcome] = counts.get(outcome, 0) + count
    return counts
