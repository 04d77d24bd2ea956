"""Parses TOML, JSON and YAML, and says on which line a value stands.

Enters: the bytes of a file. Leaves: a Document, or a SpecError with every fault of the text itself. Must not know what
the values mean.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.core.nesting import depth_is_above
from bindproof.core.pointer import pointer_to
from bindproof.spec.files.json_lines import json_lines
from bindproof.spec.files.text import text_of
from bindproof.spec.files.toml_keys import long_key
from bindproof.spec.files.toml_lines import Place, toml_lines
from bindproof.spec.files.yaml_text import ENDINGS, yaml_read
from bindproof.spec.problem import Problem, SpecError

DEEPEST: Final = 200
"""Lists and objects in one another. A scenario goes through functions that call themselves for each of them."""

_SMALLEST, _GREATEST = -(2**63), 2**64 - 1
_TOML_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)")
_LONG_NUMBER: Final = re.compile(r"(?<!\d)\d{4300}")  # looking behind, as else each digit of a run begins a search

_LARGE: Final = re.compile(r"[0-9](?:[0-9]{18}|[eE])")
_ODD: Final = ("\\ud", "\\uD", "NaN", "Infinity")


class Document(Struct, frozen=True, dict=True):
    """What a file holds."""

    name: str
    """What messages call the file."""
    value: Json
    """Plain JSON, of TOML too."""
    text: str

    @cached_property
    def lines(self) -> Mapping[Place, int]:
        """The line of every value, found when it is first asked for."""
        if self.name.endswith(ENDINGS):
            return yaml_read(self.text, self.name)[1]
        return toml_lines(self.text) if self.name.endswith(".toml") else json_lines(self.text)[0]

    def line(self, *place: str | int) -> int:
        """Return the line of a value, or of the innermost around it that is there."""
        if "\n" not in self.text and "\r" not in self.text:
            return 1
        while place not in self.lines:
            place = place[:-1]
        return self.lines[place]

    def problem(self, text: str, *place: str | int) -> Problem:
        """Return a problem of the value at a place."""
        return Problem(self.name, self.line(*place), text)


def parse(data: bytes, name: str) -> Document:
    """Return what the bytes of a file hold: TOML or YAML where the end of its name says so, else JSON.

    Raises UsageError where no reader of YAML is installed, SpecError for bytes that are no such text, and for values
    that no scenario can carry.
    """
    text = text_of(data, name)
    try:
        value = _value(text, name)
    except RecursionError:
        raise SpecError([_too_deep(text, name)]) from None
    except ValueError as error:  # Python refuses to read a number of thousands of digits
        found = _LONG_NUMBER.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else 1
        raise SpecError([Problem(name, line, f"this is nothing that can be read: {error}")]) from None
    if depth_is_above(DEEPEST, value):
        raise SpecError([_too_deep(text, name)])
    document = Document(name, value, text)
    problems = [] if _is_plain(text, name) else [document.problem(said, *place) for place, said in _unfit(value)]
    if problems:
        raise SpecError(problems)
    return document


def _is_plain(text: str, name: str) -> bool:
    """Tell whether every text in a JSON text is surely whole, and every number fits into 64 bits."""
    is_json = not name.endswith((".toml", *ENDINGS))
    return is_json and not any(odd in text for odd in _ODD) and _LARGE.search(text) is None


def _value(text: str, name: str) -> Json:
    if name.endswith(ENDINGS):
        return yaml_read(text, name)[0]
    return _toml(text, name) if name.endswith(".toml") else _json(text, name)


def _toml(text: str, name: str) -> Json:
    line = long_key(text, DEEPEST)  # asked first: for each part of a key tomllib copies those before it
    if line is not None:
        raise SpecError([Problem(name, line, f"this key has more than {DEEPEST} parts; make it flatter")])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        line = int(found[1]) if found else text.rstrip("\n").count("\n") + 1
        raise SpecError([Problem(name, line, f"this is no TOML: {error}")]) from None


def _json(text: str, name: str) -> Json:
    repeated = False

    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        nonlocal repeated
        found = dict(pairs)
        repeated = repeated or len(found) < len(pairs)
        return found

    try:
        value = json.loads(text, object_pairs_hook=members)
    except json.JSONDecodeError as error:
        said = f"this is no JSON: {error.msg}; mend the JSON at or just before this line"
        raise SpecError([Problem(name, min(error.lineno, text.rstrip("\n").count("\n") + 1), said)]) from None
    if repeated:
        twice = [(line, shown(place)) for place, line in json_lines(text)[1]]
        raise SpecError([Problem(name, line, f"{key} stands twice; keep one of them") for line, key in twice])
    return value


def shown(place: Place) -> str:
    """Return how messages name a place: the key, or its pointer where it lies within others."""
    return f"`{place[0]}`" if len(place) == 1 else f"`{pointer_to(place)}`"


def _too_deep(text: str, name: str) -> Problem:
    """Name the line of the deepest bracket, which is near the one too many whatever stands in texts."""
    deepest, at, depth = 0, 0, 0
    for found in re.finditer(r"[\[{}\]]", text):
        depth += 1 if found[0] in "[{" else -1
        if depth > deepest:
            deepest, at = depth, found.start()
    said = f"this is nested deeper than {DEEPEST} lists and objects; make it flatter"
    return Problem(name, text.count("\n", 0, at) + 1, said)


def _unfit(value: Json, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Yield what no scenario can carry, with its place."""
    kind = type(value)
    if kind is dict:
        for key, item in value.items():
            yield from _unfit(item, (*place, key))
            if not _is_text(key):
                yield place, f"the key {key!r} of {shown(place) if place else 'this file'} holds half of a character"
    elif kind is list:
        for index, item in enumerate(value):
            yield from _unfit(item, (*place, index))
    elif said := _FAULTS.get(kind, _foreign)(value):
        yield place, f"{shown(place)} is {_written(value)}{said}"


def _written(value: Json | object) -> str:
    """Return a value as people write it, cut; Python refuses to write a number of thousands of digits."""
    try:
        return f"{value!r:.60}"
    except ValueError:
        return f"a number of {value.bit_length()} bits" if isinstance(value, int) else "a value"


def _is_text(value: str) -> bool:
    """Tell whether a text is one in UTF-8; JSON can write half of a surrogate pair."""
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def _of_text(value: str) -> str:
    return "" if _is_text(value) else ", which holds half of a character (a lone surrogate); write all of it"


def _of_integer(value: int) -> str:
    return "" if _SMALLEST <= value <= _GREATEST else ", a number that does not fit into 64 bits; write a smaller one"


def _of_float(value: float) -> str:
    return "" if math.isfinite(value) else ", which is no number that JSON knows; write one that is finite"


def _foreign(value: object) -> str:
    return f", a {type(value).__name__}; write it as a text, in quotes"


_FAULTS: Final[Mapping[type, Callable[..., str]]] = {
    str: _of_text,
    int: _of_integer,
    float: _of_float,
    bool: lambda value: "",
    type(None): lambda value: "",
}
