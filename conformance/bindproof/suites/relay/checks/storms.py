"""Checks of the chapter *Calls in flight* (FLT) about calls that run at once.

Nothing is foretold of the whole. Each holds of each call alone, whatever the others do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, PROGRAM, Check, Found, judged, part, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.storms import Part, Story, Visit, kind_of, own_names

CHECKS: dict[str, Check] = {}


@register(CHECKS, "FLT-012")
def each_call_is_told_whole(reading: Reading) -> Found:
    """Of each program all is told once, in its order, with the argument and the answer of its own call."""
    storm = reading.storm
    if storm is None or not storm.subscribers:
        return None
    found = [
        Evidence(name, "this is told of none of the calls", at, None, event) for name, (at, event) in storm.nobodys
    ]
    for one, subscriber in storm.lives():
        found += [*_whole(storm, one, subscriber), *_paired(one, subscriber), *_own_data(one, subscriber)]
    for subscriber in storm.subscribers:
        found += _apart(storm, subscriber)
    return found


def _whole(storm: Story, one: Part, subscriber: str) -> Iterator[Evidence]:
    """Yield evidence unless a program's events are those that it has, in their order."""
    expected = list(_due(storm, one))
    told = [(kind_of(event), event.get("name")) for _, event in one.told[subscriber]]
    if told == expected:
        return
    missing, more = Counter(expected) - Counter(told), Counter(told) - Counter(expected)
    what = "is not told" if missing else "is told too often" if more else "is told in another order"
    at = one.told[subscriber][-1][0] if one.told[subscriber] else None
    yield Evidence(subscriber, f"what belongs to the call {one.program.name!r} {what}", at, expected, told)


def _due(storm: Story, one: Part) -> Iterator[tuple[str, Json]]:
    """Yield what is told of a program: phase and name."""
    for step in one.program.steps:
        name = step.get("name", one.program.scope["name"])
        if step["step"] == "mark":
            yield "mark", name
            continue
        if step["step"] in ("start", "call"):
            yield "start", name
        if step["step"] == "call" and step["kind"] == "llm":
            yield from (("mark", mark) for mark in storm.marks)
        if step["step"] in ("end", "call"):
            yield "end", name


def _paired(one: Part, subscriber: str) -> Iterator[Evidence]:
    """Yield evidence for each end that has not the identity of its start."""
    for of in (one.of_scope, one.of_call):
        starts, ends = of("start", subscriber), of("end", subscriber)
        for (_, start), (at, end) in zip(starts[:1], ends[:1], strict=False):
            if not same(start.get("uuid"), end.get("uuid")):
                text = f"an end of {one.program.name!r} has the identity of its start"
                yield Evidence(subscriber, text, at, start.get("uuid"), end.get("uuid"), at="/event/uuid")


def _own_data(one: Part, subscriber: str) -> Iterator[Evidence]:
    """Yield evidence for each start or end of a call that tells not of its own argument or answer."""
    name = one.program.name
    ends = [] if one.program.raises else one.of_call("end", subscriber)
    for at, event in [*one.of_call("start", subscriber), *ends]:
        says = own_names(event.get("data"))
        if says != {name}:
            text = f"the {kind_of(event)} of {name!r} tells of its own call"
            yield Evidence(subscriber, text, at, [name], sorted(says), at="/event/data")


def _apart(storm: Story, subscriber: str) -> Iterator[Evidence]:
    """Yield evidence for each start that shares its identity with another one."""
    owners: dict[Json, str] = {}
    for one in storm.parts:
        for at, event in [*one.of_scope("start", subscriber), *one.of_call("start", subscriber)]:
            uuid = event.get("uuid")
            other = owners.setdefault(uuid, str(event.get("name")))
            if other != event.get("name"):
                text = f"{event.get('name')!r} and {other!r} have one identity"
                yield Evidence(subscriber, text, at, None, uuid, at="/event/uuid")


@register(CHECKS, "FLT-013")
def each_call_is_in_its_own_scope(reading: Reading) -> Found:
    """The scope that a program starts is the parent of its call and its marks, and the call that of pending ones."""
    storm = reading.storm
    if storm is None or not storm.subscribers:
        return None
    started = {subscriber: _identities(storm, subscriber) for subscriber in storm.subscribers}
    lives = storm.lives()
    return [evidence for one, subscriber in lives for evidence in _parents(one, subscriber, started[subscriber])]


def _parents(one: Part, subscriber: str, started: set[Json]) -> Iterator[Evidence]:
    """Yield what a subscriber was told of a program that is in no scope of its own. started: what any of them did."""
    scopes, calls = one.of_scope("start", subscriber), one.of_call("start", subscriber)
    if not scopes or not calls:
        return  # FLT-012
    scope, call = scopes[0][1].get("uuid"), calls[0][1].get("uuid")
    pending = one.pending(subscriber)
    own = {id(event): call for _, event in pending}
    for at, event in one.told[subscriber]:
        if event.get("name") != one.program.scope["name"]:
            wanted = own.get(id(event), scope)
            if not same(event.get("parent_uuid"), wanted):
                text = f"what {one.program.name!r} does is in its own scope"
                yield Evidence(subscriber, text, at, wanted, event.get("parent_uuid"), at="/event/parent_uuid")
        elif event.get("parent_uuid") in started:
            text = f"the scope of {one.program.name!r} is in nobody else's"
            yield Evidence(subscriber, text, at, None, event.get("parent_uuid"), at="/event/parent_uuid")


def _identities(storm: Story, subscriber: str) -> set[Json]:
    """Return the identities of all that the programs started."""
    return {event.get("uuid") for one in storm.parts for _, event in one.told[subscriber] if kind_of(event) == "start"}


@register(CHECKS, "FLT-014")
def each_callback_is_given_its_own_call(reading: Reading) -> Found:
    """Each callback is called once in each call of its kind, and all that it is given is of that call."""
    storm = reading.storm
    if storm is None:
        return None
    found: list[Evidence] = []
    for one in storm.parts:
        found += [evidence for visit in one.visits for evidence in _own_argument(one, visit)]
        found += _each_once(storm, one)
    return judged(found, [visit for one in storm.parts for visit in one.visits])


def _own_argument(one: Part, visit: Visit) -> Iterator[Evidence]:
    if visit.says != {one.program.name}:
        text = f"{visit.callback!r} is given what is of the call {one.program.name!r} alone"
        if visit.part == "provider" or visit.says - {one.program.name}:
            yield Evidence(PROGRAM, text, visit.at, [one.program.name], sorted(visit.says), at="/given")


def _each_once(storm: Story, one: Part) -> Iterator[Evidence]:
    kind = one.program.call["kind"]
    times = Counter(visit.callback for visit in one.visits)
    due = [name for name, of in storm.inline.items() if of == kind]
    for name in [*due, f"{one.program.call['as']}.provider"]:
        if times[name] != 1:
            text = f"{name!r} is called once in the call {one.program.name!r}"
            yield Evidence(EVERY_LANE, text, None, 1, times[name])


@register(CHECKS, "FLT-015")
def each_caller_is_given_its_own_answer(reading: Reading) -> Found:
    """Each caller is given what the provider of its own call answered or raised."""
    storm = reading.storm
    if storm is None:
        return None
    return [evidence for one in storm.parts for evidence in _own_answer(storm, one)]


def _own_answer(storm: Story, one: Part) -> Iterator[Evidence]:
    for step, (at, done) in one.done.items():
        error = None if done.error is UNSET else done.error
        value = None if done.value is UNSET else done.value
        if step != one.program.call["as"]:
            if error is not None:
                yield Evidence(PROGRAM, "what a program does besides its call succeeds", at, None, error, at="/error")
        elif one.program.raises is not None:
            texts = {other.program.raises for other in storm.parts if other.program.raises}
            told = str(part(error, "message"))
            if error is None or {text for text in texts if text in told} != {one.program.raises}:
                text = f"{one.program.name!r} ends with what its own provider raised"
                yield Evidence(PROGRAM, text, at, one.program.raises, error if error is not None else value)
        elif error is not None:
            yield Evidence(PROGRAM, f"{one.program.name!r} is answered", at, None, error, at="/error")
        elif own_names(value) != {one.program.name}:
            text = f"{one.program.name!r} is given its own answer"
            yield Evidence(PROGRAM, text, at, [one.program.name], value, at="/value")
