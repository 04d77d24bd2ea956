"""How well a campaign tried each requirement, and what its generator never chose.

Enters: a digest of a log. Leaves: text on a console. Must not know how scenarios are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bindproof.core.counting import plural
from bindproof.report.digest import Digest
from bindproof.report.printing import MOST_SHOWN, plain_table, print_lines

if TYPE_CHECKING:
    from rich.console import Console


def print_exercise(console: Console, digest: Digest) -> None:
    """A row for each requirement: how many generated scenarios exercised it on each adapter."""
    adapters = digest.exercise.adapters
    if not adapters:
        return
    table = plain_table()
    table.add_column("exercised by so many scenarios", overflow="fold")
    for adapter in adapters:
        table.add_column(adapter, justify="right")
    for facts, counts in digest.exercise.rows():
        table.add_row(f"{facts.id} {facts.title}", *("" if count is None else str(count) for count in counts))
    console.print()
    console.print(table)
    short = digest.exercise.short()
    if short:
        console.print()
        console.print("exercised by too few", style="bold red")
        print_lines(console, short)
    if digest.never:
        console.print()
        counted = plural(digest.counted, "scenario")
        console.print(f"never chosen by the generator in {counted}, though it could have been", style="bold")
        print_lines(console, digest.never[:MOST_SHOWN])
        if len(digest.never) > MOST_SHOWN:
            console.print(f"  and {len(digest.never) - MOST_SHOWN} more, all in the log (--results FILE)")
