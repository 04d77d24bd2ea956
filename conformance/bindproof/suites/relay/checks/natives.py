"""Checks of the chapter *Native plugins* (NAT)."""

from __future__ import annotations

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import PROGRAM, Check, Found, judged, part, register
from bindproof.suites.relay.checks.workers import (
    effect,
    has_not_begun,
    must_be_counted,
    must_fail,
    stated,
    tells_message,
)
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.natives import TYPED, refused_for
from bindproof.suites.relay.scenario.workers import REQUEST, read, sent

CHECKS: dict[str, Check] = {}

AS_GIVEN: Json = {"request": REQUEST}
"""The outcome of a call that no plugin answers."""


def _loads(reading: Reading) -> list[Act]:
    return reading.transcript.of_kind("load")


def _is_there(reading: Reading) -> bool:
    """Tell whether the host should have taken the plugin."""
    return not any(refused_for(act.step) for act in _loads(reading))


def _calls(reading: Reading, *results: str) -> list[Act]:
    """Return the calls of a plugin that is there, of these results where some are named."""
    calls = reading.transcript.of_kind("native") if _is_there(reading) else []
    return [act for act in calls if not results or act.step["result"] in results]


def outcome_of(reading: Reading, act: Act) -> tuple[Json, bool] | None:
    """Return the outcome that a plugin's bytes are, less what it does not have, and whether it had such; else None."""
    try:
        value = read(sent(act.step))
    except ValueError:
        return None
    known = stated(reading, value)
    return (known, not same(known, value)) if reading.forms["outcome"].accepts(known) else None


def _refusal(reading: Reading, member: str, why: str) -> Found:
    """Judge loads that have to be refused for a member of theirs."""
    found = [act for act in _loads(reading) if member in refused_for(act.step)]
    return must_fail(found, f"the plugin is loaded though {why}", "invalid_argument")


def _registers(act: Act) -> bool:
    """Tell whether a host comes to ask the plugin for what it registers: nothing that is known before is amiss."""
    return refused_for(act.step) in ([], ["register"])


@register(CHECKS, "NAT-001")
def an_outcome_has_its_effect(reading: Reading) -> Found:
    """What a plugin's outcome states is sent, and its marks are told between the start and the end of the call."""
    typed = [(act, AS_GIVEN | {"pending_marks": [TYPED]}) for act in _calls(reading, "typed")]
    found = [*typed, *_outcomes(reading, others=False)]
    return judged([evidence for act, outcome in found for evidence in effect(act, outcome)], found)


@register(CHECKS, "NAT-007")
def other_members_change_nothing(reading: Reading) -> Found:
    """An outcome has the same effect with members that it does not have."""
    found = _outcomes(reading, others=True)
    return judged([evidence for act, outcome in found for evidence in effect(act, outcome)], found)


def _outcomes(reading: Reading, *, others: bool) -> list[tuple[Act, Json]]:
    """Return the calls whose bytes are an outcome, with it. others: those with members that it does not have."""
    pairs = [(act, outcome_of(reading, act)) for act in _calls(reading, "outcome")]
    return [(act, found[0]) for act, found in pairs if found is not None and found[1] is others]


@register(CHECKS, "NAT-002")
def a_malformed_outcome_is_refused(reading: Reading) -> Found:
    """What is no outcome in JSON is refused."""
    found = [act for act in _calls(reading, "outcome") if outcome_of(reading, act) is None]
    return must_fail(found, "the plugin answers no well-formed outcome", "outcome_malformed")


@register(CHECKS, "NAT-003")
def nothing_is_no_outcome(reading: Reading) -> Found:
    """A plugin that says all is well, and gives nothing, is refused."""
    return must_fail(_calls(reading, "nothing"), "the plugin gives nothing", "outcome_malformed")


@register(CHECKS, "NAT-004")
def the_caller_is_told_the_plugins_error(reading: Reading) -> Found:
    """Where a plugin's intercept fails the call does, with its message."""
    return tells_message(_calls(reading, "error", "status"))


@register(CHECKS, "NAT-005")
def a_panic_fails_the_call(reading: Reading) -> Found:
    """A call fails in which the plugin panics."""
    return must_fail(_calls(reading, "panic"), "the plugin panics", "callback_raised")


@register(CHECKS, "NAT-006")
def a_failed_call_has_not_begun(reading: Reading) -> Found:
    """Of a call whose interception failed nothing is sent or told."""
    return has_not_begun(_calls(reading))


@register(CHECKS, "NAT-008")
def another_abi_is_refused(reading: Reading) -> Found:
    """A plugin that is made for another table of functions is refused when it is loaded."""
    return _refusal(reading, "abi", "it is made for another ABI")


@register(CHECKS, "NAT-009")
def another_range_is_refused(reading: Reading) -> Found:
    """A plugin is refused whose manifest does not admit the host."""
    return _refusal(reading, "range", "its manifest does not admit the host")


@register(CHECKS, "NAT-010")
def another_digest_is_refused(reading: Reading) -> Found:
    """A library is refused that has not the digest of its manifest."""
    return _refusal(reading, "digest", "its manifest has not its digest")


@register(CHECKS, "NAT-011")
def an_unsigned_library_is_refused(reading: Reading) -> Found:
    """A library without a signature is refused, unless the host's policy does without."""
    return _refusal(reading, "policy", "it is not signed")


@register(CHECKS, "NAT-012")
def on_by_default_is_refused(reading: Reading) -> Found:
    """A manifest is refused that turns its plugin on by itself."""
    return _refusal(reading, "enabled", "its manifest turns it on")


@register(CHECKS, "NAT-013")
def calls_go_on_without_it(reading: Reading) -> Found:
    """A plugin that was refused is not asked, and the call is as it would be without."""
    found = [] if _is_there(reading) else reading.transcript.of_kind("native")
    asked = [
        Evidence(PROGRAM, "a plugin that was refused is not asked", act.measured, 0, seen, at="/value/asked")
        for act in found
        if (seen := part(act.facts, "asked")) != 0
    ]
    return judged([*asked, *(evidence for act in found for evidence in effect(act, AS_GIVEN))], found)


@register(CHECKS, "NAT-014")
def what_it_left_is_freed(reading: Reading) -> Found:
    """What a plugin left with its host is freed once, and nothing that it never left.

    Where it was taken and should have been refused, it may have left something.
    """
    loads = [act for act in _loads(reading) if _registers(act) or act.error is not None]
    taken = [act for act in _loads(reading) if act not in loads and part(act.facts, "freed") not in (0, 1)]
    found = [(act, int(_registers(act))) for act in loads] + [(act, 1) for act in taken]
    return must_be_counted(found, "freed", "the state is freed once that was left")


@register(CHECKS, "NAT-015")
def each_call_asks_it(reading: Reading) -> Found:
    """Each call asks the plugin once, whatever it answered to those before."""
    return must_be_counted([(act, 1) for act in _calls(reading)], "asked", "each call asks the plugin once")


@register(CHECKS, "NAT-016")
def a_failed_registration_is_refused(reading: Reading) -> Found:
    """A plugin is refused that fails, or panics, while it registers."""
    found = [act for act in _loads(reading) if _registers(act) and refused_for(act.step)]
    return must_fail(found, "the plugin is loaded though its registration fails", "callback_raised")


@register(CHECKS, "NAT-017")
def another_signature_is_refused(reading: Reading) -> Found:
    """A library is refused whose signature is that of another, unless the host's policy looks at none."""
    return _refusal(reading, "signature", "its signature is another library's")
