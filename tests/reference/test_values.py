from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.values import PointerError, copy, get, literal, special, strictly_equal, tokens

Json = Any


@pytest.mark.parametrize("value", [None, True, 0, 1.5, "", [], {}, [1, {"a": [None]}], {"a": {"b": 1.0}}])
def test_a_value_equals_itself(value: Json) -> None:
    assert strictly_equal(value, copy(value))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (1, 1.0),
        (True, 1.0),
        (False, 0),
        (None, False),
        ("1", 1),
        ([], {}),
        ([1], [1.0]),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ({"a": True}, {"a": 1}),
        ({"a": None}, {}),
        ({"a": 1}, {"b": 1}),
    ],
)
def test_values_that_python_may_hold_equal_differ(left: Json, right: Json) -> None:
    assert not strictly_equal(left, right)
    assert not strictly_equal(right, left)


def test_the_order_of_keys_does_not_matter() -> None:
    assert strictly_equal({"a": 1, "b": 2}, {"b": 2, "a": 1})


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [("", []), ("/", [""]), ("/a/0", ["a", "0"]), ("/a~1b/~0", ["a/b", "~"]), ("/~01", ["~1"]), ("//", ["", ""])],
)
def test_a_pointer_is_split(pointer: str, expected: list[str]) -> None:
    assert tokens(pointer) == expected


TREE: Json = {"a": [10, {"b": None}], "": 1, "x/y": 2, "0": 3}


@pytest.mark.parametrize(
    ("pointer", "expected"), [("", TREE), ("/a/0", 10), ("/a/1/b", None), ("/", 1), ("/x~1y", 2), ("/0", 3)]
)
def test_a_pointer_leads_somewhere(pointer: str, expected: Json) -> None:
    assert get(TREE, pointer) == expected


@pytest.mark.parametrize("pointer", ["a", "/b", "/a/2", "/a/-1", "/a/-", "/a/x", "/a/0/0", "/a/1/b/c"])
def test_a_pointer_that_leads_nowhere_is_named(pointer: str) -> None:
    with pytest.raises(PointerError, match=repr(pointer)):
        get(TREE, pointer)


def test_a_copy_is_apart_from_its_original() -> None:
    original: Json = {"a": [{"b": 1}]}
    copied = copy(original)
    copied["a"][0]["b"] = 2
    assert original == {"a": [{"b": 1}]}


@pytest.mark.parametrize(
    ("value", "reads_as_a_matcher"),
    [
        ({"$any": True}, True),
        ([{"a": {"$x": 1}}], True),
        ({"$a": 1, "$b": 2}, False),
        ({"a": "$any"}, False),
        ("$any", False),
        ({}, False),
    ],
)
def test_only_what_would_read_as_a_matcher_is_wrapped(value: Json, reads_as_a_matcher: bool) -> None:
    assert special(value) is reads_as_a_matcher
    assert literal(value) == ({"$literal": value} if reads_as_a_matcher else value)
