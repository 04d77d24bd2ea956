"""`bindproof man [COMMAND]`: a page for `man`, of all commands or of one with its examples.

Enters: the name of a command. Leaves: a manual page in roff on stdout. Must not know what any command does.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bindproof import __version__
from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.core.errors import UsageError
from bindproof.results.fold import EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof man | man -l -                                        read it
  bindproof man run | man -l -                                    one command, with its examples
  bindproof man > ~/.local/share/man/man1/bindproof.1             for `man bindproof`
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "man", "print a page for `man`, of all commands or of one", EXAMPLES, act=act)
    parser.add_argument("of", nargs="*", metavar="COMMAND", help="a command, such as run or spec check; none: all")


def act(args: argparse.Namespace) -> int:
    """Prints the page."""
    from argparse_manpage.manpage import Manpage

    page = Manpage(_named(args.of))
    page.source, page.manual = f"bindproof {__version__}", "bindproof"
    tell(str(page).rstrip("\n"))
    return EXIT_OK


def _named(words: list[str]) -> argparse.ArgumentParser:
    from bindproof.cli import parser

    found = parser()
    for at, word in enumerate(words):
        known = _below(found)
        if word not in known:
            typed = " ".join(words[: at + 1])
            raise UsageError(f"there is no command `bindproof {typed}`; there is {', '.join(known) or 'none below it'}")
        found = known[word]
    return found


def _below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser by their names."""
    subparsers = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    return {name: below for one in subparsers for name, below in one.choices.items()}
