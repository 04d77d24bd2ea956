"""Digests of the code that a command starts."""

from __future__ import annotations

from bindproof.targets.programs import of_command


def test_a_word_that_no_file_can_be_called_is_no_file() -> None:
    """An adapter's own words may be longer than any name, and hold what no name may."""
    assert of_command(["sh", "x" * 5000, "a\0b"], "/") == of_command(["sh"], "/")
