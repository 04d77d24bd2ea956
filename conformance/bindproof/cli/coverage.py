"""`bindproof coverage`: what of everything that a package offers is set by a scenario and judged by a rule.

Enters: an adapter's name. Leaves: a table, a line for each name that nobody speaks of, an exit code. Must not know how
names are read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from bindproof.cli.options import command
from bindproof.cli.progress import Progress
from bindproof.cli.streams import tell
from bindproof.results.fold import EXIT_DIVERGENCE, EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.coverage import Covered

EXAMPLES = """\
  bindproof coverage --adapter python        how much of the package's parameters and members is judged
  bindproof coverage --adapter node --all    each name: the rule and the vector, or the reason
  bindproof coverage --adapter c --json      the same, a line of JSON for each name

what a name is: `llm.call:data` is a parameter of a function, `LLMRequest:headers` one of a constructor,
`MarkEvent.data` a member. They are read from the package itself: stubs and modules, declarations, a header, source.

what becomes of it:
  judged   a vector that the adapter acts out sets it, and the rule that is named is judged there
  unset    no scenario sets it yet
  apart    the suite is not about it, or no scenario can set it; the reason is told
  missing  nobody speaks of it, or what surfaces/*.toml says of it is not so

exit codes:
  0 none is missing, and the file has no line too much · 1 else · 2 usage, or the package cannot be had · 70 bug in
  bindproof
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    summary = "say which parameters and members of a package a scenario sets and a rule judges"
    parser = command(commands, "coverage", summary, EXAMPLES, act=act)
    parser.add_argument("--adapter", required=True, metavar="NAME[@VERSION]", help="whose package")
    parser.add_argument("--all", action="store_true", help="print what is judged, and what is apart, too")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each name, and no table")


def act(args: argparse.Namespace) -> int:
    """Prints what becomes of each name."""
    from bindproof.coverage import covered

    with Progress(sys.stderr) as progress:
        found = covered(args.adapter, progress.say)
    for one in found:
        _as_json(one) if args.json else _show(one, everything=args.all)
    return EXIT_OK if all(one.good for one in found) else EXIT_DIVERGENCE


def _as_json(one: Covered) -> None:
    for part in one.parts:
        tell(json.dumps({"suite": one.suite, **asdict(part)}))


def _show(one: Covered, *, everything: bool) -> None:
    from bindproof.coverage import FATES

    for part in one.parts:
        if everything or part.fate in ("unset", "missing"):
            tell(f"{part.fate:8} {part.name}  {part.reason or f'{part.requirement} {part.vector}'}")
    for glob in one.stale:
        tell(f"stale    {glob}  {one.file} speaks of what this package does not have")
    counts = Counter(part.fate for part in one.parts)
    told = ", ".join(f"{counts[fate]} {fate}" for fate in FATES)
    subject = len(one.parts) - counts["apart"]
    share = f"{100 * counts['judged'] / subject:.0f} %" if subject else "nothing"
    tell(f"\n{one.suite}, {one.target}: {len(one.parts)} names: {told}; {share} of what is its subject is judged")
