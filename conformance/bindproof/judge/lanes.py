"""A log lane by lane: what is left of it when an order that the prediction leaves open is not looked at.

Enters: a prediction, a log, the lane of each record. Leaves: where each lane's records are, and the log in the order of
the lanes. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from bindproof.core.model import Json

LaneOf: TypeAlias = Callable[[Json], str]

KEPT = 64
"""So many orders of lanes are kept of one prediction."""


def places(predicted: Iterable[str], lanes: Iterable[str]) -> dict[str, list[int]]:
    """Return lane → where in the log its records are: the prediction's lanes first, then those of the log alone.

    lanes: the lane of each record of the log.
    """
    found: dict[str, list[int]] = {lane: [] for lane in predicted}
    for index, lane in enumerate(lanes):
        found.setdefault(lane, []).append(index)
    return found


class Order(Struct, frozen=True):
    """What a prediction asks of the order among its lanes."""

    sizes: dict[str, int]
    """How many records each lane has."""
    after: list[tuple[str, int, str, int]]
    """A record of a lane that comes after one of another."""

    @classmethod
    def of(cls, prediction: Json) -> Order | None:
        """Return the order of a prediction, None where records may be missing, or nothing is predicted for sure.

        Where a prediction is open what conforms need not be a run that the reference allows, so it says nothing of
        another order.
        """
        lanes: dict[str, list[Json]] | None = prediction.get("lanes")
        if (
            lanes is None
            or prediction.get("open")
            or any("$maybe" in record for records in lanes.values() for record in records)
        ):
            return None
        after = [(lane, at, other, before) for lane, at, other, before in prediction["after"]]
        return cls({lane: len(records) for lane, records in lanes.items()}, after)


class LaneByLane:
    """Puts logs of one prediction's scenario lane by lane; whether an order is allowed is found out once.

    Two logs of which the result is equal are equal to the reference, and to the checks, which are satisfied by every
    run that the reference allows.
    """

    def __init__(self, order: Order | None, lane_of: LaneOf) -> None:
        self._order, self._lane_of = order, lane_of
        self._orders: dict[tuple[str, ...], list[int] | None] = {}

    def __call__(self, log: list[Json]) -> list[Json] | None:
        """Return the records of a log lane by lane, where the order among its lanes is one that the prediction allows.

        None where that cannot be told: the order is another one, records may be missing, or one of them has no form.
        """
        try:
            lanes = tuple([self._lane_of(record) for record in log])
        except (KeyError, TypeError, AttributeError):
            return None  # no lane has such a record; who judges it says what is wrong
        order = self._orders.get(lanes)
        if order is None and lanes not in self._orders:
            order = None if self._order is None else _allowed(self._order, lanes)
            if len(self._orders) < KEPT:
                self._orders[lanes] = order
        return None if order is None else [log[index] for index in order]


def _allowed(order: Order, of_records: tuple[str, ...]) -> list[int] | None:
    """Return where the records of each lane are, lane after lane; None when the order is not allowed."""
    found = places(order.sizes, of_records)
    if any(len(found[lane]) != size for lane, size in order.sizes.items()) or len(found) != len(order.sizes):
        return None
    if any(found[lane][at] < found[other][before] for lane, at, other, before in order.after):
        return None
    return [index for indices in found.values() for index in indices]
