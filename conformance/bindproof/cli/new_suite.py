"""`bindproof new-suite`: writes a package that provides a suite, and runs at once.

Enters: a folder. Leaves: files in it, and on stdout what to do next. Must not know what the files hold.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.results.fold import EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof new-suite ./bindproof-meters           a suite `meters`, in a package bindproof-meters
  bindproof new-suite ./conformance --name meters  the same suite, in another folder
  bindproof new-suite ./sums --kind function       for a pure function: a table of cases, and nothing else to begin with
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "new-suite", "write a package with a suite of your own, which runs", EXAMPLES, act=act)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder that is not there yet, or empty")
    parser.add_argument("--name", help="the suite's name; without it, the folder's less `bindproof-`")
    parser.add_argument(
        "--kind",
        choices=("function", "callbacks"),
        default="callbacks",
        help="function: one call, judged by a table of cases; callbacks (the default): an object with steps and state, "
        "judged by checks and a reference",
    )


def act(args: argparse.Namespace) -> int:
    """Writes the files and prints what to do next."""
    from bindproof.core.paths import data_root
    from bindproof.scaffold import name_for, write_suite

    name = args.name or name_for(args.folder)
    written, guides = write_suite(args.folder, name, args.kind), data_root() / "docs"
    tell(
        f"{len(written)} files written: a suite {name!r} with two requirements, a binding in Python and one in Node\n"
        f"next:\n"
        f"  pip install -e '{args.folder}[test]'\n"
        f"  bindproof run --suite {name}\n"
        f"then read {args.folder / 'README.md'}, and of bindproof\n"
        f"  {guides / 'suite-guide.md'}: from there to a suite of your own\n"
        f"  {guides / 'suite-authors.md'}: every word that a suite may use"
    )
    return EXIT_OK
