"""Which texts patterns match: a pattern is in another only where no text says otherwise."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from bindproof.evolve.expressions import UnreadableError, machine_of
from bindproof.evolve.languages import included, text_apart, words_of

NAME = "^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$"


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("^[a]$", "^[ab]$"),
        ("^aa+$", "^a+$"),
        ("^a{0}b$", "^b$"),
        ("^(a|)$", "^a?$"),
        ("^(?:ab){2,3}?$", "^(ab)+$"),
        ("^(a+)+$", "^a*$"),
        ("^\\d+$", "^\\w+$"),
        ("^\\u0041\\x42$", "^AB$"),
        ("^[^\\w-]$", "^\\W$"),
        ("^a|b$", "a|b"),
        ("^x", "x"),
        (NAME, "^[a-z0-9-]{1,63}$"),
    ],
)
def test_a_pattern_that_matches_less_is_in_the_other(narrow: str, wide: str) -> None:
    assert included(narrow, wide) is True


@pytest.mark.parametrize(
    ("narrow", "wide", "text"),
    [
        ("^a+$", "^aa+$", "a"),
        ("x", "^x", "ax"),
        ("^[^a]$", "^.$", "\n"),
        ("^\\s$", "^[ \\t]$", "\n"),
        ("^[^0-9]$", "^\\D$", None),
        ("^\\d$", "^[0-8]$", "9"),
        ("^.$", "^[ab]$", "c"),
        (NAME, "^[a-z0-9-]{1,62}$", "a" + 62 * "9"),
    ],
)
def test_a_text_tells_two_patterns_apart(narrow: str, wide: str, text: str | None) -> None:
    found = text_apart(narrow, wide)
    assert (found is None) is (text is None)
    assert found is None or len(found) == len(str(text))
    if found is not None:
        assert re.search(narrow, found)
        assert not re.search(wide, found)


@pytest.mark.parametrize(
    "odd",
    [
        "^(?=a)b",
        "(?<!x)$",
        "(?<n>a)",
        "(a)\\1",
        "\\bword",
        "\\p{L}",
        "\\cA",
        "a^b",
        "(^a$)",
        "$a",
        "a**",
        "a{2}{3}",
        "{",
        "a}",
        "[b-a]",
        "[]",
        "[a",
        "(a",
        "a)",
        "\\",
        "\\ud800",
        "((a{99}){99}){99}",
        "(" * 60 + "a" + ")" * 60,
    ],
)
def test_of_what_is_not_read_nobody_knows(odd: str) -> None:
    with pytest.raises(UnreadableError):
        machine_of(odd)
    assert included(odd, "a") is None
    assert included("^a$", odd) is None
    assert words_of(odd) is None


@pytest.mark.long
def test_of_what_would_take_too_long_nobody_knows() -> None:
    assert included("(a|b)*a(a|b){30}$", "(a|b)*b(a|b){30}$") is not True


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("^(a|b)$", ["a", "b"]),
        ("^a?b{1,2}$", ["ab", "abb", "b", "bb"]),
        ("^$", [""]),
        ("^[0-9]{1,2}$", None),
        ("^(a|b)", None),
        ("^a*$", None),
        ("^.$", None),
    ],
)
def test_a_pattern_that_matches_few_texts_is_a_list_of_them(pattern: str, words: list[str] | None) -> None:
    assert words_of(pattern) == words


TEXTS = ["".join(letters) for length in range(5) for letters in product("ab1.", repeat=length)]


def drawn_pattern(random: Random, depth: int = 0) -> str:
    if depth > 3 or random.random() < 0.45:
        return random.choice(["a", "b", "1", "[ab]", "[^a]", ".", "\\w", "\\d", "\\.", "[a-b1]", "\\S"])
    inner = drawn_pattern(random, depth + 1)
    other = drawn_pattern(random, depth + 1)
    sign = random.choice(["*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "{0}", "*?"])
    return random.choice([inner + other, f"({inner}|{other})", f"(?:{inner}|)", f"({inner}){sign}"])


def drawn_search(random: Random) -> str:
    parts = (random.choice(["^", ""]) + drawn_pattern(random) + random.choice(["$", ""]) for _ in "ab")
    return "|".join(list(parts)[: random.choice((1, 1, 2))])


@pytest.mark.long
def test_drawn_patterns_match_the_texts_that_others_match() -> None:
    random = Random(1)
    for pattern in (drawn_search(random) for _ in range(150)):
        machine = machine_of(pattern)
        for text in random.sample(TEXTS, 30):
            states = machine.closed([0])
            for letter in text:
                states = machine.after(states, ord(letter))
            assert (machine.last in states) is bool(re.search(pattern, text)), (pattern, text)


@pytest.mark.long
def test_drawn_patterns_are_in_one_another_where_no_text_says_otherwise() -> None:
    random = Random(2)
    answers = []
    for narrow, wide in ((drawn_search(random), drawn_search(random)) for _ in range(300)):
        refuted = any(re.search(narrow, text) and not re.search(wide, text) for text in TEXTS)
        answers.append(included(narrow, wide))
        assert not (refuted and answers[-1]), (narrow, wide)
    assert answers.count(True) > 30
    assert answers.count(False) > 30
