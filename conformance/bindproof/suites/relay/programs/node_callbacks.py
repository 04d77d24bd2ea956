"""The callbacks of programs in Node, and what they do.

Enters: registrations, calls and ops. Leaves: functions of JavaScript, and their names. Must not know what steps do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from bindproof.core.model import Json
from bindproof.suites.relay.programs.outline import Outline
from bindproof.suites.relay.programs.writer import Writer, flat
from bindproof.suites.relay.programs.writing import Code, Parts, Syntax, place, unseen

# Family → parameters, what it is given, its natural reply.
CALLBACKS: Mapping[str, tuple[str, str, str]] = {
    "llm.request": (
        "given",
        "given",
        "{ request: given.request, annotated: given.annotated, pendingMarks: [] }",
    ),
    "llm.conditional": ("request", "{ request }", "null"),
    "llm.sanitize_request": ("request, context", "{ request, codec: codecOf(context) }", "given.request"),
    "llm.sanitize_response": ("response, context", "{ response, codec: codecOf(context) }", "given.response"),
    "tool.request": ("name, args", "{ name, args }", "given.args"),
    "tool.conditional": ("name, args", "{ name, args }", "null"),
    "tool.sanitize_request": ("name, args", "{ name, args }", "given.args"),
    "tool.sanitize_response": ("name, result", "{ name, result }", "given.result"),
    "mark.sanitize": ("event, fields", "{ event, fields }", "given.fields"),
    "start.sanitize": ("event, fields", "{ event, fields }", "given.fields"),
    "end.sanitize": ("event, fields", "{ event, fields }", "given.fields"),
    "event.metadata": ("event", "{ event }", "{}"),
    "llm.provider": ("request", "{ request }", "{ ok: true }"),
    "tool.provider": ("args", "{ args }", "{ result: { ok: true }, annotation: null }"),
    "decode": ("request", "{ request }", "decoded(given.request)"),
    "encode": ("given", "given", "encoded(given.annotated, given.original)"),
}

RESERVED = frozenset(
    [
        "ANY",
        "EXPECTED",
        "Error",
        "Expect",
        "JSON",
        "Map",
        "Math",
        "NO_FILE",
        "Object",
        "Promise",
        "SAME",
        "Set",
        "String",
        "answer",
        "answers",
        "args",
        "argument",
        "arguments",
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "code",
        "codec",
        "const",
        "context",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "error",
        "eval",
        "event",
        "export",
        "extends",
        "false",
        "fields",
        "finally",
        "for",
        "function",
        "given",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "main",
        "name",
        "new",
        "next",
        "null",
        "of",
        "package",
        "plugin",
        "private",
        "process",
        "program",
        "protected",
        "public",
        "relay",
        "reply",
        "request",
        "require",
        "response",
        "result",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "undefined",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ]
)
"""Names that a program has, or JavaScript itself."""

PARTS = Parts((Path(__file__).parent / "node_parts.txt").read_text(encoding="utf-8"))
"""What a program may need besides, which is the same in each."""


def text_of(text: str) -> str:
    """Return a text as JavaScript writes it."""
    return unseen(text, lambda char: f"\\u{{{ord(char):x}}}")


def _key(key: str) -> str:
    if key == "__proto__":
        return '["__proto__"]'
    return key if re.fullmatch(r"[A-Za-z_$][\w$]*", key, re.ASCII) else text_of(key)


def _pattern(pattern: str) -> str:
    return f"new RegExp({text_of(pattern.replace('(?s:.*)', '[^]*'))})"


SYNTAX = Syntax(
    null="null", true="true", false="false", spread="...", text=text_of, key=_key, pattern=_pattern, step=2, inside=" "
)  # fmt: skip


def deeper(lines: list[str]) -> list[str]:
    """Return lines one level further in."""
    return [f"  {line}" if line else "" for line in lines]


class Callbacks(Writer):
    """The callbacks of one program."""

    language = "JavaScript"
    holds_up = "holdUp"
    syntax = SYNTAX
    parts = PARTS
    reserved = RESERVED
    comment = "//"
    end = ";"

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        self._declared: set[str] = set()

    def _odd(self, kind: str) -> str:
        return '"no function"'

    def _subscriber(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        lines = [f'saw({who}, "is told", event, {who});']
        if any(op["op"] == "each" for op in ops):
            lines.append(f"const entry = enter({who});")
        self._function(f"function {function}(event)", [*lines, *self._ops(name, ops)])
        return function

    def _raising(self, name: str, text: str) -> str:
        return f"throw new Error({text});"

    def _callback(
        self, name: str, family: str, ops: list[Json], *, asynchronous: bool = False, waits: bool = False
    ) -> str:
        parameters, given, natural = CALLBACKS[family]
        function, who = self._names.of(name), text_of(name)
        lines = [] if given == "given" else [f"const given = {given};"]
        if family == "decode" or any(op["op"] == "each" for op in ops):
            lines.append(f"const entry = enter({who});")
        lane = ""
        if family == "decode":
            lane = ', entry > 1 ? "publication" : "program"'
        elif name.endswith((".sanitize", ".inject")):
            lane = ', "publication"'
        lines.append(f'saw({who}, "is given", given{lane});')
        if asynchronous:
            lines.append("await new Promise(setImmediate);")
        if ops:
            kept = natural if natural == "null" else f"structuredClone({natural})"
            lines += [f"let reply = {kept};", *self._ops(name, ops)]
        if not (ops and ops[-1]["op"] == "raise"):
            lines.append(f"return {'reply' if ops else natural};")
        self._function(f"{'async ' if asynchronous or waits else ''}function {function}({parameters})", lines)
        return function

    def _around(self, name: str, family: str, ops: list[Json]) -> str:
        function, who, tool = self._names.of(name), text_of(name), family == "tool.execution"
        given = "{ name: context.toolName, args: context.args, tool_call_id: context.toolCallId }"
        lines = [f"const given = {given if tool else '{ request }'};"]
        if any(op["op"] == "each" for op in ops):
            lines.append(f"const entry = enter({who});")
        lines += [f'saw({who}, "is given", given);', "let argument;"]
        if self._outline.names_answers(name):
            lines.append("const answers = [];")
        lines.append("let reply = toolReply();" if tool else "let reply = null;")
        if not any(op["op"] == "next" for op in flat(ops)):
            lines += self._next(name, {"edits": [{}], "catch": False}, tool=tool)
        lines += self._ops(name, ops, tool=tool)
        if not (ops and ops[-1]["op"] == "raise"):
            lines.append("return reply;")
        self._function(f"async function {function}({'context' if tool else 'request'}, next)", lines)
        return function

    def _function(self, head: str, lines: list[str]) -> None:
        self._functions.append("\n".join([f"{head} {{", *deeper(lines), "}"]))

    def _each(self, name: str, entries: list[list[Json]], *, tool: bool) -> list[str]:
        around = self._outline.is_around(name) and any(op["op"] == "next" for entry in entries for op in entry)
        lines: list[str] = []
        for at, ops in enumerate(entries):
            implicit = around and not any(op["op"] == "next" for op in ops)
            inner = self._next(name, {"edits": [{}], "catch": False}, tool=tool) if implicit else []
            inner += self._ops(name, ops, tool=tool)
            if at == len(entries) - 1:
                head = "else " if at else ""
            else:
                head = f"{'else ' if at else ''}if (entry === {at + 1}) "
            lines += [f"{head}{{", *deeper(inner), "}"]
        return lines

    def _next(self, name: str, op: Json, *, tool: bool) -> list[str]:
        lines: list[str] = []
        counted = self._outline.names_answers(name)
        for edit in op["edits"]:
            asked = f"await goOn({text_of(name)}, next, argument{', resultOf' if tool else ''})"
            made = [f"reply = {f'toolReply({asked})' if tool else f'structuredClone({asked})'};"]
            if counted:
                made = [f"answers.push({asked});", "reply = structuredClone(answers.at(-1));"]
                made[1] = "reply = toolReply(structuredClone(answers.at(-1)));" if tool else made[1]
            lines.append(f"argument = structuredClone(given.{'args' if tool else 'request'});")
            lines += self._edit(edit, "argument")
            if op["catch"]:
                otherwise = ["answers.push(null);"] if counted else ["// the reply stays"]
                made = ["try {", *deeper(made), "} catch {", *deeper(otherwise), "}"]
            lines += made
        return lines

    def _edit(self, op: Json, base: str) -> list[str]:
        lines = [
            f"{place(base, pointer, text_of)} = {self._value(value)};" for pointer, value in op.get("set", {}).items()
        ]
        for pointer in op.get("remove", []):
            parent, _, token = pointer.rpartition("/")
            cut = f"{place(base, parent, text_of)}.splice({token}, 1);"
            lines.append(cut if token.isdecimal() else f"delete {place(base, pointer, text_of)};")
        for pointer, items in op.get("append", {}).items():
            lines.append(f"{place(base, pointer, text_of)}.push(...{self._value(items)});")
        return lines

    def _variable(self, name: str) -> str:
        found = self._names.of(f"{name} value")
        self._declared.add(found)
        return found

    def _value(self, value: Json) -> str:
        return SYNTAX.value(self._resolved(value), 4)

    def _undefined(self) -> Code:
        return Code("undefined")

    def _lacking(self, word: str, told: Json) -> Code:
        return Code({"$function": "() => {}", "$float": str(told), "$integer": f"{told}n"}[word])

    def _copied(self, expression: str) -> Code:
        return Code(f"structuredClone({expression})")
