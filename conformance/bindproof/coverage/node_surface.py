"""What a Node package offers: parameters of its functions, and members of its classes and interfaces.

Enters: a package's folder. Leaves: names such as `llmCall:data` and `PendingMarkSpec.name`. Must not know what any of
them is for.

The declarations are read as far as their own generator writes them: one declaration in a line or a few, comments apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bindproof.coverage.declarations import enclosed, end_of_line, parts
from bindproof.coverage.naming import of_parameters, without_comments

_DECLARED = re.compile(
    r"^export (?:declare )?(?:(function) (\w+)|(?:const )?(class|interface|enum) (\w+)[^{\n]*\{)", re.MULTILINE
)
_MEMBER = re.compile(r"^\s*(?:readonly |static |declare )*(get |set )?(\w+)\??\s*([(:=,]|$)", re.MULTILINE)

INDEX = "index"


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
                yield from _of_function(name, enclosed(text, text.index("(", one.end(2))))
        else:
            yield from _of_body(kind, enclosed(text, one.end() - 1))


def _of_function(name: str, inside: str) -> list[str]:
    return of_parameters(name, [part.split(":")[0].strip(" ?\n") for part in parts(inside)])


def _of_body(name: str, inside: str) -> Iterator[str]:
    """Yield what stands in a body at its own level; what is nested in a type is of that type."""
    at = 0
    while (member := _MEMBER.search(inside, at)) is not None:
        at = member.end()
        word = member[2]
        if member[3] == "(" and not member[1]:
            opened = member.end() - 1
            parameters = enclosed(inside, opened)
            if word == "constructor":
                yield from (one for one in _of_function(name, parameters) if not one.endswith("()"))
            else:
                yield from _of_function(f"{name}.{word}", parameters)
            at = opened + len(parameters) + 2
        else:
            yield f"{name}.{word}"
        at = end_of_line(inside, at)
