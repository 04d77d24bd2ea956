"""What the rules of this repository are about: its files, and what they import.

Enters: nothing but the checkout. Leaves: paths and names. Must not know any rule.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT / "conformance" / "bindproof"
REFERENCE = ROOT / "reference_impl" / "bindproof_reference"
CODE = {".py", ".js", ".mjs", ".cjs", ".ts", ".rs", ".go", ".c", ".h"}
LEFT_OUT = {".git", ".venv", ".tox", "node_modules", "target", "__pycache__", "dist", "build"}


@cache
def files() -> tuple[Path, ...]:
    """Every file that is committed or would be, relative to the root; without git, every file that is no product."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        walked = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        return tuple(sorted(path for path in walked if not LEFT_OUT & set(path.parts)))
    return tuple(sorted(Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()))


def text(path: Path) -> str:
    """The text of one of `files`; of one that is not text, nothing."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def fenced(document: str) -> Iterator[tuple[str, str]]:
    """The fenced blocks of a Markdown text: what stands after the fence's opening, and the block."""
    language: str | None = None
    block: list[str] = []
    for line in document.splitlines():
        if language is not None and line.strip() == "```":
            yield language, "\n".join(block)
            language, block = None, []
        elif language is not None:
            block.append(line)
        elif line.startswith("```"):
            language = line[3:].strip()


def modules(folder: Path) -> list[Path]:
    """The Python modules below a folder, absolute."""
    return [ROOT / path for path in files() if path.suffix == ".py" and (ROOT / path).is_relative_to(folder)]


def imports(module: Path) -> Iterator[tuple[str, int]]:
    """Each dotted name that a module imports, wherever in it, with its line; `from a import b` gives a and a.b."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are absolute here"
            yield str(node.module), node.lineno
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
