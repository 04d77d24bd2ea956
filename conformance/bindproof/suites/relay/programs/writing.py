"""Writes values and names as a language has them, and picks what a program needs of its language's parts.

Enters: JSON with calls in it, ids, the text of all parts. Leaves: source text. Must not know scenarios.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Callable
from copy import copy

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.programs.expected import FunctionCall

WIDTH = 110


class Code(Struct, frozen=True):
    """An expression, as it is."""

    text: str


class Spread(Struct, frozen=True):
    """Members of an object, laid over those that a name has."""

    name: str
    members: Json


class Syntax(Struct, frozen=True):
    """How a language writes values."""

    null: str
    true: str
    false: str
    spread: str
    text: Callable[[str], str]
    key: Callable[[str], str]
    pattern: Callable[[str], str]
    step: int
    """So many spaces is one level."""
    inside: str = ""
    """What stands inside the braces of an object in one line."""
    last: str = ","
    """What stands behind the last of several lines."""

    def value(self, value: Json, indent: int = 0) -> str:
        """Return a value as an expression; what does not fit into a line is broken, below `indent` spaces."""
        line = self._line(value)
        if value in ([], {}) or (isinstance(value, FunctionCall) and value.function in ("ANY", "pattern")):
            return line
        if indent + len(line) <= WIDTH or not isinstance(value, dict | list | Spread | FunctionCall):
            return line
        if isinstance(value, FunctionCall):
            inner = [self.value(item, indent + self.step) for item in _given(value)]
            return self._broken(f"{value.function}(", inner, ")", indent)
        if isinstance(value, list):
            return self._broken("[", [self.value(item, indent + self.step) for item in value], "]", indent)
        members = value.members if isinstance(value, Spread) else value
        inner = [f"{self.key(key)}: {self.value(item, indent + self.step)}" for key, item in members.items()]
        if isinstance(value, Spread):
            inner.insert(0, f"{self.spread}{value.name}")
        return self._broken("{", inner, "}", indent)

    def _broken(self, opening: str, items: list[str], closing: str, indent: int) -> str:
        """Return items between brackets, as many in a line as go in."""
        margin, lines = " " * (indent + self.step), [""]
        for item in items:
            longer = f"{lines[-1]} {item}," if lines[-1] else f"{margin}{item},"
            if lines[-1] and ("\n" in item or "\n" in lines[-1] or len(longer) > WIDTH):
                lines.append(f"{margin}{item},")
            else:
                lines[-1] = longer
        lines[-1] = lines[-1].removesuffix(",") + self.last
        return "\n".join([opening, *lines, " " * indent + closing])

    def _line(self, value: Json) -> str:
        match value:
            case None:
                return self.null
            case bool():
                return self.true if value else self.false
            case str():
                return self.text(value)
            case Code():
                return value.text
            case FunctionCall():
                return self._call(value)
            case Spread():
                inner = "".join(f", {self.key(key)}: {self._line(item)}" for key, item in value.members.items())
                return f"{{{self.inside}{self.spread}{value.name}{inner}{self.inside}}}"
            case dict() if value:
                inner = ", ".join(f"{self.key(key)}: {self._line(item)}" for key, item in value.items())
                return f"{{{self.inside}{inner}{self.inside}}}"
            case dict():
                return "{}"
            case list():
                return f"[{', '.join(map(self._line, value))}]"
        return json.dumps(value)

    def _call(self, call: FunctionCall) -> str:
        if call.function == "ANY":
            return "ANY"
        if call.function == "pattern":
            return self.pattern(str(call.arguments[0]))
        return f"{call.function}({', '.join(map(self._line, _given(call)))})"


def _given(call: FunctionCall) -> list[Json]:
    """Return the arguments of a call without last ones that say nothing."""
    given = list(call.arguments)
    while len(given) > 1 and given[-1] in (None, ""):
        given.pop()
    return given


def unseen(text: str, escape: Callable[[str], str]) -> str:
    """Return a text in double quotes, in which what cannot be seen is escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else escape(char) for char in quoted)


def seen(text: str) -> str:
    """Return a text of several lines, for a comment, in which what cannot be seen is escaped."""
    return "".join(char if char.isprintable() or char == "\n" else f"\\u{ord(char):04x}" for char in text)


class Names:
    """A name for each id: another one for each, and none that the language or the program's parts have."""

    def __init__(self, taken: frozenset[str], style: Callable[[str], str] = str) -> None:
        """style: what makes of words_like_this a name as the language has them."""
        self._taken, self._style = set(taken), style
        self._names: dict[str, str] = {}

    def of(self, name: str) -> str:
        """Return the name of an id."""
        if name not in self._names:
            stem = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "step"
            stem = f"step_{stem}" if stem[0].isdigit() else stem
            chosen, number = self._style(stem), 1
            while chosen in self._taken or keyword.iskeyword(chosen):
                number += 1
                chosen = self._style(f"{stem}_{number}")
            self._taken.add(chosen)
            self._names[name] = chosen
        return self._names[name]


_HEADING = re.compile(r"^(#|//) -- .* -+$")
_DEFINES = re.compile(
    r"^(?:@[^\n]*\n)?(?:async def|def|class|async function\*?|function\*?|const|let|func|var|type)?\s*([A-Za-z]\w*)",
    re.M,
)

_NAMED = re.compile(r"[A-Za-z_]\w*")

# Docstrings, comments and texts, in which a name names nothing; a text in which code stands is group 1, and stays.
_WORDS = re.compile(
    r'''\"""[\s\S]*?\"""|([fr]"(?:[^"\\\n]|\\.)*"|`[^`]*`)|(?:^|(?<=\s))(?:#|//) .*?$|"(?:[^"\\\n]|\\.)*"''', re.M
)


class Parts:
    """The parts of a language's programs: each is a piece of text that defines names, below a heading."""

    def __init__(self, text: str, defines: re.Pattern[str] = _DEFINES, names: re.Pattern[str] = _NAMED) -> None:
        """defines: what finds the name that a line at the margin defines, as its first group; names: what names one."""
        self._named = names
        self._blocks: list[tuple[str, frozenset[str]]] = []
        for block in re.split(r"\n{2,}(?=[^\s)\]}])", text.strip()):
            lines = block.splitlines()
            heading = bool(_HEADING.match(lines[0]))
            defined = () if heading else tuple(name for line in _tops(block) for name in defines.findall(line)[:1])
            self._blocks.append((block, frozenset(defined)))

    def changed(self, text: str) -> Parts:
        """Return parts in which the blocks of a text stand where those stood that define the same."""
        others = Parts(text)
        made = copy(self)
        made._blocks = [
            next((one for one in others._blocks if one[1] & names), (block, names)) for block, names in self._blocks
        ]
        return made

    @property
    def names(self) -> set[str]:
        """All that some part defines."""
        return {name for _, names in self._blocks for name in names}

    def needed(self, text: str) -> list[str]:
        """Return the parts that a text needs, with those that they need, in their order, and their headings."""
        chosen: set[int] = set()
        texts = [text]
        while texts:
            words = set(self._named.findall(_WORDS.sub(r"\1", texts.pop())))
            for at, (block, names) in enumerate(self._blocks):
                if at not in chosen and words & names:
                    chosen.add(at)
                    texts.append(block)
        found: list[str] = []
        heading = None
        for at, (block, names) in enumerate(self._blocks):
            if not names:
                heading = block
            elif at in chosen:
                found += [heading, block] if heading else [block]
                heading = None
        return found


def _tops(block: str) -> list[str]:
    """Return the lines of a block that begin at its margin and define something."""
    return [
        line for line in block.splitlines() if re.match(r"[A-Za-z]", line) and not line.startswith(("import", "from"))
    ]


def place(base: str, pointer: str, text: Callable[[str], str]) -> str:
    """Return the expression of a place below a name."""
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]
    return base + "".join(f"[{token if token.isdecimal() else text(token)}]" for token in tokens)


def capitals(words: str) -> str:
    """Return words that lines are between as one, each with a capital: `UpDownCounter` of `up_down_counter`."""
    return "".join(word.capitalize() for word in words.split("_"))
