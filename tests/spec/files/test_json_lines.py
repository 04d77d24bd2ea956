"""Lines of JSON values: every value that `json` finds has one, and it is the right one."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.spec.files.json_lines import json_lines
from tests.spec.files.test_toml_lines import places

KEYS = st.text(alphabet='a"\\/{[,:é\n\u2028', max_size=3)
BLANKS = st.text(alphabet=" \t\n\r", max_size=2)


@st.composite
def documents(draw: st.DrawFn, depth: int = 3, numbers: Any = None) -> str:
    """A JSON text with blanks anywhere; its whole numbers stand once each."""
    numbers = numbers or itertools.count(77770000)
    kind = draw(st.sampled_from(["mark", "text", "list", "object"] if depth else ["mark", "text"]))
    if kind == "mark":
        text = str(next(numbers))
    elif kind == "text":
        text = draw(st.one_of(st.sampled_from(["true", "null", "-1.5e3", '"\\u00e9"']), KEYS.map(json.dumps)))
    elif kind == "list":
        text = "[" + ",".join(draw(st.lists(documents(depth - 1, numbers), max_size=3))) + draw(BLANKS) + "]"
    else:
        keys = draw(st.lists(KEYS, max_size=3))
        inner = [f"{draw(BLANKS)}{json.dumps(key, ensure_ascii=False)}{draw(BLANKS)}:" for key in keys]
        text = "{" + ",".join(key + draw(documents(depth - 1, numbers)) for key in inner) + draw(BLANKS) + "}"
    return draw(BLANKS) + text + draw(BLANKS)


@pytest.mark.long
@given(documents())
def test_every_value_is_on_the_line_where_it_stands(text: str) -> None:
    found, twice = json_lines(text)
    there = dict(places(json.loads(text)))
    if not twice:
        assert found.keys() == there.keys()
    for place, value in there.items():
        if type(value) is int and str(value).startswith("7777") and not _below(place, twice):
            assert found[place] <= text.count("\n", 0, text.index(str(value))) + 1
            if place and isinstance(place[-1], int):
                assert found[place] == text.count("\n", 0, text.index(str(value))) + 1


def _below(place: Any, twice: Any) -> bool:
    return any(place[: len(at)] == at for at, _ in twice)


def test_a_value_of_an_object_is_where_its_key_is() -> None:
    found, twice = json_lines('{\n"a": [1,\n  2],\n\n"b":\n {"c\\"": 3}}\n')
    assert found == {(): 1, ("a",): 2, ("a", 0): 2, ("a", 1): 3, ("b",): 5, ("b", 'c"'): 6}
    assert twice == []


def test_a_key_that_stands_twice_is_found() -> None:
    assert json_lines('{"a": {"b": 1,\n"b": 2}, "a": 3}')[1] == [(("a", "b"), 2), (("a",), 2)]


def test_a_text_of_one_line_is_on_it_however_deep() -> None:
    found, twice = json_lines('[{"a": [1, {"b": ",]"}, []]}, "x", {}]')
    assert set(found.values()) == {1}
    assert found.keys() >= {(), (0, "a", 1, "b"), (0, "a", 2), (1,), (2,)}
    assert twice == []
