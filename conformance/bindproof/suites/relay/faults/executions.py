"""Planted faults of what wraps the execution of an LLM call (MID)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from bindproof.core.model import same
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.transcript import Asked

FAULTS: dict[str, Fault] = {}


def _answered(spoiled: Spoiled) -> list[Asked]:
    runs = [run for act in spoiled.transcript.calls("llm") for run in act.of("llm.execution")]
    return [asked for run in runs for asked in run.asked if asked.answered is not None and asked.inside]


@plant(FAULTS, "run_llm_twice", "what wraps an LLM call runs the provider twice for one `next`", "MID-018")
def run_llm_twice(spoiled: Spoiled) -> bool:
    """Repeat the records of the last provider that an intercept went on to."""
    return spoiled.run_again(reversed(_answered(spoiled)))


@plant(FAULTS, "wrong_llm_continuation", "`next` gives an LLM intercept another answer than what it wraps", "MID-019")
def wrong_llm_continuation(spoiled: Spoiled) -> bool:
    """Replace every answer that is no error."""
    found = [asked for asked in _answered(spoiled) if asked.error is None]
    for asked in found:
        spoiled.log[asked.answered or 0]["value"] = PLANTED
    return bool(found)


@plant(
    FAULTS,
    "keep_first_failure",
    "the caller is given a failure that an intercept caught",
    "MID-019",
    "EVT-010",
    also=("EVT-032", "EVT-053", "EVT-054", "EVT-055"),
)
def keep_first_failure(spoiled: Spoiled) -> bool:
    """Let every call fail with what its outermost intercept caught before it was answered."""
    found = [act for act in spoiled.transcript.calls("llm") if act.error is None and act.runs and act.done is not None]
    caught = [(act, asked) for act in found for asked in act.runs[0].asked if asked.error is not None]
    for act, asked in caught:
        spoiled.fail(act, asked.error)
    return bool(caught)


@plant(FAULTS, "go_on_for_ever", "an intercept that has answered may still go on", "MID-030")
def go_on_for_ever(spoiled: Spoiled) -> bool:
    """Let going on succeed where the intercept was over."""
    for act in spoiled.transcript.of_kind("go_on"):
        if act.error is not None:
            spoiled.succeed(act, {"ok": True})
            return True
    return False


def _crossing(kind: str) -> Callable[[Spoiled], bool]:
    """Return what exchanges two answers that an intercept of such calls got when it had gone on twice at once."""

    def cross(spoiled: Spoiled) -> bool:
        for run in [run for act in spoiled.transcript.calls(kind) for run in act.everything]:
            for one, other in pairwise(run.asked):
                if one.answered and other.answered and other.at < one.answered and not same(one.value, other.value):
                    first, second = spoiled.log[one.answered], spoiled.log[other.answered]
                    first["value"], second["value"] = second["value"], first["value"]
                    return True
        return False

    return cross


for _kind, _rule in (("llm", "MID-019"), ("tool", "TOL-004")):
    plant(FAULTS, f"cross_{_kind}_answers", f"answers that an intercept of {_kind}s gets at once are exchanged", _rule)(
        _crossing(_kind)
    )
