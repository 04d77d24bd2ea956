"""What a Node package offers: parameters of its functions, and members of its classes and interfaces.

Enters: a package's folder. Leaves: names such as `llmCall:data` and `PendingMarkSpec.name`. Must not know what any of
them is for.

The declarations are read as far as their own generator writes them: one declaration in a line or a few, comments apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bindproof.coverage.naming import of_parameters, without_comments

_DECLARED = re.compile(
    r"^export (?:declare )?(?:(function) (\w+)|(?:const )?(class|interface|enum) (\w+)[^{\n]*\{)", re.MULTILINE
)
_MEMBER = re.compile(r"^\s*(?:readonly |static |declare )*(get |set )?(\w+)\??\s*([(:=,]|$)", re.MULTILINE)

INDEX = "index"
CLOSING = {"(": ")", "{": "}", "[": "]", "<": ">"}


def names(folder: Path) -> list[str]:
    """Return the names, each once and sorted; what stands in another module than the index has the module's before."""
    found: set[str] = set()
    for module in sorted(folder.glob("*.d.ts")):
        stem = module.name.removesuffix(".d.ts")
        text = without_comments(module.read_text(encoding="utf-8"))
        found.update(name if stem == INDEX else f"{stem}.{name}" for name in _of_text(text))
    return sorted(found)


def _of_text(text: str) -> Iterator[str]:
    for one in _DECLARED.finditer(text):
        function, name, _, kind = one[1], one[2], one[3], one[4]
        if function:
            if not name.startswith("__"):
                yield from _of_function(name, _enclosed(text, text.index("(", one.end(2))))
        else:
            yield from _of_body(kind, _enclosed(text, one.end() - 1))


def _of_function(name: str, inside: str) -> list[str]:
    return of_parameters(name, [part.split(":")[0].strip(" ?\n") for part in _parts(inside)])


def _of_body(name: str, inside: str) -> Iterator[str]:
    """Yield what stands in a body at its own level; what is nested in a type is of that type."""
    at = 0
    while (member := _MEMBER.search(inside, at)) is not None:
        at = member.end()
        word = member[2]
        if member[3] == "(" and not member[1]:
            opened = member.end() - 1
            parameters = _enclosed(inside, opened)
            if word == "constructor":
                yield from (one for one in _of_function(name, parameters) if not one.endswith("()"))
            else:
                yield from _of_function(f"{name}.{word}", parameters)
            at = opened + len(parameters) + 2
        else:
            yield f"{name}.{word}"
        at = _end_of_member(inside, at)


def _end_of_member(text: str, at: int) -> int:
    """Return where the line ends in which a member's type ends."""
    while at < len(text) and text[at] != "\n":
        at += len(_enclosed(text, at)) + 2 if text[at] in "({[" else 1
    return at


def _enclosed(text: str, opened: int) -> str:
    """Return what stands between a bracket and its partner."""
    depth, closing = 0, CLOSING[text[opened]]
    for at in range(opened, len(text)):
        depth += (text[at] == text[opened]) - (text[at] == closing)
        if depth == 0:
            return text[opened + 1 : at]
    return text[opened + 1 :]


def _parts(text: str) -> list[str]:
    """Return what stands between the commas that are in no bracket; `=>` closes none."""
    found, depth = [""], 0
    for at, one in enumerate(text):
        depth += (one in CLOSING) - (one in CLOSING.values() and text[at - 1 : at + 1] != "=>")
        if one == "," and depth == 0:
            found.append("")
        else:
            found[-1] += one
    return [part for part in found if part.strip()]
