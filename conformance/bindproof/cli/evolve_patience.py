"""How long a comparison of `bindproof evolve` may take: its options, and what becomes of them.

Enters: arguments. Leaves: a Patience, which tells the user how far it is. Must not know what is compared.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bindproof.cli.options import seconds
from bindproof.cli.progress import Progress

if TYPE_CHECKING:
    from bindproof.evolve.bounded import Patience


def add_patience(parser: argparse.ArgumentParser) -> None:
    """Adds `--seconds` and `--total`."""
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=20.0,
        metavar="S",
        help="seconds that one question, or reading both sides, may take before it is UNKNOWN (default 20)",
    )
    parser.add_argument(
        "--total",
        type=seconds,
        default=math.inf,
        metavar="S",
        help="seconds that all questions of a comparison may take together; what is left is UNKNOWN (default: none)",
    )


@contextmanager
def patience_of(args: argparse.Namespace) -> Iterator[Patience]:
    """Yields what they say; until its end the user is told how far it is."""
    from bindproof.evolve.bounded import Patience

    with Progress(sys.stderr) as progress:
        yield Patience(args.seconds, args.total, progress.say)
