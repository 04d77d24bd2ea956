"""`bindproof merge`: makes one log of the logs of shards, and reports on the whole.

Enters: its arguments. Leaves: a log, a report, an exit code. Must not know what makes logs fit together.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import add_expectations, add_report, command
from bindproof.cli.outputs import files_of
from bindproof.cli.perform import perform
from bindproof.core.errors import UsageError
from bindproof.core.paths import resolved

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof merge 1.jsonl 2.jsonl 3.jsonl              the report and exit code of the whole run
  bindproof merge shards/*.jsonl -o run.jsonl          and its log

each of the logs comes of `bindproof run --shard I/N --results FILE`, with the same choices, all N of them. A shard
shows what is broken. That an expected divergence did not occur, or that nothing was judged, only the whole can show.
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(
        commands, "merge", "make one result log of the logs of shards, and report on it", EXAMPLES, act=act
    )
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="the log of a shard; all of them are needed")
    parser.add_argument("-o", "--results", type=Path, metavar="OUT", help="write the whole log (JSON lines) there")
    add_expectations(parser)
    add_report(parser)


def act(args: argparse.Namespace) -> int:
    """Merges, reports, gives the exit code of the whole."""
    from bindproof.runner import merge

    logs: list[Path] = args.logs
    out: Path | None = args.results
    if out is not None and resolved(out) in {resolved(log) for log in logs}:
        raise UsageError(f"-o {out} is one of the logs to merge; name another file")
    return perform(
        lambda emit, _: merge(logs, args.expectations, emit), results=out, report=args.report, files=files_of(args)
    )
