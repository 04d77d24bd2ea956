"""The single faults that a file of Python may have: arguments, answers and calls of its functions.

Enters: the text of a module. Leaves: faults, each with the text that has it. Must not know what the module is for.

The syntax tree is Python's own: a fault replaces one statement and leaves the rest of the text as it was, so nothing is
lost that a tree does not hold.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from itertools import pairwise

from bindproof.mutants.single_fault import SingleFault

Function = ast.FunctionDef | ast.AsyncFunctionDef
Statement = ast.Expr | ast.Return | ast.Assign

NO_CALL_OF_THE_LAYER = frozenset(
    {"RuntimeError", "TypeError", "ValueError", "cast", "getattr", "hasattr", "isinstance", "list", "set", "str"}
)
"""Functions whose arguments are no arguments of the library."""


def faults_of(text: str) -> list[SingleFault]:
    """Return the faults of a module, in the order of its text; raises SyntaxError for what is no Python."""
    return [
        fault
        for name, function in functions(ast.parse(text))
        for statement in _statements(function)
        for fault in _faults(text, name, function, statement)
    ]


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield the functions of a module and the methods of its classes that do something, each with its name."""
    for node in tree.body:
        if isinstance(node, Function) and _does_something(node):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and not any(_name_of(base) == "Protocol" for base in node.bases):
            for inner in node.body:
                if isinstance(inner, Function) and _does_something(inner):
                    yield f"{node.name}.{inner.name}", inner


def traced(text: str, module: str, to: str) -> str:
    """Return a module whose functions write their names into the file `to`, each time that one is entered, or loops."""
    tree = ast.parse(text)
    for name, function in functions(tree):
        at = 1 if ast.get_docstring(function, clean=False) is not None else 0
        entered = f"_bindproof_entered({f'{module}.{name}'!r})"
        for loop in [node for node in ast.walk(function) if isinstance(node, ast.While)]:
            loop.body.insert(0, ast.parse(entered).body[0])  # a thread that stays is entered once, and works for all
        function.body.insert(at, ast.parse(entered).body[0])
    writer = f"def _bindproof_entered(name):\n with open({to!r}, 'a') as told:\n  told.write(name + '\\n')"
    at = sum(1 for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__")
    at += 1 if ast.get_docstring(tree, clean=False) is not None else 0
    tree.body.insert(at, ast.parse(writer).body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def _does_something(function: Function) -> bool:
    if any(_name_of(decorator) == "overload" for decorator in function.decorator_list):
        return False
    return not all(
        isinstance(one, ast.Pass) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in function.body
    )


def _statements(function: Function) -> list[Statement]:
    """Return the statements that make a call, also those of functions inside, in the order of the text."""
    found = [
        node
        for node in ast.walk(function)
        if isinstance(node, Statement) and node.value is not None and next(_calls(node), None) is not None
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and _name_of(one.func) not in NO_CALL_OF_THE_LAYER:
            yield one


def _faults(text: str, name: str, function: Function, statement: Statement) -> Iterator[SingleFault]:
    kinds = _annotations(function)
    for at, call in enumerate(_calls(statement)):
        for words, change in _of_arguments(call, kinds):
            changed = copy.deepcopy(statement)
            change(list(_calls(changed))[at])
            yield _fault(text, name, statement, words, [changed])
    for words, instead in _of_the_whole(statement, function):
        yield _fault(text, name, statement, words, instead)


def _fault(text: str, name: str, old: Statement, words: str, new: list[ast.stmt]) -> SingleFault:
    lines = text.splitlines(keepends=True)
    indent = " " * old.col_offset
    after = "\n".join(ast.unparse(ast.fix_missing_locations(one)) for one in new)
    end = old.end_lineno or old.lineno
    before = "".join(lines[old.lineno - 1 : end]).strip()
    written = "".join(f"{indent}{line}\n" for line in after.splitlines())
    changed = "".join([*lines[: old.lineno - 1], written, *lines[end:]])
    return SingleFault(name, words, old.lineno, before, after, changed)


Change = Callable[[ast.Call], None]


def _of_arguments(call: ast.Call, kinds: dict[str, str]) -> Iterator[tuple[str, Change]]:
    """Yield what may be wrong with the arguments of a call that come from the function's own: words, and how."""
    for at, value in enumerate(call.args):
        if isinstance(value, ast.Name) and value.id in kinds:
            for words, wrong in _wrong(value.id, kinds[value.id]):
                yield words, lambda one, at=at, wrong=wrong: one.args.__setitem__(at, wrong)  # type: ignore[misc]
    for at, keyword in enumerate(call.keywords):
        if keyword.arg is not None and not isinstance(keyword.value, ast.Constant):
            yield f"{keyword.arg} is not passed on", lambda one, at=at: one.keywords.pop(at)  # type: ignore[misc]
    for at, (one, other) in enumerate(pairwise(call.keywords)):
        kind = _own_kind(one.value, kinds)
        if kind is not None and kind == _own_kind(other.value, kinds):
            yield f"{one.arg} and {other.arg} are exchanged", lambda it, at=at: _exchange(it, at)  # type: ignore[misc]


def _exchange(call: ast.Call, at: int) -> None:
    one, other = call.keywords[at : at + 2]
    one.value, other.value = other.value, one.value


def _wrong(name: str, kind: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield what may stand in the place of an argument of a kind."""
    match kind:
        case "int":
            yield f"{name} is ignored", _expression("0")
            yield f"{name} is negated", _expression(f"-{name}")
        case "bool":
            yield f"{name} is dropped", _expression("False")
            yield f"{name} is always set", _expression("True")
        case "str":
            yield f"{name} is another", _expression(f"{name} + '?'")
        case "Json":
            yield f"{name} is dropped", _expression("None")
        case _ if kind.endswith("| None"):
            yield f"{name} is dropped", _expression("None")


def _of_the_whole(statement: Statement, function: Function) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yield what may be wrong with a statement that makes a call: words, and what stands in its place."""
    value = statement.value
    if value is None or not isinstance(value, ast.Call | ast.Await | ast.UnaryOp):
        return
    called = _called(value)
    alone: ast.stmt = ast.Expr(value)
    again = copy.deepcopy(statement)
    if isinstance(statement, ast.Expr):
        yield f"{called} is not called", [ast.Pass()]
        yield f"{called} is called twice", [alone, again]
    elif isinstance(statement, ast.Return):
        if function.returns is not None and ast.unparse(function.returns) == "bool":
            yield f"{called} is not called, and true answered", [ast.Return(ast.Constant(True))]
            yield f"{called} is not called, and false answered", [ast.Return(ast.Constant(False))]
            yield "the answer is reversed", [ast.Return(ast.UnaryOp(ast.Not(), value))]
        elif _answers_nothing(function):
            yield f"{called} is not called", [ast.Return(ast.Constant(None))]
            yield f"{called} is called twice", [alone, again]
        else:
            yield "the answer is dropped", [alone, ast.Return(ast.Constant(None))]
            yield f"{called} is called twice", [alone, again]
    elif isinstance(statement.targets[0], ast.Name):
        yield f"{ast.unparse(statement.targets[0])} is lost", [ast.Assign(statement.targets, ast.Constant(None))]


def _called(value: ast.expr) -> str:
    inner = value.value if isinstance(value, ast.Await) else value
    return _name_of(inner.func).lstrip("_").removeprefix("native_") if isinstance(inner, ast.Call) else "it"


def _answers_nothing(function: Function) -> bool:
    return function.returns is None or ast.unparse(function.returns) == "None"


def _annotations(function: Function) -> dict[str, str]:
    """Return the parameters of a function, each with its annotation."""
    each = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return {one.arg: "" if one.annotation is None else ast.unparse(one.annotation) for one in each}


def _own_kind(value: ast.expr, kinds: dict[str, str]) -> str | None:
    return kinds.get(value.id) or None if isinstance(value, ast.Name) else None


def _name_of(node: ast.AST) -> str:
    """Return the last name of an expression such as `typing.overload`, empty where it is no name."""
    if isinstance(node, ast.Subscript | ast.Call):
        return _name_of(node.value if isinstance(node, ast.Subscript) else node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
