"""The callbacks of programs in C, and what they do.

Enters: registrations, calls, streams and ops. Leaves: functions of C, and their names. Must not know what steps do.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.programs.compiled import JSON, NATURAL, Compiled
from bindproof.suites.relay.programs.story import NoProgramError
from bindproof.suites.relay.programs.writer import flat
from bindproof.suites.relay.programs.writing import Parts, Syntax


class Shape(Struct, frozen=True):
    """The function of a family: how it is declared, and how it answers."""

    returns: str
    parameters: str
    given: str
    natural: str
    replies: str
    """What ends it, with the reply in braces."""
    fails: str = "return NULL;"
    """What ends it behind an error."""


_TOOL = ("char *", "void *data, const char *name, const char *args")
_REQUEST = ("char *", "void *data, const struct FfiLLMRequest *request")
_EVENT = Shape(
    "char *", "void *data, const struct FfiEvent *event, const char *fields",
    'object("event", event_json(event), "fields", parsed(fields), NULL)', 'at(given, "/fields")', "return text_of({});",
)  # fmt: skip

# Family → its function.
SHAPES = {
    "llm.request": Shape(
        "NemoRelayStatus ",
        "void *data, const char *name, const struct FfiLLMRequest *request, const char *annotated, char **outcome",
        'object("name", string(name), "request", request_json(request), "annotated_request", parsed(annotated), NULL)',
        'object("request", at(given, "/request"), "annotated_request", at(given, "/annotated_request"),'
        ' "pending_marks", of_kind(\'[\'), NULL)',
        "*outcome = text_of({});\nreturn NEMO_RELAY_STATUS_OK;",
        "return NEMO_RELAY_STATUS_INTERNAL;",
    ),
    "llm.conditional": Shape(
        *_REQUEST, 'object("request", request_json(request), NULL)', "of_kind('n')", "return verdict({});"
    ),
    "llm.sanitize_request": Shape(
        "struct FfiLLMRequest *",
        "void *data, const struct FfiLLMRequest *request, struct NemoRelayLlmSanitizeRequestContext context",
        'object("request", request_json(request), "codec",'
        " codec_json(context.codec_kind, context.codec_id, context.codec), NULL)",
        'at(given, "/request")',
        "return request_of({});",
    ),
    "llm.sanitize_response": Shape(
        "char *",
        "void *data, const char *response, struct NemoRelayLlmSanitizeResponseContext context",
        'object("response", parsed(response), "codec",'
        " codec_json(context.codec_kind, context.codec_id, context.codec), NULL)",
        'at(given, "/response")',
        "return optional_text({});",
    ),
    "tool.conditional": Shape(
        *_TOOL, 'object("name", string(name), "args", parsed(args), NULL)', "of_kind('n')", "return verdict({});"
    ),
    **{
        family: Shape(
            *_TOOL, 'object("name", string(name), "args", parsed(args), NULL)', 'at(given, "/args")',
            "return text_of({});",
        )
        for family in ("tool.request", "tool.sanitize_request")
    },
    "tool.sanitize_response": Shape(
        "char *", "void *data, const char *name, const char *result",
        'object("name", string(name), "result", parsed(result), NULL)', 'at(given, "/result")', "return text_of({});",
    ),
    **dict.fromkeys(("mark.sanitize", "start.sanitize", "end.sanitize"), _EVENT),
    "event.metadata": Shape(
        "char *", "void *data, const struct FfiEvent *event", 'object("event", event_json(event), NULL)',
        "of_kind('{')", "return text_of({});",
    ),
    "llm.provider": Shape(
        "char *", "void *data, const char *request", 'object("request", parsed(request), NULL)',
        'parsed(JSON({"ok": true}))', "return text_of({});",
    ),
    "tool.provider": Shape(
        "char *", "void *data, const char *args", 'object("args", parsed(args), NULL)',
        'parsed(JSON({"result": {"ok": true}, "annotation": null}))', "return text_of({});",
    ),
    "decode": Shape(
        *_REQUEST, 'object("request", request_json(request), NULL)', 'decoded(at(given, "/request"))',
        "return text_of({});",
    ),
    "encode": Shape(
        "char *", "void *data, const char *annotated, const struct FfiLLMRequest *original",
        'object("annotated_request", parsed(annotated), "original", request_json(original), NULL)',
        'with(at(given, "/original"), "/content",'
        ' laid_over(at(given, "/original/content"), at(given, "/annotated_request")))',
        'return text_of(at({}, "/content"));',
    ),
}  # fmt: skip

RESERVED = frozenset(
    "auto bool break case char const continue default do double else enum extern false float for goto if inline int"
    " long NULL register restrict return short signed sizeof static struct switch true typedef union unsigned void"
    " volatile while main program JSON answer answers args argument annotated chunk context data entry error event"
    " expected fields given history index list matchers name next original outcome passed reply request response result"
    " abort abs accept atof atoi bind calloc close connect div dup exit exp free getenv index link listen log malloc"
    " open pause pipe printf putc puts qsort raise rand read realloc remove rename rindex send signal sin sleep stderr"
    " stdin stdout step stpcpy strdup sync system time timezone truncate unlink usleep wait write y0 y1 j0 j1 gamma"
    .split()
)
"""Names that a program has, or C and its library."""

_DEFINES = re.compile(
    r"^(?:typedef [^(;]*\(\*(?=\w)|typedef [^(;]*[ *](?=\w+;)|struct |static [\w ]*?[ *]+)(\w+)\s*(?=[(;=\[{)])"
)
PARTS = Parts((Path(__file__).parent / "c_parts.txt").read_text(encoding="utf-8"), _DEFINES)
"""What a program may need besides, which is the same in each."""


def text_of(text: str) -> str:
    """Return a text as C writes it; raises NoProgramError for one that has no bytes in UTF-8."""
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        raise NoProgramError("half of a surrogate pair has no bytes in UTF-8")
    return '"' + "".join(_char(char) for char in text) + '"'


def _char(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else "".join(f"\\{byte:03o}" for byte in char.encode())


def pattern_of(pattern: str) -> str:
    """Return an expression of RE2 in the words of POSIX, where a dot is any character at all."""
    return pattern.replace("(?s:.*)", ".*").replace("(?:", "(").replace(r"\d", "[0-9]")


def deeper(lines: list[str]) -> list[str]:
    """Return lines one level further in."""
    return [f"    {line}" if line else "" for one in lines for line in one.split("\n")]


C = Syntax(null="NULL", true="true", false="false", spread="", text=text_of, key=text_of, pattern=text_of, step=4)


class Callbacks(Compiled):
    """The callbacks of one program."""

    language = "C"
    syntax = C
    parts = PARTS
    reserved = RESERVED
    comment = "//"
    end = ";"
    null = "NULL"

    # -- values --------------------------------------------------------------------------------------------------------

    def _literal(self, text: str) -> str:
        return f"JSON({text})"

    def _parsed(self, value: Json) -> str:
        return "of_kind('n')" if value is None else f"parsed({self._literal(JSON.value(value, 8))})"

    def _encoded(self, value: Json) -> str:
        return f"text_of({self._value(value)})" if "'$get'" in str(value) else self._literal(JSON.value(value, 8))

    # -- functions -----------------------------------------------------------------------------------------------------

    def _function(self, head: str, lines: list[str]) -> None:
        self._functions.append("\n".join([f"static {head} {{", *deeper(lines), "}"]))

    def _subscriber(self, name: str) -> str:
        function, who = self._names.of(name), text_of(name)
        lines = [f'saw_in({who}, {who}, "is told", event_json(event));']
        self._function(f"void {function}(void *data, const struct FfiEvent *event)", lines)
        return function

    def _raising(self, name: str, text: str) -> str:
        return f"failing({text});\n{self._fails}"

    _fails = "return NULL;"

    def _mutated(self, op: Json) -> str:
        return f"given = with(given, {text_of(op['at'])}, string({text_of(op['text'])}));"

    def _stood(self, name: str, latch: str) -> str:
        return f"stand({text_of(name)}, {text_of(latch)});"

    def _told(self, name: str, *, lane: str | None = None) -> str:
        lane = lane or self._lane(name)
        who = text_of(name)
        return f'saw_in({text_of(lane)}, {who}, "is given", given);' if lane else f'saw({who}, "is given", given);'

    def _callback(
        self, name: str, family: str, ops: list[Json], *, asynchronous: bool = False, waits: bool = False
    ) -> str:
        self._fitting(family, flat(ops))
        shape, function, who = SHAPES[family], self._names.of(name), text_of(name)
        lines = [f"json *given = {shape.given};"]
        if family == "decode" or any(op["op"] == "each" for op in ops):
            lines.append(f"int entry = entries({who});")
        if family == "decode":
            lines.append(f'saw_in(entry > 1 ? "publication" : "program", {who}, "is given", given);')
        else:
            lines.append(self._told(name))
        if not ops:
            lines.append(shape.replies.format(shape.natural))
        else:
            outer, self._fails = self._fails, shape.fails
            lines += [f"json *reply = {shape.natural};", *self._ops(name, ops)]
            self._fails = outer
            if ops[-1]["op"] != "raise":
                lines.append(shape.replies.format("reply"))
        self._function(f"{shape.returns}{function}({shape.parameters})", lines)
        return function

    def _around(self, name: str, family: str, ops: list[Json]) -> str:
        function, who, tool = self._names.of(name), text_of(name), family == "tool.execution"
        next_type, parameters, given = self._wrapped(tool=tool)
        lines = [*given]
        if any(op["op"] == "each" for op in ops):
            lines.append(f"int entry = entries({who});")
        lines.append(self._told(name))
        if self._story.names_answers(name):
            lines.append("json *answers = of_kind('[');")
        nothing = 'parsed(JSON({"result": null, "annotation": null, "pending_marks": []}))' if tool else "of_kind('n')"
        lines.append(f"json *reply = {nothing};")
        if not any(op["op"] == "next" for op in flat(ops)):
            lines += self._next(name, NATURAL, tool=tool)
        lines += self._ops(name, ops, tool=tool)
        if not (ops and ops[-1]["op"] == "raise"):
            lines.append("return text_of(reply);")
        self._function(f"char *{function}(void *data, {parameters}, {next_type} next, void *context)", lines)
        return function

    def _wrapped(self, *, tool: bool) -> tuple[str, str, list[str]]:
        """Return the type of what goes on, the parameters before it, and the lines that make of them what is given."""
        if tool and self._story.edition_at_least("0.9"):
            lines = [
                "json *told = parsed(call);",
                'json *given = object("name", at(told, "/tool_name"), "args", at(told, "/args"), "tool_call_id",'
                ' at(told, "/tool_call_id"), NULL);',
            ]
            return "NemoRelayToolExecNextFn", "const char *call", lines
        if tool:
            return "NemoRelayToolExecNextFn", "const char *args", ['json *given = object("args", parsed(args), NULL);']
        if not self._story.edition_at_least("0.10"):
            lines = ['json *given = object("request", parsed(request), NULL);']
            return "NemoRelayLlmExecNextFn", "const char *request", lines
        lines = ['json *given = object("name", string(name), "request", parsed(request), NULL);']
        parameters = "const char *name, const char *request, struct NemoRelayLlmExecutionContext codecs"
        return "NemoRelayLlmExecNextFn", parameters, lines

    def _each(self, name: str, entries: list[list[Json]], *, tool: bool) -> list[str]:
        around = self._story.is_around(name) and any(op["op"] == "next" for entry in entries for op in entry)
        lines: list[str] = []
        for at, ops in enumerate(entries):
            implicit = around and not any(op["op"] == "next" for op in ops)
            inner = self._next(name, NATURAL, tool=tool) if implicit else []
            inner += self._ops(name, ops, tool=tool)
            head = "" if len(entries) == 1 else "else " if at == len(entries) - 1 else f"if (entry == {at + 1}) "
            head = f"else {head}" if 0 < at < len(entries) - 1 else head
            lines += [f"{head}{{", *deeper(inner), "}"]
        return lines

    def _next(self, name: str, op: Json, *, tool: bool) -> list[str]:
        lines: list[str] = []
        counted = self._story.names_answers(name)
        for edit in op["edits"]:
            argument = f'at(given, "/{"args" if tool else "request"}")'
            changes = self._edit(edit, "argument")
            inner = [f"json *argument = {argument};", *changes] if changes else []
            asked = f"go_on{'_with_tool' if tool else ''}({text_of(name)}, next, context, {'argument' if changes else argument})"
            inner.append(f"json *answer = {asked};")
            if not op["catch"]:
                inner.append("if (!answer) return NULL;")
            if counted:
                item = "answer ? answer : of_kind('n')" if op["catch"] else "answer"
                inner.append(f'answers = appended(answers, "", list({item}, NULL));')
            made = f"reply = {'tool_reply(answer)' if tool else 'answer'};"
            inner.append(f"if (answer) {made}" if op["catch"] else made)
            lines += ["{", *deeper(inner), "}"]
        return lines

    # -- streams -------------------------------------------------------------------------------------------------------

    def _ends(self, name: str, ops: list[Json]) -> list[str]:
        """Write collector and finalizer; return their names."""
        collector, finalizer = (self._names.of(f"{name}.{part}") for part in ("collector", "finalizer"))
        lane = text_of(f"{name}.collector")
        lines = [f'saw_in({lane}, {lane}, "is given", object("chunk", parsed(chunk), NULL));']
        self._function(f"void {collector}(const char *chunk)", lines)
        lines = ["json *given = of_kind('{');", self._told(f"{name}.finalizer", lane=f"{name}.collector")]
        lines += ["finalizing = false;", 'json *reply = parsed(JSON({"done": true}));']
        lines += self._ops(f"{name}.finalizer", ops)
        if not (ops and ops[-1]["op"] == "raise"):
            lines.append("return text_of(reply);")
        self._function(f"char *{finalizer}(void)", lines)
        return [collector, finalizer]

    def _source(self, name: str, ops: list[Json]) -> str:
        """Write the provider of a stream; return its name."""
        function = self._names.of(name)
        eager, chunks = self._only(ops, wraps=False)
        lines = ['json *given = object("request", parsed(request), NULL);', self._told(name, lane=name)]
        lines += self._ops(name, eager)
        if chunks:
            lines += [f"json *chunk = {self._value(chunks[0])};", *self._handed(text_of(name), text_of(name))]
        self._function(f"char *{function}(void *data, const char *request)", lines)
        return function

    def _handed(self, who: str, lane: str) -> list[str]:
        return [
            f'saw_in({lane}, {who}, "hands over", chunk);',
            f'saw_in({lane}, {who}, "is over", string("ended"));',
            "return text_of(chunk);",
        ]

    def _around_stream(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        eager, chunks = self._only(ops, wraps=True)
        edits = [op for op in ops if op["op"] == "edit"]
        eager = [op for op in eager if op["op"] != "edit"]
        if not any(op["op"] == "next" for op in ops):
            eager.insert(0, NATURAL)
        next_type, parameters, _ = self._wrapped(tool=False)
        lines = ['json *given = object("request", parsed(request), NULL);', self._told(name), "json *chunk = NULL;"]
        for op in eager:
            lines += self._passed(name, op, edits) if op["op"] == "next" else self._ops(name, [op])
        if not (eager and eager[-1]["op"] == "raise"):
            lines += [f"chunk = {self._value(chunk)};" for chunk in chunks]
            lines += self._handed(who, text_of(f"{name}.stream"))
        self._function(f"char *{function}(void *data, {parameters}, {next_type} next, void *context)", lines)
        return function

    def _passed(self, name: str, op: Json, edits: list[Json]) -> list[str]:
        """Return the lines that go on with what is wrapped, and pass its chunk on, changed."""
        lines: list[str] = []
        for edit in op["edits"][:1]:
            lines += ['json *argument = at(given, "/request");', *self._edit(edit, "argument")]
            lines.append(f"json *passed = go_on_streaming({text_of(name)}, next, context, argument);")
            changes = ["chunk = passed;", *(line for one in edits for line in self._edit(one, "chunk"))]
            lines += ["if (passed) {", *deeper(changes), "}"] if op["catch"] else ["if (!passed) return NULL;", *changes]
        return ["{", *deeper(lines), "}"] if lines else []
