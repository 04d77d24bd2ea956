"""The table of a report: a row for each chapter that applies to somebody, a column for each adapter, as wide as the
console allows.

Enters: a digest of a log. Leaves: tables on a console. Must not know how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bindproof.core.counting import plural
from bindproof.report.digest import Digest, Status
from bindproof.report.printing import plain_table
from bindproof.results import AdapterLine, RequirementFacts

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

STYLES: dict[Status, str] = {
    "broken": "bold red",
    "known": "yellow",
    "held": "green",
    "lost": "yellow",
    "inexpressible": "dim",
    "unsupported": "dim",
    "not exercised": "magenta",
}

NEXT = {False: " ", True: "\n"}
"""What stands between the parts of a cell; a stacked one has them below each other."""

UNLIMITED = 10_000
"""Columns that no table needs."""


def print_table(console: Console, digest: Digest) -> None:
    """One table where the width allows it, with cells of several lines if need be; else as few tables as will do.

    Args:
        console: where to print.
        digest: a log that was taken to its end; of one in which nothing was judged nothing is printed.
    """
    if not digest.chapters() or not any(digest.judged.values()):
        return
    _print_blocks(console, digest)
    if none := len(digest.chapters()) - len(_rows(digest)):
        verb = "applies" if none == 1 else "apply"
        console.print(f"{plural(none, 'chapter')} {verb} to none of these: bindproof spec list", style="dim")


def _print_blocks(console: Console, digest: Digest) -> None:
    rest = list(digest.adapters)
    if _fits(console, _block(digest, rest, stacked=False)):
        console.print(_block(digest, rest, stacked=False))
        return
    while rest:
        count = max((n for n in range(1, len(rest) + 1) if _can_fit(console, digest, rest[:n])), default=1)
        console.print(_block(digest, rest[:count], stacked=True))
        rest = rest[count:]
        if rest:
            console.print()


def _rows(digest: Digest) -> dict[str, list[RequirementFacts]]:
    """The chapters of which a requirement applies to an adapter."""
    return {
        title: requirements
        for title, requirements in digest.chapters().items()
        if any(any(digest.counts(name, requirements).values()) for name in digest.adapters)
    }


def _can_fit(console: Console, digest: Digest, names: Sequence[str]) -> bool:
    """Whether these columns fit when the titles of chapters are broken, though at no letter."""
    longest = max(len(word) for title in _rows(digest) for word in title.split())
    return _fits(console, _block(digest, names, stacked=True, titles=longest))


def _fits(console: Console, table: Table) -> bool:
    return console.measure(table, options=console.options.update(width=UNLIMITED)).maximum <= console.width


def _block(digest: Digest, names: Sequence[str], *, stacked: bool, titles: int | None = None) -> Table:
    """The chapters, and a column for each of these adapters.

    Args:
        digest: what is shown.
        names: of the adapters.
        stacked: a cell's parts below each other, instead of a line broken anywhere.
        titles: how wide the chapters' titles are.
    """
    table = plain_table()
    table.add_column("chapter", overflow="fold", width=titles)
    for name in names:
        table.add_column(_heading(digest.adapters[name], stacked=stacked), overflow="fold", no_wrap=stacked)
    for title, requirements in _rows(digest).items():
        cells = [_cell(digest, name, digest.counts(name, requirements), stacked=stacked) for name in names]
        table.add_row(title, *cells)
    return table


def _heading(adapter: AdapterLine, *, stacked: bool) -> str:
    target = f"{adapter.target} {adapter.version}".strip().replace(" ", NEXT[stacked])
    editions = ", ".join(dict.fromkeys(speaks.edition for speaks in adapter.suites))
    state = adapter.state if adapter.state != "ready" else ""
    return "\n".join(part for part in (adapter.name, target, f"edition {editions}" if editions else "", state) if part)


def _cell(digest: Digest, adapter: str, counts: Mapping[Status, int], *, stacked: bool) -> Text:
    from rich.text import Text

    if not digest.judged.get(adapter) and not any(counts.values()):
        return Text("–", style="dim")
    parts = [Text(f"{count} {status}", style=STYLES[status]) for status, count in counts.items() if count]
    return Text(f",{NEXT[stacked]}").join(parts) if parts else Text(f"does not{NEXT[stacked]}apply", style="dim")
