"""What faults do to the calls of a boundary whose request intercepts are stated byte by byte: workers, native plugins.

Enters: a spoiled log, the steps of which something is measured. Leaves: them spoiled. Must not know which rule breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bindproof.core.model import Json
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.workers import sent


def measured(spoiled: Spoiled, kind: str) -> list[Act]:
    """Return the steps of a kind of which something was measured."""
    return [act for act in spoiled.transcript.of_kind(kind) if act.facts is not None]


def spoil_each(acts: Iterable[Act], spoil: Callable[[Act], bool]) -> bool:
    """Spoil every step that can be; say whether there was one."""
    spoilt = [spoil(act) for act in acts]
    return any(spoilt)


def let_succeed(spoiled: Spoiled, acts: Iterable[Act], so: Callable[[Json], bool], value: Json = PLANTED) -> bool:
    """Let those that failed succeed with a value whose step is so."""

    def spoil(act: Act) -> bool:
        failed = act.error is not None and so(act.step)
        if failed:
            spoiled.succeed(act, value)
        return failed

    return spoil_each(acts, spoil)


def answer_otherwise(spoiled: Spoiled, acts: Iterable[Act]) -> bool:
    """Give each call that succeeded another value."""

    def spoil(act: Act) -> bool:
        if act.error is None:
            spoiled.succeed(act, PLANTED)
        return act.error is None

    return spoil_each(acts, spoil)


def hide_the_message(spoiled: Spoiled, acts: Iterable[Act], told: Callable[[Act], bool]) -> bool:
    """Give failed calls of which this holds an error without the message that their step states."""

    def spoil(act: Act) -> bool:
        hidden = act.error is not None and told(act)
        if hidden:
            act.error["message"] = spoiled.message("callback_raised").replace(act.step["message"], "")
        return hidden

    return spoil_each(acts, spoil)


def begin_the_failed(acts: Iterable[Act]) -> bool:
    """Send something in each call that failed."""

    def spoil(act: Act) -> bool:
        if act.error is not None:
            act.facts["sent"] = [PLANTED]
        return act.error is not None

    return spoil_each(acts, spoil)


def count_once_more(acts: Iterable[Act], name: str, times: int) -> bool:
    """Count once more what was counted so often."""

    def spoil(act: Act) -> bool:
        counted = bool(act.facts[name] == times)
        if counted:
            act.facts[name] += 1
        return counted

    return spoil_each(acts, spoil)


def lose_the_last_mark(acts: Iterable[Act]) -> bool:
    """Take the last mark out of each call that has some."""

    def spoil(act: Act) -> bool:
        marked = bool(act.facts["marks"])
        if marked:
            act.facts["marks"].pop()
            act.facts["events"].remove("mark")
        return marked

    return spoil_each(acts, spoil)


def refuse_foreign_members(spoiled: Spoiled, acts: Iterable[Act]) -> bool:
    """Let calls fail in whose outcome there is a member that nobody knows."""

    def spoil(act: Act) -> bool:
        foreign = act.error is None and act.step["outcome"] is not None and b'"x-' in sent(act.step)
        if foreign:
            act.facts.update(sent=[], events=[], marks=[])
            error = {"type": "Error", "message": spoiled.message("outcome_malformed"), "code": None, "same_as": None}
            spoiled.fail(act, error)
        return foreign

    return spoil_each(acts, spoil)
