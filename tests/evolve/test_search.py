"""A witness is held by two validators; the quick one alone is asked of what is tried on the way."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from bindproof.evolve.search import witness
from bindproof.evolve.validators import Reader
from tests.evolve.schemas_of import Json, side


class Told(Reader):
    """Says what a test wants said; counts what the second validator is asked."""

    def __init__(self, quick: Callable[[Json], bool], second: Callable[[Json], bool]) -> None:
        super().__init__(side(s={}), ("s.json", ()), formats=True)
        self._quick = quick
        self._second = self._counted
        self._said = second
        self.asked: list[Json] = []

    def _counted(self, value: Json) -> bool:
        self.asked.append(value)
        return self._said(value)


def test_the_second_validator_is_asked_of_what_is_shown_alone() -> None:
    writer = Told(lambda value: isinstance(value, str), lambda value: isinstance(value, str))
    reader = Told(lambda value: len(value) < 2, lambda value: len(value) < 2)
    assert witness(writer, reader, [0, "a", "a long text that is made small"]) in {"a ", "aa", "ll"}
    assert (len(writer.asked), len(reader.asked)) == (1, 1)


def test_where_the_two_disagree_about_the_smallest_the_smallest_of_which_both_are_sure_is_shown() -> None:
    writer = Told(lambda value: isinstance(value, str), lambda value: isinstance(value, str))
    reader = Told(lambda value: len(value) < 2, lambda value: len(value) < 4)
    assert witness(writer, reader, ["abcdefgh"]) == "abcd"


def test_of_what_the_second_never_confirms_nothing_is_shown() -> None:
    writer = Told(lambda value: True, lambda value: True)
    reader = Told(lambda value: False, lambda value: True)
    assert witness(writer, reader, ["a", {}, 7]) is msgspec.UNSET


def test_a_schema_that_refers_to_nothing_is_held_alone_and_says_the_same() -> None:
    refers = {"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "string"}}}
    alone = {"properties": {"a": {"type": "string"}}}
    values: tuple[Json, ...] = ({"a": "a"}, {"a": 0}, [], "a")
    for value in values:
        one, other = (Reader(side(s=schema), ("s.json", ()), formats=True).takes(value) for schema in (refers, alone))
        assert one is other is (value != {"a": 0})
