"""Every character of a stranger's text is seen, or spelled out."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from bindproof.core.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("größer, ж, 日本, 🙂", "größer, ж, 日本, 🙂"),
        ("\x1b[31mred\x1b]52;c;eA==\x07", r"\x1b[31mred\x1b]52;c;eA==\x07"),
        ("one\rtwo\x08\x7f", r"one\x0dtwo\x08\x7f"),
        ("\x9b31m\x85", r"\x9b31m\x85"),
        ("a\u202eb\u2066c\u2069", r"a\u202eb\u2066c\u2069"),
        ("a\u200bb\u00adc\ufeff\u2028", r"a\u200bb\xadc\ufeff\u2028"),
        ("\U000e0041\udcff", r"\U000e0041\udcff"),
    ],
)
def test_what_is_not_seen_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.long
def test_no_control_format_or_separator_passes() -> None:
    unseen = [
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and character not in "\n\t"
    ]
    assert [character for character in unseen if visible(character) == character] == []
