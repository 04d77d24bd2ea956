"""Planted faults of the chapter *Workers* (WRK)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.intercepted_calls import (
    answer_otherwise,
    begin_the_failed,
    count_once_more,
    hide_the_message,
    let_succeed,
    lose_the_last_mark,
    measured,
    refuse_foreign_members,
    spoil_each,
)
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.boundaries import OUTCOME_SCHEMA
from bindproof.suites.relay.scenario.workers import LIMIT, sent

FAULTS: dict[str, Fault] = {}


def _calls(spoiled: Spoiled) -> list[Act]:
    return measured(spoiled, "worker")


def _succeed(spoiled: Spoiled, so: Callable[[Json], bool]) -> bool:
    """Let calls succeed whose worker answers so."""
    return let_succeed(spoiled, _calls(spoiled), so)


def _is_outcome(step: Json) -> bool:
    return bool(step["result"] == "outcome" and step["how"] not in ("never", "ends"))


def _is_large(step: Json) -> bool:
    return _is_outcome(step) and len(sent(step)) > LIMIT


@plant(FAULTS, "take_another_schema", "an envelope may name any schema", "WRK-001")
def take_another_schema(spoiled: Spoiled) -> bool:
    """Let calls succeed whose envelope names another schema."""
    return _succeed(spoiled, lambda step: step["schema"] != OUTCOME_SCHEMA and _is_outcome(step) and _is_alone(spoiled))


def _is_alone(spoiled: Spoiled) -> bool:
    """Tell whether no worker ends: after that it does not matter what it would answer."""
    return not any(step["how"] == "ends" for step in spoiled.full["steps"])


@plant(FAULTS, "take_malformed_envelopes", "an envelope may hold anything", "WRK-002", also=("REF-000",))
def take_malformed_envelopes(spoiled: Spoiled) -> bool:
    """Let calls succeed whose envelope holds no outcome."""
    own = OUTCOME_SCHEMA

    def malformed(step: Json) -> bool:
        return step["schema"] == own and _is_outcome(step) and not _is_large(step) and _is_alone(spoiled)

    return _succeed(spoiled, malformed)


@plant(FAULTS, "take_other_answers", "any answer of a worker will do", "WRK-003")
def take_other_answers(spoiled: Spoiled) -> bool:
    """Let calls succeed whose worker answers with no outcome."""

    def other(step: Json) -> bool:
        answers = step["how"] not in ("never", "ends") and _is_alone(spoiled)
        return answers and step["result"] not in ("outcome", "error")

    return _succeed(spoiled, other)


@plant(FAULTS, "hide_a_workers_error", "a worker's error is told in other words", "WRK-004", also=("REF-000",))
def hide_a_workers_error(spoiled: Spoiled) -> bool:
    """Give calls whose worker answers with an error one without its message."""

    def told(act: Act) -> bool:
        return bool(act.step["result"] == "error" and act.step["message"] in act.error["message"])

    return hide_the_message(spoiled, _calls(spoiled), told)


@plant(FAULTS, "outlive_its_worker", "a call succeeds though its worker has ended", "WRK-005")
def outlive_its_worker(spoiled: Spoiled) -> bool:
    """Let calls succeed in which the worker ends."""
    return _succeed(spoiled, lambda step: step["how"] == "ends")


@plant(FAULTS, "keep_a_worker_busy", "a worker is not told that its call is cancelled", "WRK-006")
def keep_a_worker_busy(spoiled: Spoiled) -> bool:
    """Do not count that workers were told."""

    def spoil(act: Act) -> bool:
        told = bool(act.facts["cancelled"])
        if told:
            act.facts["cancelled"] = 0
        return told

    return spoil_each(_calls(spoiled), spoil)


@plant(FAULTS, "cancel_what_is_awaited", "a worker is told that calls are cancelled which are not", "WRK-006")
def cancel_what_is_awaited(spoiled: Spoiled) -> bool:
    """Count that workers were told of calls that nobody cancelled."""
    return count_once_more(_calls(spoiled), "cancelled", 0)


@plant(FAULTS, "begin_failed_calls", "the provider is called though the interception failed", "WRK-007")
def begin_failed_calls(spoiled: Spoiled) -> bool:
    """Send something in each call that failed."""
    return begin_the_failed(_calls(spoiled))


@plant(FAULTS, "send_what_was_asked", "a worker's request is not what is sent", "WRK-008", also=("WRK-009",))
def send_what_was_asked(spoiled: Spoiled) -> bool:
    """Send something else in each call that succeeded."""

    def spoil(act: Act) -> bool:
        if act.error is None:
            act.facts["sent"] = [PLANTED]
        return act.error is None

    return spoil_each(_calls(spoiled), spoil)


@plant(FAULTS, "answer_for_the_provider", "a call comes back with another answer", "WRK-008", also=("WRK-009",))
def answer_for_the_provider(spoiled: Spoiled) -> bool:
    """Give each call that succeeded another value."""
    return answer_otherwise(spoiled, _calls(spoiled))


@plant(FAULTS, "lose_a_workers_marks", "a worker's marks are not told", "WRK-008", also=("WRK-009",))
def lose_a_workers_marks(spoiled: Spoiled) -> bool:
    """Take the last mark out of each call that has some."""
    return lose_the_last_mark(_calls(spoiled))


@plant(FAULTS, "refuse_other_members", "an outcome has no member that is not known", "WRK-009")
def refuse_other_members(spoiled: Spoiled) -> bool:
    """Let calls fail in whose outcome there is a member that nobody knows."""
    return refuse_foreign_members(spoiled, _calls(spoiled))


@plant(FAULTS, "take_large_messages", "an answer may have any size", "WRK-010")
def take_large_messages(spoiled: Spoiled) -> bool:
    """Let calls succeed whose worker answers too much."""
    return _succeed(spoiled, lambda step: _is_large(step) and _is_alone(spoiled))


@plant(FAULTS, "ask_once", "a worker that answered badly is not asked again", "WRK-011")
def ask_once(spoiled: Spoiled) -> bool:
    """Do not count later calls as asked."""
    calls = spoiled.transcript.of_kind("worker")

    def spoil(act: Act) -> bool:
        asked = act is not calls[0] and act.facts["asked"] == 1
        if asked:
            act.facts["asked"] = 0
        return asked

    return spoil_each(_calls(spoiled), spoil)


@plant(FAULTS, "ask_twice", "a worker is asked twice", "WRK-011")
def ask_twice(spoiled: Spoiled) -> bool:
    """Count each call that asked as asked twice."""
    return count_once_more(_calls(spoiled), "asked", 1)
