"""Who may import whom. The order of modules is the one-way flow of ARCHITECTURE.md."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.repo.sources import HARNESS, REFERENCE, ROOT, imports, modules

ORDER = (
    "core",
    "spec",
    "suite_api",
    "suites",
    "protocol",
    "targets",
    "suites/*/targets",
    "drive",
    "judge",
    "results",
    "runner",
    "smoke",
    "scaffold",
    "report",
    "pytest_plugin",
    "cli",
    "__main__",
)
"""Each part of the harness imports only from those before it.

How a suite gets its targets is a part of its own: found through an entry point, so that nothing imports it.
"""

STARTS_PROCESSES = {"subprocess", "multiprocessing", "pty", "concurrent.futures", "asyncio.subprocess"}


def part_of(names: Sequence[str]) -> str:
    """The part that a module belongs to, by the names on the way to it from the harness."""
    return "suites/*/targets" if names[0] == "suites" and "targets" in names[2:3] else names[0]


def part_of_file(module: Path) -> str:
    return part_of(module.relative_to(HARNESS).with_suffix("").parts)


def parts() -> list[str]:
    return sorted({part_of_file(path) for path in modules(HARNESS)} - {"__init__"})


@pytest.mark.parametrize("part", parts())
def test_each_part_has_its_place_in_the_order(part: str) -> None:
    assert part in ORDER, f"{part} is new: give it a place in ORDER and in ARCHITECTURE.md"


@pytest.mark.parametrize("part", parts())
def test_a_part_imports_only_from_those_before_it(part: str) -> None:
    allowed = set(ORDER[: ORDER.index(part) + 1])
    wrong = [
        f"{module.relative_to(ROOT)}:{line} imports {name}"
        for module in modules(HARNESS)
        if part_of_file(module) == part
        for name, line in imports(module)
        if name.startswith("bindproof.") and part_of(name.split(".")[1:]) not in allowed and name.split(".")[1] in ORDER
    ]
    assert not wrong, "\n".join(wrong)


def test_one_module_starts_adapter_processes() -> None:
    """`targets` may start programs too, to build; judges and reports never see a process."""
    users = {
        module.relative_to(HARNESS).as_posix()
        for module in modules(HARNESS)
        for name, _ in imports(module)
        if name in STARTS_PROCESSES
    }
    assert {user for user in users if "targets" not in user.split("/")} == {"protocol/process.py"}


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


def test_checks_never_call_the_reference() -> None:
    """Two oracles that check each other: a requirement check that used the reference would agree with its mistakes."""
    wrong = [
        f"{module.relative_to(ROOT)}:{line} imports {name}"
        for module in modules(HARNESS)
        if "checks" in module.relative_to(HARNESS).parts
        for name, line in imports(module)
        if name.split(".")[0] == "bindproof_reference"
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
