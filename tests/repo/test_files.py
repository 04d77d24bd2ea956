"""Rules about files: their size, their names, what they must not say."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from bindproof import __version__
from tests.repo.sources import CODE, HARNESS, REFERENCE, ROOT, files, modules, text

MOST_LINES = 400
"""A module is one idea; a longer one has more."""

MACHINE = re.compile(r"(?<![\w.])/(work|root|home/\w|Users/\w)[\w./-]*|/tmp/lab\b")
REGISTRY = re.compile(r"registry\.npm|files\.python" + r"hosted|pypi\.org/simple|npmm" + r"irror|--(extra-)?index-url")

CARGO_LOCK = "Cargo.lock"
CRATES = 'source = "registry+https://github.com/rust-lang/crates.io-index"'


def test_a_module_is_short() -> None:
    lengths = {str(path): len(text(path).splitlines()) for path in files() if path.suffix in CODE}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}


WIDEST = 120
"""No line of prose is wider. A row of a table, an example and what a rule says of itself stay on one line."""


def test_prose_is_no_wider_than_code() -> None:
    wrong = []
    for path in [path for path in files() if path.suffix == ".md"]:
        example = False
        for number, line in enumerate(text(path).splitlines(), 1):
            example ^= line.startswith("```")
            if len(line) > WIDEST and not example and not line.startswith(("|", "MUST", "SHOULD", "MAY")):
                wrong.append(f"{path}:{number}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_no_file_names_a_machine_or_a_registry() -> None:
    """A checkout works anywhere, and with whatever registry the user has configured."""
    wrong = [
        f"{path}:{number}: {line.strip()[:100]}"
        for path in files()
        if path.name != Path(__file__).name
        for number, line in enumerate(text(path).splitlines(), 1)
        if MACHINE.search(line) or REGISTRY.search(line)
    ]
    assert not wrong, "\n".join(wrong)


def test_lock_files_have_no_hosts() -> None:
    """But for Cargo's: it writes the canonical name of its index into each package, whatever mirror is configured."""
    locks = [path for path in files() if path.name == "package-lock.json" or path.suffix == ".lock"]
    wrong = [
        f"{path}:{number}: {line}"
        for path in locks
        for number, line in enumerate(text(path).splitlines(), 1)
        if (path.name == CARGO_LOCK and line != CRATES and "://" in line)
        or (path.name != CARGO_LOCK and re.search(r'"resolved"\s*:|registry', line))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_no_module_is_called_after_nothing() -> None:
    """A name says what is inside; that word says only that nobody knew. Names of others' packages are theirs."""
    word = re.compile(r"\but" + r"ils\b")
    ours = [path for path in files() if path.name not in {"LICENSE", CARGO_LOCK, "coverage.md", "covered.json"}]
    wrong = [str(path) for path in ours if word.search(f"{path}\n{text(path)}")]
    assert not wrong, "\n".join(wrong)


def docstring(module: Path) -> str:
    return ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""


@pytest.mark.long
def test_a_module_says_what_enters_and_what_leaves() -> None:
    wrong = [
        f"{module.relative_to(ROOT)} lacks {word!r}"
        for module in modules(HARNESS)
        if module.name not in {"__init__.py", "__main__.py"} and module.parent.name not in {"checks", "faults"}
        for word in ("Enters:", "Leaves:")
        if word not in docstring(module)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
@pytest.mark.parametrize("folder", [HARNESS, REFERENCE], ids=["harness", "reference"])
def test_a_module_says_what_it_is(folder: Path) -> None:
    assert modules(folder)
    assert [str(module.relative_to(ROOT)) for module in modules(folder) if not docstring(module)] == []


def test_the_version_is_told_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__
