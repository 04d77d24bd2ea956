"""A log lane by lane: the same for every order that the prediction allows, none for others."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.judge import LaneByLane, Order

PROGRAM = [{"fact": "enter", "of": "program"}, {"fact": "done", "of": "program"}]
TOLD = [{"fact": "event", "of": "s"}, {"fact": "event", "of": "s", "last": True}]
PREDICTION = {"lanes": {"program": PROGRAM, "s": TOLD}, "after": [["s", 0, "program", 0]]}


def apart(log: list[Any], prediction: Any = PREDICTION) -> list[Any] | None:
    """The log lane by lane."""
    return LaneByLane(Order.of(prediction), lambda record: str(record["of"]))(log)


@pytest.mark.parametrize(
    "log",
    [[*PROGRAM, *TOLD], [PROGRAM[0], TOLD[0], PROGRAM[1], TOLD[1]], [PROGRAM[0], *TOLD, PROGRAM[1]]],
)
def test_orders_that_are_left_open_are_one(log: list[Any]) -> None:
    assert apart(log) == [*PROGRAM, *TOLD]


@pytest.mark.parametrize(
    "log",
    [
        pytest.param([*TOLD, *PROGRAM], id="an order that is not allowed"),
        pytest.param([*PROGRAM, TOLD[0]], id="a record is missing"),
        pytest.param([*PROGRAM, *TOLD, {"fact": "event", "of": "t"}], id="a lane that nobody knows"),
        pytest.param([*PROGRAM, *TOLD, {"fact": "event"}], id="a record of no lane"),
        pytest.param([*PROGRAM, *TOLD, None], id="no record"),
    ],
)
def test_what_is_not_allowed_is_not_taken_apart(log: list[Any]) -> None:
    assert apart(log) is None


def test_the_order_within_a_lane_is_kept() -> None:
    assert apart([*PROGRAM, *reversed(TOLD)]) == [*PROGRAM, *reversed(TOLD)]


def test_where_records_may_be_missing_nothing_is_taken_apart() -> None:
    lanes = {"program": PROGRAM, "s": [{"$maybe": TOLD, "of": 1}, *TOLD]}
    assert apart([*PROGRAM, *TOLD, *TOLD], {"lanes": lanes, "after": []}) is None


def test_where_the_prediction_is_open_nothing_is_taken_apart() -> None:
    """What conforms there need not be a run of the reference, of which checks accept any order."""
    assert apart([*PROGRAM, *TOLD], PREDICTION | {"open": True}) is None


def test_an_order_is_looked_at_once() -> None:
    asked: list[str] = []

    def lane_of(record: Any) -> str:
        asked.append(record["of"])
        return str(record["of"])

    order = Order.of(PREDICTION)
    assert order is not None
    apart = LaneByLane(order, lane_of)
    log = [*PROGRAM, *TOLD]
    first = apart(log)
    order.after[:] = [("program", 0, "s", 1)]

    assert first == apart(log) == log
    assert apart([TOLD[0], *PROGRAM, TOLD[1]]) is None
    assert len(asked) == 12
