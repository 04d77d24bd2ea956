"""`bindproof cache list|clear`: what was built and kept, and how to be rid of it.

Enters: globs. Leaves: text on stdout, an exit code. Must not know how anything is built.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.core.errors import UsageError
from bindproof.results.fold import EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.targets.cache_contents import Kept

EXAMPLES = """\
  bindproof cache list               each build with its size, and when it was made
  bindproof cache clear 'python-*'   remove the builds of one adapter; the next run makes what it needs anew
  bindproof cache clear              remove all of it
"""


def add(commands: Subparsers) -> None:
    """Adds the command and its parts."""
    parser = command(commands, "cache", "list or clear what was built and kept", EXAMPLES)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    listing = command(parts, "list", "list what is kept", "  bindproof cache list", act=act_list)
    listing.add_argument("--json", action="store_true", help="print JSON: the folder, and name, bytes and time of each")
    clearing = command(
        parts, "clear", "remove what is kept", "  bindproof cache clear 'c-library-*' remembered", act=act_clear
    )
    clearing.add_argument("glob", nargs="*", metavar="GLOB", help="only what is called so, as `cache list` shows it")


def act_list(args: argparse.Namespace) -> int:
    """Prints a line for each build."""
    from bindproof.targets.cache_contents import contents
    from bindproof.targets.unmet import Unmet

    try:
        root, found = contents()
    except Unmet as error:
        raise UsageError(f"{error.reason}: {error.remedy}") from None
    if args.json:
        kept = [{"name": one.name, "bytes": one.size, "built": _when(one)} for one in found]
        tell(json.dumps({"folder": str(root), "kept": kept}, indent=1))
        return EXIT_OK
    tell(f"{root}: {_total(found)}")
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        tell(f"  {one.name:<{width}}  {_mebibytes(one.size):>11}  {_when(one)[:16].replace('T', ' ')}")
    return EXIT_OK


def act_clear(args: argparse.Namespace) -> int:
    """Removes what the globs name."""
    from bindproof.targets.cache_contents import clear
    from bindproof.targets.unmet import Unmet

    try:
        gone = clear(args.glob)
    except Unmet as error:
        raise UsageError(f"{error.reason}: {error.remedy}") from None
    if args.glob and not gone:
        raise UsageError(f"nothing is called {' or '.join(args.glob)}; `bindproof cache list` shows what there is")
    for one in gone:
        tell(f"removed {one.name}")
    tell(f"removed {_total(gone)}")
    return EXIT_OK


def _total(found: list[Kept]) -> str:
    builds = sum(one.name != "remembered" for one in found)
    return f"{builds} {'build' if builds == 1 else 'builds'}, {_mebibytes(sum(one.size for one in found))}"


def _mebibytes(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB"


def _when(one: Kept) -> str:
    return datetime.fromtimestamp(one.built, UTC).isoformat(timespec="seconds")
