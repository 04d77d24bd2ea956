"""Which modules an answer passes through on its way to a verdict in the log: `python -m benchmarks.moves`.

Enters: the first standard scenario, acted out by the reference. Leaves: how many modules of ours take part, how often
one calls another ("moves"), and between which of them most. What remembers shapes is off: the whole way is counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from benchmarks.direct import command_of
from benchmarks.path import SUITE, judged, plans_of
from benchmarks.workloads import standard
from bindproof.core.model import Verdict
from bindproof.drive import Answer
from bindproof.results import Fold, Writer, verdict_line
from bindproof.runner import assignment

OURS = ("bindproof.", "bindproof_reference.")


class Moves:
    """Counts calls from one module of ours into another, while it is on."""

    def __init__(self) -> None:
        self.between: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Count what `sys.setprofile` tells."""
        caller = frame.f_back
        if event != "call" or caller is None:
            return
        here, there = (str(one.f_globals.get("__name__")) for one in (caller, frame))
        if here != there and there.startswith(OURS):
            self.between[here, there] += 1

    @property
    def modules(self) -> set[str]:
        """Those that took part."""
        return {one for pair in self.between for one in pair if one.startswith(OURS)}


def main() -> int:
    """Count, and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.moves", description=__doc__)
    parser.add_argument("--top", type=int, default=12, help="show so many pairs of modules (default 12)")
    args = parser.parse_args()
    moves = counted()
    print(f"{len(moves.modules)} modules, {moves.between.total()} moves between them")
    for (here, there), count in moves.between.most_common(args.top):
        print(f"{count:>5}  {here} → {there}")
    return 0


def counted() -> Moves:
    """Return the moves from an answer that was read to its line in the log, for the first standard scenario."""
    moves = Moves()
    real = assignment.Assignment.verdict

    def watched(self: assignment.Assignment, answer: Answer) -> Verdict:
        sys.setprofile(moves)
        try:
            return real(self, answer)
        finally:
            sys.setprofile(None)

    assignment.Assignment.verdict = watched  # type: ignore[method-assign]
    with TemporaryDirectory() as folder, Writer(Path(folder) / "results.jsonl") as writer:
        fold = Fold()
        for _, verdict in judged(command_of("reference"), plans_of(standard(SUITE)[:1], 1)):
            sys.setprofile(moves)
            line = verdict_line(verdict)
            writer.write(line)
            fold.add(line)
            sys.setprofile(None)
    return moves


if __name__ == "__main__":
    sys.exit(main())
