"""`bindproof sdk path`: where the SDKs are that adapters are written with.

Enters: a language. Leaves: a path on stdout, an exit code. Must not know what an SDK does.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.core.paths import adapters_root
from bindproof.results.fold import EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

LANGUAGES = ("python", "node", "go", "rust")

EXAMPLES = """\
  bindproof sdk path --language python   for PYTHONPATH: the folder with the package bindproof_adapter
  bindproof sdk path --language node     the folder with index.mjs
  bindproof sdk path                     the folder of all, which adapters find in BINDPROOF_SDK
"""


def add(commands: Subparsers) -> None:
    """Adds the command and its part."""
    parser = command(commands, "sdk", "say where the SDKs for adapters are", EXAMPLES)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    path = command(parts, "path", "print the folder of an SDK", EXAMPLES, act=act_path)
    path.add_argument("--language", choices=LANGUAGES, help="of this language; without it, the folder of all")


def act_path(args: argparse.Namespace) -> int:
    """Prints the folder."""
    root = adapters_root() / "sdk"
    tell(str(root / args.language if args.language else root))
    return EXIT_OK
