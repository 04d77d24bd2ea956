"""`bindproof report`: shows what is in result logs, in any of the forms that there are.

Enters: its arguments. Leaves: a report, files. Must not know how a verdict was reached.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import add_report, command
from bindproof.cli.outputs import Outputs, files_of
from bindproof.cli.streams import say
from bindproof.core.errors import UsageError
from bindproof.core.paths import resolved
from bindproof.results import SummaryLine, read, together
from bindproof.results.fold import EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof report run.jsonl                           the report of the run once more
  bindproof report run.jsonl --html run.html           a page that needs nothing but a browser
  bindproof report python.jsonl go.jsonl --html x.html bindings that were judged apart, in one page
  bindproof report run.jsonl --junit junit.xml --markdown summary.md --sarif run.sarif --badge badge.json
  bindproof report run.jsonl --report github           annotations, in a job of GitHub Actions
  bindproof report --schema                            the JSON schema of --report summary

it exits 0 once all is written, whatever the logs say: `bindproof run` has told already. A log that was cut short is
shown as far as it goes, as one of a run that was interrupted. Shards are joined by `bindproof merge`.
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "report", "show what is in result logs: text, page, JUnit and more", EXAMPLES, act=act)
    parser.add_argument(
        "logs", nargs="*", type=Path, metavar="LOG", help="a result log (--results of run, fuzz, merge)"
    )
    parser.add_argument(
        "--schema", action="store_true", help="print the JSON schema of --report summary, and no report"
    )
    add_report(parser)


def act(args: argparse.Namespace) -> int:
    """Reads the logs, makes the reports."""
    if args.schema:
        return _print_schema(args.logs)
    if not args.logs:
        raise UsageError("name the result logs to report on, such as run.jsonl of `bindproof run --results run.jsonl`")
    files = files_of(args)
    if {resolved(path) for path in files.values()} & {resolved(log) for log in args.logs}:
        raise UsageError("a report would take the place of a log; name another file")
    logs = [read(path, cut_short=True) for path in args.logs]
    with Outputs(args.report, files) as outputs:
        for line in together(logs):
            if isinstance(line, SummaryLine) and line.interrupted:
                say("bindproof: the run was cut short; this is what had been judged")
            outputs.add(line)
        outputs.end()
    return EXIT_OK


def _print_schema(logs: list[Path]) -> int:
    from bindproof.cli.streams import tell
    from bindproof.report.summary import schema

    if logs:
        raise UsageError("--schema prints the schema of a report, and takes no log")
    tell(schema())
    return EXIT_OK
