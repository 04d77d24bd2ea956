"""The callbacks of programs in C, and what they do.

Enters: registrations, calls, streams and ops. Leaves: functions of C, and their names. Must not know what steps do.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.c_words import PARTS, RESERVED, SHAPES, C, deeper, text_of
from bindproof.suites.relay.programs.compiled import JSON, NATURAL
from bindproof.suites.relay.programs.compiled_steps import Steps
from bindproof.suites.relay.programs.writer import flat
from bindproof.suites.relay.scenario.callbacks import latches


class Callbacks(Steps):
    """The callbacks of one program."""

    language = "C"
    syntax = C
    parts = PARTS
    reserved = RESERVED
    comment = "//"
    end = ";"
    null = "NULL"
    library = ""

    # -- values --------------------------------------------------------------------------------------------------------

    def _literal(self, text: str) -> str:
        return f"JSON({text})"

    def _parsed(self, value: Json) -> str:
        return "of_kind('n')" if value is None else f"parsed({self._literal(JSON.value(value, 8))})"

    def _encoded(self, value: Json) -> str:
        return f"text_of({self._value(value)})" if "'$get'" in str(value) else self._literal(JSON.value(value, 8))

    def _lent(self, text: str | None) -> str:
        return "NULL" if text is None else self._text(text)

    def _micros(self, time: int) -> str:
        return f"&(int64_t){{{time}}}"

    def _severity(self, number: int) -> str:
        return f"&(NemoRelayLogSeverity){{{number}}}"

    # -- functions -----------------------------------------------------------------------------------------------------

    def _function(self, head: str, lines: list[str]) -> None:
        self._functions.append("\n".join([f"static {head} {{", *deeper(lines), "}"]))

    def _subscriber(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        lines = [f'saw_in({who}, {who}, "is told", event_json(event));']
        lines += [f"hold_up({who}, {text_of(f'{name}.told')}, {text_of(latch)});" for latch in latches(ops)]
        self._function(f"void {function}(void *data, const struct FfiEvent *event)", lines)
        return function

    def _raising(self, name: str, text: str) -> str:
        return f"failing({text});\n{self._fails}"

    _fails = "return NULL;"

    def _stood(self, name: str, latch: str) -> str:
        return f"stand({text_of(name)}, {text_of(latch)});"

    def _held_up(self, name: str, latch: str) -> str:
        return f'hold_up("publication", {text_of(name)}, {text_of(latch)});'

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
            acts = self._ops(name, ops)
            self._fails = outer
            if ops[-1]["op"] != "raise" or any("reply" in line for line in acts):
                lines.append(f"json *reply = {shape.natural};")
            lines += acts
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
        if self._outline.names_answers(name):
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
        if tool and self._outline.edition_at_least("0.9"):
            lines = [
                "json *told = parsed(call);",
                'json *given = object("name", at(told, "/tool_name"), "args", at(told, "/args"), "tool_call_id",'
                ' at(told, "/tool_call_id"), NULL);',
            ]
            return "NemoRelayToolExecNextFn", "const char *call", lines
        if tool:
            return "NemoRelayToolExecNextFn", "const char *args", ['json *given = object("args", parsed(args), NULL);']
        if not self._outline.edition_at_least("0.10"):
            lines = ['json *given = object("request", parsed(request), NULL);']
            return "NemoRelayLlmExecNextFn", "const char *request", lines
        members = '"name", string(name), "request", parsed(request), "codecs", codecs_json(codecs)'
        lines = [f"json *given = object({members}, NULL);"]
        parameters = "const char *name, const char *request, struct NemoRelayLlmExecutionContext codecs"
        return "NemoRelayLlmExecNextFn", parameters, lines

    def _each(self, name: str, entries: list[list[Json]], *, tool: bool) -> list[str]:
        around = self._outline.is_around(name) and any(op["op"] == "next" for entry in entries for op in entry)
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
        counted = self._outline.names_answers(name)
        for edit in op["edits"]:
            argument = f'at(given, "/{"args" if tool else "request"}")'
            changes = self._edit(edit, "argument")
            inner = [f"json *argument = {argument};", *changes] if changes else []
            argument = "argument" if changes else argument
            asked = f"go_on{'_with_tool' if tool else ''}({text_of(name)}, next, context, {argument})"
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
        eager, chunks = self._only(name, ops, wraps=False)
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
        eager, chunks = self._only(name, ops, wraps=True)
        edits = [op for op in ops if op["op"] == "edit"]
        eager = [op for op in eager if op["op"] != "edit"]
        if not any(op["op"] == "next" for op in ops):
            eager.insert(0, NATURAL)
        next_type, parameters, _ = self._wrapped(tool=False)
        codecs = '"codecs", codecs_json(codecs), ' if self._outline.edition_at_least("0.10") else ""
        given = f'json *given = object("request", parsed(request), {codecs}NULL);'
        lines = [given, self._told(name), "json *chunk = NULL;"]
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
            lines += (
                ["if (passed) {", *deeper(changes), "}"] if op["catch"] else ["if (!passed) return NULL;", *changes]
            )
        return ["{", *deeper(lines), "}"] if lines else []
