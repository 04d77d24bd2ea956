"""Whether a scenario has in it what a smaller one shows."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.runner.campaign.containment import contains

Json = Any


@pytest.mark.parametrize(
    ("small", "big"),
    [
        ({"step": "call"}, {"step": "call", "name": "gpt"}),
        ([1, 3], [1, 2, 3]),
        ({"name": "a"}, {"name": "anything"}),
        ({"data": 0}, {"data": 7.5}),
        ({"set": {"/request/headers/a": 0}}, {"set": {"/request/headers/tracestate": None}}),
        ([{"s": 1}, {"c": 1}], [{"x": 1}, {"s": 1, "y": 2}, {"c": 1}]),
    ],
)
def test_a_part_is_contained(small: Json, big: Json) -> None:
    assert contains(big, small)


@pytest.mark.parametrize(
    ("small", "big"),
    [
        ({"step": "call"}, {"step": "helper"}),
        ([3, 1], [1, 2, 3]),
        ([1, 1], [1]),
        ({"data": 9007199254740993}, {"data": 9007199254740992}),
        ({"data": True}, {"data": 1}),
        ({"data": 0}, {"data": {"k": 1}}),
        ({"do": []}, {"do": {}}),
    ],
)
def test_what_is_not_there_is_not(small: Json, big: Json) -> None:
    assert not contains(big, small)
