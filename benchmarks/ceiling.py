"""The harness alone: a replaying adapter answers from memory, so what is left is the harness's own speed.

Enters: the name of an adapter to record from. Leaves: rates of the whole path, and microseconds of each of its parts.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from benchmarks import workloads
from benchmarks.direct import PROGRAMS, command_of
from benchmarks.path import SPEC, SUITE, BenchmarkError, info_of, judged, plans_of, setting_of, timed
from bindproof.core.model import AdapterCommand, Json, TargetInfo, Verdict
from bindproof.drive import Answer, Job, drive
from bindproof.judge import compare
from bindproof.results import Writer, verdict_line
from bindproof.suites import Prepared

FLOOR, WITHIN_REACH = 10_000, 20_000
"""Verdicts a second that the whole path must make, and should be able to make."""

BATCH = 64


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One workload against a replaying adapter.

    The parts are measured by themselves, the same scenarios in the same order.
    """

    workload: str
    scenarios: int
    rate: float
    """Whole path, scenarios a second."""
    best: float
    parts: dict[str, float]
    """Microseconds of work."""


def measure(adapter: str, count: int, rounds: int) -> list[Ceiling]:
    """Record every workload from an adapter once, then measure how fast the harness takes the replay."""
    command = command_of(adapter)
    info = info_of(command)
    setting = setting_of(info)
    positive = workloads.positive_vectors(SUITE, SPEC, setting.edition, setting.dialect)
    loads = {
        "standard": workloads.standard(SUITE),
        "vectors": [scenario for _, scenario in positive],
        "generated": workloads.generated(SUITE, setting.dialect, 4 * BATCH),
    }
    with TemporaryDirectory() as folder:
        return [_ceiling(command, info, name, load, count, rounds, Path(folder) / name) for name, load in loads.items()]


def _ceiling(
    command: AdapterCommand,
    info: TargetInfo,
    name: str,
    load: Sequence[Json],
    count: int,
    rounds: int,
    recording: Path,
) -> Ceiling:
    recorded = [
        (answer, verdict)
        for answer, verdict in judged(command, plans_of(load, len(load)))
        if verdict.outcome == "conforms"
    ]
    _write(recording, info, [answer for answer, _ in recorded])
    replay = replace(
        command, name="replay", argv=(sys.executable, "-S", str(PROGRAMS / "replay.py"), str(recording)), env={}
    )
    scenarios = [verdict.plan.scenario for _, verdict in recorded]
    runs = [timed(replay, scenarios, count // 10, count) for _ in range(rounds)]
    rates = [count / run.wall for run in runs]
    parts = {"whole path": median(run.cpu / count * 1e6 for run in runs)} | _parts(replay, info, recorded, rounds)
    return Ceiling(name, len(scenarios), median(rates), max(rates), parts)


def _write(recording: Path, info: TargetInfo, answers: list[Answer]) -> None:
    greeting = {
        "protocol_version": 1,
        "adapter": {"name": "replay", "version": "1"},
        "target": {
            "name": info.target,
            "version": info.version,
            "language": info.language,
            "runtime": info.runtime,
        },
        "suites": info.suites,
    }
    runs = [[answer.job.params.decode("ascii"), _after_id(answer)] for answer in answers]
    recording.write_text(json.dumps({"initialize": greeting, "runs": runs}), encoding="utf-8")


def _after_id(answer: Answer) -> str:
    line = answer.raw or b""
    return line[line.index(b'"result":') :].decode("utf-8")


def _parts(
    replay: AdapterCommand, info: TargetInfo, recorded: list[tuple[Answer, Verdict]], rounds: int
) -> dict[str, float]:
    """Return the microseconds of each part of the path, for one scenario."""
    setting = setting_of(info)
    checks = list(setting.checks().values())
    ready = [
        (SUITE.prepare(verdict.plan.scenario, setting.edition, setting.dialect), answer.payload["log"], verdict)
        for answer, verdict in recorded
    ]
    shapes = [
        (prepared.shapes(answer.job.params), answer)
        for (prepared, _, _), (answer, _) in zip(ready, recorded, strict=True)
    ]
    seen = [prepared.observe(log) for prepared, log, _ in ready]
    times = max(1, 2 * BATCH // len(ready))
    with TemporaryDirectory() as folder, Writer(Path(folder) / "log") as writer:
        parts: dict[str, Callable[[], object]] = {
            "normalise+reading": lambda: [prepared.observe(log) for prepared, log, _ in ready],
            "checks": lambda: [check(reading) for reading in _views(ready) for check in checks],
            "compare": lambda: [
                compare(prepared.prediction, log, SUITE.lanes(verdict.plan.scenario))
                for (prepared, _, verdict), (log, _) in zip(ready, seen, strict=True)
            ],
            "shape": lambda: [shape(answer.raw or b"") for shape, answer in shapes],
            "line": lambda: _written(writer, [verdict for _, _, verdict in ready]),
            "prepare (first time only)": lambda: [
                SUITE.prepare(verdict.plan.scenario, setting.edition, setting.dialect) for _, _, verdict in ready
            ],
        }
        found = {name: _microseconds(part, times, rounds) / len(ready) for name, part in parts.items()}
    found["checks"] -= found[
        "normalise+reading"
    ]  # each time on fresh views, because a reading keeps what checks asked of it
    jobs = [answer.job for answer, _ in recorded]
    return {"transport": median(_transport(replay, jobs) for _ in range(rounds))} | found


def _views(ready: list[tuple[Prepared, list[Json], Verdict]]) -> Iterator[Any]:
    for prepared, log, _ in ready:
        yield prepared.observe(log)[1]


def _written(writer: Writer, verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        writer.write(verdict_line(verdict))


def _transport(replay: AdapterCommand, jobs: list[Job]) -> float:
    """Return the harness's own microseconds for sending one scenario and reading its answer, judging nothing."""
    count = 40 * BATCH
    began, answered = time.process_time(), 0
    for event in drive([(replay, lambda _: islice(cycle(jobs), count))]):
        if isinstance(event, Answer):
            answered += event.outcome == "observation"
            if answered == 1:
                began = time.process_time()
    if answered != count:
        raise BenchmarkError(f"the replaying adapter answered {answered} of {count}")
    return (time.process_time() - began) / (count - 1) * 1e6


def _microseconds(part: Callable[[], object], times: int, rounds: int) -> float:
    def once() -> float:
        began = time.process_time()
        for _ in range(times):
            part()
        return (time.process_time() - began) / times * 1e6

    once()
    return median(once() for _ in range(rounds))
