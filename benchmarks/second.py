"""What a second process of the same adapter adds: two share the scenarios that one would have acted out alone.

Enters: names of adapters. Leaves: for each the rates with one and with two processes, measured in pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from benchmarks import workloads
from benchmarks.direct import command_of
from benchmarks.path import SUITE, timed


@dataclass(frozen=True, slots=True)
class Second:
    """Scenarios a second from plan to verdict in the log (medians), with one process and with two."""

    adapter: str
    one: float
    two: float
    gain: float
    """Seconds of one ÷ seconds of two, the median of the pairs."""
    lowest: float
    highest: float
    """`lowest` and `highest`: of the same pairs."""


def measure(adapter: str, count: int, rounds: int) -> Second:
    """Measure one adapter with the standard scenario; raises BenchmarkError when it cannot be had or diverges."""
    command, scenarios = command_of(adapter), workloads.standard(SUITE)
    walls: dict[int, list[float]] = {1: [], 2: []}
    for number in range(rounds):
        for processes in (1, 2) if number % 2 else (2, 1):
            walls[processes].append(timed(command, scenarios, max(100, count // 10), count, processes).wall)
    gains = [one / two for one, two in zip(walls[1], walls[2], strict=True)]
    rates = count / median(walls[1]), count / median(walls[2])
    return Second(adapter, *rates, median(gains), min(gains), max(gains))
