"""What a C library offers: the parameters of the functions of its header.

Enters: a folder with a header. Leaves: names such as `llm_call:data_json`. Must not know what any of them is for.

The prefix that all functions of the header share is left out, as each word of it would be the same.
"""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

from bindproof.coverage.naming import of_parameters, without_comments

_FUNCTION = re.compile(r"^(?!typedef\b)[A-Za-z][\w *]*?\b([a-z]\w*)\(((?:[^()]|\([^()]*\))*)\);", re.MULTILINE)
_NAME = re.compile(r"\(\*(\w+)\)|(\w+)\s*(?:\[\w*\])?$")
"""A pointer to a function, or the last word."""


def names(folder: Path) -> list[str]:
    """Return the names, each once and sorted; `function()` of what has no parameter."""
    text = "\n".join(without_comments(header.read_text("utf-8")) for header in sorted(folder.glob("*.h")))
    functions = {one[1]: one[2] for one in _FUNCTION.finditer(text)}
    prefix = _shared(sorted(functions))
    return sorted({name for function, inside in functions.items() for name in _of(function, inside, prefix)})


def _shared(functions: list[str]) -> str:
    """Return the words that all begin with: what the first and the last in order share."""
    first, last = (functions[at].split("_") if functions else [] for at in (0, -1))
    shared = list(takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return "".join(f"{word}_" for word, _ in shared[: len(first) - 1])


def _of(function: str, inside: str, prefix: str) -> list[str]:
    words = [word[1] or word[2] for part in inside.split(",") if (word := _NAME.search(part.strip())) is not None]
    return of_parameters(function.removeprefix(prefix), [word for word in words if word != "void"])
