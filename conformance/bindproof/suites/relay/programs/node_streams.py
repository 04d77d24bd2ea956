"""The streams of programs in Node: what hands chunks over, what collects them, who reads them.

Enters: calls that open streams, and intercepts around them. Leaves: functions of JavaScript, and lines that read. Must
not know other steps.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.node_callbacks import deeper, text_of
from bindproof.suites.relay.programs.node_codecs import Coding
from bindproof.suites.relay.programs.outline import NoProgramError
from bindproof.suites.relay.programs.python_words import CODECS

_NATURAL = [{"op": "yield", "chunks": [{"i": 0}, {"i": 1}]}]
"""What a stream's provider hands over by itself."""


class Streams(Coding):
    """The streams of one program."""

    def _stream(self, step: Json) -> list[str]:
        """Return the lines that open a stream, and read it where they should."""
        own = [*step["provider"], *step["collector"], *step["finalizer"]]
        if any(op["op"] in ("raise", "each") for op in own):
            raise NoProgramError("what throws in a stream's own callbacks ends a process of Node")
        name = step["as"]
        parts = [self._source(f"{name}.source", step["provider"]), *self._ends(name, step["finalizer"])]
        given = ", ".join([text_of(step["name"]), self._value(step["request"]), *parts, "passed", "passed"])
        variable = self._variable(name)
        lines = [
            f"going.add({text_of(f'{name}.finalizer')});",
            f"{variable} = await typed.typedLlmStreamExecute({given}, {{ {', '.join(self._options(step))} }});",
        ]
        return [*lines, f"await read({text_of(name)}, {variable});"] if step["drain"] else lines

    def _options(self, step: Json) -> list[str]:
        names = {"data": "data", "metadata": "metadata", "model": "modelName"}
        found = [f"{own}: {self._value(step[name])}" for name, own in names.items() if step[name] is not None]
        if step["parent"] is not None:
            found.append(f"handle: {self._variable(step['parent'])}")
        if step["attributes"]:
            found.append(f"attributes: {bits(step)}")
        codec = step["codec"]
        if isinstance(codec, dict):
            decode, encode = (
                self._callback(f"{step['as']}.{part}", part, codec[part]) for part in ("decode", "encode")
            )
            encode = f"(annotated, original) => {encode}({{ annotated, original }})"
            found.append(f"codec: {{ decode: {decode}, encode: {encode} }}")
        elif codec != "none":
            found.append(f"codec: new relay.{CODECS[codec]}()")
        if step["response_codec"]:
            found.append(f"responseCodec: new relay.{CODECS[step['response_codec']]}()")
        return found

    def _ends(self, name: str, ops: list[Json]) -> list[str]:
        """Write collector and finalizer; return their names."""
        collector, finalizer = (self._names.of(f"{name}.{part}") for part in ("collector", "finalizer"))
        lane = text_of(f"{name}.collector")
        self._function(f"function {collector}(chunk)", [f'saw({lane}, "is given", {{ chunk }}, {lane});'])
        who = text_of(f"{name}.finalizer")
        lines = ["const given = {};", f'saw({who}, "is given", given, {lane});', f"going.delete({who});"]
        lines += ["let reply = { done: true };", *self._ops(name, ops), "return reply;"]
        self._function(f"function {finalizer}()", lines)
        return [collector, finalizer]

    def _source(self, name: str, ops: list[Json]) -> str:
        """Write the provider of a stream; return its name."""
        function, who = self._names.of(name), text_of(name)
        eager, late = _split(ops)
        lines = [
            "const given = { request };",
            f'saw({who}, "is given", given, {who});',
            *self._ops(name, eager),
            "async function* chunks() {",
            *deeper(self._late(name, late or _NATURAL, [])),
            "}",
            f"return told({who}, chunks(), {who});",
        ]
        self._function(f"function {function}(request)", lines)
        return function

    def _around_stream(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        edits = [op for op in ops if op["op"] == "edit"]
        eager, late = ([op for op in part if op["op"] != "edit"] for part in _split(ops))
        if not any(op["op"] == "next" for op in ops):
            eager.insert(0, {"op": "next", "edits": [{}], "catch": False})
        before: list[str] = []
        passed: list[str] = []
        for op in eager:
            if op["op"] == "next":
                before += self._asked(name, op)
                passed = self._passed(op, edits)
            else:
                before += self._ops(name, [op])
        lines = [
            "const given = { request };",
            f'saw({who}, "is given", given);',
            "let argument;",
            "let inner;",
            *before,
            "async function* chunks() {",
            *deeper([*passed, *self._late(name, late, edits)]),
            "}",
            f"return told({who}, chunks(), {text_of(f'{name}.stream')}, () => inner?.return?.());",
        ]
        self._function(f"async function {function}(request, next)", lines)
        return function

    def _late(self, name: str, ops: list[Json], edits: list[Json]) -> list[str]:
        lines: list[str] = []
        for op in ops:
            match op["op"]:
                case "yield":
                    lines.append(f"yield* {self._value(op['chunks'])};")
                case "hang":
                    lines.append("await new Promise(() => {});")
                case "next":
                    lines += [*self._asked(name, op), *self._passed(op, edits)]
                case _:
                    lines += self._ops(name, [op])
        return lines

    def _asked(self, name: str, op: Json) -> list[str]:
        """Return the lines that go on with what is wrapped; a failure may be caught."""
        lines: list[str] = []
        for edit in op["edits"][:1]:
            asked = f"inner = await goOnStreaming({text_of(name)}, next, argument);"
            lines += ["argument = structuredClone(given.request);", *self._edit(edit, "argument")]
            lines += ["try {", f"  {asked}", "} catch {", "  inner = undefined;", "}"] if op["catch"] else [asked]
        return lines

    def _passed(self, op: Json, edits: list[Json]) -> list[str]:
        """Return the lines that pass chunks on, changed."""
        if not op["edits"]:
            return []
        changes = [line for edit in edits for line in self._edit(edit, "chunk")]
        change = f"(chunk) => {{ {' '.join(changes)} return chunk; }}" if changes else "(chunk) => chunk"
        return [f"if (inner) yield* passedOn(inner, {change}, {'true' if op['catch'] else 'false'});"]

    def _close(self, step: Json) -> list[str]:
        if step["how"] != "close":
            raise NoProgramError("when JavaScript forgets a stream nobody can say")
        return self._guarded(step, [f"await {self._variable(step['of'])}.close();", "await settle();"])


def _split(ops: list[Json]) -> tuple[list[Json], list[Json]]:
    """Return what is done when a callback is called, and what when its stream is read."""
    first = next((at for at, op in enumerate(ops) if op["op"] in ("yield", "hang")), len(ops))
    return ops[:first], ops[first:]


ATTRIBUTES = {"parallel": 1, "relocatable": 2, "stateful": 1, "streaming": 2, "remote": 1}
"""Attribute → its bit in the number that the package takes, which names none of them."""


def bits(step: Json) -> str:
    """Return the attributes of a step as the package takes them."""
    return str(sum(ATTRIBUTES[name] for name in step["attributes"])) if step["attributes"] else "undefined"
