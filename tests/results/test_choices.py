"""What parts of a campaign never chose, taken together."""

from __future__ import annotations

from bindproof.results import ChoicesLine, joined_choices


def test_what_one_part_took_is_no_more_among_what_was_never_taken() -> None:
    parts = [ChoicesLine("a", {"f, line 1": ("1", "2")}, 10), ChoicesLine("a", {"f, line 1": ("2", "3")}, 5)]
    assert joined_choices(parts) == [ChoicesLine("a", {"f, line 1": ("2",)}, 15)]


def test_a_part_that_never_reached_a_place_says_nothing_of_it() -> None:
    parts = [ChoicesLine("a", {"f, line 1": ("1",)}, 10), ChoicesLine("a", {"g, line 2": ()}, 10)]
    assert joined_choices(parts) == [ChoicesLine("a", {"f, line 1": ("1",), "g, line 2": ()}, 20)]


def test_suites_are_apart() -> None:
    parts = [ChoicesLine("a", {"f, line 1": ("1",)}, 1), ChoicesLine("b", {"f, line 1": ("2",)}, 2)]
    assert joined_choices(parts) == parts
