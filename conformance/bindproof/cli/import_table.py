"""`bindproof import`: writes the vectors of a table of cases that others keep.

Enters: a mapping file. Leaves: vectors, a line on stdout, an exit code. Must not know how tables are written.
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
  bindproof import official.toml                    as the mapping says; again, the same
  bindproof import official.toml --from ./checkout  from another folder than it names

a mapping:
  source = "https://github.com/jmespath/jmespath.test"
  commit = "53abcc37901891cf4308fcd910eab287416c4609"
  licence = "MIT"
  files = ["tests/*.json"]
  form = "jmespath.test"                  or cases, JSON-Schema-Test-Suite, toml-test, cel-spec
  vectors = "spec/meters/vectors/official"
  scenario = { expression = "expression", given = "given" }
  errors = { invalid-type = "type" }      their word, the suite's error kind; "*", any other
  [[rule]]
  exercises = "MET-001"
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "import", "write the vectors of a table of cases", EXAMPLES, act=act)
    parser.add_argument(
        "mapping", type=Path, metavar="FILE", help="a mapping: where the table is from, what goes where"
    )
    parser.add_argument("--from", dest="source", type=Path, metavar="DIR", help="the folder of the table")


def act(args: argparse.Namespace) -> int:
    """Writes the vectors and says how many."""
    from bindproof.tables import import_table

    done = import_table(args.mapping, args.source)
    left_out = (
        f"; {done.left_out} cases that expect nothing, or nothing that a vector says, are left out"
        if done.left_out
        else ""
    )
    tell(f"{done.vectors} vectors written in {done.folder}{left_out}\nnext: bindproof spec check")
    return EXIT_OK
