"""Many problems are told within a screen: hundreds of files may say the same after one mistake."""

from __future__ import annotations

from bindproof.spec.problem import MOST_TOLD, Problem, summary

HOW = "bindproof spec check toy --all"


def test_alike_problems_are_counted_and_others_are_told() -> None:
    problems = [Problem(f"v{number}.json", 4, "no edition 2") for number in range(800)]
    problems.insert(400, Problem("suite.toml", 9, "another fault"))
    assert summary(problems, [], HOW) == [
        "v0.json:4: no edition 2",
        "v1.json:4: no edition 2",
        "v2.json:4: no edition 2",
        "  … and 797 more of which the same is said",
        "suite.toml:9: another fault",
        f"4 of 801 are told here; `{HOW}` tells each",
    ]


def test_what_fits_a_screen_is_told_whole() -> None:
    problems = [Problem(f"v{number}.json", 4, "no edition 2") for number in range(MOST_TOLD)]
    assert summary(problems, [], HOW) == [str(problem) for problem in problems]


def test_many_that_are_not_alike_end_with_their_number() -> None:
    lines = summary([Problem("s.toml", number, f"fault {number}") for number in range(1, 100)], [], HOW)
    assert lines[0] == "s.toml:1: fault 1"
    assert lines[MOST_TOLD:] == [f"{MOST_TOLD} of 99 are told here; `{HOW}` tells each"]


def test_no_problem_is_no_line() -> None:
    assert summary([], [], HOW) == []
