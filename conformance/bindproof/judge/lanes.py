"""A log lane by lane: what is left of it when an order that the prediction leaves open is not looked at.

Enters: a prediction, a log, the lane of each record. Leaves: where each lane's records are, and the log in the order of
the lanes. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from bindproof.core.model import Json

LaneOf: TypeAlias = Callable[[Json], str]

KEPT = 64
"""So many orders of lanes are kept of one prediction."""


def places(prediction: Json, lanes: Iterable[str]) -> dict[str, list[int]]:
    """Return lane → where in the log its records are: the prediction's lanes first, then those of the log alone.

    lanes: the lane of each record of the log.
    """
    found: dict[str, list[int]] = {lane: [] for lane in prediction["lanes"]}
    for index, lane in enumerate(lanes):
        found.setdefault(lane, []).append(index)
    return found


class LaneByLane:
    """Puts logs of one prediction's scenario lane by lane; whether an order is allowed is found out once.

    Two logs of which the result is equal are equal to the reference, and to the checks, which are satisfied by every
    run that the reference allows.
    """

    def __init__(self, prediction: Json, lane_of: LaneOf) -> None:
        self._prediction, self._lane_of = prediction, lane_of
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
            order = _allowed(self._prediction, lanes)
            if len(self._orders) < KEPT:
                self._orders[lanes] = order
        return None if order is None else [log[index] for index in order]


def _allowed(prediction: Json, of_records: tuple[str, ...]) -> list[int] | None:
    """Return where the records of each lane are, lane after lane; None when the prediction does not allow the order."""
    lanes: dict[str, list[Json]] = prediction["lanes"]
    if any("$maybe" in record for records in lanes.values() for record in records):
        return None
    found = places(prediction, of_records)
    if any(len(found[lane]) != len(records) for lane, records in lanes.items()) or len(found) != len(lanes):
        return None
    if any(found[lane][at] < found[other][before] for lane, at, other, before in prediction["after"]):
        return None
    return [index for indices in found.values() for index in indices]
