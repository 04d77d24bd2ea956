"""The harness beside a direct loop over the same binding: what the harness costs.

Enters: names of adapters. Leaves: for each adapter and workload the rates and their ratio, measured in pairs. Scenarios
come again and again here; what a scenario costs that comes once is measured with campaigns.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import workloads
from benchmarks.path import BenchmarkError, info_of, judged, plans_of, setting_of, timed
from bindproof.core.model import AdapterCommand, Json, TargetInfo, Unavailable
from bindproof.runner.setting import Setting
from bindproof.spec import covers, load_expectations, shipped_expectations
from bindproof.targets import resolve

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True)
class Beside:
    """Scenarios a second through the harness and in the direct loop (medians), and seconds with ÷ seconds without."""

    adapter: str
    workload: str
    harness: float
    direct: float
    ratio: float
    """The median of the pairs' ratios."""
    lowest: float
    highest: float
    """`lowest` and `highest`: of the same pairs."""
    of_best: float
    """That of the quickest round of each, which other programs on the machine disturbed least."""


def measure(adapter: str, count: int, rounds: int) -> list[Beside]:
    """Measure one adapter with every workload; raises BenchmarkError when it cannot be had or does not conform."""
    command = command_of(adapter)
    info = info_of(command)
    setting = setting_of(info)
    loads = {
        "standard": _conform(command, setting, workloads.standard(setting.suite)),
        "vectors": _conform(command, setting, _expected(info, setting)),
    }
    if not any(loads.values()):
        raise BenchmarkError(f"{adapter} conforms in no scenario of the suite {setting.suite.name}")
    return [_beside(command, name, scenarios, count, rounds) for name, scenarios in loads.items() if scenarios]


def command_of(adapter: str) -> AdapterCommand:
    """Return how to start an adapter; raises BenchmarkError when it is unavailable."""
    found = resolve(adapter, required=True, progress=lambda _: None)
    if isinstance(found, Unavailable):
        raise BenchmarkError(f"{adapter} is unavailable: {found.reason}\n{found.remedy}")
    return found


def _expected(info: TargetInfo, setting: Setting) -> list[Json]:
    """Return the positive vectors that are no known divergence: one may end the direct loop's process.

    One that diverges only sometimes conforms here and not while it is timed.
    """
    found = workloads.positive_vectors(setting.suite, setting.spec, setting.edition, setting.dialect)
    known = load_expectations(setting.spec, shipped_expectations(setting.spec))
    return [full for name, full in found if not any(covers(one, info.target, info.version, name) for one in known)]


def _conform(command: AdapterCommand, setting: Setting, scenarios: list[Json]) -> list[Json]:
    """Return those that the adapter can say, and conforms in: what it refuses would be timed as a refusal."""
    plans = plans_of(scenarios, len(scenarios), setting.suite.name)
    return [verdict.plan.scenario for _, verdict in judged(command, plans) if verdict.outcome == "conforms"]


def _beside(command: AdapterCommand, workload: str, scenarios: list[Json], count: int, rounds: int) -> Beside:
    if command.scenarios is not None:  # the direct loop is one process, with its warm-up
        count = min(count, command.scenarios // 2)
    warm_up = max(100, count // 10, 2 * len(scenarios))  # nothing is remembered before the second time
    setting = setting_of(info_of(command))
    suite = setting.suite.name
    spelled = [setting.suite.prepare(full, setting.edition, setting.dialect).spelled for full in scenarios]
    with_harness, without = [], []
    for number in range(rounds):
        for way in ("harness", "direct") if number % 2 else ("direct", "harness"):
            if way == "harness":
                with_harness.append(timed(command, scenarios, warm_up, count, suite=suite).wall)
            else:
                without.append(in_a_direct_loop(command, suite, spelled, warm_up, count))
    ratios = [one / other for one, other in zip(with_harness, without, strict=True)]
    rates = count / median(with_harness), count / median(without)
    of_best = min(with_harness) / min(without)
    return Beside(command.name, workload, *rates, median(ratios), min(ratios), max(ratios), of_best)


def in_a_direct_loop(command: AdapterCommand, suite: str, spelled: list[Json], warm_up: int, count: int) -> float:
    """Return the seconds that `count` scenarios take in a direct loop, after `warm_up` others, one after the other."""
    asked = json.dumps({"suite": suite, "scenarios": spelled, "warm_up": warm_up, "count": count}) + "\n"
    ended = subprocess.run(
        _in_a_loop(command.argv), cwd=command.cwd, env=dict(command.env), input=asked.encode(), capture_output=True
    )
    if ended.returncode != 0:
        raise BenchmarkError(
            f"the direct loop of {command.name} ended with {ended.returncode}: {ended.stderr.decode()}"
        )
    return float(ended.stdout.split()[-1])


def _in_a_loop(argv: tuple[str, ...]) -> list[str]:
    """Return the adapter's own command with our loop put before its program; a compiled one has the loop in its SDK."""
    at = next((index for index, word in enumerate(argv) if word.endswith((".py", ".mjs"))), None)
    if at is None:
        return [*argv, "--direct"]
    before = [str(PROGRAMS / "direct.py")] if argv[at].endswith(".py") else ["--import", str(PROGRAMS / "direct.mjs")]
    return [*argv[:at], *before, *argv[at:]]
