"""Planted faults of the chapter *Native plugins* (NAT)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.natives import refused_for
from bindproof.suites.relay.scenario.workers import sent

FAULTS: dict[str, Fault] = {}


def _each(spoiled: Spoiled, spoil: Callable[[Act], bool], kind: str = "native", *, there: bool = True) -> bool:
    """Spoil every step that can be; say whether there was one. there: of a plugin that its host takes."""
    taken = not any(refused_for(act.step) for act in spoiled.transcript.of_kind("load"))
    acts = [act for act in spoiled.transcript.of_kind(kind) if act.facts is not None]
    spoilt = [spoil(act) for act in acts if kind == "load" or taken is there]
    return any(spoilt)


def _succeed(spoiled: Spoiled, so: Callable[[Json], bool]) -> bool:
    """Let calls succeed that the plugin answers so."""

    def spoil(act: Act) -> bool:
        failed = act.error is not None and so(act.step)
        if failed:
            spoiled.succeed(act, PLANTED)
        return failed

    return _each(spoiled, spoil)


def _load(spoiled: Spoiled, member: str) -> bool:
    """Load plugins that are to be refused for this member alone."""

    def spoil(act: Act) -> bool:
        failed = act.error is not None and refused_for(act.step) == [member]
        if failed:
            spoiled.succeed(act, None)
        return failed

    return _each(spoiled, spoil, "load")


@plant(FAULTS, "lose_a_plugins_marks", "a plugin's marks are not told", "NAT-001", also=("NAT-007",))
def lose_a_plugins_marks(spoiled: Spoiled) -> bool:
    """Take the last mark out of each call that has some."""

    def spoil(act: Act) -> bool:
        marked = bool(act.facts["marks"])
        if marked:
            act.facts["marks"].pop()
            act.facts["events"].remove("mark")
        return marked

    return _each(spoiled, spoil)


@plant(FAULTS, "take_a_plugins_bytes", "a plugin's outcome may be any bytes", "NAT-002", also=("REF-000",))
def take_a_plugins_bytes(spoiled: Spoiled) -> bool:
    """Let calls succeed whose plugin answers no outcome."""
    return _succeed(spoiled, lambda step: bool(step["result"] == "outcome"))


@plant(FAULTS, "take_nothing", "a plugin need not give an outcome", "NAT-003")
def take_nothing(spoiled: Spoiled) -> bool:
    """Let calls succeed whose plugin gives nothing."""
    return _succeed(spoiled, lambda step: bool(step["result"] == "nothing"))


@plant(FAULTS, "hide_a_plugins_error", "a plugin's error is told in other words", "NAT-004", also=("REF-000",))
def hide_a_plugins_error(spoiled: Spoiled) -> bool:
    """Give calls whose plugin fails an error without its message."""

    def spoil(act: Act) -> bool:
        told = act.error is not None and act.step["result"] in ("error", "status")
        if told:
            act.error["message"] = spoiled.message("callback_raised").replace(act.step["message"], "")
        return told

    return _each(spoiled, spoil)


@plant(FAULTS, "survive_a_panic", "a call succeeds though its plugin panics", "NAT-005")
def survive_a_panic(spoiled: Spoiled) -> bool:
    """Let calls succeed whose plugin panics."""
    return _succeed(spoiled, lambda step: bool(step["result"] == "panic"))


@plant(FAULTS, "begin_calls_that_a_plugin_failed", "the provider is called though the plugin failed", "NAT-006")
def begin_calls_that_a_plugin_failed(spoiled: Spoiled) -> bool:
    """Send something in each call that failed."""

    def spoil(act: Act) -> bool:
        if act.error is not None:
            act.facts["sent"] = [PLANTED]
        return act.error is not None

    return _each(spoiled, spoil)


@plant(FAULTS, "refuse_a_plugins_other_members", "a plugin's outcome has no member that is not known", "NAT-007")
def refuse_a_plugins_other_members(spoiled: Spoiled) -> bool:
    """Let calls fail in whose outcome there is a member that nobody knows."""

    def spoil(act: Act) -> bool:
        foreign = act.error is None and act.step["outcome"] is not None and b'"x-' in sent(act.step)
        if foreign:
            act.facts.update(sent=[], events=[], marks=[])
            error = {"type": "Error", "message": spoiled.message("outcome_malformed"), "code": None, "same_as": None}
            spoiled.fail(act, error)
        return foreign

    return _each(spoiled, spoil)


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

    return _each(spoiled, spoil, there=False)


@plant(FAULTS, "free_twice", "what a plugin left with its host is freed twice", "NAT-014")
def free_twice(spoiled: Spoiled) -> bool:
    """Count what was freed once more."""

    def spoil(act: Act) -> bool:
        freed = bool(act.facts["freed"])
        if freed:
            act.facts["freed"] += 1
        return freed

    return _each(spoiled, spoil, "load")


@plant(FAULTS, "ask_a_plugin_once", "a plugin that answered badly is not asked again", "NAT-015")
def ask_a_plugin_once(spoiled: Spoiled) -> bool:
    """Do not count the last call as asked."""
    calls = spoiled.transcript.of_kind("native")

    def spoil(act: Act) -> bool:
        asked = act is calls[-1] and act is not calls[0] and act.facts["asked"] == 1
        if asked:
            act.facts["asked"] = 0
        return asked

    return _each(spoiled, spoil)
