"""`bindproof program`: a scenario as a small program in a binding's own language, which needs no bindproof.

Enters: a vector's id or a file, an adapter. Leaves: the program, on stdout or in a file. Must not know any language.
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
  bindproof program relay/marks/two-in-order --adapter python              print it
  bindproof program relay/marks/two-in-order --adapter node@0.9.2 -o .     write it into this folder
  bindproof program ./my-scenario.json --adapter python
The program needs the binding's package and nothing else, prints what is expected and observed, and exits with 1 where
they differ: it belongs into an issue, or a debugger.
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "program", "write a vector or file as a program of its own", EXAMPLES, act=act)
    parser.add_argument("subject", metavar="VECTOR|FILE", help="a vector's id, or a file that holds a vector")
    parser.add_argument("--adapter", required=True, metavar="NAME[@RELEASE]", help="the binding that it is to drive")
    parser.add_argument("--edition", help="the edition whose rules it holds; without it, that of the release")
    parser.add_argument("--suite", help="the suite that a file's scenario is for, where it does not show")
    parser.add_argument("--twin", action="store_true", help="of a negative, the scenario without the defect")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE|DIR", help="write it there, and not on stdout")


def act(args: argparse.Namespace) -> int:
    """Writes the program."""
    from bindproof.runner.programs import programs

    program = programs(args.subject, args.adapter, edition=args.edition, suite=args.suite)[0 if args.twin else -1]
    if args.output is None:
        tell(program.text.rstrip("\n"))
        return EXIT_OK
    path = args.output / program.file if args.output.is_dir() else args.output
    _write(path, program.text)
    tell(f"{path} is written; its head says how it is run")
    return EXIT_OK


def _write(path: Path, text: str) -> None:
    from bindproof.core.errors import FileError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileError(path, None, f"cannot be written: {error.strerror}") from None
