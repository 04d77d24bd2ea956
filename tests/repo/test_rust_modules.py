"""The modules of our Rust crates import one way only: whoever reads one need not have read who uses it."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.repo.sources import ROOT, files

ROOTS = {"lib", "main"}
SOURCES = sorted(
    {
        path.parent
        for path in files()
        if path.suffix == ".rs"
        and path.stem in ROOTS
        and path.parts[-3:-2] != ("clib",)
        and path.parts[0] != "templates"
    }
)
"""The templates' crates are one file each."""
ROOMS = [Path("adapters/sdk/rust/src/relay")]
"""Modules that have many of their own: those import one way too."""


@pytest.mark.parametrize("source", [*SOURCES, *ROOMS], ids=str)
def test_modules_import_one_way(source: Path) -> None:
    graph = imported(ROOT / source, f"crate::{source.name}" if source in ROOMS else "crate")
    assert len(graph) > 1
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(reversed(error.args[1])))


def test_a_circle_is_found(tmp_path: Path) -> None:
    (tmp_path / "lib.rs").write_text("mod one;\nmod two;\n")
    (tmp_path / "one.rs").write_text("//! Beside crate::two.\nuse crate::two::Two;\n")
    (tmp_path / "two" / "tests").mkdir(parents=True)
    (tmp_path / "two.rs").write_text("mod tests;\n")
    (tmp_path / "two" / "tests" / "deep.rs").write_text("fn f() { crate::{one, two}::f() }\n")
    assert imported(tmp_path) == {"crate": {"one", "two"}, "one": {"two"}, "two": {"one"}}


def imported(source: Path, root: str = "crate") -> dict[str, set[str]]:
    """What each module of a crate, or of one of its rooms, names of the others. What lies in its folder is part of it.

    The crate itself is one that names them all, so that no module may name what stands in `lib.rs`.
    """
    paths = [path for path in sorted(source.rglob("*.rs")) if path.stem not in ROOTS]
    graph: dict[str, set[str]] = {}
    for path in paths:
        module = path.relative_to(source).parts[0].removesuffix(".rs")
        graph.setdefault(module, set()).update(named(path, root) - {module})
    return {"crate": set(graph), **graph}


def named(path: Path, root: str) -> set[str]:
    """The modules below the root that a file names."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.lstrip().startswith("//")]
    found = re.findall(rf"\b{root}::(\{{[^}}]*\}}|\w+)", "\n".join(lines))
    names = {name for one in found for name in re.findall(r"\w+", one)}
    return {name if name[0].islower() else "crate" for name in names}
