"""TOML and JSON as values with lines; and what is told of a text that is neither."""

from __future__ import annotations

import pytest

from bindproof.spec import SpecError
from bindproof.spec.files.document import DEEPEST, parse
from bindproof.spec.files.toml_keys import long_key


def problems(text: str | bytes, name: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        parse(text if isinstance(text, bytes) else text.encode(), name)
    return [str(problem) for problem in caught.value.problems]


def test_a_value_has_a_line_in_both_languages() -> None:
    toml, written = parse(b"a = 1\n[b]\nc = [\n1,\n2]\n", "x.toml"), parse(b'{"b":\n{"c": [1,\n2]}}', "x.json")
    assert toml.value == {"a": 1, "b": {"c": [1, 2]}}
    assert (toml.line("b", "c", 1), written.line("b", "c", 1)) == (5, 3)


def test_what_is_not_there_has_the_line_of_what_is_around_it() -> None:
    document = parse(b"a = 1\n\n[b]\nc = 1\n", "x.toml")
    assert (document.line("b", "d", 3, "e"), document.line("z"), document.line()) == (3, 1, 1)
    assert str(document.problem("it is odd", "b", "c")) == "x.toml:4: it is odd"


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("a = 1\nb =\n", "x.toml", "x.toml:2: this is no TOML: Invalid value"),
        ("a = 1\na = 2\n", "x.toml", "x.toml:2: this is no TOML: Cannot overwrite a value"),
        ("a = '''\n\n", "x.toml", "x.toml:1: this is no TOML: Expected"),
        ('{"a":\n1,}', "x.json", "x.json:2: this is no JSON: "),
        ('{"a":\n1\n\n', "x.json", "x.json:2: this is no JSON: "),
        ("", "x.json", "x.json:1: this is no JSON: Expecting value"),
        ('{"a": 1,\n"a": 2}', "x.json", "x.json:2: `a` stands twice; keep one of them"),
        ('{"a": {"b": 1,\n"b": 2}}', "x.json", "x.json:2: `/a/b` stands twice; keep one of them"),
        (b"a = 1\nb = '\xff'", "x.toml", "x.toml:2: byte 0xff is no UTF-8"),
        ("a = 1\nb = 18446744073709551616", "x.toml", "x.toml:2: `b` is 18446744073709551616, a number that does not"),
        ('{"a": [1,\n-9223372036854775809]}', "x.json", "x.json:2: `/a/1` is -9223372036854775809, a number that"),
        ("a = 1\nb = " + "9" * 5000, "x.toml", "x.toml:2: this is nothing that can be read: "),
        ('{"a": 1,\n"b": ' + "9" * 5000 + "}", "x.json", "x.json:2: this is nothing that can be read: "),
        ('{"a": 1,\n"b": 1e400}', "x.json", "x.json:2: `b` is inf, which is no number that JSON knows"),
        ('{"a": 1,\n"b": NaN}', "x.json", "x.json:2: `b` is nan, which is no number that JSON knows"),
        ("\nb = nan", "x.toml", "x.toml:2: `b` is nan, which is no number that JSON knows"),
        ('{"a": 1,\n"b": "\\ud800"}', "x.json", "x.json:2: `b` is '\\ud800', which holds half of a character"),
        ('{"a": 1,\n"\\ud800": 2}', "x.json", "x.json:1: the key '\\ud800' of this file holds half of a character"),
        ("a = 1\nb = 0x" + "f" * 9000, "x.toml", "x.toml:2: `b` is a number of 36000 bits, a number that does not fit"),
        ("\nday = 2026-11-22", "x.toml", "x.toml:2: `day` is datetime.date(2026, 11, 22), a date; write it as a text"),
    ],
)
def test_a_text_that_cannot_be_used_is_told_with_its_line(text: str | bytes, name: str, said: str) -> None:
    (found,) = problems(text, name)
    assert found.startswith(said)


def test_every_value_that_cannot_be_used_is_told() -> None:
    assert [said.partition(": ")[0] for said in problems("a = 1e999\nb = 07:00:00\n", "x.toml")] == [
        "x.toml:1",
        "x.toml:2",
    ]


def test_the_line_of_a_number_that_is_too_long_is_found_in_linear_time() -> None:
    runs = ("9" * 4299 + " ") * 500
    (found,) = problems('{"a": "' + runs + '",\n"b": ' + "9" * 5000 + "}", "x.json")
    assert found.startswith("x.json:2: this is nothing that can be read: ")


LONG_KEYS = [
    ".".join(["a"] * 100_000),
    " .\t".join(["a-2", "'b.c'", '"\\\\\\".d"'] * 70),
]


@pytest.mark.long
@pytest.mark.parametrize("key", LONG_KEYS, ids=["many", "quoted"])
@pytest.mark.parametrize("text", ["{} = 1", "[{}]", "[[ {} ]]", "b = {{c = {{{} = 1}}}}", '\'\' = """\n"""\n{} = 1'])
def test_a_key_of_more_parts_than_may_be_nested_is_told_with_its_line(text: str, key: str) -> None:
    (found,) = problems("x = 1\n" + text.format(key), "x.toml")
    line = 2 + text.count("\n")
    assert found == f"x.toml:{line}: this key has more than {DEEPEST} parts; make it flatter"


@pytest.mark.parametrize("text", ["# {}", "a = '{}'", 'a = "\\"{}"', "a = '''\n'{}'''''", 'a = """\n\\"""{}"""'])
def test_what_looks_like_a_long_key_and_is_none_is_read(text: str) -> None:
    parse(text.format(".".join(["a"] * 1000)).encode(), "x.toml")


@pytest.mark.long
@pytest.mark.parametrize("piece", ['"""', '\\"""', "'''", '"\\', "a'", "a.\t", '"a"."', "#\n'"])
def test_keys_are_counted_in_linear_time_whatever_the_text(piece: str) -> None:
    text = 'a = """' + piece * 200_000
    assert long_key(text + "a.b.c = 1", 1000) is None


@pytest.mark.long
@pytest.mark.parametrize("name", ["x.toml", "x.json"])
@pytest.mark.parametrize("depth", [DEEPEST + 1, 330, 1_100, 200_000])
def test_what_is_nested_too_deep_is_told_with_its_line(name: str, depth: int) -> None:
    start = "a =\t" if name == "x.toml" else '{\n"a":'
    text = start + "[" * depth + "]" * depth + ("" if name == "x.toml" else "}")
    (found,) = problems(text, name)
    line = 1 if name == "x.toml" else 2
    assert found == f"{name}:{line}: this is nested deeper than {DEEPEST} lists and objects; make it flatter"


def test_what_is_nested_as_deep_as_it_may_be_is_read() -> None:
    text = "[" * DEEPEST + "]" * DEEPEST
    assert parse(text.encode(), "x.json").line(*[0] * (DEEPEST - 1)) == 1
