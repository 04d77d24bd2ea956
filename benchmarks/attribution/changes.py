"""Changes of a log in one place.

Enters: a lawful log. Leaves: the places at which a kind of change can be made, and a log that is changed at one of
them. A place is a tuple, and what stands in it is the kind's own. Must not know what is lawful.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct

from bindproof.core.model import Json, copied

FOREIGN = "0fa117ed-0000-7000-8000-000000000000"
OTHER = "changed"

IDENTITIES = ("uuid", "parent_uuid", "propagation_root_uuid")
OF_THE_RECORD = ("fact", "callback", "k", "step", "subscriber")
"""Members that say whose record one is: a record with another one is another record."""

Place: TypeAlias = tuple[Json, ...]
LaneOf: TypeAlias = Callable[[Json], str]


class Kind(Struct, frozen=True):
    """A kind of change.

    places: where a log can be changed so. change: changes it there, in place. Records are told by their index.
    """

    places: Callable[[list[Json], LaneOf], Iterator[Place]]
    change: Callable[[list[Json], Place], None]


def changed(log: list[Json], kind: Kind, place: Place) -> list[Json]:
    """Return a log that is changed in one place."""
    log = copied(log)
    kind.change(log, place)
    return log


def leaves(value: Json, at: Place = ()) -> Iterator[Place]:
    """Yield the places of all that is neither an object nor a list with something in it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not value or not isinstance(value, dict | list):
        yield at
    for key, item in inside:
        yield from leaves(item, (*at, key))


def found_at(value: Json, place: Place) -> Json:
    """Return what stands at a place of a value."""
    for key in place:
        value = value[key]
    return value


def _put(log: list[Json], place: Place, value: Json) -> None:
    found_at(log, place[:-1])[place[-1]] = value


def _records(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    return ((at,) for at in range(len(log) - 1))


def _neighbours(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    lanes: dict[str, list[int]] = defaultdict(list)
    for at, record in enumerate(log[:-1]):
        lanes[lane_of(record)].append(at)
    return ((a, b) for places in lanes.values() for a, b in pairwise(places) if log[a] != log[b])


def _leaves(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    for at, record in enumerate(log[:-1]):
        for place in leaves(record):
            if place and place[0] not in (*OF_THE_RECORD, "given") and not _is_of_an_event(place):
                yield at, *place


def _given(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    """Yield the leaves of what callbacks were given."""
    for at, record in _entered(log):
        yield from ((at, "given", *place) for place in leaves(record["given"]) if place and not _is_of_an_event(place))


def _entered(log: list[Json]) -> Iterator[tuple[int, Json]]:
    return ((at, record) for at, record in enumerate(log[:-1]) if record["fact"] == "enter")


def _objects(value: Json, at: Place = ()) -> Iterator[Place]:
    """Yield the places of all objects in a value."""
    if isinstance(value, dict):
        yield at
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield from _objects(item, (*at, key))


def _objects_given(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    for at, record in _entered(log):
        yield from ((at, "given", *place) for place in _objects(record["given"]))


def _members_given(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    for place in _objects_given(log, lane_of):
        yield from ((*place, key) for key in found_at(log, place))


def _is_of_an_event(place: Place) -> bool:
    """Tell whether a place is an identity or a time: kinds of their own change those."""
    return place[-1] in IDENTITIES or place[-1] == "timestamp"


def _events(log: list[Json], *keys: str) -> Iterator[Place]:
    """Yield the places of these members of the events that subscribers were told and callbacks were given."""
    for at, record in enumerate(log[:-1]):
        for place in (("event",), ("given", "event")):
            event = record
            for key in place:
                event = event.get(key) if isinstance(event, dict) else None
            yield from ((at, *place, key) for key in keys if isinstance(event, dict) and key in event)


def _identities(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    return _events(log, *IDENTITIES)


def _times(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    return ((*place, step) for place in _events(log, "timestamp") for step in (-1000, 1000))


def _move(log: list[Json], place: Place) -> None:
    *at, step = place
    time = str(found_at(log, tuple(at)))
    if len(time) != len("2026-01-01T00:00:00.000000000+00:00"):
        return  # one time in a thousand has fewer digits
    moved = int(time[20:29]) + step
    if 0 <= moved < 1_000_000_000:
        _put(log, tuple(at), f"{time[:20]}{moved:09d}+00:00")


def _givings(log: list[Json], lane_of: LaneOf) -> Iterator[Place]:
    entries = [(at, record["given"]) for at, record in enumerate(log) if record["fact"] == "enter"]
    return (
        (at, other)
        for at, given in entries
        for other, value in entries
        if given != value and given.keys() == value.keys()
    )


def _swap(log: list[Json], place: Place) -> None:
    a, b = place
    log[a], log[b] = log[b], log[a]


KINDS = {
    "drop": Kind(_records, lambda log, place: log.__delitem__(place[0])),
    "double": Kind(_records, lambda log, place: log.insert(place[0], copied(log[place[0]]))),
    "swap": Kind(_neighbours, _swap),
    "leaf": Kind(_leaves, lambda log, place: _put(log, place, 1 if found_at(log, place) == OTHER else OTHER)),
    "given": Kind(_given, lambda log, place: _put(log, place, 1 if found_at(log, place) == OTHER else OTHER)),
    "surplus": Kind(_objects_given, lambda log, place: _put(log, (*place, OTHER), OTHER)),
    "lacking": Kind(_members_given, lambda log, place: found_at(log, place[:-1]).__delitem__(place[-1])),
    "uuid": Kind(_identities, lambda log, place: _put(log, place, FOREIGN)),
    "time": Kind(_times, _move),
    "other value": Kind(_givings, lambda log, place: _put(log, (place[0], "given"), copied(log[place[1]]["given"]))),
}
"""Name → a kind of change: a record lost, told twice, exchanged with its neighbour in its lane; one value inside a
record, or in what a callback is given, another; a member of that too many, or too few; an identity or a time by a
microsecond another; a callback given what another one was."""

GIVEN = ("given", "surplus", "lacking")
"""The kinds of change that are in what callbacks are given."""
