"""Parses YAML as far as it is JSON by other means, and says on which line each value stands.

Enters: a text. Leaves: plain JSON with its lines, or a SpecError. Words without quotes mean what the core schema of
YAML 1.2 says, so that `no` is a text. Must not know what the values mean.
"""

from __future__ import annotations

import re
from typing import Any, Final

from bindproof.core.errors import UsageError
from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to
from bindproof.spec.files.toml_lines import Place
from bindproof.spec.problem import Problem, SpecError

ENDINGS: Final = (".yaml", ".yml")

MOST_REPEATED: Final = 50_000
"""Values that aliases may repeat, about: a few lines of aliases can mean more than any memory."""

_WORDS: Final[dict[str, Json]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf"), float("inf")),
    "-.inf": float("-inf"),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE: Final = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def yaml_read(text: str, name: str) -> tuple[Json, dict[Place, int]]:
    """Return what a text holds, with the line of each value by its place; a member's is that of its key.

    Raises UsageError where no reader of YAML is installed, SpecError for what is no YAML, and for what JSON has not.
    """
    try:
        import yaml
    except ImportError:
        raise UsageError(f"{name} is YAML, which is read where `pip install 'bindproof[yaml]'` was run") from None
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise SpecError([Problem(name, mark.line + 1 if mark else 1, f"this is no YAML: {error.problem}")]) from None
    except yaml.YAMLError as error:
        raise SpecError([Problem(name, 1, f"this is no YAML: {str(error).partition(chr(10))[0]}")]) from None
    reading = _Reading(text, name, yaml)
    value = None if root is None else reading.value(root, ())
    if reading.problems:
        raise SpecError(reading.problems)
    return value, reading.lines


class _Reading:
    """Makes plain JSON of nodes."""

    def __init__(self, text: str, name: str, yaml: Any) -> None:
        self.lines: dict[Place, int] = {(): 1}
        self.problems: list[Problem] = []
        self._text = text
        self._name = name
        self._yaml = yaml
        self._open: set[int] = set()
        self._left = len(text) + MOST_REPEATED  # no text has more values than letters but by aliases

    def value(self, node: Any, place: Place) -> Json:
        """Return the value of a node."""
        self.lines.setdefault(place, node.start_mark.line + 1)
        self._left -= 1
        if self._left < 0 or id(node) in self._open:
            if not self.problems:
                self._problem(node, "aliases make this endless, or larger than can be read; write it out")
            return None
        if self._is_tagged(node):
            self._problem(node, f"`{pointer_to(place)}` has a tag, which JSON has not; write the value without")
        if isinstance(node, self._yaml.ScalarNode):
            return node.value if node.style else _plain(node.value)
        self._open.add(id(node))
        held: Json = (
            self._members(node, place)
            if isinstance(node, self._yaml.MappingNode)
            else [self.value(item, (*place, index)) for index, item in enumerate(node.value)]
        )
        self._open.discard(id(node))
        return held

    def _members(self, node: Any, place: Place) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for key, item in node.value:
            name = key.value
            if not isinstance(name, str) or (name == "<<" and not key.style):
                self._problem(key, "this key is no text; JSON has no other keys, and none that merges others")
                continue
            if name in found:
                self._problem(key, f"`{pointer_to((*place, name))}` stands twice; keep one of them")
            self.lines.setdefault((*place, name), key.start_mark.line + 1)
            found[name] = self.value(item, (*place, name))
        return found

    def _is_tagged(self, node: Any) -> bool:
        """Tell whether a node begins with a tag, an anchor before it or not."""
        begin = self._text[node.start_mark.index : node.start_mark.index + 200]
        words = begin.split(None, 1)
        first = words[1] if len(words) > 1 and words[0].startswith("&") else begin
        return first.startswith("!")

    def _problem(self, node: Any, text: str) -> None:
        self.problems.append(Problem(self._name, node.start_mark.line + 1, text))


def _plain(text: str) -> Json:
    """Return what a word without quotes means."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OTHER_BASE.fullmatch(text):
        return int(text, 0)
    return float(text) if _FLOAT.fullmatch(text) else text
