"""`--continue LOG`: goes on with a run that was cut short, as its log says that it was asked for.

Enters: the log's path, the parser of commands. Leaves: the rest of the run, in the same log. Must not know how a
scenario is judged.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.perform import perform
from bindproof.core.errors import LogError, UsageError

if TYPE_CHECKING:
    from bindproof.cli.perform import Engine
    from bindproof.runner.earlier import Earlier

OF_THE_MOMENT = {"act", "arguments", "continue_", "jobs", "json"}
"""What may be chosen anew; all else is as the log says."""


def add_continue(parser: argparse.ArgumentParser) -> None:
    """`--continue`."""
    parser.add_argument(
        "--continue",
        dest="continue_",
        type=Path,
        metavar="LOG",
        help="go on with a run that was cut short: its --results, with all choices as they were; what was judged stays",
    )


Continued = Callable[[argparse.Namespace, "Earlier"], "Engine"]
"""Takes a command's arguments as its log has them, and what was done; gives what does the rest."""


def resume(command: str, args: argparse.Namespace, engine_of: Continued) -> int:
    """Performs what the run of a command lacks, into the same log; gives the exit code of the whole."""
    from bindproof.cli import parser
    from bindproof.runner import earlier

    _hold_nothing_else_chosen(args, parser().parse_args([command]))
    path: Path = args.continue_
    before = earlier(path)
    words = before.run.arguments
    if words[:1] != (command,):
        raise LogError(path, 1, f"this is no log of `bindproof {command}`, but of `bindproof {' '.join(words[:1])}`")
    asked = parser().parse_args(words)
    asked.arguments = words
    asked.jobs = max(asked.jobs, args.jobs)
    return perform(engine_of(asked, before), results=path, json=args.json, first=before.lines)


def _hold_nothing_else_chosen(args: argparse.Namespace, nothing: argparse.Namespace) -> None:
    chosen = [
        name for name, value in vars(args).items() if name not in OF_THE_MOMENT and value != getattr(nothing, name)
    ]
    if chosen:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in chosen)
        raise UsageError(f"--continue takes its choices from the log; leave out {names}")
