"""JSON pointers: what they say, and that copies change in one place only."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.core.model import same
from bindproof.core.pointer import (
    PointerError,
    leads_somewhere,
    pointer_to,
    tokens_of,
    value_at,
    with_value,
    without,
)

Json = Any

KEYS = st.text(alphabet="ab/~01-é", max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=10,
)

RFC_6901 = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6, " ": 7, "m~n": 8}


def places(value: Json, at: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Every value in a value, with the keys and indexes that lead to it."""
    yield at, value
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in members:
        yield from places(item, (*at, key))


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC_6901),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_an_example_of_the_rfc_leads_to_its_value(pointer: str, value: Json) -> None:
    assert value_at(RFC_6901, pointer) == value


@pytest.mark.long
@given(st.lists(KEYS))
def test_tokens_and_their_pointer_say_the_same(tokens: list[str]) -> None:
    assert tokens_of(pointer_to(tokens)) == tokens


@pytest.mark.long
@given(JSON)
def test_every_place_of_a_value_is_led_to(value: Json) -> None:
    for at, there in places(value):
        assert value_at(value, pointer_to(at)) is there


@pytest.mark.long
@given(JSON, st.data())
def test_a_value_that_is_put_is_there_and_nothing_else_changes(value: Json, data: st.DataObject) -> None:
    inner = [at for at, _ in places(value) if at]
    if not inner:
        return
    at, before = data.draw(st.sampled_from(inner)), deepcopy(value)

    changed = with_value(value, pointer_to(at), "put")

    assert same(value, before)
    assert value_at(changed, pointer_to(at)) == "put"
    outside = [place for place, _ in places(value) if place[: len(at)] != at]
    assert outside == [place for place, _ in places(changed) if place[: len(at)] != at]


@pytest.mark.long
@given(JSON, st.data())
def test_a_member_that_is_cut_is_gone(value: Json, data: st.DataObject) -> None:
    inner = [at for at, _ in places(value) if at]
    if not inner:
        return
    at, before = data.draw(st.sampled_from(inner)), deepcopy(value)

    changed = without(value, pointer_to(at))

    assert same(value, before)
    held, whole = value_at(changed, pointer_to(at[:-1])), value_at(value, pointer_to(at[:-1]))
    expected = deepcopy(whole)
    del expected[at[-1]]
    assert same(held, expected)


@pytest.mark.long
@given(st.text(alphabet="/~01ab"), JSON)
def test_any_text_leads_somewhere_or_is_refused(pointer: str, value: Json) -> None:
    known = {pointer_to(at) for at, _ in places(value)}
    assert leads_somewhere(value, pointer) == (pointer in known)


@pytest.mark.parametrize("pointer", ["a", "a/b", "/~", "/a~2b", "/~~0"])
def test_what_is_no_pointer_is_refused_with_the_reason(pointer: str) -> None:
    with pytest.raises(PointerError, match="is no JSON pointer"):
        tokens_of(pointer)


@pytest.mark.parametrize("pointer", ["/3", "/-", "/-1", "/01", "/٣", "/x", "/0/x", "/" + "9" * 5000])
def test_a_place_that_is_not_there_is_refused(pointer: str) -> None:
    with pytest.raises(PointerError, match="leads nowhere"):
        value_at([10, 20, 30], pointer)


def test_a_value_may_be_put_behind_the_last_of_a_list() -> None:
    assert with_value({"a": [1]}, "/a/1", 2) == {"a": [1, 2]}


@pytest.mark.parametrize("pointer", ["/a/2", "/b/c", ""])
def test_a_value_cannot_be_put_where_nothing_holds_it(pointer: str) -> None:
    with pytest.raises(PointerError):
        with_value({"a": [1]}, pointer, 2)
