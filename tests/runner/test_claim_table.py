"""Claims and what is seen of them, on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.origins import FromFile, FromVector, Generated, TwinOf
from bindproof.results import Broken, VerdictLine
from bindproof.runner import claim_table
from bindproof.runner.claim_table import ClaimTable, Says, key_of

LINES = (
    VerdictLine("a", "relay", "t@1", "conforms", held=("OUT-002", "OUT-001")),
    VerdictLine("a+twin", "relay", "t@1", "conforms", origin=TwinOf(FromVector("a"))),
    VerdictLine("generated/7/3", "relay", "u", "diverges", origin=Generated(7, 3), broken=(Broken("OUT-001"),)),
    VerdictLine("file/a", "relay", "u", "crash", origin=FromFile("x/a"), expected_by="so"),
)
NEW = VerdictLine("b", "relay", "t@1", "conforms")


@pytest.fixture
def table() -> Iterator[ClaimTable]:
    with closing(ClaimTable()) as made:
        for place, line in enumerate(LINES, 1):
            made.claim(place, line)
        yield made


def test_what_is_claimed_and_seen_alike_does_not_differ(table: ClaimTable) -> None:
    assert list(table.keys()) == [key_of(line) for line in LINES]
    assert table.adapters() == {"t@1": 2, "u": 2}
    for line in LINES:
        table.see(line, unclaimed=True)
    assert list(table.differing()) == []


def test_what_differs_is_told_with_both_sides_in_the_order_of_the_log(table: ClaimTable) -> None:
    table.see(NEW, unclaimed=True)
    table.see(LINES[0], unclaimed=True)
    table.see(VerdictLine("a+twin", "relay", "t@1", "timeout", origin=LINES[1].origin), unclaimed=True)
    assert list(table.differing()) == [
        (key_of(LINES[1]), Says.of(LINES[1]), Says("timeout", False, (), ())),
        (key_of(LINES[2]), Says("diverges", False, ("OUT-001",), ()), None),
        (key_of(LINES[3]), Says("crash", True, (), ()), None),
        (key_of(NEW), None, Says.of(NEW)),
    ]
    assert table.adapters() == {"t@1": 2, "u": 2}


def test_of_a_sample_what_is_not_claimed_is_not_kept(table: ClaimTable) -> None:
    table.claim(2, NEW)
    table.see(LINES[1], unclaimed=False)
    assert list(table.keys()) == [key_of(line) for line in (LINES[0], NEW, *LINES[2:])]


def test_a_disk_without_room_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    small = sqlite3.connect("", isolation_level=None)
    small.execute("PRAGMA max_page_count = 4")
    monkeypatch.setattr(claim_table, "_opened", lambda: small)
    with closing(ClaimTable()) as table, pytest.raises(UsageError, match="full; make room there, name another folder"):
        fill(table)


def fill(table: ClaimTable) -> None:
    for number in range(1000):
        table.claim(number, VerdictLine(f"v{number}", "relay", "t", "conforms"))
