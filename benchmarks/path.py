"""The whole path that a run takes, from plans to verdict lines in a log file, with a clock.

Enters: an adapter's command, scenarios. Leaves: seconds, or answers with verdicts. Uses the harness as it is.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from bindproof.core.model import AdapterCommand, Json, Plan, TargetInfo, Verdict
from bindproof.core.origins import FromVector
from bindproof.core.paths import data_root
from bindproof.drive import Answer, Failed, Job, Ready, Unanswered, drive
from bindproof.report.digest import Digest
from bindproof.results import Fold, Writer, verdict_line
from bindproof.runner.assignment import Assignment
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.preparing import Preparations
from bindproof.runner.setting import Setting
from bindproof.spec import load
from bindproof.suites import load as load_suite

SPEC = load(data_root(), "relay")
SUITE = load_suite(SPEC)


class BenchmarkError(Exception):
    """What was to be measured did not work, so its speed says nothing."""


@dataclass(frozen=True, slots=True)
class Took:
    """What `count` scenarios took: seconds on the wall, and of this process's own work."""

    count: int
    wall: float
    cpu: float


@dataclass(slots=True)
class Heard:
    """What an adapter said of itself, once it did."""

    info: TargetInfo | None = None


def setting_of(info: TargetInfo) -> Setting:
    """Return what an adapter that says this of itself is judged by: `relay` if it speaks that, else its own suite."""
    spec = SPEC if SPEC.name in info.suites else load(data_root(), next(iter(info.suites)))
    return Setting.of_target(spec, SUITE if spec is SPEC else load_suite(spec), info)


def plans_of(scenarios: Sequence[Json], count: int, suite: str = SPEC.name) -> list[Plan]:
    """Return so many plans, the scenarios over and over."""
    return [
        Plan(FromVector(f"speed/{n}"), suite, scenario) for n, scenario in enumerate(islice(cycle(scenarios), count))
    ]


def info_of(command: AdapterCommand) -> TargetInfo:
    """Return what an adapter says of itself."""
    heard = Heard()

    def no_jobs(info: TargetInfo) -> Iterable[Job]:
        heard.info = info
        return ()

    for event in drive([(command, no_jobs)]):
        _must_work(event)
    if heard.info is None:
        raise BenchmarkError(f"{command.name} said nothing of itself")
    return heard.info


def judged(command: AdapterCommand, plans: list[Plan], processes: int = 1) -> Iterator[tuple[Answer, Verdict]]:
    """Yield the answer and verdict of every plan, as they come; raises BenchmarkError when the adapter fails.

    processes: how many of the adapter share the plans evenly.
    """
    assignments: dict[str, Assignment] = {}

    def jobs_of(name: str, share: list[Plan], info: TargetInfo) -> Iterable[Job]:
        setting = setting_of(info)
        repeated = Preparations(setting.suite, setting.edition, setting.dialect, kept=len(share))
        known = Expectations([], info.target, info.version)
        assignment = Assignment(name, setting, known, recalls=True, preparations=repeated)
        assignments[name] = assignment
        return map(assignment.send, share)

    names = [command.name, *(f"{command.name}, process {number}" for number in range(2, processes + 1))]
    runs = [
        (replace(command, name=name), partial(jobs_of, name, plans[number::processes]))
        for number, name in enumerate(names)
    ]
    for event in drive(runs):
        _must_work(event)
        if isinstance(event, Answer):
            yield event, assignments[event.adapter].verdict(event)


def timed(
    command: AdapterCommand,
    scenarios: Sequence[Json],
    warm_up: int,
    count: int,
    processes: int = 1,
    suite: str = SPEC.name,
) -> Took:
    """Time `count` scenarios after `warm_up` others, each until its verdict is in the log file.

    processes: as `judged`. suite: what the scenarios are of. Raises BenchmarkError for a verdict that is not
    `conforms`.
    """
    plans = plans_of(scenarios, warm_up + count, suite)
    fold, digest = Fold(), Digest()
    began = time.perf_counter(), time.process_time()
    with TemporaryDirectory() as folder, Writer(Path(folder) / "results.jsonl") as writer:
        for number, (_, verdict) in enumerate(judged(command, plans, processes), 1):
            line = verdict_line(verdict)
            writer.write(line)
            fold.add(line)
            digest.add(line)
            if verdict.outcome != "conforms":
                raise BenchmarkError(f"{command.name}, {verdict.plan.id}: {verdict.outcome}: {verdict.reason}")
            if number == warm_up:
                began = time.perf_counter(), time.process_time()
            if number == len(plans):
                return Took(count, time.perf_counter() - began[0], time.process_time() - began[1])
    raise BenchmarkError(f"{command.name} left plans without a verdict")


def _must_work(event: Ready | Answer | Unanswered | Failed) -> None:
    if isinstance(event, Failed):
        raise BenchmarkError(f"{event.adapter} failed: {event.reason}\n{event.stderr}")
