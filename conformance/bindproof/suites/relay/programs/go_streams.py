"""The streams of programs in Go: what hands their one chunk over, what collects it, who reads it.

Enters: calls that open streams, and intercepts around them. Leaves: functions of Go, and lines that read. Must not know
other steps.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.compiled import NATURAL
from bindproof.suites.relay.programs.go_callbacks import Callbacks, deeper, text_of
from bindproof.suites.relay.programs.outline import NoProgramError


class Streams(Callbacks):
    """The streams of one program."""

    def _stream(self, step: Json) -> list[str]:
        """Return the lines that open a stream, and read it where they should."""
        if step["collector"]:
            raise NoProgramError("a collector answers nothing: it cannot fail")
        name, variable = step["as"], self._variable(step["as"])
        source = self._source(f"{name}.source", step["provider"])
        collector, finalizer = self._ends(name, step["finalizer"])
        value, last = self._value_of(step)
        given = [self._lent(step["name"]), value, source, *self._managed(step, last)]
        given += [*(self._codec(step) or ["0", "0"]), self._reading(step), "out"]
        call = f"C.llm_stream_call_execute({', '.join(given)})"
        opened = [
            f"openStream({collector}, {finalizer}, func(out **C.struct_FfiStream) C.NemoRelayStatus {{",
            f"\treturn {call}",
            "})",
        ]
        lines = [f"{variable}, err = {opened[0]}", *opened[1:]]
        if not self._outline.may_fail(name):
            lines = [f"{variable} = must({opened[0]}", opened[1], "}))"]
            return [*lines, f"must(read({text_of(name)}, {variable}, -1))"] if step["drain"] else lines
        fails = f'saw({text_of(name)}, "fails", err)'
        if not step["drain"]:
            return ["{", *deeper(["var err error", *lines, "if err != nil {", f"\t{fails}", "}"]), "}"]
        drained = f"\t_, err = read({text_of(name)}, {variable}, -1)"
        return [
            "{",
            *deeper(["var err error", *lines, "if err == nil {", drained, "}", "if err != nil {", f"\t{fails}", "}"]),
            "}",
        ]

    def _ends(self, name: str, ops: list[Json]) -> list[str]:
        """Write collector and finalizer; return their names."""
        collector, finalizer = (self._names.of(f"{name}.{part}") for part in ("collector", "finalizer"))
        lane = text_of(f"{name}.collector")
        self._function(f"func {collector}(chunk any)", [f'sawIn({lane}, {lane}, "is given", object{{"chunk": chunk}})'])
        lines = ["given := object{}", self._told(f"{name}.finalizer", lane=f"{name}.collector")]
        lines += ['var reply any = object{"done": true}', *self._ops(f"{name}.finalizer", ops)]
        if not (ops and ops[-1]["op"] == "raise"):
            lines.append("return reply, nil")
        self._function(f"func {finalizer}() (any, error)", lines)
        return [collector, finalizer]

    def _source(self, name: str, ops: list[Json]) -> str:
        """Write the provider of a stream; return what the library is given of it."""
        function, who = self._names.of(name), text_of(name)
        eager, chunks = self._only(name, ops, wraps=False)
        lines = ['given := object{"request": request}', self._told(name, lane=name), *self._ops(name, eager)]
        if chunks:
            lines += self._handed(who, who, self._value(chunks[0]))
        self._function(f"func {function}(request any) (any, error)", lines)
        return f"keep(ofJSON({function}))"

    def _handed(self, who: str, lane: str, chunk: str) -> list[str]:
        return [
            f"chunk := {chunk}" if chunk != "chunk" else "",
            f'sawIn({lane}, {who}, "hands over", chunk)',
            f'sawIn({lane}, {who}, "is over", "ended")',
            "return chunk, nil",
        ][chunk == "chunk" :]

    def _around_stream(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        eager, chunks = self._only(name, ops, wraps=True)
        edits = [op for op in ops if op["op"] == "edit"]
        eager = [op for op in eager if op["op"] != "edit"]
        if not any(op["op"] == "next" for op in ops):
            eager.insert(0, NATURAL)
        given, codecs = '"request": request', "_"
        if self._outline.edition_at_least("0.10"):
            given, codecs = f'{given}, "codecs": codecsOf(codecs)', "codecs"
        lines = [f"given := object{{{given}}}", self._told(name), "var chunk any"]
        for op in eager:
            lines += self._passed(name, op, edits) if op["op"] == "next" else self._ops(name, [op])
        if not (eager and eager[-1]["op"] == "raise"):
            if chunks:
                lines.append(f"chunk = {self._value(chunks[0])}")
            lines += self._handed(who, text_of(f"{name}.stream"), "chunk")
        else:
            lines.insert(3, "_ = chunk")
        self._function(f"func {function}(request any, _ string, {codecs} []*string, next nextFunc) (any, error)", lines)
        return f"keep(around({function}))"

    def _passed(self, name: str, op: Json, edits: list[Json]) -> list[str]:
        """Return the lines that go on with what is wrapped, and pass its chunk on, changed."""
        lines: list[str] = []
        for edit in op["edits"][:1]:
            changes = self._edit(edit, "argument")
            lines += ['argument := given["request"]', *changes]
            made = ["chunk = passed", *(line for one in edits for line in self._edit(one, "chunk"))]
            asked = f"passed, err := goOnStreaming({text_of(name)}, next, argument)"
            if op["catch"]:
                lines += [f"if {asked}; err == nil {{", *deeper(made), "}"]
            else:
                lines += [f"if {asked}; err != nil {{", "\treturn nil, err", "} else {", *deeper(made), "}"]
        return ["{", *deeper(lines), "}"] if lines else []

    def _read(self, step: Json) -> list[str]:
        count = -1 if step["n"] is None else step["n"]
        return self._shown(step, f"read({text_of(step['as'])}, {self._variable(step['of'])}, {count})")

    def _close(self, step: Json) -> list[str]:
        variable = self._variable(step["of"])
        if step["how"] == "close":
            return [*self._tried(step, f"C.nemo_relay_stream_close({variable})"), "settle()"]
        return [f"C.nemo_relay_stream_free({variable})", "settle()"]
