"""The callbacks of programs in Go, and what they do.

Enters: registrations, calls and ops. Leaves: functions of Go, and what the library is given of them. Must not know what
steps do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from bindproof.core.model import Json
from bindproof.suites.relay.programs.compiled import JSON, NATURAL, words_of
from bindproof.suites.relay.programs.compiled_steps import Steps
from bindproof.suites.relay.programs.outline import NoProgramError, Outline
from bindproof.suites.relay.programs.writer import flat
from bindproof.suites.relay.programs.writing import Names, Parts, Syntax, unseen
from bindproof.suites.relay.scenario.callbacks import latches

# Family → parameters, what it is given, its natural reply, what the library is given of it.
CALLBACKS: Mapping[str, tuple[str, str, str, str]] = {
    "llm.request": (
        "name string, request, annotated any",
        'object{"name": name, "request": request, "annotated_request": annotated}',
        'object{"request": request, "annotated_request": annotated, "pending_marks": []any{}}',
        "llmRequest({})",
    ),
    "llm.conditional": ("request any", 'object{"request": request}', "nil", "verdict(ofRequest({}))"),
    "llm.sanitize_request": (
        "request, codec any", 'object{"request": request, "codec": codec}', "request", "llmSanitizeRequest({})"
    ),
    "llm.sanitize_response": (
        "response, codec any", 'object{"response": response, "codec": codec}', "response", "llmSanitizeResponse({})"
    ),
    "tool.request": ("name string, args any", 'object{"name": name, "args": args}', "args", "ofTool({})"),
    "tool.conditional": ("name string, args any", 'object{"name": name, "args": args}', "nil", "verdict(ofTool({}))"),
    "tool.sanitize_request": ("name string, args any", 'object{"name": name, "args": args}', "args", "ofTool({})"),
    "tool.sanitize_response": (
        "name string, result any", 'object{"name": name, "result": result}', "result", "ofTool({})"
    ),
    "mark.sanitize": ("event, fields any", 'object{"event": event, "fields": fields}', "fields", "ofFields({})"),
    "start.sanitize": ("event, fields any", 'object{"event": event, "fields": fields}', "fields", "ofFields({})"),
    "end.sanitize": ("event, fields any", 'object{"event": event, "fields": fields}', "fields", "ofFields({})"),
    "event.metadata": ("event any", 'object{"event": event}', "object{}", "ofJSON({})"),
    "llm.provider": ("request any", 'object{"request": request}', 'object{"ok": true}', "ofJSON({})"),
    "tool.provider": (
        "args any", 'object{"args": args}', 'object{"result": object{"ok": true}, "annotation": nil}', "ofJSON({})"
    ),
    "decode": ("request any", 'object{"request": request}', "decodedFrom(request)", "ofRequest({})"),
    "encode": (
        "annotated, original any",
        'object{"annotated_request": annotated, "original": original}',
        "laidOver(annotated, original)",
        "encode({})",
    ),
}  # fmt: skip

PACKAGES = {
    "atomic": "sync/atomic", "cgo": "runtime/cgo", "errors": "errors", "fmt": "fmt", "json": "encoding/json",
    "maps": "maps", "os": "os", "regexp": "regexp", "runtime": "runtime", "slices": "slices", "strconv": "strconv",
    "strings": "strings", "sync": "sync", "time": "time", "unsafe": "unsafe",
}  # fmt: skip
"""Name → the package of Go that it is."""

_TAKEN = (
    "any append args argument bool break C case chan const continue copy default defer delete else entry err error "
    "event expected fallthrough fields for func given go goto if import interface init len main make map matchers "
    "max min name new nil original package panic print program range reply request response result return select "
    "string struct switch type var answers chunk context codec true false close cap recover iota byte rune int"
)

RESERVED = frozenset(PACKAGES) | frozenset(_TAKEN.split())
"""Names that a program has, or Go itself."""

_FOLDER = Path(__file__).parent
PARTS = Parts((_FOLDER / "go_parts.txt").read_text(encoding="utf-8"))
"""What a program may need besides, which is the same in each."""


def text_of(text: str) -> str:
    """Return a text as Go writes it; raises NoProgramError for one that Go cannot hold."""
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        raise NoProgramError("a text of Go is Unicode, and half of a surrogate pair is none")
    return unseen(text, lambda char: f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}")


def camel(words: str) -> str:
    """Return a name as Go has it."""
    first, *others = words.split("_")
    return first[:1].lower() + first[1:] + "".join(word[:1].upper() + word[1:] for word in others)


def deeper(lines: list[str]) -> list[str]:
    """Return lines one level further in; a text of several lines stays as it is."""
    return [f"\t{line}" if line else "" for line in lines]


GO = Syntax(null="nil", true="true", false="false", spread="", text=text_of, key=text_of, pattern=text_of, step=4)


class Callbacks(Steps):
    """The callbacks of one program."""

    language = "Go"
    syntax = GO
    parts = PARTS
    reserved = RESERVED
    comment = "//"
    end = ""
    null = "nil"
    library = "C."

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        self._names = Names(self.reserved | self.parts.names, camel)

    # -- values --------------------------------------------------------------------------------------------------------

    def _literal(self, text: str) -> str:
        escaped = text.replace("`", "\\u0060")
        return f"`{escaped}`"

    def _parsed(self, value: Json) -> str:
        if value is None or isinstance(value, bool | str):
            return self._scalar(value)
        return "[]any{}" if value == [] else f"parsed({self._literal(JSON.value(value, 8))})"

    def _scalar(self, value: Json) -> str:
        return "nil" if value is None else text_of(value) if isinstance(value, str) else str(value).lower()

    def _encoded(self, value: Json) -> str:
        return (
            f"encoded({self._value(value)})"
            if "'$get'" in str(value)
            else f"text({self._literal(JSON.value(value, 8))})"
        )

    def _lent(self, text: str | None) -> str:
        return "nil" if text is None else f"text({self._text(text)})"

    def _micros(self, time: int) -> str:
        return f"micros({time})"

    def _severity(self, number: int) -> str:
        return f"severity({number})"

    # -- functions -----------------------------------------------------------------------------------------------------

    def _function(self, head: str, lines: list[str]) -> None:
        reads = words_of(lines)
        for name in ("reply", "argument", "answers", "entry", "given", "name"):
            declared = next(
                (at for at, line in enumerate(lines) if re.match(rf"(?:var )?{name}\b(?: any| \[\]any| :=)", line)), -1
            )
            if declared >= 0 and reads.get(name, 0) <= lines[declared].startswith("var "):
                lines = [*lines[: declared + 1], f"_ = {name}", *lines[declared + 1 :]]
        self._functions.append("\n".join([f"{head} {{", *deeper(lines), "}"]))

    def _subscriber(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        held = [f"holdUp({who}, {text_of(f'{name}.told')}, {text_of(latch)})" for latch in latches(ops)]
        self._function(f"func {function}(event any)", [f'sawIn({who}, {who}, "is told", event)', *held])
        return f"keep(subscriber({function}))"

    def _raising(self, name: str, text: str) -> str:
        return f"return nil, errors.New({text})"

    def _stood(self, name: str, latch: str) -> str:
        return f"stand({text_of(name)}, {text_of(latch)})"

    def _held_up(self, name: str, latch: str) -> str:
        return f'holdUp("publication", {text_of(name)}, {text_of(latch)})'

    def _told(self, name: str, *, lane: str | None = None) -> str:
        lane = lane or self._lane(name)
        who = text_of(name)
        return f'sawIn({text_of(lane)}, {who}, "is given", given)' if lane else f'saw({who}, "is given", given)'

    def _callback(
        self, name: str, family: str, ops: list[Json], *, asynchronous: bool = False, waits: bool = False
    ) -> str:
        self._fitting(family, flat(ops))
        parameters, given, natural, made = CALLBACKS[family]
        function, who = self._names.of(name), text_of(name)
        lines = [f"given := {given}"]
        if family == "decode" or any(op["op"] == "each" for op in ops):
            lines.append(f"entry := enter({who})")
        if family == "decode":
            lines += ['lane := "program"', "if entry > 1 {", '\tlane = "publication"', "}"]
            lines.append(f'sawIn(lane, {who}, "is given", given)')
        else:
            lines.append(self._told(name))
        if not ops:
            lines.append(f"return {natural}, nil")
        else:
            lines += [f"var reply any = {natural}", *self._ops(name, ops)]
            if ops[-1]["op"] != "raise":
                lines.append("return reply, nil")
        self._function(f"func {function}({parameters}) (any, error)", lines)
        return f"keep({made.format(function)})"

    def _around(self, name: str, family: str, ops: list[Json]) -> str:
        function, who, tool = self._names.of(name), text_of(name), family == "tool.execution"
        if tool and self._outline.edition_at_least("0.9"):
            told = {"name": "tool_name", "args": "args", "tool_call_id": "tool_call_id"}
            given = ", ".join(f'"{own}": at(context, "/{name}")' for own, name in told.items())
            given = f"{{{given}}}"
            parameters = "context any, _ string, _ []*string"
        elif tool:
            given, parameters = '{"args": args}', "args any, _ string, _ []*string"
        elif self._outline.edition_at_least("0.10"):
            given = '{"name": name, "request": request, "codecs": codecsOf(codecs)}'
            parameters = "request any, name string, codecs []*string"
        else:
            given, parameters = '{"request": request}', "request any, _ string, _ []*string"
        lines = [f"given := object{given}"]
        if any(op["op"] == "each" for op in ops):
            lines.append(f"entry := enter({who})")
        lines.append(self._told(name))
        if self._outline.names_answers(name):
            lines.append("answers := []any{}")
        nothing = 'object{"result": nil, "annotation": nil, "pending_marks": []any{}}'
        lines.append(f"var reply any = {nothing}" if tool else "var reply any")
        if not any(op["op"] == "next" for op in flat(ops)):
            lines += self._next(name, NATURAL, tool=tool)
        lines += self._ops(name, ops, tool=tool)
        if not (ops and ops[-1]["op"] == "raise"):
            lines.append("return reply, nil")
        self._function(f"func {function}({parameters}, next nextFunc) (any, error)", lines)
        return f"keep(around({function}))"

    def _each(self, name: str, entries: list[list[Json]], *, tool: bool) -> list[str]:
        around = self._outline.is_around(name) and any(op["op"] == "next" for entry in entries for op in entry)
        lines = ["switch entry {"]
        for at, ops in enumerate(entries):
            implicit = around and not any(op["op"] == "next" for op in ops)
            inner = self._next(name, NATURAL, tool=tool) if implicit else []
            inner += self._ops(name, ops, tool=tool)
            lines += ["default:" if at == len(entries) - 1 else f"case {at + 1}:", *deeper(inner)]
        return [*lines, "}"]

    def _next(self, name: str, op: Json, *, tool: bool) -> list[str]:
        lines: list[str] = []
        counted = self._outline.names_answers(name)
        for edit in op["edits"]:
            argument = f'given["{"args" if tool else "request"}"]'
            changes = self._edit(edit, "argument")
            if changes:
                declared = any(line.startswith("argument :=") for line in lines)
                lines += [f"argument {'=' if declared else ':='} {argument}", *changes]
                argument = "argument"
            asked = f"goOn{'WithTool' if tool else ''}({text_of(name)}, next, {argument})"
            made = ["answers = append(answers, answer)"] if counted else []
            made.append(f"reply = {'toolReply(answer)' if tool else 'answer'}")
            if not op["catch"]:
                lines += [
                    f"if answer, err := {asked}; err != nil {{",
                    "\treturn nil, err",
                    "} else {",
                    *deeper(made),
                    "}",
                ]
                continue
            lines += [f"if answer, err := {asked}; err == nil {{", *deeper(made)]
            lines += ["} else {", "\tanswers = append(answers, nil)", "}"] if counted else ["}"]
        return ["{", *deeper(lines), "}"] if any(line.startswith("argument :=") for line in lines) else lines
