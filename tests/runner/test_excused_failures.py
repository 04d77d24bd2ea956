"""What is known excuses what real packages were seen to do, and nothing beside it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from bindproof.core.model import EVERY_LANE
from bindproof.judge.log_differences import Comparison
from bindproof.runner.excused_failures import shows
from bindproof.spec import Divergence, is_about, names_vector
from bindproof.suites import ObservationError
from tests.runner.recorded import (
    EACH,
    OF_WHOLE_EDITIONS,
    RECORDED,
    Recorded,
    is_known,
    prepared_for,
    shipped,
    suite_of,
    verdict_on,
)

Json = Any

UNSEEN = {"nemo-relay-ffi/go-upstream"}
"""Targets that are had from a checkout alone, so that nothing of them is recorded."""


@pytest.mark.long
@EACH
def test_what_a_package_does_is_known(one: Recorded) -> None:
    assert verdict_on(one, one.log).broken
    assert is_known(one, one.log)


@pytest.mark.long
@pytest.mark.parametrize("suite", ["relay", "interceptors"])
def test_every_expectation_of_a_requirement_was_seen(suite: str) -> None:
    found = [one for one in shipped(suite) if one.requirement is not None and one.target not in UNSEEN]

    assert [one.place for one in found if not any(was_seen(one, seen) for seen in RECORDED)] == []


def was_seen(known: Divergence, one: Recorded) -> bool:
    about = is_about(known, one.target, one.version) and names_vector(known, one.plan.removesuffix("+twin"))
    return about and any(shows(known, judgement) for judgement in verdict_on(one, one.log).judgements)


@pytest.mark.long
@pytest.mark.parametrize("one", OF_WHOLE_EDITIONS, ids=str)
def test_a_second_fault_in_a_record_that_nothing_speaks_of_is_not_known(one: Recorded) -> None:
    spoken = spoken_of(one)
    known = [at for at in range(len(one.log)) if at not in spoken and is_known(one, spoiled(one, at))]

    assert known == []


def spoiled(one: Recorded, at: int) -> list[Json]:
    """A log with a fault in one record: a member too many, or, of a suite that refuses those, another time or end."""
    record = one.log[at]
    if one.suite == "relay":
        return [*one.log[:at], record | {"planted": 1}, *one.log[at + 1 :]]
    return [*one.log[:at], *([record | {"at": record["at"] + 1}] if "at" in record else []), *one.log[at + 1 :]]


def spoken_of(one: Recorded) -> set[int]:
    """The records that failures speak of: one by one, or as the step that a failure is about."""
    _, suite, plans = suite_of(one.suite)
    prepared = prepared_for(one)
    seen, _ = prepared.observe(copy.deepcopy(one.log))
    comparison = Comparison(prepared.prediction, seen, suite.lanes(plans[one.plan].scenario))
    failures = [failure for judgement in verdict_on(one, one.log).judgements for failure in judgement.failures]
    found = {at for failure in failures for at in (failure.record, *failure.also) if at is not None and not failure.at}
    whole = [failure for failure in failures if failure.lane == EVERY_LANE and not failure.about]
    steps = {step for failure in whole if failure.record is not None for step in comparison.steps(failure.record)}
    of_steps = {at for at in range(len(seen)) if not steps.isdisjoint(comparison.steps(at))}
    surplus = {at.evidence.record for at in comparison.found if not at.changed and at.evidence.record is not None}
    return found | of_steps | surplus


@pytest.mark.long
@EACH
def test_a_record_that_comes_twice_and_that_nothing_speaks_of_is_not_known(one: Recorded) -> None:
    spoken = spoken_of(one)
    doubled = [[*one.log[: at + 1], *one.log[at:]] for at in range(len(one.log)) if at not in spoken]
    events = [log for log in doubled if is_observation(one, log)]

    assert not any(is_known(one, log) for log in (events or doubled)[:1])
    assert doubled


def is_observation(one: Recorded, log: list[Json]) -> bool:
    try:
        prepared_for(one).observe(copy.deepcopy(log))
    except ObservationError:
        return False
    return True


def recorded(target: str, plan: str) -> Recorded:
    return next(one for one in RECORDED if one.target == target and one.plan == plan)


def change(log: list[Json], place: Callable[[Json], bool], edit: Callable[[Json], None]) -> list[Json]:
    """A log whose first record of a kind is edited."""
    changed = copy.deepcopy(log)
    edit(next(record for record in changed if place(record)))
    return changed


def without(log: list[Json], place: Callable[[Json], bool]) -> list[Json]:
    """A log that lacks the first record of a kind."""
    gone = next(at for at, record in enumerate(log) if place(record))
    return log[:gone] + log[gone + 1 :]


def test_beside_a_header_with_nul_in_node_a_provider_given_another_request_is_not_known() -> None:
    one = recorded("nemo-relay-node", "relay/authority/header-with-nul")
    ran = [
        {
            "fact": "enter",
            "callback": "c.provider",
            "k": 0,
            "given": {"request": {"headers": {}, "content": "planted"}},
        },
        {"fact": "leave", "callback": "c.provider", "k": 0, "reply": {"ok": True}},
    ]

    assert not is_known(one, [*ran, *one.log])


def test_beside_a_header_with_nul_in_node_another_error_is_not_known() -> None:
    one = recorded("nemo-relay-node", "relay/authority/header-with-nul")

    log = change(one.log, lambda record: "error" in record, lambda record: record["error"].update(message="planted"))

    assert not is_known(one, log)


def is_event(record: Json) -> bool:
    return bool(record["fact"] == "event")


def test_beside_early_sanitizers_of_python_an_event_with_other_data_is_not_known() -> None:
    one = recorded("nemo-relay", "relay/events/payload-behind-a-start")

    assert not is_known(one, change(one.log, is_event, lambda record: record["event"].update(data="planted")))


def test_beside_early_sanitizers_of_python_one_that_is_given_something_else_is_not_known() -> None:
    one = recorded("nemo-relay", "relay/events/payload-behind-a-start")

    log = change(
        one.log,
        lambda record: record["fact"] == "leave" and record["callback"].endswith(".sanitize"),
        lambda record: record.update(raised="planted") or record.pop("reply"),
    )

    assert not is_known(one, log)


@pytest.mark.parametrize("fact", ["event", "chunk", "read", "leave"])
def test_beside_a_chunk_read_too_early_in_node_a_record_that_is_missing_is_not_known(fact: str) -> None:
    one = recorded("nemo-relay-node", "relay/streams/with-a-codec")

    assert not is_known(one, without(one.log, lambda record: record["fact"] == fact))


def test_beside_what_deregistering_says_in_c_a_callback_that_does_not_run_is_not_known() -> None:
    one = recorded("nemo-relay-ffi", "relay/in-flight/intercept-gone")
    callback = next(record["callback"] for record in one.log if record["fact"] == "enter")

    assert not is_known(one, [record for record in one.log if record.get("callback") != callback])


def test_beside_what_deregistering_says_in_c_an_entry_that_is_missing_is_not_known() -> None:
    one = recorded("nemo-relay-ffi", "relay/in-flight/listing-in-flight")

    assert not is_known(one, without(one.log, lambda record: record["fact"] == "enter"))


def measures(record: Json) -> bool:
    return bool(record["fact"] == "measure")


@pytest.mark.parametrize("plan", ["relay/boundary/answer-null", "relay/boundary/call-model-bytes"])
@pytest.mark.parametrize("part", [{"planted": 1}, {"output": "planted"}, {"freed": {"provider": 2}}])
def test_beside_an_output_that_is_left_in_c_another_measure_is_not_known(plan: str, part: Json) -> None:
    found = [one for one in RECORDED if one.target == "nemo-relay-ffi" and one.plan == plan]

    for one in found:
        assert not is_known(one, change(one.log, measures, lambda record: record["value"].update(part)))


def test_beside_user_data_that_is_kept_in_c_another_output_is_not_known() -> None:
    one = recorded("nemo-relay-ffi", "relay/boundary/call-model-bytes")

    assert not is_known(one, change(one.log, measures, lambda record: record["value"].update(output="planted")))
    assert not is_known(one, change(one.log, measures, lambda record: record["value"]["freed"].update(provider=2)))


@pytest.mark.parametrize("fact", ["enter", "leave", "done"])
def test_beside_an_unknown_key_of_a_mark_in_c_a_changed_record_is_not_known(fact: str) -> None:
    one = recorded("nemo-relay-ffi", "relay/marks/key-bogus")

    log = change(one.log, lambda record: record["fact"] == fact, lambda record: record.update(planted=1))

    assert not is_known(one, log)
