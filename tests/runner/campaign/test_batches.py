"""Batches of jobs on one process that stays: who answers, what a lost process costs, and how it ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.drive import Answer, HardEnd, Pause, drive
from bindproof.runner.campaign.batches import Batches
from tests.drive.conftest import GENEROUS, Drives

SHORT = replace(GENEROUS, line=300)


@pytest.fixture
def batches() -> Iterator[Batches]:
    made = Batches(Drives().command("tells_its_process"), GENEROUS, HardEnd())
    yield made
    made.close()


def jobs(*numbers: int, poison: tuple[int, ...] = ()) -> list[Any]:
    return [Drives().job(number, poison=number in poison) for number in numbers]


def asked(batches: Batches, *numbers: int, poison: tuple[int, ...] = ()) -> dict[str, str]:
    return {answer.job.id: answer.outcome for answer in batches.answers(jobs(*numbers, poison=poison))}


def processes(answers: list[Answer]) -> set[int]:
    return {answer.payload["log"][0]["value"] for answer in answers if answer.outcome == "observation"}


def test_one_process_has_all_batches_and_is_gone_when_they_are_closed(batches: Batches) -> None:
    answers = [batches.answers(jobs(*range(size))) for size in (1, 200, 3)]
    (process,) = processes([one for some in answers for one in some])

    assert [[one.job.id for one in some] for some in answers] == [
        [str(number) for number in range(size)] for size in (1, 200, 3)
    ]
    batches.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.long
@pytest.mark.parametrize("guilty", [0, 3, 5])
def test_a_process_that_dies_costs_the_guilty_scenario_alone(batches: Batches, guilty: int) -> None:
    assert asked(batches, *range(6), poison=(guilty,)) == {
        str(number): "crash" if number == guilty else "observation" for number in range(6)
    }
    assert asked(batches, 6, 7) == {"6": "observation", "7": "observation"}


@pytest.mark.long
def test_where_all_restarts_are_used_up_the_rest_is_not_run_and_the_next_batch_is(batches: Batches) -> None:
    answered = asked(batches, *range(20), poison=tuple(range(20)))

    assert len(answered) == 20
    assert set(answered.values()) == {"crash", "not_run"}
    assert asked(batches, 21) == {"21": "observation"}


def test_a_batch_of_what_is_too_long_to_be_sent_ends_too() -> None:
    made = Batches(Drives().command("tells_its_process"), SHORT, HardEnd())
    long = Drives().job(0, value="x" * 1000)

    assert [one.outcome for one in made.answers([long])] == ["not_run"]
    assert [one.outcome for one in made.answers(jobs(1))] == ["observation"]
    made.close()


def test_at_the_hard_end_what_is_known_is_told() -> None:
    end = HardEnd()
    made = Batches(Drives().command("hangs_on_poison"), GENEROUS, end)
    assert asked(made, 0) == {"0": "observation"}

    end.at = time.monotonic() + 0.2
    assert asked(made, 1, 2, poison=(2,)) == {"1": "observation"}
    assert asked(made, 3) == {}
    made.close()


@pytest.mark.long
def test_what_a_process_leaves_registered_costs_no_answer() -> None:
    made = Batches(Drives().command("leaves_a_registration_on_poison"), GENEROUS, HardEnd())

    assert asked(made, 0, 1, 2, poison=(1,)) == dict.fromkeys("012", "observation")
    assert asked(made, 3) == {"3": "observation"}
    made.close()


def test_a_batch_of_nothing_has_no_answers(batches: Batches) -> None:
    assert asked(batches) == {}
    assert asked(batches, 1) == {"1": "observation"}


def test_jobs_that_pause_and_wait_for_nothing_are_a_bug_of_ours() -> None:
    with pytest.raises(RuntimeError, match="the jobs pause"):
        list(drive([(Drives().command("tells_its_process"), lambda _info: repeat(Pause()))], GENEROUS))
