"""Faults of adapters with 64 scenarios in flight: exactly the culprit is blamed, and all others are judged."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.drive import Failed, Limits, drive
from tests.drive.conftest import Result

pytestmark = pytest.mark.long

# A deadline that a fault must wait for is short; no other test depends on a short one.
PATIENT = Limits(line=1 << 20, stderr=1 << 10, initialize=60.0, scenario=60.0, shutdown=60.0)
HASTY = replace(PATIENT, scenario=1.0)

ON_POISON = [
    ("exits_on_poison", "crash", "it exited with status 3", ""),
    ("exits_cleanly_on_poison", "crash", "it exited with status 0", ""),
    ("dies_reading_ahead", "crash", "it exited with status 4", ""),
    ("hangs_on_poison", "timeout", "no reply within 1 s", ""),
    ("prints_garbage_on_poison", "protocol_error", "not a JSON message", "Segmentation fault?"),
    ("prints_garbage_after_poison", "protocol_error", "not a JSON message", "too late for that"),
    ("answers_twice_on_poison", "protocol_error", "a second reply to request", '"id": '),
    ("answers_unknown_id_on_poison", "protocol_error", "a reply with unknown id 10000", '"id": 10000'),
    ("answers_previous_id_on_poison", "protocol_error", "", '"id": '),
    ("answers_without_log_on_poison", "protocol_error", "not one the protocol knows", "records"),
    ("refuses_poison", "protocol_error", "error -32602", "Invalid params"),
    ("reports_its_own_fault_on_poison", "adapter_error", "callback i, op 0", ""),
    ("floods_stdout_on_poison", "protocol_error", "a line longer than 1048576 bytes", "xxxx"),
]


@pytest.mark.parametrize(("fake", "outcome", "reason", "evidence"), ON_POISON)
def test_exactly_the_culprit_is_blamed(drives: Any, fake: str, outcome: str, reason: str, evidence: str) -> None:
    guilty = 40
    limits = HASTY if fake == "hangs_on_poison" else PATIENT
    result = drives.run(fake, 100, [guilty], limits)
    (culprit,) = [answer for answer in result.answers if answer.outcome == outcome]

    assert result.outcomes() == {"observation": [n for n in range(100) if n != guilty], outcome: [guilty]}
    assert reason in culprit.reason
    assert evidence in (culprit.evidence or "")
    assert result.failed == []


@pytest.mark.parametrize("fake", ["exits_on_poison", "answers_twice_on_poison", "answers_unknown_id_on_poison"])
def test_the_last_scenario_can_be_the_culprit(drives: Any, fake: str) -> None:
    result = drives.run(fake, 100, [99])

    assert [answer.job.id for answer in result.answers if answer.outcome != "observation"] == ["99"]
    assert len(result.answers) == 100
    assert result.failed == []


@pytest.mark.parametrize("fake", ["exits_on_poison", "answers_twice_on_poison", "prints_garbage_after_poison"])
@pytest.mark.parametrize("poison", [[0], [3, 4], [10, 30, 31, 90]])
def test_several_culprits_wherever_they_stand(drives: Any, fake: str, poison: list[int]) -> None:
    outcomes = drives.run(fake, 92, poison).outcomes()

    assert sorted(outcomes) == sorted(["observation", "crash" if fake == "exits_on_poison" else "protocol_error"])
    assert outcomes["observation"] == [n for n in range(92) if n not in poison]


@pytest.mark.parametrize("window", [1, 2, 3])
def test_small_windows(drives: Any, window: int) -> None:
    outcomes = drives.run("exits_on_poison", 10, [4], replace(PATIENT, window=window)).outcomes()

    assert outcomes == {"observation": [0, 1, 2, 3, 5, 6, 7, 8, 9], "crash": [4]}


def test_restarts_are_limited(drives: Any) -> None:
    result = drives.run("exits_on_poison", 50, [10, 20, 30, 40], replace(PATIENT, restarts=2))
    outcomes = result.outcomes()

    assert outcomes["crash"] == [10, 20, 30]
    assert outcomes["not_run"] == [29, *range(31, 50)]  # the answer of 29 was in doubt when the adapter was given up
    assert len(result.answers) == 50
    assert {a.reason for a in result.answers if a.outcome == "not_run"} == {
        "the adapter was given up: its 2 restarts are used up"
    }


def test_what_is_known_to_kill_costs_no_restart(drives: Any) -> None:
    jobs = [replace(drives.job(number, poison=number % 2 == 1), kills=number % 2 == 1) for number in range(12)]
    command = drives.command("exits_on_poison")
    result = Result(list(drive([(command, lambda _info: jobs)], replace(PATIENT, restarts=0), 2)))

    assert result.outcomes() == {"observation": list(range(0, 12, 2)), "crash": list(range(1, 12, 2))}


def test_suspects_cost_no_restart(drives: Any) -> None:
    outcomes = drives.run("exits_on_poison", 100, [40], replace(PATIENT, restarts=1)).outcomes()

    assert outcomes == {"observation": [n for n in range(100) if n != 40], "crash": [40]}


def test_where_no_scenario_is_guilty_the_adapter_is(drives: Any) -> None:
    result = drives.run("dies_in_company", 100)
    (failed,) = result.failed

    assert result.outcomes() == {"observation": list(range(100))}
    assert "it exited with status 5" in failed.reason
    assert "sent alone, none of them does it" in failed.reason


@pytest.mark.parametrize("window", [64, 1])
def test_who_was_sent_to_an_adapter_that_hears_no_more_is_innocent(drives: Any, window: int) -> None:
    limits = replace(PATIENT, scenario=0.5, shutdown=0.5, window=window)
    result = drives.run("hears_nothing_after_poison", 6, [2], limits)
    (failed,) = result.failed

    assert result.outcomes() == {"observation": list(range(6))}
    assert failed.reason.startswith("no reply within 0.5 s, with several scenarios in one process")


def test_answers_out_of_order_are_the_adapters_fault_and_every_scenario_is_judged(drives: Any) -> None:
    result = drives.run("answers_in_another_order", 20, limits=replace(PATIENT, window=4))
    (failed,) = result.failed

    assert result.outcomes() == {"observation": list(range(20))}
    assert failed.reason.startswith("a reply to request 5 before that to request 2, with several scenarios in")


@pytest.mark.parametrize(
    ("fake", "says", "evidence"),
    [
        ("refuses_to_initialize", "the package nothing is not installed", "-32000"),
        ("speaks_protocol_2", "speaks protocol version 2", '"protocol_version": 2'),
        ("prints_a_banner", "not a reply to initialize", "Welcome"),
    ],
)
def test_an_adapter_that_does_not_initialize(drives: Any, fake: str, says: str, evidence: str) -> None:
    result = drives.run(fake)
    (failed,) = result.items

    assert isinstance(failed, Failed)
    assert says in failed.reason
    assert evidence in (failed.evidence or "")


def test_an_adapter_that_never_answers_initialize(drives: Any) -> None:
    result = drives.run("never_initializes", limits=replace(PATIENT, initialize=0.5))

    assert [item.reason for item in result.items] == ["it did not answer initialize within 0.5 s"]


def test_garbage_at_shutdown_blames_the_adapter_and_loses_nothing(drives: Any) -> None:
    result = drives.run("prints_garbage_at_shutdown")

    assert result.outcomes() == {"observation": list(range(100))}
    assert [failed.evidence for failed in result.failed] == ["bye"]


def test_garbage_behind_the_answer_to_initialize_blames_the_adapter_and_restarts_are_limited(drives: Any) -> None:
    limits = replace(PATIENT, restarts=2)
    result = drives.run("greets_behind_its_answer_to_initialize", 10, limits=limits)
    (failed,) = result.failed

    assert result.outcomes() == {"not_run": list(range(10))}
    assert "not a JSON message" in failed.reason
    assert failed.evidence == "hello"


def test_stderr_comes_with_the_fault(drives: Any) -> None:
    result = drives.run("reports_its_own_fault_on_poison", 3, [1])

    assert [answer.stderr for answer in sorted(result.answers, key=lambda a: a.job.id)] == [
        "",
        "a stack trace of the adapter",
        "",
    ]


@pytest.mark.parametrize("poison", [[40], [0], [99], [3, 4, 50]])
def test_a_scenario_that_leaves_something_behind_does_not_touch_the_next(drives: Any, poison: list[int]) -> None:
    result = drives.run("leaves_a_registration_on_poison", 100, poison)

    unclean = [int(answer.job.id) for answer in result.answers if (answer.payload or {}).get("left")]
    assert result.outcomes() == {"observation": list(range(100))}
    assert unclean == poison
    assert result.failed == []
