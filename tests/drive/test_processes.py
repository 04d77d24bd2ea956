"""Several processes of one adapter: they share its jobs, and what is found is what one process finds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.drive import Answer, Job, Limits, Ready, drive

pytestmark = pytest.mark.long

PATIENT = Limits(line=1 << 20, stderr=1 << 10, initialize=60.0, scenario=60.0, shutdown=60.0)

TELLS_ITS_PROCESS = (
    "import os, sys, time\n"
    "sys.path.insert(0, '.')\n"
    "from fake_adapter import FakeAdapter\n"
    "class Tells(FakeAdapter):\n"
    "    def run(self, request, scenario):\n"
    "        time.sleep(0.002)\n"
    "        self.reply(request, {'inexpressible': {'path': str(os.getpid()), 'reason': 'x'}})\n"
    "Tells().serve()\n"
)


def tells(drives: Any) -> AdapterCommand:
    return AdapterCommand("x", (sys.executable, "-S", "-c", TELLS_ITS_PROCESS), {}, drives.command("answers_well").cwd)


def answers(drives: Any, jobs: list[Job], processes: int | None, own: int = 1) -> list[Answer]:
    items = drive([(replace(tells(drives), processes=own), lambda _: jobs)], PATIENT, processes)
    return [item for item in items if isinstance(item, Answer)]


FAKES = [
    ("answers_well", []),
    ("exits_on_poison", [0, 40, 41, 99]),
    ("dies_reading_ahead", [40]),
    ("prints_garbage_after_poison", [3, 4]),
    ("answers_twice_on_poison", [99]),
    ("leaves_a_registration_on_poison", [0, 50]),
    ("reports_its_own_fault_on_poison", [1, 2]),
]


@pytest.mark.parametrize(("fake", "poison"), FAKES)
def test_what_is_found_does_not_depend_on_the_number_of_processes(drives: Any, fake: str, poison: list[int]) -> None:
    one = drives.run(fake, 100, poison)
    several = drives.run(fake, 100, poison, processes=3)

    assert several.outcomes() == one.outcomes()
    assert len(several.answers) == 100
    assert sum(isinstance(item, Ready) for item in several.items) == 1
    assert several.failed == one.failed == []


def test_the_jobs_are_shared_out(drives: Any) -> None:
    found = answers(drives, [drives.job(number) for number in range(300)], 3)

    assert {answer.job.id for answer in found} == {str(number) for number in range(300)}
    # a slow machine may not need the last one that starts
    assert 1 < len({answer.payload["path"] for answer in found}) <= 3


@pytest.mark.parametrize(("asked", "expected"), [(None, 2), (1, 1)])
def test_where_nobody_asks_for_a_number_it_is_the_adapters_own(drives: Any, asked: int | None, expected: int) -> None:
    found = answers(drives, [drives.job(number) for number in range(1000)], asked, own=2)

    assert len(found) == 1000
    assert len({answer.payload["path"] for answer in found}) == expected


def test_few_jobs_start_no_second_process(drives: Any) -> None:
    found = answers(drives, [drives.job(number) for number in range(4)], 8)

    assert len({answer.payload["path"] for answer in found}) == 1


def test_jobs_that_belong_together_go_to_one_process_in_their_order(drives: Any) -> None:
    jobs = [replace(drives.job(number), leads=number % 3 != 2) for number in range(300)]
    found = answers(drives, jobs, 4)
    place = {int(answer.job.id): (answer.payload["path"], at) for at, answer in enumerate(found)}

    # a slow machine may not need the last one that starts
    assert 1 < len({process for process, _ in place.values()}) <= 4
    for first in range(0, 300, 3):
        assert len({place[first + n][0] for n in range(3)}) == 1
        assert place[first][1] < place[first + 1][1] < place[first + 2][1]


def test_an_adapter_that_dies_in_company_is_blamed_once(drives: Any) -> None:
    result = drives.run("dies_in_company", 200, processes=8)

    assert len(result.failed) == 1
    assert result.outcomes() == {"observation": list(range(200))}


def test_restarts_are_those_of_the_adapter(drives: Any) -> None:
    result = drives.run("exits_on_poison", 200, range(200), replace(PATIENT, restarts=2), processes=2)
    outcomes = result.outcomes()

    assert len(result.answers) == 200
    assert 3 <= len(outcomes["crash"]) <= 4  # each process may be confirming one when the last restart is used up
    assert set(outcomes) == {"crash", "not_run"}


def test_an_adapter_that_does_not_initialize_is_started_once(drives: Any) -> None:
    assert len(drives.run("refuses_to_initialize", processes=5).items) == 1


def test_jobs_are_pulled_as_they_are_sent(drives: Any) -> None:
    pulled = 0

    def jobs(_info: object) -> Iterator[Job]:
        nonlocal pulled
        for number in range(1000):
            pulled += 1
            yield drives.job(number)

    seen = 0
    for item in drive([(drives.command("answers_well"), jobs)], PATIENT, 2):
        seen += isinstance(item, Answer)
        assert pulled - seen <= 2 * (2 * 8 + 1)

    assert seen == pulled == 1000
