"""Text reaches a terminal in a few places, each of which makes it visible first."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PACKAGE = REPOSITORY / "conformance" / "bindproof"

WRITE = {
    "cli/streams.py": "say and tell, which make it visible",
    "cli/progress.py": "likewise",
    "cli/evolve_migrate.py": "objects as they are, where stdout is no terminal",
    "report/json_lines.py": "JSON for programs, as it is in the log",
    "report/whole.py": "makes visible all that it writes",
    "report/html.py": "HTML, each text of which its templates make visible",
    "report/review.py": "likewise",
    "report/junit.py": "XML, each text of which it makes visible",
    "suites/relay/observation/schema.py": "makes a file of the repository",
    "suites/relay/scenario/schema.py": "makes a file of the repository",
    "suites/interceptors/scenario_schema.py": "makes a file of the repository",
    "protocol/schema.py": "makes a file of the repository",
}
"""The modules that write on a stream which may be a terminal, and why each may."""


def _writes(tree: ast.AST) -> bool:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "print":
            return True
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"write", "writelines"}:
            of = ast.unparse(node.func.value)
            if of.startswith("sys.std") or of.endswith("_stream") or "_stream." in of:
                return True
    return False


def _makes_a_console(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.ImportFrom) and node.module == "rich.console" for node in _imports(tree))


def _imports(tree: ast.AST) -> list[ast.ImportFrom]:
    """Return the imports that bring in a `Console` which is called."""
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return [node for node in found if any(name.name == "Console" and name.name in called for name in node.names)]


MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES)
def test_only_these_modules_write_on_a_terminal(module: str) -> None:
    tree = ast.parse(Path(PACKAGE / module).read_text(encoding="utf-8"))
    assert _writes(tree) <= (module in WRITE), "print through cli.streams"
    assert not _makes_a_console(tree), "print through report.console"


def test_those_that_may_do() -> None:
    assert [name for name in WRITE if not _writes(ast.parse((PACKAGE / name).read_text(encoding="utf-8")))] == []
