"""The command line: `main` takes the words, gives the exit code.

Enters: argv. Leaves: an exit code, and text on stdout and stderr. Must not know how anything is judged: each command is
a module with `add` (its arguments) and `act` (its steps).

Exit codes, the first that applies: 70 a bug in bindproof · 130 interrupted · 2 usage, or an invalid spec, vector or
file, or nothing can be written · 4 an adapter's fault that no expectation names · 1 a divergence that nothing expects,
or an expected one that did not occur · 3 nothing judged, all in all or of an adapter that was named · 0 as expected.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bindproof import __version__
from bindproof.cli import (
    adapters,
    cache,
    compare,
    completion,
    coverage,
    doctor,
    evolve,
    expectations,
    explain,
    fuzz,
    import_table,
    man,
    matrix,
    merge,
    mutants,
    new_adapter,
    new_suite,
    preview,
    program,
    replay,
    report,
    run,
    sdk,
    smoke,
    spec,
    streams,
    trend,
    verify,
)
from bindproof.cli.blame import BUG_TEXT, is_the_users, told
from bindproof.cli.keeping import place
from bindproof.cli.options import Help, Parser, used
from bindproof.cli.streams import say
from bindproof.cli.telling import current, telling
from bindproof.core import memory
from bindproof.core.errors import UsageError
from bindproof.results.fold import EXIT_BUG, EXIT_INTERRUPTED, EXIT_USAGE

COMMANDS = (
    run,
    merge,
    mutants,
    coverage,
    fuzz,
    report,
    compare,
    preview,
    matrix,
    trend,
    verify,
    replay,
    program,
    explain,
    adapters,
    smoke,
    spec,
    expectations,
    evolve,
    new_adapter,
    new_suite,
    import_table,
    sdk,
    cache,
    doctor,
    completion,
    man,
)
EXIT_BROKEN_PIPE = 141

YOUNG_OBJECTS = 100_000
"""So many new objects are looked through for cycles at a time: a run makes many, and nearly all are freed without."""

SAYS_NEXT = ("`bindproof ", ": bindproof ", "did you mean ")
"""Words of an error that says itself what to type next."""

EPILOG = """\
start here:
  bindproof run                                judge the packages of today, of every suite
  bindproof run --adapter python@0.9.4         judge one release
  bindproof run --adapter python@./dist/x.whl  judge a build that is not released yet
  bindproof explain MRK-002                    what a requirement says, and the vectors that exercise it

exit codes:
  0 as expected · 1 divergence · 2 usage · 3 nothing judged · 4 adapter fault · 70 bug in bindproof · 130 interrupted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        argv: the words after the program's name; None takes those of the process.

    Returns:
        The exit code; this function raises nothing.
    """
    streams.reserve()
    try:
        code = _acted(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        say("bindproof: interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # whoever read our output closed it (`| head`)
        streams.settle_stdout()
        return EXIT_BROKEN_PIPE
    except Exception as error:
        return _fail(error)
    return code


def _acted(argv: Sequence[str] | None) -> int:
    try:
        args = parser().parse_args(argv)
    except SystemExit as stop:  # argparse ends --help and bad usage this way
        return stop.code if isinstance(stop.code, int) else EXIT_USAGE
    _hold_the_folder()
    before = memory.keep_in(place())
    try:
        with _seldom_collecting(), telling(args):
            code: int = _told_of(args)
    finally:
        memory.keep_in(before)
    return code


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Look for cycles less often, so that a run spends its time on what it is run for."""
    before = gc.get_threshold()
    gc.set_threshold(YOUNG_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _told_of(args: argparse.Namespace) -> int:
    """Act; what ends it is noted where what is told is noted."""
    try:
        code: int = args.act(args)
    except (Exception, KeyboardInterrupt) as error:
        current().note(f"ended by {type(error).__name__}: {error}")
        if isinstance(error, UsageError):
            error.add_note(used(getattr(args, "called", "bindproof")))
        raise
    current().note(f"exit code {code}")
    return code


def parser() -> argparse.ArgumentParser:
    """The parser of every command; `act` of the parsed arguments does the work."""
    root = Parser(
        prog="bindproof",
        description="Judges whether a language binding keeps the contract of the library that it binds.",
        epilog=EPILOG,
        formatter_class=Help,
        allow_abbrev=False,
    )
    root.add_argument("--version", action="version", version=f"bindproof {__version__}")
    root.set_defaults(act=lambda _: _without_command(root))
    commands = root.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return root


def _next(error: Exception) -> list[str]:
    """Return what to type next, where an error is about what was typed, and its words do not say it."""
    if not isinstance(error, UsageError) or isinstance(error, streams.OutputError):
        return []
    return [] if any(sign in str(error) for sign in SAYS_NEXT) else getattr(error, "__notes__", [])[:1]


def _without_command(parser: argparse.ArgumentParser) -> int:
    parser.print_help(sys.stderr)
    return EXIT_USAGE


def _hold_the_folder() -> None:
    """Raise UsageError where the working folder was deleted: no path that is typed means anything then."""
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError(f"the folder that you are in cannot be used: {error.strerror}; cd to another one") from None


def _fail(error: Exception) -> int:
    if is_the_users(error):
        say("\n".join([f"bindproof: {told(error)}", *_next(error)]))
        streams.settle_stdout()
        return EXIT_USAGE
    import traceback

    say("".join(traceback.format_exception(error)) + BUG_TEXT.rstrip())
    return EXIT_BUG
