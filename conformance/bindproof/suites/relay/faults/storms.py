"""Planted faults of the chapter *Calls in flight* (FLT) in storms: each crosses two calls out of all, and no more."""

from __future__ import annotations

from itertools import combinations

from msgspec import UNSET

from bindproof.core.model import Json, copied
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.storms import Part, Told
from bindproof.suites.relay.scenario.storms import OWN

FAULTS: dict[str, Fault] = {}

Pair = tuple[Part, Part]


def _pairs(spoiled: Spoiled) -> list[Pair]:
    """Return each two programs of the storm."""
    storm = spoiled.reading.storm
    return [] if storm is None else list(combinations(storm.parts, 2))


def _of_both(spoiled: Spoiled, phase: str) -> list[tuple[Told, Told]]:
    """Return of some two calls the starts or the ends, as each subscriber was told of them."""
    storm = spoiled.reading.storm
    if storm is None or not storm.subscribers:
        return []
    one, other = storm.parts[0], storm.parts[-1]
    return [(one.of_call(phase, name)[0], other.of_call(phase, name)[0]) for name in storm.subscribers]


def _exchange(spoiled: Spoiled, found: list[tuple[Told, Told]], member: str) -> bool:
    """Exchange a member of each two events."""
    for (_, one), (_, other) in found:
        one[member], other[member] = other[member], one[member]
    return bool(found)


@plant(FAULTS, "cross_ends", "two calls at once have each other's end", "FLT-012", storms=True)
def cross_ends(spoiled: Spoiled) -> bool:
    """Exchange the identities of two ends."""
    return _exchange(spoiled, _of_both(spoiled, "end"), "uuid")


@plant(FAULTS, "cross_arguments_told", "the starts of two calls at once show each other's data", "FLT-012", storms=True)
def cross_arguments_told(spoiled: Spoiled) -> bool:
    """Exchange the data of two starts."""
    return _exchange(spoiled, _of_both(spoiled, "start"), "data")


@plant(FAULTS, "start_another_twice", "of two calls at once one is started twice", "FLT-012", storms=True)
def start_another_twice(spoiled: Spoiled) -> bool:
    """Tell the start of a call again in place of another's."""
    found = _of_both(spoiled, "start")
    for (_, one), (at, _) in found:
        spoiled.log[at]["event"] = copied(one)
    return bool(found)


@plant(FAULTS, "lend_a_mark", "of two calls at once one has a mark of the other", "FLT-012", storms=True)
def lend_a_mark(spoiled: Spoiled) -> bool:
    """Tell a pending mark as if another call had stated it."""
    storm = spoiled.reading.storm
    names = [] if storm is None else storm.subscribers
    for one, other in _pairs(spoiled):
        if names and one.pending(names[0]) and other.pending(names[0]):
            for name in names:
                _, mark = one.pending(name)[0]
                mark["data"] = {OWN: other.program.name}
                mark["parent_uuid"] = other.of_call("start", name)[0][1]["uuid"]
            return True
    return False


@plant(FAULTS, "cross_parents", "two calls at once are told in each other's scope", "FLT-013", storms=True)
def cross_parents(spoiled: Spoiled) -> bool:
    """Exchange the parents of two calls."""
    return _exchange(spoiled, [*_of_both(spoiled, "start"), *_of_both(spoiled, "end")], "parent_uuid")


@plant(FAULTS, "share_a_scope_stack", "a scope is opened in what another thread is doing", "FLT-013", storms=True)
def share_a_scope_stack(spoiled: Spoiled) -> bool:
    """Put a program's scope into another's call."""
    storm = spoiled.reading.storm
    if storm is None or not storm.subscribers:
        return False
    one, other = storm.parts[0], storm.parts[-1]
    for name in storm.subscribers:
        for _, event in [*one.of_scope("start", name), *one.of_scope("end", name)]:
            event["parent_uuid"] = other.of_call("start", name)[0][1]["uuid"]
    return True


@plant(FAULTS, "cross_arguments", "the providers of two calls at once are given each other's argument", "FLT-014",
       storms=True)  # fmt: skip
def cross_arguments(spoiled: Spoiled) -> bool:
    """Exchange what two providers of one kind were given."""
    for one, other in _pairs(spoiled):
        if one.program.call["kind"] == other.program.call["kind"]:
            at, there = one.provided.at, other.provided.at
            spoiled.log[at]["given"], spoiled.log[there]["given"] = (
                spoiled.log[there]["given"],
                spoiled.log[at]["given"],
            )
            return True
    return False


@plant(FAULTS, "call_for_another", "a callback is called twice in one of two calls at once", "FLT-014", storms=True)
def call_for_another(spoiled: Spoiled) -> bool:
    """Give a callback the argument of another call again, and not that of its own."""
    storm = spoiled.reading.storm
    for one, other in _pairs(spoiled):
        for visit, own in [(visit, own) for visit in one.visits for own in other.visits]:
            if storm is not None and visit.callback == own.callback and visit.callback in storm.inline:
                spoiled.log[own.at]["given"] = copied(spoiled.log[visit.at]["given"])
                return True
    return False


@plant(FAULTS, "cross_answers", "the callers of two calls at once have each other's answer", "FLT-015", storms=True)
def cross_answers(spoiled: Spoiled) -> bool:
    """Exchange what two calls of one kind came to."""
    for one, other in _pairs(spoiled):
        if one.program.call["kind"] == other.program.call["kind"]:
            (at, _), (there, _) = one.done[one.program.call["as"]], other.done[other.program.call["as"]]
            first, second = spoiled.log[at], spoiled.log[there]
            spoiled.log[at], spoiled.log[there] = _of_step(second, first), _of_step(first, second)
            return True
    return False


def _of_step(record: Json, place: Json) -> Json:
    """Return a `done` as that of another step."""
    return {**record, "step": place["step"]}


@plant(FAULTS, "fail_another", "a call at once with one that fails fails too", "FLT-015", storms=True)
def fail_another(spoiled: Spoiled) -> bool:
    """Give a call that was answered the error of another."""
    for one, other in _pairs(spoiled):
        for failed, answered in ((one, other), (other, one)):
            if failed.program.raises is not None and answered.program.raises is None:
                (at, done), (there, _) = (
                    failed.done[failed.program.call["as"]],
                    answered.done[answered.program.call["as"]],
                )
                if done.error is not UNSET:
                    spoiled.log[there] = _of_step(copied(spoiled.log[at]), spoiled.log[there])
                    return True
    return False
