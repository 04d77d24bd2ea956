"""Reports: each makes text of the lines of a result log, and of nothing else.

Enters: the lines of a log, in order. Leaves: text on a stream. Must not know how a verdict was reached, nor each other.

A report is a module of its own with a function `report`, which is given a stream and returns a `Report`, and a line in
`REPORTS`: whatever offers a choice of reports, `--report` say, has it then.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple, Protocol, TextIO

from bindproof.results import Line


class Report(Protocol):
    """Takes a log line by line, as the lines come.

    for_programs: what is printed is read by programs; people are told elsewhere why it ended as it did.
    """

    @property
    def for_programs(self) -> bool:
        """See above."""

    def add(self, line: Line) -> None:
        """Take the next line; print what can be told of it already, or keep what will be.

        Raises:
            UsageError: the stream takes nothing any more.
            BrokenPipeError: whoever read the stream has gone.
        """

    def end(self) -> None:
        """Print the rest, once: the last line was the summary. Raises as `add`, and OSError."""


class Entry(NamedTuple):
    """A report that can be chosen."""

    module: str
    """The module that has it."""
    shows: str
    """What it prints, in a few words."""
    option: str | None = None
    """The option that writes it into a file, None: it is for stdout."""


REPORTS: Mapping[str, Entry] = {
    "requirements": Entry("bindproof.report.requirements", "what is kept, and the smallest scenario of what is broken"),
    "verdicts": Entry("bindproof.report.verdicts", "each scenario with all that was seen, also where it conforms"),
    "matrix": Entry("bindproof.report.matrix", "a line for each requirement, a letter for each target"),
    "json": Entry("bindproof.report.json_lines", "the result log itself, as it comes"),
    "html": Entry("bindproof.report.html", "a page that needs nothing but a browser", "html"),
    "junit": Entry("bindproof.report.junit", "JUnit XML: a test case for each verdict", "junit"),
    "markdown": Entry("bindproof.report.markdown", "Markdown, for the page of a CI job or for an issue", "markdown"),
    "sarif": Entry("bindproof.report.sarif", "SARIF 2.1.0: a result for each divergence and fault", "sarif"),
    "badge": Entry("bindproof.report.badge", "JSON of an endpoint for shields.io", "badge"),
    "summary": Entry("bindproof.report.summary", "one JSON document of all that a report tells", "summary"),
    "github": Entry("bindproof.report.github", "annotations for a job of GitHub Actions"),
}
"""Every report, by its name."""


def report_of(name: str, stream: TextIO) -> Report:
    """Return a report that prints on this stream; raises KeyError for a name that is not in `REPORTS`."""
    report: Report = import_module(REPORTS[name].module).report(stream)
    return report
