"""YAML is read as the JSON that it stands for, each value with its line; what JSON has not is refused."""

from __future__ import annotations

import sys

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import same
from bindproof.spec.files.document import Document, parse
from bindproof.spec.problem import SpecError


def read(text: str) -> Document:
    return parse(text.encode(), "s.yaml")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("true", True),
        ("no", "no"),
        ("on", "on"),
        ("'1'", "1"),
        ("1", 1),
        ("-7", -7),
        ("0x1f", 31),
        ("0o17", 15),
        ("017", 17),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1:30", "1:30"),
        ("2024-02-29", "2024-02-29"),
        ("1_000", "1_000"),
        ("|\n a\n b\n", "a\nb\n"),
        ("[a, {b: c}]", ["a", {"b": "c"}]),
        ("200: ok\nnull: a", {"200": "ok", "null": "a"}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
    ],
)
def test_a_word_means_what_the_core_schema_says(text: str, value: object) -> None:
    assert same(read(text).value, value)


def test_a_member_has_the_line_of_its_key_and_an_item_its_own() -> None:
    found = read("a:\n  b:\n    - 1\n    - c: 2\n")
    assert [found.line(*place) for place in (("a",), ("a", "b"), ("a", "b", 1), ("a", "b", 1, "c"))] == [1, 2, 4, 4]
    assert found.line("a", "z") == 1


BOMB = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
)


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 'x", r"s\.yaml:\d: this is no YAML"),
        ("a: 1\n--- \nb: 2", r"s\.yaml:\d: this is no YAML"),
        ("a: 1\na: 2", r"s\.yaml:2: `/a` stands twice"),
        ("a: !!binary aGk=", r"s\.yaml:1: `/a` has a tag"),
        ("a: &b !x 1", r"s\.yaml:1: `/a` has a tag"),
        ("? [a]\n: b", r"s\.yaml:1: this key is no text"),
        ("<<: {a: 1}", r"s\.yaml:1: this key is no text; JSON has no other keys, and none that merges others"),
        ("a: .nan", r"s\.yaml:1: `a` is nan, which is no number that JSON knows"),
        ("a: &x [*x]", r"s\.yaml:1: aliases make this endless"),
        (BOMB, r"s\.yaml:\d: aliases make this endless, or larger than can be read"),
        ("a: " + "9" * 30, r"s\.yaml:1: `a` is 9+, a number that does not fit into 64 bits"),
        ("[" * 5000, r"s\.yaml:\d+: (this is nested deeper|this is no YAML)"),
        ("[" * 300 + "]" * 300, r"s\.yaml:1: this is nested deeper than 200"),
        ("a: \x01", "s\\.yaml:1: "),
    ],
)
def test_what_json_has_not_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        read(text)


def test_without_a_reader_it_is_said_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(UsageError, match=r"read where `pip install 'bindproof\[yaml\]'` was run"):
        read("a: 1")
