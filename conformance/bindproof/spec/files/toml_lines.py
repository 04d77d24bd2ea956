"""On which line each value of a TOML text begins; `tomllib` tells values alone.

Enters: a text that `tomllib` reads. Leaves: place → line. Must not know what the values mean.
"""

from __future__ import annotations

import re
import tomllib
from typing import Final, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value; the empty one is the whole document."""

_BLANK: Final = re.compile(r"(?:[ \t\n]|#[^\n]*)*+")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_DOT: Final = re.compile(r"[ \t]*\.[ \t]*")
_STRING: Final = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+"""(?:"{0,2})'
    r"|'''(?:[^']|'(?!''))*+'''(?:'{0,2})"
    r'|"(?:[^"\\]|\\.)*+"'
    r"|'[^']*+'"
)
_SCALAR: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]+")


def toml_lines(text: str) -> dict[Place, int]:
    """Return the line, from 1, of every value of a valid document by its place.

    A table's is that of its header or of the first key that speaks of it.
    """
    finder = _Finder(text.replace("\r\n", "\n"))
    finder.document()
    return finder.lines


class _Finder:
    """Goes through a valid text once; each method leaves `at` behind what it read."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Place, int] = {(): 1}
        self._text = text
        self._at = 0
        self._counted = (0, 1)
        self._items: dict[Place, int] = {}

    def document(self) -> None:
        """Read all of it."""
        table: Place = ()
        while self._next():
            if self._takes("[["):
                table = self._header(of_item=True)
            elif self._takes("["):
                table = self._header(of_item=False)
            else:
                self._pair(table)

    def _header(self, *, of_item: bool) -> Place:
        """Read a header behind its brackets; return the place of the table that it opens."""
        keys = self._keys()
        self._at = self._text.index("]", self._at) + (2 if of_item else 1)
        place: Place = ()
        for number, key in enumerate(keys, 1):
            place = (*place, key)
            self._mark(place)
            if of_item and number == len(keys):
                self._items[place] = self._items.get(place, 0) + 1
            if place in self._items:
                place = (*place, self._items[place] - 1)
                self._mark(place)
        return place

    def _pair(self, table: Place) -> None:
        place = table
        for key in self._keys():
            place = (*place, key)
            self._mark(place)
        self._next()
        self._takes("=")
        self._next()
        self._value(place)

    def _value(self, place: Place) -> None:
        self._mark(place)
        if self._takes("["):
            index = 0
            while not self._ends("]"):
                self._value((*place, index))
                index += 1
        elif self._takes("{"):
            while not self._ends("}"):
                self._pair(place)
        else:
            found = _STRING.match(self._text, self._at) or _SCALAR.match(self._text, self._at)
            self._at = found.end() if found else len(self._text)

    def _ends(self, bracket: str) -> bool:
        """Tell whether a list or an inline table ends here, and pass its bracket, or the comma before what follows."""
        self._next()
        if self._takes(","):
            self._next()
        return self._takes(bracket)

    def _keys(self) -> list[str]:
        """Read a key with all its dotted parts."""
        self._next()
        keys = [self._key()]
        while dot := _DOT.match(self._text, self._at):
            self._at = dot.end()
            keys.append(self._key())
        return keys

    def _key(self) -> str:
        found = _BARE.match(self._text, self._at) or _STRING.match(self._text, self._at)
        if found is None:
            raise ValueError(f"no key at {self._at}")
        self._at = found.end()
        word = found[0]
        if word[0] == '"' and "\\" in word:
            return str(tomllib.loads(f"key = {word}")["key"])
        return word[1:-1] if word[0] in "\"'" else word

    def _mark(self, place: Place) -> None:
        """Note where a value begins, unless it has begun before."""
        at, line = self._counted
        line += self._text.count("\n", at, self._at)
        self._counted = (self._at, line)
        self.lines.setdefault(place, line)

    def _takes(self, token: str) -> bool:
        found = self._text.startswith(token, self._at)
        if found:
            self._at += len(token)
        return found

    def _next(self) -> bool:
        """Pass blanks, line ends and comments; tell whether anything follows."""
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at
        return self._at < len(self._text)
