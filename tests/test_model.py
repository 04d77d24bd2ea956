"""Values: a copy equals what it was made of and shares no part with it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.core.model import copied, same

pytestmark = pytest.mark.long

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def parts(value: Any) -> list[int]:
    """The identities of all objects and lists in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return [] if inner is None else [id(value), *(part for item in inner for part in parts(item))]


@given(JSON)
def test_a_copy_is_the_same_and_shares_nothing(value: Any) -> None:
    copy = copied(value)

    assert same(copy, value)
    assert set(parts(copy)).isdisjoint(parts(value))
