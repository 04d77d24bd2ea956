"""Planted faults of the chapter *A tool's own retry*."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bindproof.core.model import Json
from bindproof.suite_api import Fault
from bindproof.suites.interceptors.faults.spoiled_log import Spoiled, leaf, plant
from bindproof.suites.interceptors.reading import Passage, Visit

FAULTS: dict[str, Fault] = {}


def _at_once(s: Spoiled) -> Iterator[Passage]:
    """Yield passages of retries that wait for nothing."""
    for one in s.passages("tool_retry"):
        if one.layer["max_retries"] is not None and one.layer["initial_backoff"] == 0 and one.inner:
            yield one


def _failed(run: Visit) -> bool:
    return bool(run.reply["is_error"])


def _declined(one: Passage, run: Visit) -> bool:
    return one.layer["only_if"] is not None and one.layer["only_if"] not in run.reply["content"]


@plant(FAULTS, "give_up_on_a_tool", "the last retry of a tool is not made", "TRT-001")
def _(s: Spoiled) -> bool:
    for one in _at_once(s):
        replies = [run.reply for run in one.inner]
        if len(replies) > 1 and replies[-1] == replies[-2] and _failed(one.inner[-1]):
            return s.unrun(one.inner[-1])
    return False


@plant(FAULTS, "retry_a_tool_too_often", "a tool is retried once too often", "TRT-002")
def _(s: Spoiled) -> bool:
    for one in _at_once(s):
        full = len(one.inner) == 1 + one.layer["max_retries"]
        if full and _failed(one.inner[-1]) and not _declined(one, one.inner[-1]):
            return s.run_again(one.inner[-1])
    return False


@plant(FAULTS, "retry_a_success", "a tool's success is tried again", "TRT-003")
def _(s: Spoiled) -> bool:
    for one in _at_once(s):
        if not _failed(one.inner[-1]) and len(one.inner) <= one.layer["max_retries"]:
            return s.run_again(one.inner[-1])
    return False


@plant(FAULTS, "ignore_predicate", "an error that the predicate declines is tried again", "TRT-004")
def _(s: Spoiled) -> bool:
    for one in _at_once(s):
        last = one.inner[-1]
        if _failed(last) and _declined(one, last) and len(one.inner) <= one.layer["max_retries"]:
            return s.run_again(last)
    return False


@plant(FAULTS, "change_last_response", "a tool's last response is changed", "TRT-005")
def _(s: Spoiled) -> bool:
    for one in s.outermost("tool_retry"):
        if one.inner and leaf(one.inner[-1]):
            return s.result(one.call, content="planted")
    return False


def _delay(s: Spoiled, wanted: Callable[[Json], bool], milliseconds: int) -> bool:
    for one in s.passages("tool_retry"):
        if s.untimed and wanted(one.layer) and len(one.inner) > 1:
            s.delay(one.inner[1].entered, milliseconds)
            return True
    return False


@plant(FAULTS, "wait_too_long_for_a_tool", "the wait before a tool's retry is too long", "TRT-006")
def _(s: Spoiled) -> bool:
    return _delay(s, lambda layer: layer["max_retries"] is not None and layer["jitter"] == 0, 5)


@plant(FAULTS, "lengthen_by_jitter", "jitter makes a wait longer", "TRT-007")
def _(s: Spoiled) -> bool:
    return _delay(s, lambda layer: layer["max_retries"] is not None and layer["jitter"] > 0, 100_000)


@plant(FAULTS, "other_tool_defaults", "a tool's retry that is not configured waits longer", "TRT-008")
def _(s: Spoiled) -> bool:
    return _delay(s, lambda layer: layer["max_retries"] is None, 1_000)
