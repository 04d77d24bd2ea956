"""The single faults that a module of a Node package may have in what it exports: arguments, answers and calls.

Enters: the text of a module of JavaScript, and its declarations. Leaves: faults, each with the text that has it. Must
not know what the module is for.

What such a package exports is mostly native, and handed on by one statement for each function. A fault replaces that
statement: what is exported hands something else on, or answers something else. So no program has to be understood, and
what the package's other modules call has the fault too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from bindproof.coverage.declarations import Declared, Parameter, declared
from bindproof.mutants.single_fault import SingleFault

HIDDEN = "__"
"""What a package's own tests are for begins so."""

REAL = "real.apply(this, given)"

_PROMISED = re.compile(r"Promise<(.*)>$", re.DOTALL)

Wrong = tuple[str, str]
"""What is wrong, in a few words, and the body of the function that has it, where `real` is the right one."""


def faults_of(text: str, declarations: str) -> list[SingleFault]:
    """Return the faults of a module, in the order of its declarations."""
    return [
        _fault(text, function, line, words, body)
        for function, line in _exported(text, declarations)
        for words, body in _wrongs(function)
    ]


def traced(text: str, declarations: str, module: str, to: str) -> str:
    """Return a module whose functions write their names into the file `to`, each time that one is entered."""
    lines = text.splitlines(keepends=True)
    for function, at in _exported(text, declarations):
        told = json.dumps(f"{module}.{_name(function)}\n")
        body = f"require('fs').appendFileSync({json.dumps(to)}, {told}); return {REAL};"
        lines[at] = _instead(lines[at], function, f"function (...given) {{ {body} }}")
    return "".join(lines)


def _exported(text: str, declarations: str) -> Iterator[tuple[Declared, int]]:
    """Yield each function that a module exports by name, and the line that does, from 0."""
    lines = text.splitlines()
    at = {
        found[1] or found[2]: number for number, line in enumerate(lines) if (found := _EXPORT.match(line)) is not None
    }
    for function in declared(declarations):
        line = at.get(function.owner or function.name)
        if line is not None and not function.name.startswith(HIDDEN):
            yield function, line


_EXPORT = re.compile(r"^(?:module\.exports\.(\w+) = \1;?|  (\w+),)$")
"""A line that exports one name: of a module whose exports are assigned, or of a list of them."""


def _name(function: Declared) -> str:
    return f"{function.owner}.{function.name}" if function.owner else function.name


def _fault(text: str, function: Declared, at: int, words: str, body: str) -> SingleFault:
    lines = text.splitlines(keepends=True)
    waits = "async " if _PROMISED.match(function.answer) and ("await " in body or not body) else ""
    before = lines[at]
    lines[at] = _instead(before, function, f"{waits}function (...given) {{ {body} }}")
    return SingleFault(_name(function), words, at + 1, before.strip(), lines[at].strip(), "".join(lines))


def _instead(line: str, function: Declared, wrong: str) -> str:
    """Return the line that exports a function with a wrong one in its place."""
    name, owner = function.name, function.owner
    if owner:
        return _beside(line, owner, _patch(function, wrong))
    if line.startswith("module.exports."):
        return f"module.exports.{name} = ((real) => {wrong})({name})\n"
    return f"  {name}: ((real) => {wrong})({name}),\n"


def _patch(function: Declared, wrong: str) -> str:
    """Return what puts a wrong method or getter into its class."""
    name, prototype = function.name, f"{function.owner}.prototype"
    if not function.getter:
        return f"{prototype}.{name} = ((real) => {wrong})({prototype}.{name})"
    right = f"Object.getOwnPropertyDescriptor({prototype}, '{name}').get"
    put = f"Object.defineProperty({prototype}, '{name}', {{ configurable: true, get: {wrong} }})"
    return f"((real) => {put})({right})"


def _beside(line: str, owner: str, patch: str) -> str:
    """Return the line that exports a class, and patches it before."""
    line = line.rstrip("\n")
    if line.startswith("module.exports."):
        return f"{line.rstrip(';')}; {patch}\n"
    exported = line.strip().removeprefix(f"{owner}: ").removesuffix(",")
    return f"  {owner}: ({patch}, {exported}),\n"


def _wrongs(function: Declared) -> Iterator[Wrong]:
    for at, parameter in enumerate(function.parameters):
        for words, value in _values(parameter, f"given[{at}]"):
            yield f"{parameter.name} {words}", f"given[{at}] = {value}; return {REAL};"
    for at, (one, other) in enumerate(pairwise(function.parameters)):
        if one.type == other.type:
            exchanged = f"[given[{at}], given[{at + 1}]] = [given[{at + 1}], given[{at}]]"
            yield f"{one.name} and {other.name} are exchanged", f"{exchanged}; return {REAL};"
    yield from _of_the_whole(function)


def _values(parameter: Parameter, given: str) -> Iterator[Wrong]:
    """Yield what may stand in the place of an argument."""
    if parameter.optional:
        yield "is not passed on", "undefined"
        return
    match parameter.type:
        case "number":
            yield "is ignored", "0"
            yield "is negated", f"-{given}"
        case "boolean":
            yield "is dropped", "false"
            yield "is always set", "true"
        case "string":
            yield "is another", f"{given} + '?'"
        case "Json":
            yield "is dropped", "null"


def _of_the_whole(function: Declared) -> Iterator[Wrong]:
    promised = _PROMISED.match(function.answer)
    answer, waits = (promised[1], "await ") if promised else (function.answer, "")
    name = function.name
    if answer == "boolean":
        yield f"{name} is not called, and true answered", "return true;"
        yield f"{name} is not called, and false answered", "return false;"
        yield "the answer is reversed", f"return !{waits}{REAL};"
        return
    if answer == "void":
        yield f"{name} is not called", ""
    else:
        yield "the answer is dropped", f"{waits}{REAL}; return null;"
    if not function.getter:
        yield f"{name} is called twice", f"{waits}{REAL}; return {REAL};"
