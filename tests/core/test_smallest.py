"""Which of two scenarios is the smaller."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from bindproof.core.smallest import size
from tests.test_model import JSON


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        ({"steps": [1]}, {"steps": [1, 1]}),
        ({"steps": [{"name": "a"}]}, {"steps": [{"name": "b"}]}),
        ({"name": "a"}, {"name": ""}),
        (["aa"], [["aa"]]),
        ([0], [False]),
        ({"a": "x" * 9}, {"a": "x", "b": {"c": []}, "d": {"e": []}}),
    ],
)
def test_less_to_read_is_smaller(smaller: Any, larger: Any) -> None:
    assert size(smaller) < size(larger)


@pytest.mark.long
@given(JSON)
def test_equal_documents_are_of_one_size_whatever_the_order_of_keys(value: Any) -> None:
    turned = dict(reversed(value.items())) if isinstance(value, dict) else value
    assert size(turned) == size(value)
