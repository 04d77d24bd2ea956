"""The report as a matrix for a terminal: a line for each requirement, a letter for each target.

Enters: a digest of a log. Leaves: text on a stream. Must not know how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Final, TextIO

from bindproof.core.command_line import adapter, command, option
from bindproof.core.visible import visible
from bindproof.report import Report
from bindproof.report.digest import STATUSES, Digest, Status
from bindproof.report.frame import print_closing, print_stale
from bindproof.report.printed import Printed
from bindproof.report.printing import NO_SUITES, Suites, console_on, plain_table, print_lines
from bindproof.report.table import STYLES
from bindproof.results import AdapterLine, RequirementFacts

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

LETTERS: Final[Mapping[Status, str]] = {
    "broken": "B",
    "known": "k",
    "held": "·",
    "lost": "L",
    "inexpressible": "i",
    "unsupported": "u",
    "not exercised": "?",
}
"""What stands in a cell. Where a requirement does not apply there is nothing, and where nothing was judged a dash."""

ABSENT: Final = "–"


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Printed(Digest(), show, stream)


def show(digest: Digest, stream: IO[str], *, suites: Suites = NO_SUITES) -> None:
    """Print what was judged, then the matrix, then what could not be had and why. suites: as any report is given."""
    console = console_on(stream)
    if any(digest.judged.values()):
        _print_targets(console, digest)
        _print_matrix(console, digest)
    _print_missing(console, digest)
    print_stale(console, digest)
    _print_next(console, digest)
    print_closing(console, digest)


def _print_targets(console: Console, digest: Digest) -> None:
    table, met = plain_table(), _met(digest)
    for head in ("adapter", "target", "edition", "judged", *met):
        table.add_column(head, overflow="fold")
    for name, line in digest.adapters.items():
        judged = digest.judged.get(name)
        editions = ", ".join(dict.fromkeys(speaks.edition for speaks in line.suites))
        counts = digest.counts(name, _rows(digest)) if judged else {}
        told = [str(counts.get(one) or "") for one in met]
        table.add_row(
            name, f"{line.target} {line.version}".strip(), editions, str(judged) if judged else _state(line), *told
        )
    console.print(table)


def _state(line: AdapterLine) -> str:
    return "nothing" if line.state == "ready" else line.state


def _rows(digest: Digest) -> list[RequirementFacts]:
    return [facts for rows in digest.chapters().values() for facts in rows]


def _met(digest: Digest) -> list[Status]:
    """The statuses that anything has, in their order."""
    rows = _rows(digest)
    counts = [digest.counts(name, rows) for name in digest.adapters if digest.judged.get(name)]
    return [status for status in STATUSES if any(one[status] for one in counts)]


def _print_matrix(console: Console, digest: Digest) -> None:
    from rich.text import Text

    names = list(digest.adapters)
    width = max((len(visible(facts.id)) for facts in _rows(digest)), default=0) + 2
    console.print()
    for line in _headings(names):
        console.print(f"{'':{width}}{line}", style="bold", soft_wrap=True)
    judged = [name for name in names if digest.judged.get(name)]
    for chapter, rows in digest.chapters().items():
        applying = [facts for facts in rows if any(_status(digest, name, facts) for name in judged)]
        if applying:
            console.print(chapter, style="bold")
        for facts in applying:
            cells = Text(" ").join(_cell(digest, name, facts) for name in names)
            row = Text(f"{visible(facts.id):{width}}") + cells + Text(f"  {visible(facts.title)}", style="dim")
            console.print(row, no_wrap=True, overflow="ellipsis", crop=True)
    key = [f"{LETTERS[one]} {one}" for one in _met(digest)]
    console.print(f"\n{', '.join(key)}, {ABSENT} nothing judged, blank: it does not apply", style="dim")


def _headings(names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the names, each written from top to bottom; what all begin with up to an `@` is left out."""
    adapters = {name.partition("@")[0] for name in names}
    short = [visible(name.partition("@")[2] or name if len(adapters) == 1 else name) for name in names]
    height = max(map(len, short))
    for at in range(height):
        yield " ".join(name.rjust(height)[at] for name in short)


def _cell(digest: Digest, name: str, facts: RequirementFacts) -> Text:
    from rich.text import Text

    if not digest.judged.get(name):
        return Text(ABSENT, style="dim")
    status = _status(digest, name, facts)
    return Text(" ") if status is None else Text(LETTERS[status], style=STYLES[status])


def _status(digest: Digest, name: str, facts: RequirementFacts) -> Status | None:
    """Return what there is of a requirement on an adapter that was judged; None where it does not apply."""
    return next((status for status, count in digest.counts(name, [facts]).items() if count), None)


def _print_missing(console: Console, digest: Digest) -> None:
    for line in digest.adapters.values():
        if line.state != "ready":
            console.print(f"\n{line.name} is {line.state}: {line.reason}", style="bold red", soft_wrap=True)
            print_lines(console, [f"to have it: {line.remedy}"] if line.remedy else [])
        elif not digest.judged.get(line.name):
            console.print(f"\n{line.name}: nothing of it was judged", style="bold red")
            print_lines(console, line.notes)


def _print_next(console: Console, digest: Digest) -> None:
    """Say how to see what is behind the first letter that matters."""
    first = next((one for one in digest.divergences if one.expected_by is None), None)
    if first is not None and digest.run is not None:
        console.print()
        words = ["run", *adapter(digest.run.request, first.adapter), *option("--requirement", first.requirement.id)]
        print_lines(console, [f"to see what is broken: {command(words)}"], indent="")
