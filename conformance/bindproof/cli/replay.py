"""`bindproof replay`: acts out one vector, or the scenario in a file, and shows all that was found.

Enters: its arguments. Leaves: a report, a log, an exit code. Must not know how a scenario is judged.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.explain import near_ids
from bindproof.cli.options import add_adapters, add_judging, add_report, asked, command
from bindproof.cli.outputs import files_of
from bindproof.cli.perform import perform
from bindproof.cli.streams import tell
from bindproof.core.errors import FileError, UsageError
from bindproof.core.request import RunRequest
from bindproof.spec import all_installed, vector_paths

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

VECTORS = "`bindproof spec list --vectors` shows the ids"

EXAMPLES = """\
  bindproof replay relay/marks/two-in-order --adapter node   a vector of the spec
  bindproof replay ./my-scenario.json                        a file that holds a vector
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "replay", "act one vector or file out again, with every detail", EXAMPLES, act=act)
    parser.add_argument("subject", metavar="VECTOR|FILE", help="a vector's id, or a file that holds a vector")
    parser.add_argument("--suite", help="the suite that a file's scenario is for, where it does not show")
    parser.add_argument(
        "--program", action="store_true", help="print besides, as a program of its own, what each --adapter was given"
    )
    add_adapters(parser)
    add_judging(parser)
    add_report(parser, "verdicts")


def act(args: argparse.Namespace) -> int:
    """Asks for the run of one scenario, performs it, gives the exit code."""
    from bindproof.runner import execute
    from bindproof.runner.programs import programs

    request = request_of(args)
    code = perform(
        lambda emit, progress: execute(request, emit, progress),
        results=args.results,
        report=args.report,
        files=files_of(args),
    )
    if args.program:
        for adapter in request.adapters:
            tell("\n" + programs(args.subject, adapter, edition=args.edition, suite=args.suite)[-1].text.rstrip("\n"))
    return code


def request_of(args: argparse.Namespace) -> RunRequest:
    """The request that the arguments make.

    Raises:
        FileError: the subject is written as a file, and there is none.
        UsageError: the subject is no vector's id.
    """
    from bindproof.runner.inputs import means_file

    file, is_file = Path(args.subject), means_file(args.subject)
    if is_file and not file.is_file():
        raise FileError(file, None, f"there is no such file; a vector's id has no .json: {VECTORS}")
    if not is_file:
        _hold_known(args.subject)
    return asked(
        args,
        vectors=() if is_file else (args.subject,),
        files=(args.subject,) if is_file else (),
        details=True,
    )


def _hold_known(vector: str) -> None:
    known = [name for suite in all_installed() for name in vector_paths(suite)]
    if vector in known or any(mark in vector for mark in "*?["):
        return
    near = near_ids(vector, known)
    hint = f"did you mean {', '.join(near)}?" if near else VECTORS
    raise UsageError(f"there is no vector {vector!r}; {hint}")
