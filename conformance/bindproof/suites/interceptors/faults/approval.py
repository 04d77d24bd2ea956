"""Planted faults of the chapter *Approval*."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suite_api import Fault
from bindproof.suites.interceptors.faults.spoiled_log import PLANTED, Spoiled, leaf, plant
from bindproof.suites.interceptors.reading import Passage

FAULTS: dict[str, Fault] = {}


def _decided(s: Spoiled, wanted: str) -> Iterator[Passage]:
    """Yield the passages with this decision, of stacks."""
    for one in s.passages("approval"):
        if len(one.checks) == 1 and not one.call.in_registry and wanted in _words(one.checks[0].reply):
            yield one


def _words(decision: Json) -> list[str]:
    return [decision] if isinstance(decision, str) else list(decision)


@plant(FAULTS, "check_something_else", "the check is given another request", "APR-001")
def _(s: Spoiled) -> bool:
    return any(
        s.given(one.checks[0], {**one.outer.given, "arguments": PLANTED}) for one in list(_decided(s, "allow"))[:1]
    )


@plant(FAULTS, "change_the_allowed", "an allowed call is changed", "APR-002")
def _(s: Spoiled) -> bool:
    return _change(s, "allow", arguments=PLANTED)


@plant(FAULTS, "run_the_denied", "a denied call runs", "APR-003")
def _(s: Spoiled) -> bool:
    for one in _decided(s, "deny"):
        check = one.checks[0]
        if one.place == len(one.call.layers) - 2 and check.left is not None:
            key = {"callback": f"{one.call.step['as']}.operation", "k": 0, "at": check.ended}
            reply = one.call.step["does"][0]["gives"]
            records = [{"fact": "enter", **key, "given": check.given}, {"fact": "leave", **key, "reply": reply}]
            s.log[check.left + 1 : check.left + 1] = records
            return True
    return False


@plant(FAULTS, "deny_kindly", "a denied call's result is no error", "APR-004")
def _(s: Spoiled) -> bool:
    return any(s.result(one.call, is_error=False) for one in list(_decided(s, "deny"))[:1] if one.place == 0)


@plant(FAULTS, "ignore_modification", "a modified call keeps its arguments", "APR-005")
def _(s: Spoiled) -> bool:
    return _change(s, "modify", arguments=PLANTED)


@plant(FAULTS, "lose_the_id", "a modified call loses its id", "APR-006")
def _(s: Spoiled) -> bool:
    return _change(s, "modify", call_id="planted")


def _change(s: Spoiled, decision: str, **members: Json) -> bool:
    for one in _decided(s, decision):
        if one.inner and leaf(one.inner[0]):
            return s.given(one.inner[0], {**one.inner[0].given, **members})
    return False


@plant(FAULTS, "change_permitted_result", "the result of a permitted call is changed", "APR-007")
def _(s: Spoiled) -> bool:
    permitted = [*_decided(s, "allow"), *_decided(s, "modify")]
    return any(s.result(one.call, content="planted") for one in permitted[:1] if one.place == 0 and one.inner)
