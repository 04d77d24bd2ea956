"""Expressions of files: found as Python finds them, in linear time, and refused with the reason."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.core.patterns import LONGEST, PatternError, compile_pattern

PARTS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "(a|b)", "(?:ab)", "a*", "b+", "(ab)?", "\\.", "a{1,2}", "é"])
EXPRESSIONS = st.tuples(st.sampled_from(["", "^"]), st.lists(PARTS, max_size=5).map("".join)).map("".join)


@pytest.mark.long
@given(EXPRESSIONS, st.text(alphabet="ab.\né\0", max_size=12))
def test_an_expression_is_found_where_python_finds_it(expression: str, text: str) -> None:
    assert compile_pattern(expression).search(text) == (re.search(expression, text) is not None)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("(.*)*x$", "a" * 2_000_000),
        ("(x+x+)+y", "x" * 2_000_000),
        ("^(internal error: (.* callable failed.*: )?TypeError: )", "internal error: " + "x callable failed" * 120_000),
    ],
)
def test_a_long_text_is_searched_in_linear_time(expression: str, text: str) -> None:
    """Python's engine takes minutes to years; a second is hundreds of times what is needed."""
    pattern, began = compile_pattern(expression), process_time()
    assert not pattern.search(text)
    assert process_time() - began < 1


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("(", r"'\(' is no regular expression: missing \)"),
        ("a**", r"bad repetition operator: \*\*"),
        ("^(?!a)b", "looking ahead or behind is not allowed"),
        ("(?<=a)b", "looking ahead or behind is not allowed"),
        (r"(a)\1", "a reference to a group is not allowed"),
        ("a{2000}", "invalid repetition size"),
        ("((a{100}){100}){100}", "invalid repetition size"),
        ("(((a{9}){9}b{999}){9}c{99}){9}", "is no regular expression: "),
        ("a" * (LONGEST + 1), f"write one of {LONGEST} at most"),
        ("\ud800", "lone surrogate"),
    ],
)
def test_an_expression_that_no_file_may_have_is_refused_with_the_reason(
    expression: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PatternError, match=said):
        compile_pattern(expression)
    assert capfd.readouterr() == ("", "")


@pytest.mark.long
@given(st.text(max_size=30))
def test_any_text_is_an_expression_or_refused(expression: str) -> None:
    try:
        pattern = compile_pattern(expression)
    except PatternError:
        return
    pattern.search(expression)


@pytest.mark.long
@given(st.text(alphabet=st.characters(), max_size=20))
def test_any_text_can_be_searched(text: str) -> None:
    assert compile_pattern("(?s)^.*$").search(text)


def test_a_lone_surrogate_in_a_text_is_one_character() -> None:
    assert compile_pattern("^a.b$").search("a\ud800b")


def test_a_pattern_keeps_its_text() -> None:
    assert compile_pattern("^a").text == "^a"
