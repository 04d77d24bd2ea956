"""What declarations of TypeScript say of the functions that a module exports, and of the methods of its classes.

Enters: the text of a `.d.ts`. Leaves: each function with its parameters and what it answers with. Must not know what
any of them is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bindproof.coverage.naming import without_comments

CLOSING = {"(": ")", "{": "}", "[": "]", "<": ">"}
_DECLARED = re.compile(r"^export (?:declare )?(?:function (\w+)|class (\w+)[^{\n]*\{)", re.MULTILINE)
_MEMBER = re.compile(r"^\s*(get )?(\w+)(\(|\b)", re.MULTILINE)
_ANSWER = re.compile(r"\s*:\s*([^;\n]*)")


class Parameter(Struct, frozen=True):
    """A parameter of a function. type: as it is written."""

    name: str
    type: str
    optional: bool


class Declared(Struct, frozen=True):
    """A function, or a method or getter of the class `owner`. answer: the type as it is written."""

    owner: str
    name: str
    parameters: tuple[Parameter, ...]
    answer: str
    getter: bool = False


def declared(text: str) -> Iterator[Declared]:
    """Yield the functions and methods of a module in the order of the text; constructors are none."""
    text = without_comments(text)
    for one in _DECLARED.finditer(text):
        if one[1]:
            yield _function("", one[1], text, text.index("(", one.end()))
        else:
            yield from _methods(one[2], enclosed(text, one.end() - 1))


def enclosed(text: str, opened: int) -> str:
    """Return what stands between a bracket and its partner."""
    depth, closing = 0, CLOSING[text[opened]]
    for at in range(opened, len(text)):
        depth += (text[at] == text[opened]) - (text[at] == closing)
        if depth == 0:
            return text[opened + 1 : at]
    return text[opened + 1 :]


def parts(text: str) -> list[str]:
    """Return what stands between the commas that are in no bracket; `=>` closes none."""
    found, depth = [""], 0
    for at, one in enumerate(text):
        depth += (one in CLOSING) - (one in CLOSING.values() and text[at - 1 : at + 1] != "=>")
        if one == "," and depth == 0:
            found.append("")
        else:
            found[-1] += one
    return [part for part in found if part.strip()]


def end_of_line(text: str, at: int) -> int:
    """Return where the line ends in which a member's type ends."""
    while at < len(text) and text[at] != "\n":
        at += len(enclosed(text, at)) + 2 if text[at] in "({[" else 1
    return at


def _methods(owner: str, body: str) -> Iterator[Declared]:
    at = 0
    while (member := _MEMBER.search(body, at)) is not None:
        if member[3] == "(" and member[2] != "constructor":
            found = _function(owner, member[2], body, member.end() - 1)
            yield Declared(owner, found.name, found.parameters, found.answer, getter=bool(member[1]))
        at = end_of_line(body, member.start(2))


def _function(owner: str, name: str, text: str, opened: int) -> Declared:
    inside = enclosed(text, opened)
    answer = _ANSWER.match(text, opened + len(inside) + 2)
    written = [part.partition(":") for part in parts(inside)]
    parameters = tuple(
        Parameter(before.strip(" ?\n."), " ".join(kind.split()), _is_optional(before, kind))
        for before, _, kind in written
    )
    return Declared(owner, name, parameters, answer[1].strip() if answer is not None else "void")


def _is_optional(before: str, kind: str) -> bool:
    """Whether nothing may be given: of a function that may answer with nothing this says nothing."""
    return before.strip().endswith("?") or ("=>" not in kind and re.search(r"\|\s*null\b", kind) is not None)
