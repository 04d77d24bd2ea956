"""`--continue LOG`: goes on with a run that was cut short, as its log says that it was asked for.

Enters: the log's path, and what is asked for beside it. Leaves: the rest of the run, in the same log. Must not know how
a scenario is judged, nor which words of a log are trusted.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from bindproof.cli.outputs import files_of
from bindproof.cli.perform import perform
from bindproof.cli.streams import say
from bindproof.cli.trust import hold_trusted
from bindproof.core.command_line import command, option
from bindproof.core.errors import LogError, UsageError
from bindproof.core.request import Campaign, RunRequest
from bindproof.results import Emit, LogFile, SummaryLine, read

OPTIONS = {
    "adapters": "adapter",
    "adapter_commands": "adapter-command",
    "dialects": "dialect",
    "requirements": "requirement",
    "vectors": "vector",
    "minimum": "minimum-exercised",
}
"""Fields of a request that an option of another name sets."""


def add_continue(parser: argparse.ArgumentParser) -> None:
    """`--continue` and `--trust-log`."""
    parser.add_argument(
        "--continue",
        dest="continue_",
        type=Path,
        metavar="LOG",
        help="go on with a run that was cut short: its --results, with all choices as they were, but for --jobs; what "
        "was judged stays",
    )
    parser.add_argument(
        "--trust-log",
        action="store_true",
        help="with --continue: start the programs that the log names, and use its packages and paths; without it, each "
        "has to be given again",
    )


def resume(given: RunRequest, args: argparse.Namespace) -> int:
    """Performs what a run lacks, into the same log; gives the exit code of the whole, also of one that lacks nothing.

    Args:
        given: what is asked for beside the log.
        args: of the command line: the log, whether it is trusted, whether it is printed.

    Raises:
        LogError: the log is of another command.
        UsageError: something else is chosen than the log says, or what the log would start is not confirmed.
    """
    path: Path = args.continue_
    if args.results is not None:
        raise UsageError(f"--continue writes into the log that it is given; leave out --results {args.results}")
    with LogFile.of_earlier(path) as log:
        return _gone_on(given, args, log)


def _gone_on(given: RunRequest, args: argparse.Namespace, log: LogFile) -> int:
    from bindproof.runner import earlier, execute

    path: Path = args.continue_
    before = earlier(path)
    logged = before.run.request
    if logged.command != given.command:
        raise LogError(path, 1, f"this is no log of bindproof {given.command}, but of bindproof {logged.command}")
    _hold_nothing_else_chosen(given, logged)
    if before.ended:
        say(f"bindproof: {path}: this run came to its end; this is its report")
        return perform(lambda emit, _: _tell_again(path, emit), results=None, report=args.report, files=files_of(args))
    confirm = command([logged.command, *option("--continue", path), "--trust-log"])
    hold_trusted(path, given, logged, confirm, trusted=args.trust_log)
    request = msgspec.structs.replace(logged, processes=given.processes)
    return perform(
        lambda emit, progress: execute(request, emit, progress, before),
        results=log,
        report=args.report,
        files=files_of(args),
        first=before.lines,
    )


def _tell_again(path: Path, emit: Emit) -> None:
    for line in read(path):
        if not isinstance(line, SummaryLine):  # it follows from the others
            emit(line)


def _hold_nothing_else_chosen(given: RunRequest, logged: RunRequest) -> None:
    """What is given again has to be as the log says; of several, some may be."""
    chosen = _others(given, RunRequest(processes=given.processes, campaign=given.campaign), logged)
    if given.campaign is not None and logged.campaign is not None:
        chosen += _others(given.campaign, Campaign(), logged.campaign)
    if chosen:
        names = ", ".join(f"--{OPTIONS.get(name, name)}" for name in chosen)
        raise UsageError(f"--continue takes its choices from the log, which has others; leave out {names}")


def _others(given: msgspec.Struct, nothing: msgspec.Struct, logged: msgspec.Struct) -> list[str]:
    """The fields that are given, and not as the log has them."""
    fields = [(name, getattr(given, name), getattr(logged, name)) for name in given.__struct_fields__]
    return [name for name, mine, theirs in fields if mine != getattr(nothing, name) and not _as_logged(mine, theirs)]


def _as_logged(value: object, logged: object) -> bool:
    if isinstance(value, tuple) and isinstance(logged, tuple):
        return set(value) <= set(logged)
    return value == logged
