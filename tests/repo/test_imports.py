"""Who may import whom, as far as the contracts of `lint-imports` (pyproject.toml) cannot say it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repo.sources import HARNESS, REFERENCE, ROOT, imports, modules

pytestmark = pytest.mark.long

STARTS_PROCESSES = {"subprocess", "multiprocessing", "pty", "concurrent.futures", "asyncio.subprocess"}


def test_the_table_of_parts_has_the_layers_in_their_order() -> None:
    """`lint-imports` holds the layers of pyproject.toml; this page explains them."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("| part | gives | must not know |\n|-|-|-|\n")[2].partition("\n\n")[0]
    parts = [line.split("`")[1] for line in table.splitlines()]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = {contract["id"]: contract for contract in settings["contracts"]}["parts"]["layers"]
    assert [part for part in parts if "/" not in part] == [layer for layer in reversed(layers) if layer != "__main__"]
    assert parts.index("suites/*/targets") == parts.index("targets") + 1


def test_one_module_starts_adapter_processes() -> None:
    """`targets` may start programs too, to build; judges and reports never see a process.

    What `evolve` starts is git, and a process of its own that can be killed.
    """
    users = {
        module.relative_to(HARNESS).as_posix()
        for module in modules(HARNESS)
        for name, _ in imports(module)
        if name in STARTS_PROCESSES
    }
    assert {user for user in users if "targets" not in user.split("/")} == {
        "protocol/process.py",
        "evolve/bounded.py",
        "evolve/revisions.py",
    }


@pytest.mark.parametrize("folder", [REFERENCE, ROOT / "adapters" / "sdk" / "python" / "bindproof_adapter"])
def test_it_imports_the_standard_library_and_itself_only(folder: object) -> None:
    """The reference is read beside the chapters; the SDK is copied beside an adapter. Neither may need anything."""
    assert isinstance(folder, Path)
    assert modules(folder)
    wrong = [
        f"{module.relative_to(ROOT)}:{line} imports {name}"
        for module in modules(folder)
        for name, line in imports(module)
        if (top := name.split(".")[0]) not in sys.stdlib_module_names and top != folder.name
    ]
    assert not wrong, "\n".join(wrong)


def test_no_module_of_the_engine_names_a_suite() -> None:
    """Suites plug in. Examples for users may name one: they are what can be typed, such as a vector's id."""
    suites = "|".join(sorted({path.parent.name for path in HARNESS.glob("suites/*/__init__.py")}))
    wrong = [
        f"{module.relative_to(ROOT)}:{line} has {text!r}"
        for module in modules(HARNESS)
        if (place := module.relative_to(HARNESS)).parts[0] != "cli"
        and not (place.parts[0] == "suites" and len(place.parts) > 2)
        for text, line in constants(module)
        if re.search(rf"\b({suites})\b(?!/)", text)
    ]
    assert not wrong, "\n".join(wrong)


def constants(module: Path) -> Iterator[tuple[str, int]]:
    """The texts of a module, docstrings left out, with their lines."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    words = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words:
            yield node.value, node.lineno
