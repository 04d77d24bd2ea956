"""Checks of the chapter *The stack* (STK)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence
from bindproof.suites.interceptors.checks.common import (
    Check,
    Found,
    differs,
    each,
    gave,
    given,
    register,
    runs,
    unchanged,
)
from bindproof.suites.interceptors.reading import Invocation, Reading, Visit

CHECKS: dict[str, Check] = {}


@register(CHECKS, "STK-001")
def first_added_is_outermost(reading: Reading) -> Found:
    """Each layer is entered inside the one that was added before it."""
    calls = [call for call in reading.calls if call.root.inside and len(call.layers) > 1 and not call.astray]
    return [evidence for call in calls for evidence in _misplaced(call, call.root)] if calls else None


def _misplaced(call: Invocation, visit: Visit) -> Iterator[Evidence]:
    place = -1 if visit.place is None else visit.place
    last = call.next_probe(place)
    for one in visit.inside:
        if one.place is None or last is None or not place < one.place <= last:
            behind = f"a layer between {visit.callback or 'the call'} and the next one of the scenario"
            text = "layers are entered in the order of the stack"
            yield Evidence(call.lane, text, one.entered, behind, one.callback, also=call.records())
            return
        yield from _misplaced(call, one)


@register(CHECKS, "STK-002")
def an_empty_stack_is_the_operation(reading: Reading) -> Found:
    """Without layers the operation runs once, with the call's input, and its result is the call's."""
    calls = [call for call in reading.calls if len(call.layers) == 1 and not call.in_registry and call.came_back]
    return [evidence for call in calls for evidence in _bare(call)] if calls else None


def _bare(call: Invocation) -> Iterator[Evidence]:
    made = call.root.inside
    yield from runs(call, "the operation runs once", call.root, 0, 1, made)
    for one in made[:1]:
        yield from given(call, "the operation is given the input", one, call.given, one.given)
        yield from differs(call, "the call has the operation's result", call.done, one.reply, call.value)


def _ran(reading: Reading) -> list[tuple[Invocation, Visit, int]]:
    """Return the scenario's own layers that ended, right around what is seen; how often each runs the rest."""
    return [
        (call, one, _times(call, one))
        for call in reading.calls
        if not call.astray
        for one in call.visits()
        if one.finished and one.place is not None and one.place < len(call.layers) - 1 and call.is_probe(one.place)
        if call.is_probe(one.place + 1)
    ]


def _times(call: Invocation, visit: Visit) -> int:
    return int(call.layers[visit.place or 0].get("times", 1))


@register(CHECKS, "STK-003")
def each_run_of_next_runs_the_rest(reading: Reading) -> Found:
    """A layer that runs the rest k times enters it k times."""
    found = [(call, one, times) for call, one, times in _ran(reading) if times]
    text = "the rest runs as often as the layer ran it"
    return [
        evidence
        for call, one, times in found
        for evidence in runs(call, text, one, (one.place or 0) + 1, times, one.inside)
    ] if found else None  # fmt: skip


@register(CHECKS, "STK-004")
def without_next_nothing_runs(reading: Reading) -> Found:
    """A layer that does not run the rest is answered for at once: nothing inside it is entered."""
    found = [
        (call, one)
        for call in reading.calls
        for one in call.visits()
        if one.place is not None and call.layers[one.place].get("times") == 0
    ]
    text = "nothing is entered inside a layer that does not run the rest"
    return [
        Evidence(call.lane, text, later.entered, also=(*one.records(), *call.logged(one), *call.ends(one)))
        for call, one in found
        for later in one.inside[:1]
    ] if found else None  # fmt: skip


@register(CHECKS, "STK-005")
def what_is_handed_on_is_given(reading: Reading) -> Found:
    """A layer is given what the one around it handed on, and so is each of several runs; others are not touched."""
    found = [
        (call, outer, one)
        for call in reading.calls
        if not call.astray
        for outer in [call.root, *call.visits()]
        if outer.place is not None and (outer.place < 0 or call.is_probe(outer.place))
        for one in outer.inside
        if one.place == outer.place + 1 and call.is_probe(one.place)
        if not (one.place == len(call.layers) - 1 and (call.in_registry or len(call.layers) == 1))
    ]
    text = "what is handed on is what is given"
    return [
        evidence
        for call, outer, one in found
        for evidence in given(call, text, one, _handed(call, outer), one.given)
    ] if found else None  # fmt: skip


def _handed(call: Invocation, outer: Visit) -> object:
    layer = call.layers[outer.place] if outer.place is not None and outer.place >= 0 else {}
    return {**outer.given, **(layer.get("input") or {})}


@register(CHECKS, "STK-006")
def what_comes_back_is_handed_out(reading: Reading) -> Found:
    """A layer, and the call, get what the last run of the rest gave."""
    plain = [(call, one) for call, one, n in _ran(reading) if n and call.layers[one.place or 0].get("gives") is None]
    roots = [(c, c.root) for c in reading.calls if c.came_back and c.is_probe(0) and len(c.layers) > 1 and not c.astray]
    found = [(call, one) for call, one in plain + roots if one.inside and one.inside[-1].finished]
    text = "what the rest gave is what comes back"
    return [
        evidence
        for call, one in found
        for evidence in gave(call, text, one, one.inside[-1].reply, one.reply)
    ] if found else None  # fmt: skip


@register(CHECKS, "STK-007")
def a_shared_layer_is_one_instance(reading: Reading) -> Found:
    """What several stacks hold, or a derived one has from its origin, counts all of its entries."""
    shares = [
        step["as"] for step in reading.full["steps"] if step["step"] == "share" and step["as"] in reading.measures
    ]
    if not shares:
        return None
    entries = [one.callback for call in reading.calls for one in call.visits()]
    return [
        Evidence("program", f"the shared layer {name} has seen all of its entries", index, entries.count(name), value)
        for name in shares
        for index, value in [reading.measures[name]]
        if value != {"entered": entries.count(name)}
    ]


@register(CHECKS, "STK-008")
def noop_changes_nothing(reading: Reading) -> Found:
    """A layer that does nothing changes neither input nor result nor time."""
    return each(reading.complete("noop"), unchanged)
