"""A log lane by lane: what is left of it when an order that the prediction leaves open is not looked at.

Enters: a prediction, a log, the lane of each record. Leaves: where each lane's records are, and the log in the order of
the lanes. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from bindproof.model import Json

LaneOf = Callable[[Json], str]


def places(prediction: Json, log: list[Json], lane_of: LaneOf) -> dict[str, list[int]]:
    """Return lane → where in the log its records are: the prediction's lanes first, then those of the log alone."""
    found: dict[str, list[int]] = {lane: [] for lane in prediction["lanes"]}
    for index, record in enumerate(log):
        found.setdefault(lane_of(record), []).append(index)
    return found


def lane_by_lane(prediction: Json, log: list[Json], lane_of: LaneOf) -> list[Json] | None:
    """Return the records of a log lane by lane, where the order among its lanes is one that the prediction allows.

    Two logs of which this is equal are equal to the reference, and to the checks, which are satisfied by every run that
    the reference allows. None where that cannot be told: the order is another one, records may be missing, or one of
    them has no form.
    """
    lanes: dict[str, list[Json]] = prediction["lanes"]
    if any("$maybe" in record for records in lanes.values() for record in records):
        return None
    try:
        found = places(prediction, log, lane_of)
    except (KeyError, TypeError, AttributeError):
        return None  # no lane has such a record; who judges it says what is wrong
    if any(len(found[lane]) != len(records) for lane, records in lanes.items()) or len(found) != len(lanes):
        return None
    if any(found[lane][at] < found[other][before] for lane, at, other, before in prediction["after"]):
        return None
    return [log[index] for indices in found.values() for index in indices]
