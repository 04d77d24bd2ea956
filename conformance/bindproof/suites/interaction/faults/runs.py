"""Faults of the chapter *Runs* (RUN)."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.faults.spoiled import Spoiled, plant

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "hangs", "nobody is told how the run came out", "RUN-001")
def _(spoiled: Spoiled) -> bool:
    if spoiled.reading.end is None or not spoiled.last("completed"):
        return False
    spoiled.log[spoiled.reading.end] = {"fact": "hangs"}
    return True


@plant(FAULTS, "says_nothing_first", "no event says that the run has begun", "RUN-002")
def _(spoiled: Spoiled) -> bool:
    return spoiled.drop(spoiled.reading.of("event", "run_started"))


@plant(FAULTS, "state_from_nowhere", "a state comes that cannot follow", "RUN-003")
def _(spoiled: Spoiled) -> bool:
    places = spoiled.reading.of("event", "step_started")
    return len(places) > 1 and spoiled.edit(places[1], state="pending")


@plant(FAULTS, "over_twice", "two events say that the run is over", "RUN-004")
def _(spoiled: Spoiled) -> bool:
    places = spoiled.reading.of("event", "run_completed")
    return bool(places) and spoiled.put(places[0], spoiled.log[places[0]])


@plant(FAULTS, "end_not_kept", "no checkpoint says that the run is over", "RUN-005")
def _(spoiled: Spoiled) -> bool:
    return spoiled.drop(spoiled.reading.of("checkpoint", "run_terminal"))


@plant(FAULTS, "other_number", "an event has the number of another step", "RUN-006")
def _(spoiled: Spoiled) -> bool:
    places = spoiled.reading.of("event", "step_started")
    return bool(places) and spoiled.edit(places[0], step=7)


@plant(FAULTS, "call_not_kept", "no checkpoint comes before the call", "RUN-007")
def _(spoiled: Spoiled) -> bool:
    return spoiled.drop(spoiled.reading.of("checkpoint", "pre_llm"))


@plant(FAULTS, "called_each", "each model that is called is told as a call", "RUN-008", also=("LIM-001",))
def _(spoiled: Spoiled) -> bool:
    for part, places in spoiled.calls():
        if len(places) > 1 and spoiled.full["most_calls"] is None:
            return spoiled.put(places[1], spoiled.event("llm_called", part.fate.number))
    return False


@plant(FAULTS, "answer_not_kept", "an answer is told before it is kept", "RUN-009")
def _(spoiled: Spoiled) -> bool:
    for part in spoiled.reading.parts_of("goes_on", "completed"):
        kept, told = part.of("checkpoint", "post_llm"), part.of("event", "llm_completed")
        snapshots = part.of("checkpoint", "runtime_state")
        if kept and told and snapshots and spoiled.full["most_cost"] is None:
            return spoiled.move(told[0], kept[0])
    return False


@plant(FAULTS, "no_snapshot", "no snapshot has the answer", "RUN-010")
def _(spoiled: Spoiled) -> bool:
    return spoiled.drop(spoiled.reading.of("checkpoint", "runtime_state"))


@plant(FAULTS, "never_completed", "no event says that a call is completed", "RUN-011")
def _(spoiled: Spoiled) -> bool:
    return spoiled.drop(spoiled.reading.of("event", "llm_completed"))


@plant(FAULTS, "other_answer", "a run returns another text than the last answer's", "RUN-012")
def _(spoiled: Spoiled) -> bool:
    return spoiled.last("completed") and spoiled.comes_to("completed")


def _kept(spoiled: Spoiled, **members: Json) -> bool:
    """Have the first checkpoint say something else."""
    return any(spoiled.edit(at, **members) for at in spoiled.reading.of("checkpoint")[:1])


@plant(FAULTS, "kept_elsewhere", "a checkpoint is kept by another key", "RUN-015")
def _(spoiled: Spoiled) -> bool:
    return _kept(spoiled, key="planted")


@plant(FAULTS, "never_the_latest", "a checkpoint is not kept as the latest one", "RUN-016")
def _(spoiled: Spoiled) -> bool:
    return _kept(spoiled, latest=False)


@plant(FAULTS, "of_no_version", "a checkpoint has no version of its schema", "RUN-017")
def _(spoiled: Spoiled) -> bool:
    return _kept(spoiled, has=["payload", "phase", "run_id", "timestamp_ms"])
