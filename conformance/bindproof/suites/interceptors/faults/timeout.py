"""Planted faults of the chapter *Timeout*."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.suite_api import Fault
from bindproof.suites.interceptors.checks.timeout import deadline
from bindproof.suites.interceptors.faults.spoiled_log import Spoiled, leaf, plant
from bindproof.suites.interceptors.rates import exact
from bindproof.suites.interceptors.reading import Passage

FAULTS: dict[str, Fault] = {}


def _cut_off(s: Spoiled, domain: str) -> Iterator[Passage]:
    yield from (one for one in s.outermost("timeout", domain) if one.inner and one.inner[0].dropped)


@plant(FAULTS, "time_out_early", "a result that is there in time is thrown away", "TMO-001")
def _(s: Spoiled) -> bool:
    for one in s.outermost("timeout", "llm"):
        run = one.inner[0] if one.inner else None
        if run is not None and run.finished and run.ended is not None and run.ended < deadline(one):
            return s.result(one.call, error={"kind": "timeout", "elapsed_ms": int(exact(one.layer["duration"]))})
    return False


@plant(FAULTS, "time_out_late", "an operation goes on after the deadline", "TMO-002")
def _(s: Spoiled) -> bool:
    for one in _cut_off(s, "llm"):
        if sum(layer["layer"] == "timeout" for layer in one.call.layers) == 1 and not one.inner[0].inside:
            s.delay(one.inner[0].left or 0, 5)
            return True
    return False


@plant(FAULTS, "tell_another_time", "a timeout's error tells another time than the configured one", "TMO-003")
def _(s: Spoiled) -> bool:
    for one in _cut_off(s, "llm"):
        return s.result(one.call, error={"kind": "timeout", "elapsed_ms": 1 + int(exact(one.layer["duration"]))})
    return False


@plant(FAULTS, "time_out_well", "a tool's timeout is no error", "TMO-004")
def _(s: Spoiled) -> bool:
    return any(s.result(one.call, is_error=False) for one in list(_cut_off(s, "tool"))[:1])


@plant(FAULTS, "say_it_otherwise", "a tool's timeout has another message", "TMO-005")
def _(s: Spoiled) -> bool:
    return any(s.result(one.call, content="timed out") for one in list(_cut_off(s, "tool"))[:1])


@plant(FAULTS, "lose_the_tie", "an operation that is ready at the deadline is dropped", "TMO-006")
def _(s: Spoiled) -> bool:
    for one in s.outermost("timeout", "llm"):
        run = one.inner[0] if one.inner else None
        if run is not None and leaf(run) and run.ended == deadline(one) and one.place == len(one.call.layers) - 2:
            ended = s.log[run.left or 0]
            s.log[run.left or 0] = {key: item for key, item in ended.items() if key != "reply"} | {"fact": "dropped"}
            return s.result(one.call, error={"kind": "timeout", "elapsed_ms": int(exact(one.layer["duration"]))})
    return False
