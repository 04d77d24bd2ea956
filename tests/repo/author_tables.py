"""The tables of docs/suite-authors.md, from the docstrings of what they are about.

A table stands behind a line `<!-- MODULE -->`, for the public names of a module, or `<!-- MODULE:NAME -->`, for the
keys of a file or the members of a class.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from typing import Any

MARK = re.compile(r"^<!-- (bindproof[\w.]*)(?::(\w+))? -->\n(?:\|.*\n)*", re.MULTILINE)


def filled(page: str) -> str:
    """The page with each of its tables as the code has it."""
    return MARK.sub(lambda mark: _table(mark[0].partition("\n")[0], mark[1], mark[2]), page)


def _table(line: str, module: str, name: str | None) -> str:
    found: Any = import_module(module)
    if name is None:
        head, rows = "name", _names(found)
    elif hasattr(getattr(found, name), "model_fields"):
        head, rows = "key", _keys(getattr(found, name))
    else:
        head, rows = "member", _members(getattr(found, name))
    lines = [line, f"| {head} | is |", "|-|-|", *(f"| `{key}` | {_cell(text)} |" for key, text in rows)]
    return "\n".join(lines) + "\n"


def _names(module: Any) -> Iterator[tuple[str, str]]:
    for name in getattr(module, "__all__", None) or _own(module):
        thing = getattr(module, name)
        if thing is not Any and callable(thing):
            yield name, inspect.getdoc(thing) or ""


def _own(module: Any) -> list[str]:
    tree = ast.parse(inspect.getsource(module))
    names = (one.name for one in tree.body if isinstance(one, ast.ClassDef | ast.FunctionDef))
    return [name for name in names if not name.startswith("_")]


def _keys(form: Any) -> Iterator[tuple[str, str]]:
    for name, field in form.model_fields.items():
        yield field.alias or name, f"{'**needed** · ' if field.is_required() else ''}{field.description}"


def _members(kind: type) -> Iterator[tuple[str, str]]:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(tree, ast.ClassDef)
    for one, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.target.id[0] != "_":
            yield f"{one.target.id}: {ast.unparse(one.annotation)}", _text(after)
        elif isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            is_property = any(ast.unparse(word) == "property" for word in one.decorator_list)
            given = "" if is_property else f"({', '.join(arg.arg for arg in one.args.args[1:])})"
            yield f"{one.name}{given}", ast.get_docstring(one) or ""


def _text(after: ast.stmt | None) -> str:
    """The docstring of a field, which stands behind it."""
    is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    return str(after.value.value) if is_text else ""  # type: ignore[union-attr]


def _cell(text: str) -> str:
    """The first paragraph, in one line; a type's own bar would end the cell."""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")
