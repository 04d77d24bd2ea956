"""Faults of the chapter *Limits and stops* (LIM, STP)."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.interaction.faults.spoiled import Spoiled, plant
from bindproof.suites.interaction.reading import TERMINAL

FAULTS: dict[str, Fault] = {}


def _over(spoiled: Spoiled) -> int | None:
    """Return where the run says that it is over."""
    places = (at for name in TERMINAL for at in spoiled.reading.of("event", name))
    return next(places, None)


def _one_more(spoiled: Spoiled, kind: str, *events: str) -> bool:
    """Have a run take a step for which it has no budget."""
    at = _over(spoiled)
    if not spoiled.last(kind) or at is None:
        return False
    number = spoiled.reading.fates[-1].number
    return spoiled.put(at, *(spoiled.event(name, number) for name in events))


@plant(FAULTS, "one_call_more", "a run calls once more than it may", "LIM-001")
def _(spoiled: Spoiled) -> bool:
    return _one_more(spoiled, "over_calls", "step_started", "policy_decision", "llm_called")


@plant(FAULTS, "calls_otherwise", "a run that is out of calls fails for another reason", "LIM-002")
def _(spoiled: Spoiled) -> bool:
    return spoiled.last("over_calls") and spoiled.comes_to()


@plant(FAULTS, "one_step_more", "a run takes one step more than it may", "LIM-003")
def _(spoiled: Spoiled) -> bool:
    return _one_more(spoiled, "over_steps", "step_started")


@plant(FAULTS, "steps_otherwise", "a run that is out of steps fails for another reason", "LIM-004")
def _(spoiled: Spoiled) -> bool:
    return spoiled.last("over_steps") and spoiled.comes_to()


@plant(FAULTS, "money_otherwise", "a run that costs too much ends as if it were complete", "LIM-005")
def _(spoiled: Spoiled) -> bool:
    return spoiled.last("over_cost") and spoiled.comes_to("completed")


@plant(
    FAULTS,
    "nothing_may_be_left",
    "an answer is dropped that costs what is left",
    "LIM-006",
    also=("RUN-009", "RUN-010"),
)
def _(spoiled: Spoiled) -> bool:
    for part in spoiled.reading.parts_of("goes_on", "completed"):
        if part.fate.spent == spoiled.full["most_cost"]:
            return spoiled.drop([*part.of("checkpoint", "post_llm"), *part.of("checkpoint", "runtime_state")])
    return False


@plant(FAULTS, "keeps_what_costs_too_much", "an answer is kept that costs too much", "LIM-007")
def _(spoiled: Spoiled) -> bool:
    for part in spoiled.reading.parts_of("over_cost"):
        return spoiled.put(part.places[-1] + 1, spoiled.checkpoint("post_llm", part.fate.number))
    return False


def _stops(spoiled: Spoiled, how: str) -> bool:
    return spoiled.last("stopped") and spoiled.reading.fates[-1].step["stop"] == how


@plant(FAULTS, "cancelled_with_a_value", "a run that is cancelled returns something", "STP-001")
def _(spoiled: Spoiled) -> bool:
    return _stops(spoiled, "cancel") and spoiled.comes_to("completed")


@plant(FAULTS, "interrupted_otherwise", "a run that is interrupted fails for another reason", "STP-002")
def _(spoiled: Spoiled) -> bool:
    return _stops(spoiled, "interrupt") and spoiled.comes_to()


@plant(FAULTS, "goes_on_all_the_same", "a model is called once the run is stopped", "STP-003")
def _(spoiled: Spoiled) -> bool:
    if not spoiled.last("stopped"):
        return False
    return spoiled.put(len(spoiled.log), spoiled.call(spoiled.reading.fates[-1].number, model="m9"))


@plant(FAULTS, "stopped_with_a_value", "a run that is stopped before it begins returns something", "STP-004")
def _(spoiled: Spoiled) -> bool:
    return not spoiled.reading.began and spoiled.comes_to("completed")
