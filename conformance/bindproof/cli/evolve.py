"""`bindproof evolve diff`: what changes between two versions of a spec or of any schemas, and whom it breaks.

Enters: two words for what is compared. Leaves: a report on stdout, an exit code. Must not know how a change is graded.

Exit codes: 0 compatible · 1 breaking · 2 usage, or an invalid schema · 3 nothing compared · 4 unknown that blocks.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import command, seconds
from bindproof.cli.streams import tell

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof evolve diff old.json new.json          two schemas
  bindproof evolve diff relay:0.9 relay:0.10       two editions: schemas and requirements
  bindproof evolve diff main:schemas ./schemas     a folder as git has it in a revision, and as it is
"""

DIFF_EXAMPLES = """\
  bindproof evolve diff old.json new.json
  bindproof evolve diff v1/ v2/ --direction old-to-new    only whether new readers read what old writers wrote
  bindproof evolve diff relay:0.9 relay:0.10 --report markdown
  bindproof evolve diff HEAD~1:spec/relay spec/relay --report sarif

grades:
  PROVED   a proof that nothing is refused, or that something is
  WITNESS  a value that one side takes and the other refuses; two validators agree on it
  RULE     a rule on what no validator sees, such as defaults and requirements
  UNKNOWN  neither; it blocks as a break does

exit codes:
  0 compatible · 1 breaking · 2 usage, or an invalid schema · 3 nothing compared · 4 unknown
"""

REPORTS = ("text", "json", "markdown", "sarif")


def add(commands: Subparsers) -> None:
    """Adds the command and its parts."""
    parser = command(commands, "evolve", "say what a change of a spec or of schemas breaks", EXAMPLES)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    diff = command(
        parts, "diff", "compare two versions, with evidence for each difference", DIFF_EXAMPLES, act=act_diff
    )
    _add_sides(diff)
    chosen = diff.add_mutually_exclusive_group()
    chosen.add_argument("--report", choices=REPORTS, default="text", help="how to tell it (default text)")
    chosen.add_argument("--json", action="store_const", dest="report", const="json", help="as --report json")


def _add_sides(parser: argparse.ArgumentParser) -> None:
    what = "a JSON Schema, a folder of them, SUITE:EDITION, or REVISION:PATH as git has it"
    parser.add_argument("old", metavar="OLD", help=what)
    parser.add_argument("new", metavar="NEW", help="the same, later")
    parser.add_argument(
        "--direction",
        choices=("both", "old-to-new", "new-to-old"),
        default="both",
        help="old-to-new: what old writers wrote, for new readers; new-to-old: what new writers write, for old readers",
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=20.0,
        metavar="S",
        help="seconds that one question may take before it is UNKNOWN (default 20)",
    )


def act_diff(args: argparse.Namespace) -> int:
    """Compares and prints."""
    from bindproof.evolve import machines, words
    from bindproof.evolve.findings import EXIT_CODES, compared
    from bindproof.evolve.sides import two_sides

    with tempfile.TemporaryDirectory() as folder:
        sides = two_sides(args.old, args.new, Path(folder))
        found = compared(*sides, directions=words.direction_of(args.direction), seconds=args.seconds)
    shown = {"text": words.text, "json": machines.as_json, "markdown": words.markdown, "sarif": machines.sarif}
    tell(shown[args.report](found))
    return EXIT_CODES[found.outcome()]
