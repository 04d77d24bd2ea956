"""What programs in compiled languages have alike: values are JSON text, and what is expected is too.

Enters: steps and ops of an outline. Leaves: values as JSON text, what is known of callbacks and streams. Must not know
any language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import ClassVar

from bindproof.core.model import Json
from bindproof.suites.relay.programs.expected import FunctionCall
from bindproof.suites.relay.programs.outline import NoProgramError, Outline
from bindproof.suites.relay.programs.writer import Writer
from bindproof.suites.relay.programs.writing import Syntax, unseen

SEVERITIES = ("trace", "debug", "info", "warn", "error")
"""The library's severities, in the order of their numbers."""

NATURAL = {"op": "next", "edits": [{}], "catch": False}
"""What a callback around an execution does by itself."""


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]


def json_text(text: str) -> str:
    """Return a text as JSON has it, in which what cannot be seen is escaped."""
    return unseen(text, _escaped)


JSON = Syntax(
    null="null", true="true", false="false", spread="", text=json_text, key=json_text, pattern=json_text, step=2,
    last="",
)  # fmt: skip
"""JSON, as people write it."""


def matching(value: Json) -> Json:
    """Return an expected value with an object `{"$name": [arguments]}` in the place of each matcher."""
    match value:
        case FunctionCall(function="pattern"):
            return value.arguments[0]
        case FunctionCall():
            given = list(value.arguments)
            while len(given) > 1 and given[-1] in (None, ""):
                given.pop()
            return {f"${value.function.lower()}": [matching(item) for item in given]}
        case list():
            return [matching(item) for item in value]
        case dict():
            return {key: matching(item) for key, item in value.items()}
    return value


class Compiled(Writer):
    """One program in a compiled language."""

    null: ClassVar[str]
    """What is handed over where nothing is."""

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        self._globals: dict[str, str] = {}
        """Variable → the step whose value it has."""

    # -- values --------------------------------------------------------------------------------------------------------

    def _literal(self, text: str) -> str:
        """Return JSON text as an expression that is text."""
        raise NotImplementedError

    def _parsed(self, value: Json) -> str:
        """Return a value in which nothing is named, as an expression."""
        raise NotImplementedError

    def _text(self, text: str) -> str:
        """Return a text that is handed over to the library; raises NoProgramError where it cannot be."""
        if "\0" in text:
            raise NoProgramError("a C string ends at its first NUL")
        return self.syntax.text(text)

    def _value(self, value: Json) -> str:
        """Return a value as an expression."""
        named: list[tuple[str, Json]] = []
        plain = _cut(value, "", named)
        if named and named[0][0] == "":
            return self._got(named[0][1])
        made = self._parsed(plain)
        for pointer, got in named:
            made = f"with({made}, {self.syntax.text(pointer)}, {self._got(got)})"
        return made

    def _got(self, got: str) -> str:
        """Return the expression of what a `$get` names."""
        name, slash, rest = got.partition("/")
        base = {"given": "given", "next": "answers"}.get(name) or self._variable(name)
        return f"at({base}, {self.syntax.text(slash + rest)})" if rest else base

    def _encoded(self, value: Json) -> str:
        """Return a value as an expression that is JSON text, for the library."""
        raise NotImplementedError

    def _optional(self, step: Json, *names: str) -> list[str]:
        """Return JSON texts for the library; what is not given is null."""
        return [self.null if step.get(name) is None else self._encoded(step[name]) for name in names]

    def _variable(self, name: str) -> str:
        found = self._names.of(f"{name} value")
        self._globals[found] = name
        return found

    def _parent(self, step: Json) -> str:
        return self.null if step["parent"] is None else self._variable(step["parent"])

    # -- callbacks -----------------------------------------------------------------------------------------------------

    def _odd(self, kind: str) -> str:
        raise NoProgramError("the compiler takes a function of the right type alone")

    def _mutated(self, op: Json) -> str:
        raise NoProgramError("a callback is given texts, of which nothing can be changed in its place")

    def _edit(self, op: Json, base: str) -> list[str]:
        text = self.syntax.text
        lines = [
            f"{base} = {self._value(value)}"
            if pointer == ""
            else f"{base} = with({base}, {text(pointer)}, {self._value(value)})"
            for pointer, value in op.get("set", {}).items()
        ]
        lines += [f"{base} = without({base}, {text(pointer)})" for pointer in op.get("remove", [])]
        lines += [
            f"{base} = appended({base}, {text(pointer)}, {self._value(items)})"
            for pointer, items in op.get("append", {}).items()
        ]
        return [f"{line}{self.end}" for line in lines]

    def _fitting(self, family: str, ops: list[Json]) -> None:
        """Raise NoProgramError where a callback says what its type does not let it say."""
        whole = [op["set"][""] for op in ops if op["op"] == "edit" and "" in op.get("set", {})]
        if family.endswith(".conditional") and any(
            not isinstance(value, str | None) and not _gets(value) for value in whole
        ):
            raise NoProgramError("a conditional answers with a text, or nothing")
        if family.endswith(".conditional") and any("\0" in str(value) for value in whole):
            raise NoProgramError("a C string ends at its first NUL")
        if family == "llm.sanitize_request" and any(not _is_request(value) for value in whole if value is not None):
            raise NoProgramError("a sanitizer of a request answers with one")
        if family == "encode" and any(not pointer.startswith("/content") for pointer in _touched(ops)):
            raise NoProgramError("an encode answers with the content alone")

    def _lane(self, name: str) -> str | None:
        """Return the lane of what a callback is given, None for the program's."""
        return "publication" if name.endswith((".sanitize", ".inject")) else None

    # -- streams -------------------------------------------------------------------------------------------------------

    def _only(self, name: str, ops: list[Json], *, wraps: bool) -> tuple[list[Json], list[Json]]:
        """Return what a callback of a stream does when it is called, and its one chunk, if it has one of its own.

        Raises NoProgramError where it hands over more, or less: what the library asks answers once.
        """
        split = next((at for at, op in enumerate(ops) if op["op"] in ("yield", "hang")), len(ops))
        eager, late = ops[:split], ops[split:]
        if not self._outline.is_entered(name):  # so it does not matter what more it would hand over
            return eager, [chunk for op in late if op["op"] == "yield" for chunk in op["chunks"]][:1] or [{"i": 0}]
        if any(op["op"] not in ("yield", "edit") for op in late):
            raise NoProgramError("a stream's callback does nothing more once it has answered")
        chunks = [chunk for op in late if op["op"] == "yield" for chunk in op["chunks"]]
        raises = bool(eager) and eager[-1]["op"] == "raise"
        asks = sum(bool(op["edits"]) for op in eager if op["op"] == "next")
        if wraps and not any(op["op"] == "next" for op in ops):
            asks = 1
        caught = any(op["op"] == "next" and op["catch"] for op in eager)
        own = len(chunks) if wraps or split < len(ops) else 2
        if not raises and own + (0 if caught and own else asks) != 1:
            raise NoProgramError("a stream's callback answers with one chunk")
        return eager, chunks


def _cut(value: Json, pointer: str, named: list[tuple[str, Json]]) -> Json:
    """Return a value with null in the place of all that names something; note place and name."""
    if isinstance(value, list):
        return [_cut(item, f"{pointer}/{at}", named) for at, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if _gets(value):
        named.append((pointer, value["$get"]))
        return None
    if len(value) == 1 and "$none" in value:
        raise NoProgramError("the language has no undefined")
    return {
        key: _cut(item, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}", named) for key, item in value.items()
    }


def _gets(value: Json) -> bool:
    return isinstance(value, dict) and len(value) == 1 and "$get" in value


def _is_request(value: Json) -> bool:
    return isinstance(value, dict) and (_gets(value) or (isinstance(value.get("headers"), dict) and "content" in value))


def _touched(ops: list[Json]) -> list[str]:
    edits = [op for op in ops if op["op"] == "edit"]
    return [pointer for op in edits for name in ("set", "append", "remove") for pointer in op.get(name, [])]


def words_of(lines: list[str]) -> Mapping[str, int]:
    """Return how often each name is read in lines of code: what is assigned alone is not."""
    found: dict[str, int] = {}
    for line in lines:
        code = re.sub(r'"(?:[^"\\]|\\.)*"|`[^`]*`', "", line)
        code = re.sub(r"^\s*(?:var )?(?:[\w, ]+?) :?= ", "", code)
        for word in re.findall(r"[A-Za-z_]\w*", code):
            found[word] = found.get(word, 0) + 1
    return found
