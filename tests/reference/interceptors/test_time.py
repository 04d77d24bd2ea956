"""The reference's clock: waits and deadlines are exact, and nothing sleeps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from bindproof_reference.interceptors.durations import (
    jittered,
    milliseconds,
    power,
    retry_delay,
    shown,
    ticks,
    tool_delay,
)
from bindproof_reference.interceptors.world import ExpiredError, World


@pytest.mark.parametrize(
    ("numbers", "waits"),
    [
        ((500, 30_000, 2.0), [500, 1000, 2000]),
        ((7, 20, 1.5), [7, 10, 15, 20]),
        ((7.9, 100, 1.5), [7, 10, 15]),
        ((0.9, 100, 10), [0, 0]),
        ((10, 10.5, 2), [10, Fraction(21, 2)]),
        ((10, 1000, -2), [10, 0, 40, 0]),
        ((10, 1000, "NaN"), [10, 0, 0]),
        ((10, 1000, "Infinity"), [10, 1000, 1000]),
        ((0, 1000, "Infinity"), [0, 0]),
        ((10, 1000, "-Infinity"), [10, 0, 1000]),
        ((10, 1e9, 1e300), [10, 10**9, 10**9]),
        ((10, 0, 2), [0, 0]),
    ],
)
def test_delays_of_a_retry(numbers: tuple[float, float, Any], waits: list[Fraction]) -> None:
    initial, most, multiplier = numbers
    assert [retry_delay(n, initial, most, multiplier) for n in range(1, len(waits) + 1)] == waits


def test_delays_of_a_tool_keep_their_fractions() -> None:
    waits = [tool_delay(n, 7.25, 20, 1.5) for n in (1, 2, 3, 4)]
    assert waits == [Fraction(29, 4), Fraction(87, 8), Fraction(261, 16), 20]
    assert [ticks(wait) for wait in waits] == [8, 11, 17, 20]
    assert jittered(1, 100, 1000, 2, 0.25) == (Fraction(75), Fraction(100))


def test_powers_are_taken_by_squaring() -> None:
    assert power(1.1, 0) == 1.0
    assert power(3.0, 5) == 243.0
    assert power(1.1, 3) == 1.1 * (1.1 * 1.1)


@pytest.mark.parametrize(
    ("duration", "text"),
    [(30_000, "30s"), (1500, "1.5s"), (10, "10ms"), (1.5, "1.5ms"), (0.999, "999µs"), (0, "0ns"), (1001, "1.001s")],
)
def test_durations_are_shown_in_their_largest_unit(duration: float, text: str) -> None:
    assert shown(duration) == text


def test_a_wait_ends_at_the_first_millisecond_that_is_not_before_its_end() -> None:
    world = World()
    world.wait(milliseconds(1.5))
    assert world.now == 2


@pytest.mark.long
def test_the_earliest_deadline_comes_first_and_of_equal_ones_the_innermost() -> None:
    world = World()
    with world.deadline(Fraction(5)), world.deadline(Fraction(3)) as inner, world.deadline(Fraction(9)):
        with pytest.raises(ExpiredError) as expired:
            world.wait(Fraction(4))
        assert expired.value.owner is inner
        assert world.now == 3
    with world.deadline(Fraction(2)), world.deadline(Fraction(2)) as inner:
        world.wait(Fraction(2))
        with pytest.raises(ExpiredError) as expired:
            world.wait(Fraction(1))
        assert expired.value.owner is inner
        assert world.now == 5


def test_what_jitter_leaves_open_blurs_all_later_instants() -> None:
    world = World()
    world.wait_between(Fraction(10), Fraction(10))
    assert world.instant() == {"$time": {"as": "program/0", "equal": 10}}
    world.wait_between(Fraction(5), Fraction(10))
    assert world.instant() == {"$any": True}
    chosen = World(between=lambda low, high: low)
    chosen.wait_between(Fraction(5), Fraction(10))
    assert chosen.instant() == 5
