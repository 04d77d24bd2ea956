"""Faults of the chapter *Gate* (GTE)."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.interaction.faults.spoiled import Spoiled, plant

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "no_policy", "a model is called before the policy decides", "GTE-001")
def _(spoiled: Spoiled) -> bool:
    return spoiled.drop(spoiled.reading.of("event", "policy_decision"))


def _calls_anyway(spoiled: Spoiled, *answers: str) -> bool:
    for part in spoiled.reading.parts_of("denied", "refused"):
        answer = "policy" if part.fate.kind == "denied" else part.fate.step["answer"]
        if answer in answers:
            return spoiled.put(part.places[-1] + 1, spoiled.call(part.fate.number))
    return False


@plant(FAULTS, "calls_what_is_denied", "a model is called that the policy denies", "GTE-002")
def _(spoiled: Spoiled) -> bool:
    return _calls_anyway(spoiled, "policy")


@plant(FAULTS, "denial_fails", "a denial fails a run that its policy spares", "GTE-003")
def _(spoiled: Spoiled) -> bool:
    return spoiled.last("denied") and not spoiled.fails("on_failure") and spoiled.comes_to()


@plant(FAULTS, "denial_degrades", "a denial spares a run that its policy fails", "GTE-004")
def _(spoiled: Spoiled) -> bool:
    return spoiled.last("denied") and spoiled.fails("on_failure") and spoiled.comes_to("degraded")


@plant(FAULTS, "asks_twice", "people are asked twice", "GTE-005")
def _(spoiled: Spoiled) -> bool:
    places = spoiled.reading.of("asked")
    return bool(places) and spoiled.put(places[0], spoiled.log[places[0]])


@plant(FAULTS, "calls_what_is_refused", "a model is called that people refuse", "GTE-006")
def _(spoiled: Spoiled) -> bool:
    return _calls_anyway(spoiled, "deny")


@plant(FAULTS, "silence_is_consent", "a model is called for which nobody answers", "GTE-007")
def _(spoiled: Spoiled) -> bool:
    return _calls_anyway(spoiled, "none")


def _refused(spoiled: Spoiled, *policies: str) -> bool:
    return spoiled.last("refused") and spoiled.full["on_refusal"] in policies


@plant(FAULTS, "refusal_fails", "a refusal fails a run that is to degrade", "GTE-008")
def _(spoiled: Spoiled) -> bool:
    return _refused(spoiled, "retry_then_degrade") and spoiled.comes_to()


@plant(FAULTS, "refusal_degrades", "a refusal spares a run that is to fail", "GTE-009")
def _(spoiled: Spoiled) -> bool:
    return _refused(spoiled, "retry_then_fail", "fail_fast", "fail_run") and spoiled.comes_to("degraded")


@plant(FAULTS, "refusal_ends_all", "a refusal fails a run that is to go on", "GTE-010")
def _(spoiled: Spoiled) -> bool:
    return _refused(spoiled, "continue", "continue_with_error", "retry_then_continue", "skip_action") and (
        spoiled.comes_to()
    )


@plant(FAULTS, "says_otherwise", "a request has other words than people said", "GTE-011")
def _(spoiled: Spoiled) -> bool:
    for part, places in spoiled.calls():
        if part.fate.step["gate"] == "input" and part.fate.step["says"]:
            messages = spoiled.log[places[0]]["messages"]
            return spoiled.edit(places[0], messages=[*messages[:-1], {"role": "user", "text": "planted"}])
    return False


@plant(FAULTS, "never_resumed", "no checkpoint says that the run goes on", "GTE-012")
def _(spoiled: Spoiled) -> bool:
    return spoiled.drop(spoiled.reading.of("checkpoint", "resumed"))
