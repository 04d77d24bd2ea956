"""`bindproof completion SHELL`: what a shell needs to complete the words of every command.

Enters: the name of a shell. Leaves: its script on stdout. Must not know what any command does.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.results.fold import EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

SHELLS = ("bash", "zsh")

EXAMPLES = """\
  bindproof completion bash > ~/.local/share/bash-completion/completions/bindproof
  bindproof completion zsh > ~/.zfunc/_bindproof      with ~/.zfunc in fpath
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "completion", "print what a shell needs to complete commands", EXAMPLES, act=act)
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")


def act(args: argparse.Namespace) -> int:
    """Prints the script."""
    import shtab

    from bindproof.cli import parser

    tell(shtab.complete(parser(), shell=args.shell).rstrip("\n"))
    return EXIT_OK
