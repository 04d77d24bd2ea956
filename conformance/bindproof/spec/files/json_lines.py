"""On which line each value of a JSON text begins, and which keys stand twice in an object.

Enters: a text that `json` reads. Leaves: place → line, and the places of keys that stand twice. Must not know what the
values mean.
"""

from __future__ import annotations

import json
import re
from typing import Final

from bindproof.spec.files.toml_lines import Place

_TOKEN: Final = re.compile(r'([ \t\r\n]*)([{}\[\]:,]|"(?:[^"\\]|\\.)*+"|[^\s{}\[\]:,"]++)')
"""A token, and the blanks before it: nowhere else may a line end."""

_OPENING: Final = frozenset("{[")


def json_lines(text: str) -> tuple[dict[Place, int], list[tuple[Place, int]]]:
    """Return the line, from 1, of every value of a valid text by its place; and each repeated key with its line.

    A value's line is that of its key in an object. Of a key that stands twice the last counts, as `json` has it.
    """
    finder = _Finder(text)
    finder.value(())
    return finder.lines, finder.twice


class _Finder:
    """Goes through a valid text once, a token at a time."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Place, int] = {}
        self.twice: list[tuple[Place, int]] = []
        self._tokens = _TOKEN.finditer(text)
        self._line = 1

    def value(self, place: Place, part: str | None = None) -> None:
        """Read a value; part: its first token, where that was read already."""
        part = part or self._token()
        self.lines.setdefault(place, self._line)
        if part == "{":
            self._object(place)
        elif part == "[":
            index = 0
            while (part := self._token()) != "]":
                if part != ",":
                    self.value((*place, index), part)
                    index += 1

    def _object(self, place: Place) -> None:
        seen: set[str] = set()
        while (part := self._token()) != "}":
            if part == ",":
                continue
            key = str(json.loads(part)) if "\\" in part else part[1:-1]
            inner = (*place, key)
            if key in seen:
                self.twice.append((inner, self._line))
            seen.add(key)
            self.lines[inner] = self._line
            self._token()  # the colon
            part = self._token()
            if part in _OPENING:
                self.value(inner, part)

    def _token(self) -> str:
        blanks, token = next(self._tokens).groups()
        if blanks:
            self._line += blanks.count("\n")
        return str(token)
