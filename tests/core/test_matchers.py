"""A matcher that is none is told, and not held against a binding."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.matchers import misuse

Json = Any


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"a": 1, "$any": 2},
        {"$any": True},
        {"$literal": {"$nope": 5}},
        [{"$one_of": [1, {"$text": "a"}]}],
        {"$contains": {"a": {"$numeric": 1.5}, "$b": 1}},
        {"$unordered": []},
        {"$numeric": {"$integer": "-9007199254740993"}},
        {
            "a": [
                {"$none": True},
                {"$float": "NaN"},
                {"$utf16": [97, 55357]},
                {"$function": True},
                {"$object": {"$a": 1}},
            ]
        },
    ],
)
def test_what_is_well_formed_is_no_misuse(value: Json) -> None:
    assert misuse(value) is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"$nope": 5}, "`$nope` is no matcher of vectors; a value that looks like one is a `$literal`"),
        ([{"a": {"$id": "x"}}], "`$id` is no matcher of vectors; a value that looks like one is a `$literal`"),
        ({"$any": 5}, "`$any` is given true, and not 5"),
        ({"$one_of": []}, "`$one_of` is given a list that is not empty, and not []"),
        ({"$unordered": 5}, "`$unordered` is given a list, and not 5"),
        ({"$unordered": [{"$numeric": "x"}]}, "`$numeric` is given a number, and not 'x'"),
        ({"$contains": {"a": {"$text": 1}}}, "`$text` is given a text, and not 1"),
        ({"$contains": [1]}, "`$contains` is given an object, and not [1]"),
        ({"$integer": "1.5"}, "`$integer` is given a text of digits, and not '1.5'"),
    ],
)
def test_what_is_not_is_told(value: Json, said: str) -> None:
    assert misuse(value) == said
