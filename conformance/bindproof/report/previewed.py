"""A preview as text.

Enters: a preview. Leaves: text on a stream. Must not know how it came about.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from bindproof.core.command_line import command
from bindproof.core.counting import plural
from bindproof.report.compared import who
from bindproof.report.preview import Explained, Preview
from bindproof.report.printing import console_on, print_lines

if TYPE_CHECKING:
    from rich.console import Console


def show(preview: Preview, stream: IO[str]) -> None:
    """Print each requirement by which verdicts change, and one closing line."""
    console = console_on(stream)
    console.print(f"{who(preview.old)} → {who(preview.new)}", style="bold", soft_wrap=True)
    if preview.old.bindproof != preview.new.bindproof or preview.old.spec != preview.new.spec:
        told = f"bindproof {preview.old.bindproof} → {preview.new.bindproof}"
        changed = "another spec" if preview.old.spec != preview.new.spec else "the same spec"
        console.print(f"{told}, {changed}", style="yellow")
    for one in preview.explained:
        _print_explained(console, one)
    console.print()
    if preview.explained:
        first = preview.explained[0]
        words = ["explain", first.requirement or first.verdicts[0].scenario]
        print_lines(console, [f"to know more: {command(words)}"], indent="")
    console.print(closing(preview), style="bold", soft_wrap=True)


def closing(preview: Preview) -> str:
    """The last line, such as `790 verdicts stay, 12 change, 3 scenarios are judged for the first time`."""
    parts = [f"{plural(preview.stay, 'verdict')} as before, {preview.changed} changed"]
    parts += [f"{plural(preview.first, 'scenario')} judged for the first time"] if preview.first else []
    parts += [f"{plural(preview.gone, 'scenario')} judged no more"] if preview.gone else []
    worse = sum(one.worse for one in preview.explained)
    return ", ".join([*parts, f"{plural(worse, 'requirement')} worse" if worse else "nothing worse"])


def _print_explained(console: Console, one: Explained) -> None:
    console.print()
    name = f"{one.requirement} {one.title}".strip() or "no requirement is judged otherwise, the outcome alone"
    style = "bold red" if one.worse else "bold green"
    console.print(f"{name} ({plural(one.count, 'verdict')})", style=style, soft_wrap=True)
    print_lines(console, one.why)
    for note in one.notes:
        console.print(f"  {note.step}: {note.title}", style="yellow", soft_wrap=True)
        print_lines(console, [note.what, *note.must], indent="    ")
    print_lines(console, [f"{verdict.scenario}: {verdict.before} → {verdict.after}" for verdict in one.verdicts])
    if one.count > len(one.verdicts):
        print_lines(console, [f"and {one.count - len(one.verdicts)} more"])
