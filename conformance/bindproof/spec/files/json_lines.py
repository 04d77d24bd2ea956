"""On which line each value of a JSON text begins, and which keys stand twice in an object.

Enters: a text that `json` reads. Leaves: place → line, and the places of keys that stand twice. Must not know what the
values mean.
"""

from __future__ import annotations

import json
import re
from typing import Final

from bindproof.spec.files.toml_lines import Place

_OPENING: Final = frozenset("{[")

_BLANKS: Final = r"[ \t\r\n]*+"
_TEXT: Final = r'"(?:[^"\\]|\\.)*+"'
_VALUE: Final = rf'([{{\[]|{_TEXT}|[^\s{{}}\[\]:,"]++){_BLANKS},?'
"""A value, or its opening bracket, with the blanks and the comma behind it."""

_ITEM: Final = re.compile(rf"{_BLANKS}{_VALUE}")
_MEMBER: Final = re.compile(rf"{_BLANKS}({_TEXT}){_BLANKS}:{_BLANKS}{_VALUE}")
_END: Final = re.compile(rf"{_BLANKS}[}}\]]{_BLANKS},?")


def json_lines(text: str) -> tuple[dict[Place, int], list[tuple[Place, int]]]:
    """Return the line, from 1, of every value of a valid text by its place; and each repeated key with its line.

    A value's line is that of its key in an object. Of a key that stands twice the last counts, as `json` has it.
    """
    finder = _Finder(text)
    finder.whole()
    return finder.lines, finder.twice


class _Finder:
    """Goes through a valid text once, a member or an item at a time."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Place, int] = {}
        self.twice: list[tuple[Place, int]] = []
        self._text = text
        self._at = 0
        self._line = 1
        self._is_one_line = "\n" not in text

    def whole(self) -> None:
        """Read the value that the text is."""
        found = self._found(_ITEM)
        if found:
            self._item((), found)

    def _found(self, part: re.Pattern[str]) -> re.Match[str] | None:
        """Return what stands next, if it is this."""
        return part.match(self._text, self._at)

    def _moved(self, to: int) -> int:
        """Go on to a place in the text, and return its line."""
        if not self._is_one_line:
            self._line += self._text.count("\n", self._at, to)
        self._at = to
        return self._line

    def _item(self, place: Place, found: re.Match[str]) -> None:
        self.lines.setdefault(place, self._moved(found.start(1)))
        self._moved(found.end())
        self._within(place, found[1])

    def _within(self, place: Place, opening: str) -> None:
        """Read what lies in a value of which this is the beginning."""
        if opening == "{":
            self._object(place)
        elif opening == "[":
            index = 0
            while found := self._found(_ITEM):
                self._item((*place, index), found)
                index += 1
        else:
            return
        end = self._found(_END)
        if end:
            self._moved(end.end())

    def _object(self, place: Place) -> None:
        seen: set[str] = set()
        while found := self._found(_MEMBER):
            part, opening = found.groups()
            key = str(json.loads(part)) if "\\" in part else part[1:-1]
            inner = (*place, key)
            line = self._moved(found.start(1))
            if key in seen:
                self.twice.append((inner, line))
            seen.add(key)
            self.lines[inner] = line
            self._moved(found.end())
            if opening in _OPENING:
                self._within(inner, opening)
