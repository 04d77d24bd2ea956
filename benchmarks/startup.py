"""From typing the command to the first verdict, on a warm cache.

Enters: names of adapters. Leaves: seconds for each. Must not know scenarios.
"""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from statistics import median

from benchmarks.path import BenchmarkError

TARGET = 0.5
"""Seconds that a user may wait for the first verdict."""


@dataclass(frozen=True, slots=True)
class Startup:
    """Seconds until the first verdict line of `bindproof run --json --adapter NAME`."""

    adapter: str
    median: float
    best: float


def measure(adapter: str, rounds: int) -> Startup:
    """Measure one adapter; the first, cold start is not counted. Raises BenchmarkError when no verdict comes."""
    _first_verdict(adapter)
    found = [_first_verdict(adapter) for _ in range(rounds)]
    return Startup(adapter, median(found), min(found))


def _first_verdict(adapter: str) -> float:
    command = [sys.executable, "-m", "bindproof", "run", "--json", "--adapter", adapter]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            for line in process.stdout or ():
                if line.startswith(b'{"type":"verdict"'):
                    return time.perf_counter() - began
        finally:
            process.terminate()
            process.communicate()
    raise BenchmarkError(f"`{' '.join(command)}` gave no verdict")
