"""How the reports for a terminal print: a console, plain tables, and the few shapes of text that they share.

Enters: a stream, and values of a log. Leaves: text on that stream; colours only where it is a terminal and NO_COLOR is
not set, whatever FORCE_COLOR says: what is piped is read by programs. Must not know what the text means.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, TYPE_CHECKING

from bindproof.core.command_line import again, command, program
from bindproof.core.counting import plural
from bindproof.core.model import Evidence, Json
from bindproof.core.request import RunRequest
from bindproof.core.visible import visible
from bindproof.report.contrast import contrast
from bindproof.report.digest import Digest
from bindproof.report.in_words import together
from bindproof.results import Speaks, VerdictLine

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from bindproof.suites import Suite

PIPED_WIDTH = 120
"""Columns when the output is no terminal."""

MOST_SHOWN = 20
"""Lines of an adapter's stderr, and choices that a generator never took, are shown up to this many."""

MOST_FAILURES = 10
"""Failures of one requirement in one scenario are shown up to this many; the log has more."""

WHOLE_CALL = "*"
"""The lane of an evidence that is about no single lane."""

Suites = Mapping[str, "Suite"]
"""The suites whose scenarios are shown; one that is missing has its scenarios shown as the log has them."""

NO_SUITES: Suites = {}


def console_on(stream: IO[str]) -> Console:
    """A console that prints on this stream. Printing raises BrokenPipeError once nobody reads it any more."""
    from bindproof.report.console import VisibleConsole

    piped = not stream.isatty()
    return VisibleConsole(
        file=stream,
        force_terminal=False if piped else None,
        width=PIPED_WIDTH if piped else None,
        highlight=False,
        markup=False,
        emoji=False,
    )


def plain_table() -> Table:
    """A table with a line below its head and no frame."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")


def replay_command(digest: Digest, verdict: VerdictLine) -> str:
    """The command that acts one scenario out again, quoted for a shell."""
    request = digest.run.request if digest.run is not None else RunRequest()
    return command(again(request, verdict.adapter, verdict.suite, verdict.came_from))


def program_command(digest: Digest, verdict: VerdictLine, suites: Suites) -> str | None:
    """The command that writes the scenario as a program in the adapter's language; None where none is written."""
    adapter, suite = digest.adapters.get(verdict.adapter), suites.get(verdict.suite)
    spoken = adapter.suites if adapter is not None else ()
    if not any(one.suite == verdict.suite and _writes(suite, one) for one in spoken):
        return None
    request = digest.run.request if digest.run is not None else RunRequest()
    words = program(request, verdict.adapter, verdict.suite, verdict.came_from)
    return command(words) if words else None


def _writes(suite: object, speaks: Speaks) -> bool:
    """Tell whether a suite writes programs for such an adapter."""
    from bindproof.suites import Programmed

    return isinstance(suite, Programmed) and suite.has_programs(speaks.dialect, speaks.edition)


def print_failures(console: Console, failures: Sequence[Evidence]) -> None:
    """Each failure of one requirement as `print_evidence` does, of many the first ones."""
    failures = together(failures)
    for evidence in failures[:MOST_FAILURES]:
        console.print()
        print_evidence(console, evidence)
    if len(failures) > MOST_FAILURES:
        console.print(f"\nand {plural(len(failures) - MOST_FAILURES, 'more failure')}, in the log (--results FILE)")


def print_evidence(console: Console, evidence: Evidence) -> None:
    """Where something is wrong, in words, then what was expected and observed side by side."""
    from rich.text import Text

    place = "the whole call" if evidence.lane == WHOLE_CALL else f"lane {evidence.lane}"
    place += f", record {evidence.record}" if evidence.record is not None else ""
    console.print(f"{place}: {evidence.text}")
    rows = contrast(evidence)
    table = plain_table()
    places = any(row[0] for row in rows)
    if places:
        table.add_column("at", overflow="fold")
    table.add_column("expected", overflow="fold", ratio=1)
    table.add_column("observed", overflow="fold", ratio=1)
    table.expand = True
    for row in rows:
        table.add_row(*[Text(visible(cell)) for cell in (row if places else row[1:])])
    console.print(table)


def reader_of(verdict: VerdictLine, suites: Suites) -> Suite | None:
    """The suite, where it can read the scenario: a log of another version may hold what this one cannot."""
    suite = suites.get(verdict.suite)
    try:
        if suite is not None:
            suite.brief(verdict.scenario)
    except Exception:  # whatever stands there instead of a scenario is shown as it is
        return None
    return suite


def print_scenario(console: Console, verdict: VerdictLine, suites: Suites) -> None:
    """The scenario as one would write it, a step a line."""
    suite = reader_of(verdict, suites)
    scenario = verdict.scenario if suite is None else suite.brief(verdict.scenario)
    steps = scenario.get("steps") if isinstance(scenario, dict) else None
    console.print("scenario")
    print_lines(console, (one_line(step) for step in (steps if isinstance(steps, list) else [scenario])))


def print_lines(console: Console, lines: Iterable[str], indent: str = "  ") -> None:
    """Each line as long as it is, indented: text that is to be copied is never broken."""
    for line in lines:
        console.print(f"{indent}{line}", soft_wrap=True)


def print_proof(console: Console, evidence: str | None, stderr: str) -> None:
    """The offending line of an adapter and the end of its stderr."""
    if evidence:
        print_lines(console, [f"its line  {evidence}"])
    if stderr.strip():
        print_lines(console, ["its stderr ends with"])
        print_lines(console, stderr.rstrip().splitlines()[-MOST_SHOWN:], indent="    ")


def print_facts(console: Console, *rows: tuple[str, str | None]) -> None:
    """Names and values, a pair a line; a pair without a value is left out."""
    for name, value in rows:
        if value:
            console.print(f"{name:<12}{value}", soft_wrap=True)


def one_line(value: Json) -> str:
    """A JSON value on one line."""
    return json.dumps(value, ensure_ascii=False)
