"""What the drive's tests share: fakes as commands, jobs with or without poison, and a drive that is sorted by kind."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.drive import Answer, Failed, Job, Limits, drive
from bindproof.drive.values import Item

FAKES = Path(__file__).parents[1] / "fakes"
GENEROUS = Limits(line=1 << 20, stderr=1 << 10, initialize=60.0, scenario=60.0, shutdown=60.0)


@dataclass(frozen=True)
class Result:
    items: list[Item]

    @property
    def answers(self) -> list[Answer]:
        return [item for item in self.items if isinstance(item, Answer)]

    @property
    def failed(self) -> list[Failed]:
        return [item for item in self.items if isinstance(item, Failed)]

    def outcomes(self) -> dict[str, list[int]]:
        """Job numbers by outcome."""
        found: dict[str, list[int]] = {}
        for answer in self.answers:
            found.setdefault(answer.outcome, []).append(int(answer.job.id))
        return {outcome: sorted(numbers) for outcome, numbers in found.items()}


class Drives:
    """Makes commands and jobs and drives them."""

    def command(self, fake: str) -> AdapterCommand:
        return AdapterCommand(fake, (sys.executable, "-S", str(FAKES / f"{fake}.py")), {}, str(FAKES))

    def job(self, number: int, *, poison: bool = False, value: Any = None) -> Job:
        scenario = {"steps": [{"step": "flush", "as": "poison" if poison else "a", "value": value}]}
        return Job(str(number), "relay", json.dumps({"suite": "relay", "scenario": scenario}).encode())

    def jobs(self, count: int, poison: Iterable[int] = ()) -> Callable[[object], Iterable[Job]]:
        guilty = set(poison)
        return lambda _info: (self.job(number, poison=number in guilty) for number in range(count))

    def run(
        self,
        fake: str,
        count: int = 100,
        poison: Iterable[int] = (),
        limits: Limits = GENEROUS,
        processes: int = 1,
    ) -> Result:
        return Result(list(drive([(self.command(fake), self.jobs(count, poison))], limits, processes)))


@pytest.fixture
def drives() -> Drives:
    return Drives()
