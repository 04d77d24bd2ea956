"""`bindproof matrix`: judges published releases, each under its edition, and draws requirement × release.

Enters: its arguments. Leaves: a report, a log, an exit code. Must not know how releases are listed or judged.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from bindproof.cli.options import add_adapters, add_jobs, add_judging, add_report, asked, command
from bindproof.cli.outputs import files_of
from bindproof.cli.perform import perform
from bindproof.cli.progress import Progress
from bindproof.core.errors import UsageError

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof matrix --adapter python --versions '>=0.5'             every release since 0.5
  bindproof matrix --adapter python --versions '>=0.9' --pre       pre-releases too
  bindproof matrix --adapter python --adapter node --versions '>=0.9,<0.11' --html releases.html
  bindproof matrix --adapter rust@0.9.4 --adapter rust@0.10.4      releases that nothing lists
  bindproof matrix --adapter python --requirement 'MRK-*' --results releases.jsonl

The package index is asked which releases there are. All are judged at the same time, by one process each, which takes
some 60 MB. The log is one of `bindproof run`: `report`, `compare --adapter A --adapter B`, `run --continue` read it.

exit codes: those of `bindproof run`, where each release counts as an adapter that was named: 0 all as expected · 1 a
divergence that nothing expects · 3 a release cannot be had here, or nothing is judged of it; it is shown with the
reason, and all others are judged · 4 an adapter fault · 2 usage, or the releases cannot be listed
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "matrix", "judge published releases and draw requirement × release", EXAMPLES, act=act)
    parser.add_argument("--suite", help="only this suite; without it, all that the adapters speak")
    add_adapters(parser)
    parser.add_argument(
        "--versions",
        metavar="SPEC",
        help="which releases of each adapter that is named without one, such as '>=0.5' or '>=0.9,<0.11'; without it: "
        "all that the index lists",
    )
    parser.add_argument("--pre", action="store_true", help="pre-releases too")
    for what, example in (("requirement", "MRK-*"), ("vector", "relay/marks/*")):
        parser.add_argument(
            f"--{what}",
            action="append",
            default=[],
            metavar="GLOB",
            help=f"only {what}s whose id matches, such as '{example}'; may be given again",
        )
    add_judging(parser)
    add_report(parser, usual="matrix")
    add_jobs(parser)


def act(args: argparse.Namespace) -> int:
    """Lists the releases, judges them, gives the exit code."""
    from bindproof.runner import execute

    files = files_of(args)
    args.suite = args.suite or _only_suite(args)
    args.adapter = _with_releases(args)
    request = asked(args, requirements=tuple(args.requirement), vectors=tuple(args.vector), processes=args.jobs)
    return perform(
        lambda emit, progress: execute(request, emit, progress), results=args.results, report=args.report, files=files
    )


def _only_suite(args: argparse.Namespace) -> str | None:
    """Return the one suite that all adapters speak, so that none of another is drawn; None where there is no such."""
    from bindproof.targets import manifest_of

    if args.adapter_command:
        return None
    spoken = {suite for name in args.adapter for suite in manifest_of(name.partition("@")[0]).suites}
    return spoken.pop() if len(spoken) == 1 else None


def _with_releases(args: argparse.Namespace) -> list[str]:
    """Return each adapter with a release. Raises UsageError where there is none, or the choice is about nobody."""
    if not args.adapter and not args.adapter_command:
        raise UsageError("name the adapter whose releases are judged: --adapter python; `bindproof adapters list`")
    open_ones = [name for name in args.adapter if "@" not in name]
    if not open_ones and (args.versions is not None or args.pre):
        option = "--versions" if args.versions is not None else "--pre"
        raise UsageError(f"each adapter is named with its release; leave out {option}, or name one without")
    found = {name: _releases(name, args.versions or "", previews=args.pre) for name in dict.fromkeys(open_ones)}
    return [one for name in args.adapter for one in found.get(name, [name])]


def _releases(name: str, specifier: str, *, previews: bool) -> list[str]:
    from bindproof.targets.releases import chosen, published

    chosen([], specifier, previews=previews)  # what is no specifier is told of before anybody is asked
    with Progress(sys.stderr) as progress:
        listed = published(name, progress.say)
    found = chosen(listed, specifier, previews=previews)
    if not found:
        raise UsageError(f"no release of {name} is {specifier or 'final'}; there is {', '.join(listed)}")
    return [f"{name}@{release}" for release in found]
