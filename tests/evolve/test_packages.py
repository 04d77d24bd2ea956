"""Who becomes non-conformant, as runs in two editions show: nobody who broke it before, nor whom no run judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.evolve.packages import runs_of, states
from bindproof.results import (
    FORMAT,
    AdapterLine,
    Broken,
    Fold,
    Line,
    RunLine,
    Speaks,
    SuiteFacts,
    VerdictLine,
    encode,
)
from bindproof.spec.changes import Change

STEP = Change("1", "2", "")


def log(path: Path, edition: str, *, held: tuple[str, ...] = (), broken: tuple[str, ...] = ()) -> Path:
    """The log of one scenario on one package in one edition."""
    lines: list[Line] = [
        RunLine(FORMAT, "0", "3", "p", "s", "2026-01-01T00:00:00+00:00", (SuiteFacts("s", ()),), adapters=("a",)),
        AdapterLine("a", "ready", target="pack", version="1.0", suites=(Speaks("s", edition, "d", 1),)),
        VerdictLine(
            "s/v", "s", "a", "diverges" if broken else "conforms", held=held, broken=tuple(map(Broken, broken))
        ),
    ]
    fold = Fold()
    for line in lines:
        fold.add(line)
    path.write_bytes(b"".join(encode(line) for line in [*lines, fold.summary()]))
    return path


@pytest.mark.parametrize(
    ("old", "new", "before", "state"),
    [
        ({"held": ("A",)}, {"broken": ("A",)}, {"A"}, "becomes non-conformant"),
        ({"held": ("B",)}, {"broken": ("A",)}, {"B"}, "becomes non-conformant"),
        ({"broken": ("A",)}, {"broken": ("A",)}, {"A"}, "breaks it, as before"),
        ({"held": ("B",)}, {"broken": ("A",)}, {"A", "B"}, "breaks it now; before is not known"),
        ({"broken": ("A",)}, {"held": ("A",)}, {"A"}, "keeps it"),
        ({"broken": ("A",)}, {"held": ("B",)}, {"A"}, None),
    ],
)
def test_what_becomes_of_a_package(
    old: dict[str, tuple[str, ...]],
    new: dict[str, tuple[str, ...]],
    before: set[str],
    state: str | None,
    tmp_path: Path,
) -> None:
    runs = runs_of([log(tmp_path / "old", "1", **old), log(tmp_path / "new", "2", **new)], "s")
    assert states(runs, STEP, {"A"}, before).get("pack 1.0") == state


def test_a_break_in_any_of_the_runs_counts(tmp_path: Path) -> None:
    paths = [log(tmp_path / "one", "2", broken=("A",)), log(tmp_path / "two", "2", held=("A",))]
    for order in (paths, paths[::-1]):
        assert states(runs_of(order, "s"), STEP, {"A"}, set()) == {"pack 1.0": "becomes non-conformant"}


def test_another_suite_is_passed_over(tmp_path: Path) -> None:
    assert runs_of([log(tmp_path / "one", "2", broken=("A",))], "other") == {}
