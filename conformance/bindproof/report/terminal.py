"""The report for a terminal: the table, the divergences, the faults, and one closing line.

Enters: a digest of a log. Leaves: text on a stream; colours only where the stream is a terminal and NO_COLOR is not
set. Must not know how a verdict was reached.
"""

from __future__ import annotations

import shlex
from typing import IO, TYPE_CHECKING

from bindproof.log import AdapterLine, VerdictLine
from bindproof.report.contrast import contrast
from bindproof.report.digest import Digest, Divergence, Status

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

PIPED_WIDTH = 120
"""Columns when the output is no terminal."""

MOST_SHOWN = 20
"""Faults and unjudged scenarios are shown up to this many; the log has them all."""

STYLES: dict[Status, str] = {
    "broken": "bold red",
    "known": "yellow",
    "held": "green",
    "inexpressible": "dim",
    "unsupported": "dim",
    "not exercised": "magenta",
}


def show(digest: Digest, stream: IO[str], *, details_of_known: bool = False) -> None:
    """Prints the whole report.

    Args:
        digest: a log that was taken to its end.
        stream: where to print.
        details_of_known: show divergences that an expectation names as fully as the others, not in two lines each.
    """
    console = _console(stream)
    _table(console, digest)
    _unready(console, digest)
    for divergence in digest.divergences:
        if divergence.expected_by is None or details_of_known:
            _divergence(console, digest, divergence)
    if not details_of_known:
        _known(console, digest)
    _faults(console, digest)
    _unjudged(console, digest)
    _stale(console, digest)
    _closing(console, digest)


def replay_command(digest: Digest, verdict: VerdictLine) -> str:
    """The command that acts one scenario out again, quoted for a shell."""
    adapter = digest.adapters.get(verdict.adapter)
    words = ["bindproof", "replay", verdict.plan.removesuffix("+twin")]
    words += adapter.option if adapter is not None and adapter.option else ("--adapter", verdict.adapter)
    if digest.run is not None and digest.run.edition is not None:
        words += ["--edition", digest.run.edition]
    if digest.run is not None and digest.run.fault is not None:
        words += ["--fault", digest.run.fault]
    return shlex.join(words)


def closing_line(digest: Digest) -> str:
    """The last line, such as `2 of 3 adapters judged: 164 scenarios, 0 unexpected divergences, 6 known`."""
    judged = sum(1 for name in digest.adapters if digest.judged.get(name))
    known = sum(1 for d in digest.divergences if d.expected_by is not None)
    unexpected = len(digest.divergences) - known
    parts = [
        _plural(sum(digest.judged.values()), "scenario"),
        _plural(unexpected, "unexpected divergence"),
        f"{known} known",
    ]
    if digest.stale:
        parts.append(_plural(len(digest.stale), "stale expectation"))
    parts += [f"{count} {outcome.replace('_', ' ')}" for outcome, count in _other_outcomes(digest).items()]
    return f"{judged} of {_plural(len(digest.adapters), 'adapter')} judged: {', '.join(parts)}"


def _other_outcomes(digest: Digest) -> dict[str, int]:
    others: dict[str, int] = {}
    for outcomes in digest.summary.outcomes.values() if digest.summary else ():
        for outcome, count in outcomes.items():
            if outcome not in {"conforms", "diverges"}:
                others[outcome] = others.get(outcome, 0) + count
    return others


def _console(stream: IO[str]) -> Console:
    from rich.console import Console

    piped = not stream.isatty()
    return Console(file=stream, width=PIPED_WIDTH if piped else None, highlight=False, markup=False, emoji=False)


def _table(console: Console, digest: Digest) -> None:
    chapters = digest.chapters()
    if not chapters or not digest.adapters:
        return
    table = _plain_table()
    table.add_column("chapter", overflow="fold")
    for adapter in digest.adapters.values():
        table.add_column(_heading(adapter), overflow="fold")
    for title, requirements in chapters.items():
        cells = [_cell(digest, name, digest.counts(name, requirements)) for name in digest.adapters]
        table.add_row(title, *cells)
    console.print(table)


def _plain_table() -> Table:
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")


def _heading(adapter: AdapterLine) -> str:
    target = f"{adapter.target} {adapter.version}".strip()
    editions = ", ".join(dict.fromkeys(speaks.edition for speaks in adapter.suites))
    state = adapter.state if adapter.state != "ready" else ""
    return "\n".join(part for part in (adapter.name, target, f"edition {editions}" if editions else "", state) if part)


def _cell(digest: Digest, adapter: str, counts: dict[Status, int]) -> Text:
    from rich.text import Text

    if not digest.judged.get(adapter) and not any(counts.values()):
        return Text("–", style="dim")
    parts = [Text(f"{count} {status}", style=STYLES[status]) for status, count in counts.items() if count]
    return Text(", ").join(parts) if parts else Text("does not apply", style="dim")


def _unready(console: Console, digest: Digest) -> None:
    for adapter in digest.adapters.values():
        for note in adapter.notes:
            console.print(f"{adapter.name}: {note}", style="yellow")
        if adapter.state == "ready":
            continue
        console.print()
        console.print(f"adapter {adapter.name} {adapter.state}: {adapter.reason}", style="bold red")
        if adapter.remedy:
            console.print(f"  to have it: {adapter.remedy}", soft_wrap=True)
        _proof(console, adapter.evidence, adapter.stderr)


def _divergence(console: Console, digest: Digest, divergence: Divergence) -> None:
    facts, verdict = divergence.requirement, divergence.verdict
    console.print()
    console.rule(style="dim", characters="─")
    known = divergence.expected_by is not None
    console.print(f"{facts.id} {facts.title}".rstrip(), style="bold yellow" if known else "bold red")
    shown = f"in {_plural(divergence.count, 'scenario')}, of which this is the smallest"
    times = "" if divergence.count == 1 else f" {shown}"
    console.print(f"{facts.level} · {'known' if known else 'broken'} on {divergence.adapter}{times}", style="dim")
    if facts.statement:
        console.print(facts.statement)
    for evidence in divergence.broken.failures:
        console.print()
        place = f"lane {evidence.lane}" + (f", record {evidence.record}" if evidence.record is not None else "")
        console.print(f"{place}: {evidence.text}")
        _contrast(console, contrast(evidence))
    if verdict.reason:
        console.print()
        console.print(verdict.reason)
    console.print()
    _facts(
        console,
        ("vector", f"{verdict.plan}  {verdict.title}".rstrip()),
        ("reproduced", verdict.reproduced),
        ("expected by", divergence.expected_by),
        ("explain", f"bindproof explain {facts.id}"),
        ("replay", replay_command(digest, verdict)),
    )


def _contrast(console: Console, rows: list[tuple[str, str, str]]) -> None:
    from rich.text import Text

    table = _plain_table()
    places = any(place for place, _, _ in rows)
    if places:
        table.add_column("at", overflow="fold")
    table.add_column("expected", overflow="fold", ratio=1)
    table.add_column("observed", overflow="fold", ratio=1)
    table.expand = True
    for place, expected, observed in rows:
        cells = (expected, observed)
        table.add_row(*[Text(cell) for cell in ((place, *cells) if places else cells)])
    console.print(table)


def _known(console: Console, digest: Digest) -> None:
    known = [d for d in digest.divergences if d.expected_by is not None]
    if not known:
        return
    console.print()
    console.print("known divergences (a shipped or given expectation names each)", style="bold")
    for divergence in known:
        facts = divergence.requirement
        console.print(f"  {facts.id} on {divergence.adapter}: {facts.title}", style="yellow")
        console.print(f"    {replay_command(digest, divergence.verdict)}", soft_wrap=True)


def _faults(console: Console, digest: Digest) -> None:
    for verdict in digest.faults[:MOST_SHOWN]:
        console.print()
        outcome = verdict.outcome.replace("_", " ")
        console.print(f"{outcome} of {verdict.adapter} on {verdict.plan}", style="bold red")
        if verdict.reason:
            console.print(f"  {verdict.reason}")
        _proof(console, verdict.evidence, verdict.stderr)
        console.print(f"  replay   {replay_command(digest, verdict)}", soft_wrap=True)
    _more(console, len(digest.faults))


def _unjudged(console: Console, digest: Digest) -> None:
    if not digest.unjudged:
        return
    console.print()
    console.print("not judged, though they should have been", style="bold red")
    for verdict in digest.unjudged[:MOST_SHOWN]:
        console.print(f"  {verdict.plan} on {verdict.adapter}: {verdict.outcome.replace('_', ' ')}, {verdict.reason}")
    _more(console, len(digest.unjudged))


def _stale(console: Console, digest: Digest) -> None:
    if not digest.stale:
        return
    console.print()
    console.print("stale expectations (their vectors ran and they did not occur: remove them)", style="bold red")
    for stale in digest.stale:
        where = f" in {stale.source}" if stale.source else ""
        console.print(f"  {stale.expectation}: {stale.requirement} on {stale.adapter}{where}", soft_wrap=True)


def _closing(console: Console, digest: Digest) -> None:
    console.print()
    if digest.summary is not None and digest.summary.exit not in (0, 1):
        console.print(digest.summary.why, style="bold red")
    console.print(closing_line(digest), style="bold")


def _proof(console: Console, evidence: str | None, stderr: str) -> None:
    if evidence:
        console.print(f"  its line  {evidence}", soft_wrap=True)
    if stderr.strip():
        console.print("  its stderr ends with")
        for line in stderr.rstrip().splitlines()[-MOST_SHOWN:]:
            console.print(f"    {line}", soft_wrap=True)


def _facts(console: Console, *rows: tuple[str, str | None]) -> None:
    for name, value in rows:
        if value:
            console.print(f"{name:<12}{value}", soft_wrap=True)


def _more(console: Console, count: int) -> None:
    if count > MOST_SHOWN:
        console.print(f"  and {count - MOST_SHOWN} more, all in the log (--results FILE)")


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
