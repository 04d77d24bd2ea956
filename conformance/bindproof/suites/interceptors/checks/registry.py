"""Checks of the chapter *The tool registry* (REG)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from bindproof.core.model import Evidence
from bindproof.suites.interceptors.arguments import satisfies
from bindproof.suites.interceptors.checks.common import Check, Found, differs, given, missing, register
from bindproof.suites.interceptors.reading import Invocation, Reading, Visit

CHECKS: dict[str, Check] = {}


def _calls(reading: Reading) -> list[Invocation]:
    return [call for call in reading.calls if call.in_registry and call.done is not None]


def _derived(reading: Reading, call: Invocation) -> bool:
    return any(step["as"] == call.step["on"] and step["step"] == "derive" for step in reading.full["steps"])


def _evidence(calls: Iterable[Invocation], why: str) -> Found:
    found = list(calls)
    return [evidence for call in found for evidence in _refused(call, why)] if found else None


def _refused(call: Invocation, why: str) -> Iterator[Evidence]:
    for visit in call.root.inside[:1]:
        text = f"{why}: no layer and no handler runs"
        yield Evidence(call.lane, text, visit.entered, None, visit.callback, also=call.records())
    value = call.value if isinstance(call.value, dict) else {}
    if value.get("is_error") is not True:
        yield Evidence("program", f"{why}: the result is an error", call.done, {"is_error": True}, call.value)


@register(CHECKS, "REG-001")
def an_unknown_tool_is_an_error(reading: Reading) -> Found:
    """A call of a tool that is not registered is answered with an error, and nothing runs."""
    return _evidence((c for c in _calls(reading) if c.tool is None and not _derived(reading, c)), "the tool is unknown")


@register(CHECKS, "REG-002")
def invalid_arguments_are_an_error(reading: Reading) -> Found:
    """A call whose arguments the tool's schema refuses is answered with an error, and nothing runs."""
    return _evidence((c for c in _calls(reading) if c.tool is not None and not c.valid), "the arguments are invalid")


@register(CHECKS, "REG-003")
def the_handler_is_given_the_arguments(reading: Reading) -> Found:
    """The handler runs inside all layers, and is given the arguments that the innermost one handed on."""
    found = [
        (call, outer, run)
        for call in _calls(reading)
        if call.accepted and not call.astray
        for outer in [call.root, *call.visits()]
        for run in outer.inside
        if _right_around(call, outer, run)
    ]
    text = "the handler is given the arguments"
    return [
        evidence
        for call, outer, run in found
        for evidence in given(call, text, run, _arguments(call, outer), run.given)
    ] if found else None  # fmt: skip


def _right_around(call: Invocation, outer: Visit, run: Visit) -> bool:
    """Tell whether a visit is right around the handler's, a tool's own retry apart."""
    last = len(call.layers) - 1
    if run.place != last or outer.place is None or outer.place == last:
        return False
    between = call.layers[outer.place + 1 : last]
    return (outer.place < 0 or call.is_probe(outer.place)) and all(one["layer"] == "tool_retry" for one in between)


def _arguments(call: Invocation, outer: Visit) -> object:
    layer = call.layers[outer.place] if outer.place is not None and outer.place >= 0 else {}
    return {**outer.given, **(layer.get("input") or {})}["arguments"]


@register(CHECKS, "REG-004")
def a_call_comes_back_with_its_id(reading: Reading) -> Found:
    """A call always comes back with a result, which bears the call's id."""
    found = [call for call in _calls(reading) if call.step["step"] == "call" and call.place["as"] not in reading.failed]
    text = "the result bears the call's id"
    seen = [(call, call.value.get("tool_call_id") if isinstance(call.value, dict) else call.error) for call in found]
    return [e for c, one in seen for e in differs(c, text, c.done, c.given["call_id"], one)] if found else None


@register(CHECKS, "REG-005")
def changed_arguments_are_valid_too(reading: Reading) -> Found:
    """No handler is given arguments that its tool's schema refuses, also where a layer changed them."""
    found = [call for call in _calls(reading) if call.astray]
    text = "a handler is given valid arguments only"
    return [
        Evidence(call.lane, text, run.entered, call.tool["schema"], run.given, also=also)
        for call in found
        for also in [(*call.records(), *call.ends(call.root))]
        for run in call.visits()
        if run.place == len(call.layers) - 1 and not satisfies(call.tool["schema"], run.given)
    ] if found else None  # fmt: skip


def _together(reading: Reading) -> list[list[Invocation]]:
    """Return the calls of each step that makes several."""
    steps = [step["as"] for step in reading.full["steps"] if step["step"] == "all"]
    return [[call for call in _calls(reading) if call.step["as"] == name and call.error is None] for name in steps]


@register(CHECKS, "REG-006")
def results_are_in_the_order_of_calls(reading: Reading) -> Found:
    """Of several calls the results come in the order of the calls, in parallel too."""
    found = [calls for calls in _together(reading) if calls]
    text = "results are in the order of the calls"
    return [
        evidence
        for calls in found
        for call in calls
        for evidence in differs(call, text, call.done, call.given["call_id"], _id(call))
    ] if found else None  # fmt: skip


def _id(call: Invocation) -> object:
    return call.value.get("tool_call_id") if isinstance(call.value, dict) else None


@register(CHECKS, "REG-007")
def parallel_calls_begin_together(reading: Reading) -> Found:
    """In parallel all calls begin at once; otherwise each begins when the one before has ended."""
    found = [[call for call in calls if call.root.inside] for calls in _together(reading)]
    return [e for calls in found for e in _ordered(calls)] if any(len(calls) > 1 for calls in found) else None


def _ordered(calls: list[Invocation]) -> Iterator[Evidence]:
    for one, after in pairwise(calls):
        first = after.root.inside[0]
        expected = one.began if one.step["parallel"] else one.root.inside[-1].ended
        text = (
            "calls in parallel begin together"
            if one.step["parallel"]
            else "a call begins when the one before has ended"
        )
        yield from differs(after, text, first.entered, expected, first.began)


@register(CHECKS, "REG-008")
def a_derived_registry_has_its_tools(reading: Reading) -> Found:
    """A derived registry has the tools that it was given and no other."""
    found = [call for call in _calls(reading) if _derived(reading, call) and call.valid and not call.astray]
    return [evidence for call in found for evidence in _derived_call(call)] if found else None


def _derived_call(call: Invocation) -> Iterator[Evidence]:
    if call.tool is None:
        yield from _refused(call, "the derived registry does not have the tool")
    elif not call.root.inside and (call.is_probe(0) or len(call.layers) == 1):
        about = missing(call, 0, 1, 0)
        yield Evidence(call.lane, "the derived registry has the tool", call.done, call.layers[0], None, about=about)
