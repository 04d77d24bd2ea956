"""What differs from run to run is told from what does not."""

from __future__ import annotations

import pytest

from bindproof.core.varying import parts_that_stay


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a mark", ["a mark"]),
        ('"01a20d9b-e9ab-7341-adca-2d32e67f37cb"', ['"', '"']),
        ("00-01a20d9be9b17c008c24161d8c5f60dd-8c24161d8c5f60dd-01", ["00-", "-", "-01"]),
        ('"2026-11-24T12:50:51.441954131+00:00"', ['"', '"']),
        ('{"at":1795524651441954131}', ['{"at":', "}"]),
        ('{"n":123}', ['{"n":123}']),
        ("2026-11-24", ["2026-11-24"]),
    ],
)
def test_parts(text: str, parts: list[str]) -> None:
    assert parts_that_stay(text) == parts
