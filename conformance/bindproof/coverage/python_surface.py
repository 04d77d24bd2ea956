"""What a Python package offers: parameters of its public functions, and what its public classes are made of and say.

Enters: a package's folder. Leaves: names such as `llm.call:data`, `LLMRequest:headers` and `LLMRequest.headers`. Must
not know what any of them is for.

A stub is read where a module has one. Of a compiled module, whose stub is called `_native`, classes alone are public:
its functions are offered by the modules around it, under names of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from bindproof.coverage.naming import of_parameters

COMPILED, PACKAGE = "_native", "__init__"
NO_PARAMETERS = ("self", "cls")
DUNDERS_OF_CALLERS = ("__init__", "__new__")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def names(folder: Path) -> list[str]:
    """Return the names, each once and sorted; raises SyntaxError for a module that is no Python."""
    found = {name for module in _modules(folder) for name in _of_module(module)}
    return sorted(found)


def _modules(folder: Path) -> Iterator[Path]:
    for module in sorted(folder.glob("*.py*")):
        stub = module.with_suffix(".pyi")
        if module.suffix not in (".py", ".pyi") or (module.suffix == ".py" and stub.is_file()):
            continue
        if not module.stem.startswith("_") or module.stem in (COMPILED, PACKAGE):
            yield module


def _of_module(module: Path) -> Iterator[str]:
    compiled = module.stem == COMPILED
    prefix = "" if module.stem in (COMPILED, PACKAGE) else f"{module.stem}."
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _of_class(node, prefix)
        elif isinstance(node, Function) and not compiled and not node.name.startswith("_"):
            yield from _of_function(node, f"{prefix}{node.name}")


def _of_class(node: ast.ClassDef, prefix: str) -> Iterator[str]:
    name = f"{prefix}{node.name}"
    for inner in node.body:
        if isinstance(inner, Function):
            if inner.name in DUNDERS_OF_CALLERS:
                yield from (one for one in _of_function(inner, name) if not one.endswith("()"))
            elif any(isinstance(one, ast.Name) and one.id == "property" for one in inner.decorator_list):
                yield f"{name}.{inner.name}"
            elif not inner.name.startswith("_"):
                yield from _of_function(inner, f"{name}.{inner.name}")
        elif isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name) and inner.target.id[0] != "_":
            yield f"{name}.{inner.target.id}"


def _of_function(node: Function, name: str) -> list[str]:
    asked = node.args
    every = [*asked.posonlyargs, *asked.args, *asked.kwonlyargs, *filter(None, (asked.vararg, asked.kwarg))]
    return of_parameters(name, [one.arg for one in every if one.arg not in NO_PARAMETERS])
