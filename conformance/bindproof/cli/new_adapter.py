"""`bindproof new-adapter`: writes an adapter in a language, which runs at once.

Enters: a folder and a language. Leaves: files in it, and on stdout what to do next. Must not know what the files hold.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.core.command_line import command as words_of
from bindproof.results.fold import EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

LANGUAGES = ("python", "node", "go", "rust", "c", "other")

EXAMPLES = """\
  bindproof new-adapter ./starling --language go      with the SDK for Go
  bindproof new-adapter ./starling --language c       for a library with a C interface
  bindproof new-adapter ./starling --language other   without an SDK: it speaks the protocol by hand
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "new-adapter", "write an adapter for a binding of yours, which runs", EXAMPLES, act=act)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder that is not there yet, or empty")
    parser.add_argument("--language", choices=LANGUAGES, required=True, help="what the adapter is to be written in")


def act(args: argparse.Namespace) -> int:
    """Writes the files and prints what to do next."""
    from bindproof.core.paths import data_root
    from bindproof.scaffold import write_adapter

    written = write_adapter(args.folder, args.language)
    name = str(args.folder) if args.folder.is_absolute() else f"./{args.folder}"
    tell(
        f"{len(written)} files written: an adapter in {args.folder}, and a toy that it drives\n"
        f"next:\n"
        f"  {words_of(['smoke', name])}\n"
        f"which says what it is missing; then read {args.folder / 'README.md'}, and of bindproof\n"
        f"  {data_root() / 'docs' / 'adapter-guide.md'}: from there to a binding of your own, and to CI"
    )
    return EXIT_OK
