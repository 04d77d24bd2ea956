"""Fuzzes what bindproof reads: `python -m tests.fuzz --subject logs --times 20000 --seed 7`.

Enters: options. Leaves: for each subject how many inputs were tried, in which time; exit code 1 at the first that ends
as nothing may end, with what repeats it.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.subjects import SUBJECTS

PATIENCE = 60
"""Seconds for one input in this process; what takes longer hangs."""


def main() -> int:
    """Try the subjects; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--subject", action="append", choices=SUBJECTS, help="only this one; may be given again")
    parser.add_argument("--times", type=int, default=1000, help="inputs of each subject (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="decides every input, with its number (default 0)")
    args = parser.parse_args()
    signal.signal(signal.SIGALRM, _hangs)
    for name in args.subject or [name for name in SUBJECTS if name != "commands"]:
        with tempfile.TemporaryDirectory() as folder:
            began, draw = time.monotonic(), random.Random(f"{args.seed} {name}")
            tries = SUBJECTS[name](draw, Path(folder))
            for number in range(args.times):
                signal.alarm(0 if name == "commands" else PATIENCE)
                try:
                    tries()
                except Exception as error:
                    again = f"python -m tests.fuzz --subject {name} --seed {args.seed} --times {number + 1}"
                    error.add_note(f"input {number}: {again}")
                    raise
            signal.alarm(0)
        sys.stdout.write(f"{name:<14}{args.times:>8} inputs {time.monotonic() - began:8.1f} s\n")
        sys.stdout.flush()
    return 0


def _hangs(number: int, frame: object) -> None:
    raise AssertionError(f"one input took longer than {PATIENCE} seconds")


if __name__ == "__main__":
    sys.exit(main())
