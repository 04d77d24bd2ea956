"""`bindproof run`: judges adapters.

Enters: its arguments. Leaves: a report, a log, an exit code. Must not know how a scenario is judged.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bindproof.cli.options import add_adapters, add_jobs, add_judging, add_report, add_shard, asked, command
from bindproof.cli.outputs import files_of
from bindproof.cli.perform import perform
from bindproof.cli.resume import add_continue, resume
from bindproof.core.request import RunRequest

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof run                                        every suite, on its default adapters
  bindproof run --adapter node --requirement 'DLC-*'   one binding, one chapter
  bindproof run --adapter python@env                   the nemo-relay that is installed beside bindproof
  bindproof run --adapter-command mine='./my_adapter'  an adapter of your own
  bindproof run --fault swap_marks                     see the judge fail
  bindproof run --jobs 4                               four processes of each adapter at the same time
  bindproof run --shard 2/8 --results 2.jsonl          the second of eight parts, then: bindproof merge *.jsonl
  bindproof run --continue run.jsonl                   go on where Ctrl-C, or worse, cut --results run.jsonl short
  bindproof run --json --results run.jsonl             the result log, on stdout and in a file
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "run", "judge adapters and report which requirements they keep", EXAMPLES, act=act)
    parser.add_argument("--suite", help="only this suite; without it, all that the adapters speak")
    add_adapters(parser)
    parser.add_argument(
        "--requirement",
        action="append",
        default=[],
        metavar="GLOB",
        help="only requirements whose id matches, such as 'MRK-*'; may be given again",
    )
    parser.add_argument(
        "--vector",
        action="append",
        default=[],
        metavar="GLOB",
        help="only vectors whose id matches, such as 'relay/marks/*'; may be given again",
    )
    add_judging(parser)
    add_report(parser)
    add_jobs(parser, None)
    add_shard(parser)
    add_continue(parser)


def act(args: argparse.Namespace) -> int:
    """Asks for the run, performs it, gives the exit code."""
    from bindproof.runner import execute

    request = request_of(args)
    if args.continue_ is not None:
        return resume(request, args)
    return perform(
        lambda emit, progress: execute(request, emit, progress),
        results=args.results,
        report=args.report,
        files=files_of(args),
    )


def request_of(args: argparse.Namespace) -> RunRequest:
    """The request that the arguments make."""
    return asked(
        args,
        requirements=tuple(args.requirement),
        vectors=tuple(args.vector),
        processes=args.jobs,
        shard=args.shard,
    )
