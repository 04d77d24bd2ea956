"""Checks of the chapter *Gate* (GTE)."""

from __future__ import annotations

from bindproof.suite_api import Evidence
from bindproof.suites.interaction.checks.common import (
    Check,
    Found,
    comes_to,
    differs,
    each,
    fails_under,
    goes,
    is_last,
    register,
)
from bindproof.suites.interaction.reading import Part, Reading

CHECKS: dict[str, Check] = {}


@register(CHECKS, "GTE-001")
def asked_first(reading: Reading) -> Found:
    """The policy decides once in each step, before anybody is asked and any model called."""

    def judge(part: Part) -> list[Evidence]:
        decided = part.of("event", "policy_decision")
        later = [*part.of("asked"), *part.of("event", "llm_called"), *part.of("called")]
        first = len(decided) == 1 and all(decided[0] < at for at in later)
        return goes("the policy decides first", "one decision first", "one decision first" if first else len(decided))

    return each(reading.parts, judge)


def _uncalled(reading: Reading, parts: list[Part], text: str) -> Found:
    return each(parts, lambda part: goes(text, 0, len(part.of("called")) + len(part.of("event", "llm_called"))))


@register(CHECKS, "GTE-002")
def denied(reading: Reading) -> Found:
    """What is denied is not called."""
    return _uncalled(reading, list(reading.parts_of("denied")), "no model is called where the policy denies it")


@register(CHECKS, "GTE-003")
def denied_degrades(reading: Reading) -> Found:
    """A run whose policy on failures spares it is degraded by a denial."""
    if not is_last(reading, "denied") or fails_under(reading.scenario["on_failure"]):
        return None
    return comes_to(reading, "a denied run ends degraded", "degraded")


@register(CHECKS, "GTE-004")
def denied_fails(reading: Reading) -> Found:
    """A run whose policy on failures does not spare it fails by a denial."""
    if not is_last(reading, "denied") or not fails_under(reading.scenario["on_failure"]):
        return None
    return comes_to(reading, "a denied run fails as denied", "denied")


@register(CHECKS, "GTE-005")
def people(reading: Reading) -> Found:
    """People are asked once where the policy says so, before a model is called."""

    def judge(part: Part) -> list[Evidence]:
        gate = part.fate.step["gate"]
        due = [gate] if gate in ("approval", "input") else []
        seen = [part.log[at]["what"] for at in part.of("asked")]
        calls = [*part.of("event", "llm_called"), *part.of("called")]
        late = any(at > one for at in part.of("asked") for one in calls)
        return goes("people are asked once, before the call", due, "too late" if late else seen)

    return each(reading.parts, judge)


@register(CHECKS, "GTE-006")
def refused(reading: Reading) -> Found:
    """What people refuse is not called."""
    parts = [part for part in reading.parts_of("refused") if part.fate.step["answer"] == "deny"]
    return _uncalled(reading, parts, "no model is called where people refuse it")


@register(CHECKS, "GTE-007")
def unanswered(reading: Reading) -> Found:
    """What people do not answer in time is not called."""
    parts = [part for part in reading.parts_of("refused") if part.fate.step["answer"] == "none"]
    return _uncalled(reading, parts, "no model is called where nobody answers")


def _refused_under(reading: Reading, *policies: str) -> bool:
    return is_last(reading, "refused") and reading.scenario["on_refusal"] in policies


@register(CHECKS, "GTE-008")
def refused_degrades(reading: Reading) -> Found:
    """A run whose policy on refusals is to degrade is degraded."""
    if not _refused_under(reading, "retry_then_degrade"):
        return None
    return comes_to(reading, "a refused run ends degraded", "degraded")


@register(CHECKS, "GTE-009")
def refused_fails(reading: Reading) -> Found:
    """A run whose policy on refusals is to fail fails."""
    if not is_last(reading, "refused") or not fails_under(reading.scenario["on_refusal"]):
        return None
    return comes_to(reading, "a refused run fails as refused", "refused")


@register(CHECKS, "GTE-010")
def refused_goes_on(reading: Reading) -> Found:
    """A run whose policy on refusals is to go on does not fail."""
    if not _refused_under(reading, "continue", "continue_with_error", "retry_then_continue", "skip_action"):
        return None
    return comes_to(reading, "a refused run that is to go on ends degraded", "degraded")


@register(CHECKS, "GTE-011")
def said(reading: Reading) -> Found:
    """What people say is the last message of the request."""

    def judge(part: Part) -> list[Evidence]:
        due = {"role": "user", "text": part.fate.step["says"]}
        return [
            evidence
            for at in part.of("called")
            for evidence in differs(at, "/messages", "what people say comes last", [due], part.log[at]["messages"][-1:])
        ]

    told = (part for part in reading.parts if part.fate.step["gate"] == "input" and part.fate.step["says"])
    return each((part for part in told if part.fate.models and part.calls), judge)


@register(CHECKS, "GTE-012")
def paused(reading: Reading) -> Found:
    """While an answer is put off the run is paused, and it is resumed then."""

    def judge(part: Part) -> list[Evidence]:
        names = ("paused", "resumed", "run_paused", "run_resumed")
        places = sorted((at, name) for fact in ("event", "checkpoint") for name in names for at in part.of(fact, name))
        due = ["run_paused", "paused", "run_resumed", "resumed"]
        return goes("the run is paused and resumed, and keeps both", due, [name for _, name in places])

    put_off = (part for part in reading.parts if part.fate.step["gate"] in ("approval", "input"))
    return each((part for part in put_off if part.fate.step["later"]), judge)
