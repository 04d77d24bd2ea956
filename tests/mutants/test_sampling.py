"""Samples of faults: as many as are asked for, the same each time, and from everywhere."""

from __future__ import annotations

import pytest

from bindproof.mutants import sample

FAULTS = [f"{file}:{line}" for file in "abcd" for line in range(25)]


@pytest.mark.parametrize("seed", range(20))
def test_each_part_has_its_share(seed: int) -> None:
    drawn = sample(FAULTS, 8, seed)

    assert [fault[0] for fault in drawn] == list("aabbccdd")


def test_a_seed_draws_the_same_and_another_one_others() -> None:
    assert sample(FAULTS, 10, 3) == sample(FAULTS, 10, 3)
    assert {fault for seed in range(200) for fault in sample(FAULTS, 10, seed)} == set(FAULTS)


@pytest.mark.parametrize("count", [100, 101])
def test_of_no_more_than_there_are_all_are_drawn_once(count: int) -> None:
    assert sample(FAULTS, count, 1) == FAULTS
