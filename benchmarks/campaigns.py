"""Campaigns: how fast scenarios are generated and judged, beside a direct loop, and what many of them cost.

Enters: names of adapters. Leaves: rates of both drivers of the generator, rates of campaigns and their ratio to a
direct loop over the same scenarios, and for a long campaign the time and memory of each of its parts.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.direct import command_of, in_a_direct_loop
from benchmarks.path import SUITE, BenchmarkError, info_of, setting_of
from bindproof.core import origins
from bindproof.core.request import Campaign
from bindproof.results import AdapterLine, Line, VerdictLine
from bindproof.runner import RunRequest, execute
from bindproof.runner.campaign.seeded_scenarios import SeededScenarios
from tests.choices import DrawnChoices

TARGET = 10_000
"""Scenarios a second that the seed should make, so that the generator is not the brake."""

PARTS = 10
"""A long campaign is told of in so many parts."""

CHECKS = list(HealthCheck)

DRAWN = 300
"""So many scenarios Hypothesis draws a round."""


@dataclass(frozen=True, slots=True)
class Generated:
    """Complete scenarios a second from a driver of the generator, the median and the best of the rounds."""

    driver: str
    rate: float
    best: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A campaign beside a direct loop over the scenarios that conform in it, each acted out once."""

    adapter: str
    scenarios: int
    campaign: float
    direct: float
    """`campaign` and `direct`: scenarios a second (medians)."""
    ratio: float
    """The median of the pairs' ratios, seconds a scenario."""


@dataclass(frozen=True, slots=True)
class Grown:
    """One part of a long campaign: how many verdicts by then, its own seconds, and the most memory so far in MiB."""

    verdicts: int
    seconds: float
    work: float
    """Of the seconds, those that the harness itself was at work; other programs do not lengthen them."""
    memory: float


def generated(count: int, rounds: int) -> list[Generated]:
    """Measure both drivers of the generator of `relay`."""
    stream = SeededScenarios(SUITE, 0)
    seeded = [_rate(count, partial(_from_stream, stream, at * count, count)) for at in range(rounds)]
    drawn = [_rate(DRAWN, _drawn) for _ in range(rounds)]
    return [Generated("seed", median(seeded), max(seeded)), Generated("Hypothesis", median(drawn), max(drawn))]


def judged(adapter: str, count: int, rounds: int) -> Judged:
    """Measure campaigns on one adapter in pairs with a direct loop; raises BenchmarkError when it cannot be had."""
    command = command_of(adapter)
    setting = setting_of(info_of(command))
    sent = {line.came_from for line in _campaign(adapter, count)[0] if line.outcome == "conforms"}
    stream = SeededScenarios(setting.suite, 0)
    full = [stream.scenario(number) for number in range(count) if origins.Generated(0, number) in sent]
    spelled = [setting.suite.prepare(one, setting.edition, setting.dialect).spelled for one in full]
    with_harness, without = [], []
    for _ in range(rounds):
        with_harness.append(_campaign(adapter, count)[1] / count)
        without.append(in_a_direct_loop(command, setting.suite.name, spelled, 0, len(spelled)) / len(spelled))
    ratios = [one / other for one, other in zip(with_harness, without, strict=True)]
    return Judged(adapter, count, 1 / median(with_harness), 1 / median(without), median(ratios))


def grown(adapter: str, count: int) -> list[Grown]:
    """Perform one long campaign and tell of its parts."""
    found: list[Grown] = []
    verdicts, began = 0, (time.perf_counter(), time.process_time())

    def emit(line: Line) -> None:
        nonlocal verdicts, began
        if isinstance(line, VerdictLine):
            verdicts += 1
            if verdicts % max(1, count // PARTS) == 0:
                now = time.perf_counter(), time.process_time()
                found.append(Grown(verdicts, now[0] - began[0], now[1] - began[1], _memory()))
                began = now

    execute(_request(adapter, count), emit, lambda _: None)
    return found


def _campaign(adapter: str, count: int) -> tuple[list[VerdictLine], float]:
    """Perform a campaign; return its verdicts, and the seconds from its first scenario to its last verdict."""
    verdicts: list[VerdictLine] = []
    began = time.perf_counter()

    def emit(line: Line) -> None:
        nonlocal began
        if isinstance(line, AdapterLine):
            if line.state != "ready":
                raise BenchmarkError(f"{adapter} is {line.state}: {line.reason}")
            began = time.perf_counter()
        elif isinstance(line, VerdictLine):
            verdicts.append(line)

    execute(_request(adapter, count), emit, lambda _: None)
    return verdicts, time.perf_counter() - began


def _request(adapter: str, count: int) -> RunRequest:
    return RunRequest(suite=SUITE.name, adapters=(adapter,), campaign=Campaign(examples=count))


def _from_stream(stream: SeededScenarios, at: int, count: int) -> None:
    for number in range(at, at + count):
        stream.scenario(number)


def _drawn() -> None:
    @settings(max_examples=DRAWN, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=CHECKS)
    @given(st.data())
    def draw(data: Any) -> None:
        SUITE.generate(DrawnChoices(data.draw), None)

    draw()


def _rate(count: int, act: Callable[[], None]) -> float:
    began = time.perf_counter()
    act()
    return count / (time.perf_counter() - began)


def _memory() -> float:
    """Return the most memory that this process ever had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
