"""Lines of TOML values: every value that `tomllib` finds has one, and it is the right one."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bindproof.spec.files.toml_lines import Place, toml_lines
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.long

KEYS = st.sampled_from(["a", "b", "c-1", "2", '"a"', "'b c'", '"d\\u00e9"', '"x.y"', '""', '"#"', "'['"])
BLANKS = st.sampled_from(["", " ", "\t "])
BREAKS = st.sampled_from(["", "\n", " # no [value] = here\n", "\n\n", "\r\n"])
TEXTS = st.sampled_from(
    [
        '"x"',
        "'a\\'",
        '"\\"]}, # \\\\"',
        '"""\nx\n"""',
        '"""a\n""b\\\\"""""',
        "'''\n\\'''",
        "'''it''s\n'''''",
        '"""\\"""\n"""',
        "true",
        "1979-05-27 07:32:00",
        "07:32:00.9",
        "-1.5e3",
        "inf",
        '"é\\n"',
    ]
)
MARK = "7777{:04}"
"""A number that stands once in a text, as it is put there: where it stands is the line of its value."""


@st.composite
def values(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.sampled_from(["mark", "text", "list", "table"] if depth else ["mark", "text"]))
    if kind == "mark":
        return "@"
    if kind == "text":
        return draw(TEXTS)
    items = draw(st.lists(values(depth - 1), max_size=3))
    if kind == "list":
        parts = [draw(BREAKS) + item + draw(BREAKS) for item in items]
        return "[" + ",".join(parts) + draw(st.sampled_from(["", ","] if items else [""])) + draw(BREAKS) + "]"
    inner = [draw(BLANKS) + draw(dotted()) + " = " + item + draw(BLANKS) for item in items]
    return "{" + ",".join(inner) + "}"


@st.composite
def dotted(draw: st.DrawFn) -> str:
    keys = draw(st.lists(KEYS, min_size=1, max_size=3))
    return draw(st.sampled_from([".", " . "])).join(keys)


@st.composite
def lines(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["pair", "pair", "table", "item", "blank"]))
    if kind == "blank":
        return draw(BREAKS)
    if kind == "pair":
        return draw(BLANKS) + draw(dotted()) + draw(BLANKS) + "=" + draw(BLANKS) + draw(values())
    key = draw(BLANKS) + draw(dotted()) + draw(BLANKS)
    return draw(BLANKS) + (f"[{key}]" if kind == "table" else f"[[{key}]]") + draw(st.sampled_from(["", " # [x]"]))


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A text that `tomllib` reads: of the lines drawn, those that may stand behind the others."""
    text, number = "", itertools.count()
    for line in draw(st.lists(lines(), max_size=12)):
        longer = text + re.sub("@", lambda _: MARK.format(next(number)), line) + draw(st.sampled_from(["\n", "\r\n"]))
        if readable(longer):
            text = longer
    return text


def readable(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def places(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    yield at, value
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in members:
        yield from places(item, (*at, key))


@given(documents())
@example('a = """\n"""""\nb = 77770000')
@example("[[a]]\n[[a.b]]\n[[a.b]]\nc = 77770000\n[[a]]\n[[a.b]]\nc = 77770001")
@example("[a.b]\n[a]\nc = [{d = 77770000},\n{d = 77770001}]")
def test_every_value_is_on_the_line_where_it_stands(text: str) -> None:
    found = toml_lines(text)

    there = dict(places(tomllib.loads(text)))
    assert found.keys() == there.keys()
    for place, value in there.items():
        if type(value) is int and str(value).startswith("7777"):
            assert found[place] == text.count("\n", 0, text.index(str(value))) + 1


@given(documents(), st.data())
def test_a_changed_text_that_is_read_has_the_lines_of_its_values(text: str, data: st.DataObject) -> None:
    assume(text)
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.sampled_from(["", "\n", '"', "'", "[", "]", "{", "}", "#", ",", "=", "."]))
    changed += text[at + data.draw(st.integers(0, 2)) :]
    assume(readable(changed))
    assert toml_lines(changed).keys() == dict(places(tomllib.loads(changed))).keys()


@pytest.mark.parametrize("path", sorted(REPOSITORY.glob("spec/**/*.toml")), ids=lambda path: path.name)
def test_a_file_of_the_spec_has_a_line_for_every_value(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = toml_lines(text)
    assert found.keys() == dict(places(tomllib.loads(text))).keys()
    own = text.split("\n")
    for place, line in found.items():
        if place and isinstance(place[-1], str):
            assert place[-1] in own[line - 1]


def test_a_table_is_where_its_header_is() -> None:
    found = toml_lines('# first\na = 1\n\n[b]\n\nc = 2\n[[d]]\n[[d]]\ne.f = [\n1,\n2]\n[d.g]\nh = """\n\n"""\ni = 1')
    assert found == {
        (): 1,
        ("a",): 2,
        ("b",): 4,
        ("b", "c"): 6,
        ("d",): 7,
        ("d", 0): 7,
        ("d", 1): 8,
        ("d", 1, "e"): 9,
        ("d", 1, "e", "f"): 9,
        ("d", 1, "e", "f", 0): 10,
        ("d", 1, "e", "f", 1): 11,
        ("d", 1, "g"): 12,
        ("d", 1, "g", "h"): 13,
        ("d", 1, "g", "i"): 16,
    }
