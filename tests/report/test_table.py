"""The table on consoles of every width: nothing is broken inside a word, and nobody is left out."""

from __future__ import annotations

import io

import msgspec
import pytest
from rich.console import Console

from bindproof.report.digest import Digest
from bindproof.report.table import print_table
from bindproof.results import AdapterLine, Fold, Line, RunLine, Speaks, VerdictLine

TARGETS = {
    "c": ("nemo-relay-ffi", "0.10.4"),
    "go": ("nemo-relay-ffi/go", "0.10.4"),
    "rust": ("nemo-relay (crate)", "0.10.4"),
    "python": ("nemo-relay", "0.10.4"),
    "node": ("nemo-relay-node", "0.9.2"),
    "reference": ("bindproof-reference", "0.10"),
}
HELD = ("OUT-001", "MRK-001", "MRK-002", "REF-000")


@pytest.fixture
def six(run_line: RunLine) -> Digest:
    lines: list[Line] = [msgspec.structs.replace(run_line, adapters=tuple(TARGETS))]
    for name, (target, version) in TARGETS.items():
        speaks = (Speaks("relay", "0.10", "wire", 1),)
        lines.append(AdapterLine(name, "ready", target=target, version=version, suites=speaks))
        lines.append(VerdictLine("relay/a", "relay", name, "conforms", held=HELD))
    return Digest.over([*lines, Fold.over(lines).summary()])


SHOWN = ("Outcomes", "Pending marks", "Agreement with the reference")
"""The chapters that have a row: no adapter here is judged by that of dialects."""


def printed(digest: Digest, width: int) -> list[str]:
    stream = io.StringIO()
    print_table(Console(file=stream, width=width, highlight=False), digest)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def tables(lines: list[str]) -> list[list[str]]:
    """The columns of each table, by the words of its heading's lines."""
    heads = [number for number, line in enumerate(lines) if line.startswith("─")]
    return [lines[head - 1].split("edition")[1:] for head in heads]


def test_where_there_is_room_each_cell_is_a_line(six: Digest) -> None:
    lines = printed(six, 200)
    assert lines[0].split() == list(TARGETS)
    assert "nemo-relay-ffi/go 0.10.4" in lines[1]
    assert len(lines) == 4 + len(SHOWN) + len(["of a chapter that has no row"])
    assert lines[-1] == "1 chapter applies to none of these: bindproof spec list"


def test_six_adapters_are_one_table_in_120_columns(six: Digest) -> None:
    assert [len(table) for table in tables(printed(six, 120))] == [6]


def test_a_narrow_terminal_gets_more_tables(six: Digest) -> None:
    assert [len(table) for table in tables(printed(six, 80))] == [4, 2]


@pytest.mark.long
@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_no_word_is_broken(six: Digest, width: int) -> None:
    lines = printed(six, width)
    assert max(len(line) for line in lines) <= width
    words = " ".join(lines).split()
    for target, version in TARGETS.values():
        assert set(target.split()) | {version} <= set(words)
    assert set(" ".join(SHOWN).split()) <= set(words)


def test_where_not_even_one_fits_it_is_folded(six: Digest) -> None:
    lines = printed(six, 24)
    assert max(len(line) for line in lines) <= 24
    assert len(tables(lines)) == 6
