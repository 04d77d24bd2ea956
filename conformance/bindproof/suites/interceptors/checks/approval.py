"""Checks of the chapter *Approval* (APR)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.interceptors.checks.common import Check, Found, differs, each, gave, given, register, runs
from bindproof.suites.interceptors.reading import Passage, Reading

CHECKS: dict[str, Check] = {}


def _decided(reading: Reading, wanted: str) -> list[Passage]:
    """Return the passages with this decision that came to their end."""
    return [p for p in reading.complete("approval") if p.checks and _name(p.checks[0].reply) == wanted]


def _name(decision: Json) -> str:
    """Return the word of a decision; empty for a check that was dropped, or that never came to one."""
    return decision if isinstance(decision, str) else next(iter(decision or ()), "")


@register(CHECKS, "APR-001")
def the_check_is_made_once(reading: Reading) -> Found:
    """Each time a call passes, the check is made once, before the rest, on what the approval was given."""
    return each([p for p in reading.complete("approval") if p.inner or p.checks], _checked)


def _checked(one: Passage) -> Iterator[Evidence]:
    if len(one.checks) != 1:
        also, about = tuple(at for check in one.checks[1:] for at in check.records()), (one.call.part(one.place),)
        made = len(one.checks)
        yield Evidence(one.call.lane, "the check is made once", one.outer.left, 1, made, also=also, about=about)
    for check in one.checks[:1]:
        yield from given(one.call, "the check is given the request", check, one.outer.given, check.given)
        for run in one.inner[:1]:
            if run.entered < check.entered:
                also = (*check.records(), *run.records())
                yield Evidence(one.call.lane, "the check is made before the rest runs", run.entered, also=also)


@register(CHECKS, "APR-002")
def allow_lets_pass(reading: Reading) -> Found:
    """An allowed call runs the rest once, with the request as it was."""
    return each(_decided(reading, "allow"), lambda p: _passed(p, p.outer.given))


def _passed(one: Passage, request: Json) -> Iterator[Evidence]:
    yield from runs(one.call, "the rest runs once", one.outer, one.place + 1, 1, one.inner)
    handed = one.call.handed(one.place + 1, request)
    for run in one.inner[:1]:
        yield from given(one.call, "the rest is given what is permitted", run, handed, run.given)


@register(CHECKS, "APR-003")
def deny_stops(reading: Reading) -> Found:
    """A denied call runs nothing."""
    return each(_decided(reading, "deny"), lambda p: runs(p.call, "nothing runs", p.outer, p.place + 1, 0, p.inner))


@register(CHECKS, "APR-004")
def the_reason_is_the_result(reading: Reading) -> Found:
    """A denied call's result is an error whose content is the reason."""

    def judge(one: Passage) -> Iterator[Evidence]:
        expected = {"content": one.checks[0].reply["deny"], "is_error": True}
        yield from gave(one.call, "the reason is the result", one.outer, expected, one.outer.reply)

    return each(_decided(reading, "deny"), judge)


@register(CHECKS, "APR-005")
def modify_replaces_the_arguments(reading: Reading) -> Found:
    """A modified call runs the rest once, with the new arguments."""

    def judge(one: Passage) -> Iterator[Evidence]:
        yield from runs(one.call, "the rest runs once", one.outer, one.place + 1, 1, one.inner)
        wanted = one.checks[0].reply["modify"]
        for run in one.inner[:1]:
            seen = run.given if one.call.handed(one.place + 1, {"arguments": 0}) == 0 else run.given.get("arguments")
            yield from given(one.call, "the arguments are the new ones", run, wanted, seen)

    return each(_decided(reading, "modify"), judge)


@register(CHECKS, "APR-006")
def modify_keeps_name_and_id(reading: Reading) -> Found:
    """A modified call keeps its name and its id."""
    found = [p for p in _decided(reading, "modify") if not (p.call.in_registry and p.place == len(p.call.layers) - 2)]

    def judge(one: Passage) -> Iterator[Evidence]:
        for run in one.inner[:1]:
            for key in ("name", "call_id"):
                yield from given(one.call, f"the {key} stays", run, one.outer.given[key], run.given.get(key))

    return each([p for p in found if p.inner], judge)


@register(CHECKS, "APR-007")
def a_permitted_result_passes(reading: Reading) -> Found:
    """The result of a call that was allowed or modified is handed back unchanged and at once."""
    found = [p for p in _decided(reading, "allow") + _decided(reading, "modify") if p.inner and p.inner[-1].finished]

    def judge(one: Passage) -> Iterator[Evidence]:
        run = one.inner[-1]
        yield from gave(one.call, "the result is handed back", one.outer, run.reply, one.outer.reply)
        yield from differs(one.call, "the result is handed back at once", one.outer.left, run.ended, one.outer.ended)

    return each(found, judge)
