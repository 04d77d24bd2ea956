"""Planted faults of the chapter *Native plugins* (NAT)."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.intercepted_calls import (
    answer_otherwise,
    begin_the_failed,
    count_once_more,
    hide_the_message,
    let_succeed,
    lose_the_last_mark,
    measured,
    refuse_foreign_members,
    spoil_each,
)
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.natives import refused_for

FAULTS: dict[str, Fault] = {}


def _calls(spoiled: Spoiled, *, there: bool = True) -> list[Act]:
    """Return the calls of a plugin that its host takes, or of one that it refuses."""
    taken = not any(refused_for(act.step) for act in spoiled.transcript.of_kind("load"))
    return measured(spoiled, "native") if taken is there else []


def _succeed(spoiled: Spoiled, result: str) -> bool:
    """Let calls succeed that the plugin answers so."""
    return let_succeed(spoiled, _calls(spoiled), lambda step: bool(step["result"] == result))


def _load(spoiled: Spoiled, member: str) -> bool:
    """Load plugins that are to be refused for this member alone."""
    return let_succeed(spoiled, measured(spoiled, "load"), lambda step: refused_for(step) == [member], None)


@plant(FAULTS, "lose_a_plugins_marks", "a plugin's marks are not told", "NAT-001", also=("NAT-007",))
def lose_a_plugins_marks(spoiled: Spoiled) -> bool:
    """Take the last mark out of each call that has some."""
    return lose_the_last_mark(_calls(spoiled))


@plant(FAULTS, "answer_for_a_provider", "a call comes back with another answer", "NAT-001", also=("NAT-007",))
def answer_for_a_provider(spoiled: Spoiled) -> bool:
    """Give each call that succeeded another value."""
    return answer_otherwise(spoiled, _calls(spoiled))


@plant(FAULTS, "take_a_plugins_bytes", "a plugin's outcome may be any bytes", "NAT-002", also=("REF-000",))
def take_a_plugins_bytes(spoiled: Spoiled) -> bool:
    """Let calls succeed whose plugin answers no outcome."""
    return _succeed(spoiled, "outcome")


@plant(FAULTS, "take_nothing", "a plugin need not give an outcome", "NAT-003")
def take_nothing(spoiled: Spoiled) -> bool:
    """Let calls succeed whose plugin gives nothing."""
    return _succeed(spoiled, "nothing")


@plant(FAULTS, "hide_a_plugins_error", "a plugin's error is told in other words", "NAT-004", also=("REF-000",))
def hide_a_plugins_error(spoiled: Spoiled) -> bool:
    """Give calls whose plugin fails an error without its message."""
    return hide_the_message(spoiled, _calls(spoiled), lambda act: act.step["result"] in ("error", "status"))


@plant(FAULTS, "survive_a_panic", "a call succeeds though its plugin panics", "NAT-005")
def survive_a_panic(spoiled: Spoiled) -> bool:
    """Let calls succeed whose plugin panics."""
    return _succeed(spoiled, "panic")


@plant(FAULTS, "begin_calls_that_a_plugin_failed", "the provider is called though the plugin failed", "NAT-006")
def begin_calls_that_a_plugin_failed(spoiled: Spoiled) -> bool:
    """Send something in each call that failed."""
    return begin_the_failed(_calls(spoiled))


@plant(FAULTS, "refuse_a_plugins_other_members", "a plugin's outcome has no member that is not known", "NAT-007")
def refuse_a_plugins_other_members(spoiled: Spoiled) -> bool:
    """Let calls fail in whose outcome there is a member that nobody knows."""
    return refuse_foreign_members(spoiled, _calls(spoiled))


@plant(FAULTS, "load_another_abi", "a plugin of another ABI is loaded", "NAT-008")
def load_another_abi(spoiled: Spoiled) -> bool:
    """Load plugins that are made for another table."""
    return _load(spoiled, "abi")


@plant(FAULTS, "load_any_range", "a plugin is loaded whose manifest does not admit the host", "NAT-009")
def load_any_range(spoiled: Spoiled) -> bool:
    """Load plugins for other hosts."""
    return _load(spoiled, "range")


@plant(FAULTS, "load_any_digest", "a library is loaded that is not the one of its manifest", "NAT-010")
def load_any_digest(spoiled: Spoiled) -> bool:
    """Load libraries of another digest."""
    return _load(spoiled, "digest")


@plant(FAULTS, "load_unsigned", "a library is loaded without the signature that is asked for", "NAT-011")
def load_unsigned(spoiled: Spoiled) -> bool:
    """Load libraries that are not signed."""
    return _load(spoiled, "policy")


@plant(FAULTS, "load_what_turns_itself_on", "a plugin turns itself on", "NAT-012")
def load_what_turns_itself_on(spoiled: Spoiled) -> bool:
    """Load plugins whose manifest turns them on."""
    return _load(spoiled, "enabled")


@plant(FAULTS, "ask_a_refused_plugin", "a plugin that was refused is asked all the same", "NAT-013")
def ask_a_refused_plugin(spoiled: Spoiled) -> bool:
    """Count a refused plugin as asked."""

    def spoil(act: Act) -> bool:
        act.facts["asked"] = 1
        return True

    return spoil_each(_calls(spoiled, there=False), spoil)


@plant(FAULTS, "free_twice", "what a plugin left with its host is freed twice", "NAT-014")
def free_twice(spoiled: Spoiled) -> bool:
    """Count what was freed once more."""

    def spoil(act: Act) -> bool:
        freed = bool(act.facts["freed"])
        if freed:
            act.facts["freed"] += 1
        return freed

    return spoil_each(measured(spoiled, "load"), spoil)


@plant(FAULTS, "free_what_was_not_left", "what no plugin left with its host is freed", "NAT-014")
def free_what_was_not_left(spoiled: Spoiled) -> bool:
    """Count something as freed where nothing was registered."""
    return count_once_more([act for act in measured(spoiled, "load") if act.error is not None], "freed", 0)


@plant(FAULTS, "ask_a_plugin_once", "a plugin that answered badly is not asked again", "NAT-015")
def ask_a_plugin_once(spoiled: Spoiled) -> bool:
    """Do not count the last call as asked."""
    calls = spoiled.transcript.of_kind("native")

    def spoil(act: Act) -> bool:
        asked = act is calls[-1] and act is not calls[0] and act.facts["asked"] == 1
        if asked:
            act.facts["asked"] = 0
        return asked

    return spoil_each(_calls(spoiled), spoil)


@plant(FAULTS, "load_what_fails_to_register", "a plugin is loaded though its registration fails", "NAT-016")
def load_what_fails_to_register(spoiled: Spoiled) -> bool:
    """Load plugins that fail, or panic, while they register."""
    return _load(spoiled, "register")


@plant(FAULTS, "keep_what_failed_to_register", "what was registered before a failure is not freed", "NAT-014")
def keep_what_failed_to_register(spoiled: Spoiled) -> bool:
    """Count nothing as freed of plugins that failed while they registered."""

    def spoil(act: Act) -> bool:
        kept = refused_for(act.step) == ["register"]
        if kept:
            act.facts["freed"] = 0
        return kept

    return spoil_each(measured(spoiled, "load"), spoil)


@plant(FAULTS, "load_any_signature", "a library is loaded with the signature of another", "NAT-017")
def load_any_signature(spoiled: Spoiled) -> bool:
    """Load libraries whose signature is another's."""
    return _load(spoiled, "signature")


@plant(FAULTS, "use_what_came_with_a_failure", "a failing status counts for nothing beside an outcome", "NAT-004")
def use_what_came_with_a_failure(spoiled: Spoiled) -> bool:
    """Let calls succeed whose plugin gives an outcome with a failing status."""
    return let_succeed(
        spoiled, _calls(spoiled), lambda step: step["result"] == "status" and step["outcome"] is not None
    )
