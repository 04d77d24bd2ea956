"""The check about what ends a call before its execution (MID): a rejection, and what fails there."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    Check,
    Found,
    judged,
    part,
    register,
    starts_and_ends,
    went_on,
    working,
)
from bindproof.suites.relay.checks.conditionals import verdicts
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.outcomes import lets_pass
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.families import CONDITIONALS

CHECKS: dict[str, Check] = {}

TOOLS = "tool.request"
"""The family whose failures no other rule speaks of: request intercepts of LLMs are OUT-007's."""


def _failures(reading: Reading) -> list[tuple[Act, Entry]]:
    """The callbacks before the execution of calls that failed: they raised, or gave no answer. Helpers: HLP-007."""
    return [
        (act, run)
        for act in working(reading)
        for run in act.of(*CONDITIONALS, TOOLS)
        if act.step["step"] == "call"
        and act.done is not None
        and (run.raised is not None or run.refused or _is_no_answer(run))
    ]


def _is_no_answer(run: Entry) -> bool:
    """Tell whether a conditional said neither yes nor no; what an intercept of a tool answers may be any value."""
    return run.replied and not (run.part == TOOLS or lets_pass(run) or isinstance(run.reply, str))


@register(CHECKS, "MID-008")
def what_is_not_allowed_ends_the_call(reading: Reading) -> Found:
    """After a rejection, or a failure, nothing of the call runs or is told, and the caller is given an error."""
    found, failed = verdicts(reading), _failures(reading)
    return judged(
        [evidence for act, run in found for evidence in _rejected(reading, act, run)]
        + [evidence for act, run in failed for evidence in _failed(reading, act, run)],
        found or failed,
    )


def _rejected(reading: Reading, act: Act, run: Entry) -> Iterator[Evidence]:
    if part(act.error, "kind") != "guardrail_rejected" or run.reply not in str(part(act.error, "message")):
        yield Evidence(EVERY_LANE, "a rejection reaches the caller", act.done, run.reply, act.error or act.value)
    yield from _nothing_more(reading, act, run, "after a rejection")


def _failed(reading: Reading, act: Act, run: Entry) -> Iterator[Evidence]:
    what = "an intercept" if run.part == TOOLS else "a conditional"
    if act.error is None:
        text, also = f"what {what} failed for fails", (run.entered, *went_on(reading.transcript, act))
        yield Evidence(EVERY_LANE, text, act.done, {"error": "any"}, {"value": act.value}, also=also)
    yield from _nothing_more(reading, act, run, f"after {what} failed")


def _nothing_more(reading: Reading, act: Act, run: Entry, when: str) -> Iterator[Evidence]:
    for later in [one for one in act.runs if one.entered > run.entered][:1]:
        yield Evidence(EVERY_LANE, f"nothing runs {when}", later.entered, None, later.callback)
    for subscriber, life in lives(reading.transcript, act).items() if act.error is not None else ():
        told = sorted(at for at, _ in starts_and_ends(act, life))
        if told:
            text = f"no start and no end is told {when}"
            yield Evidence(subscriber, text, told[0], None, act.step["name"], also=tuple(told[1:]))
