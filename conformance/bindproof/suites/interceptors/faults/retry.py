"""Planted faults of the chapter *Retry*."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bindproof.core.model import Json
from bindproof.suite_api import Fault
from bindproof.suites.interceptors.faults.spoiled_log import Spoiled, leaf, plant
from bindproof.suites.interceptors.rates import ordinary, retryable, whole
from bindproof.suites.interceptors.reading import Passage

FAULTS: dict[str, Fault] = {}


def _at_once(s: Spoiled, domain: str = "llm") -> Iterator[Passage]:
    """Yield passages of retries that wait for nothing, right around the operation."""
    for one in s.passages("retry", domain):
        if one.layer["max_attempts"] and one.layer["initial_delay"] == 0 and all(leaf(run) for run in one.inner):
            yield one


@plant(FAULTS, "retry_too_often", "one attempt too many is made", "RTY-001")
def _(s: Spoiled) -> bool:
    for one in _at_once(s):
        if len(one.inner) == one.layer["max_attempts"] and retryable(one.inner[-1].reply):
            return s.run_again(one.inner[-1])
    return False


@plant(FAULTS, "give_up", "the last attempt is not made", "RTY-002")
def _(s: Spoiled) -> bool:
    for one in _at_once(s):
        replies = [run.reply for run in one.inner]
        if len(replies) > 1 and replies[-1] == replies[-2] and retryable(replies[-1]):
            return s.unrun(one.inner[-1])
    return False


@plant(FAULTS, "retry_what_is_final", "a final result is tried again", "RTY-003")
def _(s: Spoiled) -> bool:
    return _retry_final(s, "llm")


@plant(FAULTS, "retry_a_tool", "a tool's error is tried again", "RTY-004")
def _(s: Spoiled) -> bool:
    return _retry_final(s, "tool")


def _retry_final(s: Spoiled, domain: str) -> bool:
    for one in _at_once(s, domain):
        if one.inner and not retryable(one.inner[-1].reply) and len(one.inner) < one.layer["max_attempts"]:
            return s.run_again(one.inner[-1])
    return False


@plant(FAULTS, "change_attempt", "the second attempt is given another request", "RTY-005")
def _(s: Spoiled) -> bool:
    for one in s.passages("retry"):
        if len(one.inner) > 1 and leaf(one.inner[1]):
            return s.misgiven(one.inner[1])
    return False


@plant(FAULTS, "wrap_last_error", "the last error is wrapped into one that says that attempts are exhausted", "RTY-006")
def _(s: Spoiled) -> bool:
    for one in s.outermost("retry", "llm"):
        if one.inner and retryable(one.inner[-1].reply):
            return s.result(one.call, error={"kind": "retry_exhausted", "message": "scripted"})
    return False


@plant(FAULTS, "wait_after_last", "after the last attempt there is a wait", "RTY-007")
def _(s: Spoiled) -> bool:
    for one in s.outermost("retry", "llm"):
        if one.inner:
            s.delay(one.call.done or 0, 7)
            return True
    return False


def _delay_retry(s: Spoiled, wanted: Callable[[Json], bool], milliseconds: int) -> bool:
    """Have the second attempt made later, by a retry that is configured so."""
    for one in s.passages("retry", "llm"):
        if s.untimed and wanted(one.layer) and len(one.inner) > 1:
            s.delay(one.inner[1].entered, milliseconds)
            return True
    return False


def _plain(layer: Json) -> bool:
    return layer["max_attempts"] is not None and ordinary(layer["multiplier"])


def _whole(layer: Json) -> bool:
    return whole(layer["initial_delay"]) and float(layer["multiplier"]).is_integer()


@plant(FAULTS, "wait_too_long", "a wait before a retry is too long", "RTY-008")
def _(s: Spoiled) -> bool:
    return _delay_retry(s, lambda layer: _plain(layer) and _whole(layer), 5)


@plant(FAULTS, "round_up", "a fraction of a millisecond is rounded up", "RTY-009")
def _(s: Spoiled) -> bool:
    return _delay_retry(s, lambda layer: _plain(layer) and not whole(layer["initial_delay"]), 1)


@plant(FAULTS, "wait_oddly", "a multiplier that is negative or no number makes another wait", "RTY-010")
def _(s: Spoiled) -> bool:
    return _delay_retry(s, lambda layer: layer["max_attempts"] is not None and not ordinary(layer["multiplier"]), 5)


@plant(FAULTS, "other_defaults", "a retry that is not configured waits longer", "RTY-011")
def _(s: Spoiled) -> bool:
    return _delay_retry(s, lambda layer: layer["max_attempts"] is None, 500)


@plant(FAULTS, "allow_no_attempt", "a retry without an attempt comes back with a success", "RTY-012")
def _(s: Spoiled) -> bool:
    for call in s.reading.calls:
        none = any(layer["layer"] == "retry" and layer["max_attempts"] == 0 for layer in call.layers)
        if none and call.done is not None and call.error is not None:
            built = next(i for i, r in enumerate(s.log) if r.get("step") == call.place["as"])
            for index, value in ((built, None), (call.done, {"text": "ok"})):
                kept = {key: item for key, item in s.log[index].items() if key != "error"}
                s.log[index] = {**kept, "value": value}
            return True
    return False
