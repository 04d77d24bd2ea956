"""`bindproof run`: judges adapters.

Enters: its arguments. Leaves: a report, a log, an exit code. Must not know how a scenario is judged.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bindproof.cli.options import add_adapters, add_jobs, add_judging, add_shard, command
from bindproof.cli.perform import perform
from bindproof.cli.resume import add_continue, resume

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.cli.perform import Engine
    from bindproof.runner import RunRequest
    from bindproof.runner.earlier import Earlier

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
    add_jobs(parser)
    add_shard(parser)
    add_continue(parser)


def act(args: argparse.Namespace) -> int:
    """Asks for the run, performs it, gives the exit code."""
    from bindproof.runner import execute

    if args.continue_ is not None:
        return resume("run", args, _continued)

    request = asked(args)
    return perform(lambda emit, progress: execute(request, emit, progress), results=args.results, json=args.json)


def _continued(args: argparse.Namespace, before: Earlier) -> Engine:
    from bindproof.runner import execute

    request = asked(args)
    return lambda emit, progress: execute(request, emit, progress, before)


def asked(args: argparse.Namespace) -> RunRequest:
    """The request that the arguments make; an argument that the command lacks stays at its default."""
    from bindproof.runner import RunRequest

    return RunRequest(
        suite=args.suite,
        adapters=tuple(args.adapter),
        adapter_commands=tuple(args.adapter_command),
        edition=args.edition,
        requirements=tuple(args.requirement),
        vectors=tuple(args.vector),
        files=(),
        fault=args.fault,
        timeout=args.timeout,
        expectations=args.expectations,
        processes=args.jobs,
        shard=args.shard,
        arguments=args.arguments,
    )
