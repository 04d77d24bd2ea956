"""Programs in JavaScript for Node, which drive the package nemo-relay-node.

Enters: an outline. Leaves: source text. Must not know how it is judged.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.node_callbacks import SYNTAX, deeper, text_of
from bindproof.suites.relay.programs.node_streams import Streams, bits
from bindproof.suites.relay.programs.outline import NoProgramError
from bindproof.suites.relay.programs.python_words import CODECS, KINDS
from bindproof.suites.relay.programs.writing import capitals, seen
from bindproof.suites.relay.scenario.rules.program import ATTRIBUTES

_MAIN = """
program()
  .then(
    () => (report() > 0 ? 1 : 0),
    (error) => {
      console.log(`the program ended early: ${error}`);
      report();
      return 1;
    },
  )
  .then((code) => process.exit(code));
"""


class Node(Streams):
    """One program for Node."""

    gap = "\n\n"
    main = _MAIN
    finds = True
    measures = True
    deciding = (
        "const [wanted, got] = [EXPECTED[lane] ?? [], seen.get(lane) ?? []];",
        "const got = seen.get(lane) ?? [];\n    const wanted = decide(EXPECTED[lane] ?? [], got);",
    )

    def text(self) -> str:
        """Return the whole program."""
        outline = self._outline
        steps = [line for step in outline.steps for line in self._step(step)]
        if any(step.get("background") for step in outline.steps):
            steps.append("await openAll();")
        steps.append("await relay.flushSubscribers();")
        outline.name_families(KINDS)
        common, lanes = outline.common()
        expectation = f"const EXPECTED = {SYNTAX.value(lanes)};"
        if common:
            expectation = f"const SAME = {SYNTAX.value(common)}; // of all events\n\n{expectation}"
        declared = [f"let {', '.join(sorted(self._declared))};"] if self._declared else []
        body = "\n".join(["async function program() {", *deeper(steps), "}"])
        program = "\n\n".join([*declared, *self._functions, body])
        source = self._joined(program, expectation)
        heading = outline.heading(f"npm install {outline.target('@')}", f"node {outline.file}")
        head = [f"// {line}".rstrip() for line in seen(heading).split("\n")]
        head += ["", 'const relay = require("nemo-relay-node");']
        if "install(" in program:
            head.append('const plugin = require("nemo-relay-node/plugin");')
        if "typed." in source:
            head.append('const typed = require("nemo-relay-node/typed");')
        return "\n".join([*head, "", source]) + "\n"

    def _shown(self, step: Json, expression: str) -> list[str]:
        name = text_of(step["as"])
        if self._outline.is_used(step["as"]):
            variable = self._variable(step["as"])
            return self._guarded(step, [f"{variable} = {expression};", f'saw({name}, "gives", {variable});'])
        return self._guarded(step, [f'saw({name}, "gives", {expression});'])

    def _guarded(self, step: Json, lines: list[str]) -> list[str]:
        if not self._outline.may_fail(step["as"]):
            return lines
        return ["try {", *deeper(lines), "} catch (error) {", f'  saw({text_of(step["as"])}, "fails", error);', "}"]

    def _call_of(self, function: str, *arguments: str) -> str:
        """Return a call; last arguments that are not handed over are left out."""
        given = list(arguments)
        while given and given[-1] == "undefined":
            given.pop()
        return f"relay.{function}({', '.join(given)})"

    def _given(self, step: Json, *names: str) -> list[str]:
        found = [step.get(name) for name in names]
        return ["undefined" if value is None else self._value(value) for value in found]

    def _lead(self, step: Json) -> list[str]:
        parent = self._variable(step["parent"]) if step["parent"] is not None else "undefined"
        return [parent, bits(step), *self._given(step, "data")]

    def _order(self, step: Json) -> list[str]:
        if step["family"] == "subscriber":
            return []
        breaks = step["family"] in ("llm.request", "tool.request")
        return [str(step["priority"]), *([SYNTAX.value(step["break_chain"])] if breaks else [])]

    def _register(self, step: Json) -> list[str]:
        stem = _stem(step)
        local = step["scope"] != "global"
        owner = [f"{self._variable(step['scope'])}.uuid"] if local else []
        given = [*owner, text_of(step["name"]), *self._order(step), self._callee(step)]
        into, out = ("scopeRegister", "scopeDeregister") if local else ("register", "deregister")
        self._outline.registered[step["as"]] = self._call_of(f"{out}{stem}", *owner, text_of(step["name"]))
        return self._guarded(step, [f"{self._call_of(f'{into}{stem}', *given)};"])

    def _list(self, step: Json) -> list[str]:
        return self._shown(step, f"registered({text_of(KINDS[step['only']]) if step['only'] else ''})")

    def _gate(self, step: Json) -> list[str]:
        families = SYNTAX.value({KINDS[family]: family for family in step["families"]})
        options = {key: step[key] for key in ("reason", "raises", "plugin") if step[key] is not None}
        given = [text_of(step["name"]), families, text_of(step["target"])]
        given += [SYNTAX.value(options)] if options else []
        return self._guarded(step, [f"{self._variable(step['as'])} = gate({', '.join(given)});"])

    def _ungate(self, step: Json) -> list[str]:
        return self._shown(step, f"{self._variable(step['of'])}()")

    def _current(self, step: Json) -> list[str]:
        return self._shown(step, "scopeOf(relay.getHandle())")

    def _context(self, step: Json) -> list[str]:
        around = self._variable(f"around {step['as']}")
        return [f"{around} = relay.currentScopeStack();", "relay.setThreadScopeStack(relay.createScopeStack());"]

    def _back(self, step: Json) -> list[str]:
        around = self._variable(f"around {step['of']}")
        return [f"relay.setThreadScopeStack({around});"]

    def _handle(self, step: Json) -> list[str]:
        names = SYNTAX.value(list(ATTRIBUTES[self._outline.kind_of(step["of"])]))
        return self._shown(step, f"handleOf({self._variable(step['of'])}, {names})")

    def _build(self, step: Json) -> list[str]:
        if step["object"] != "request" or step["value"].keys() - {"headers", "content"}:
            raise NoProgramError("a program writes a plain object; LlmRequest takes headers and a content")
        value = step["value"]
        headers, content = (
            self._value(value[name]) if name in value else "undefined" for name in ("headers", "content")
        )
        return self._shown(step, f"requestOf(new relay.LlmRequest({headers}, {content}))")

    def _start(self, step: Json) -> list[str]:
        name, lead, metadata = text_of(step["name"]), self._lead(step), self._given(step, "metadata")
        if step["kind"] == "scope":
            kind = f"relay.ScopeType.{step['type'].capitalize()}"
            call = self._call_of("pushScope", name, kind, *lead, *metadata, *self._given(step, "input", "timestamp"))
        elif step["kind"] == "llm":
            given = [name, self._value(step["request"]), *lead, *metadata, *self._given(step, "model", "timestamp")]
            call = self._call_of("llmCall", *given)
        else:
            given = [name, self._value(step["args"]), *lead, *metadata, *self._given(step, "tool_call_id", "timestamp")]
            call = self._call_of("toolCall", *given)
        return self._guarded(step, [f"{self._variable(step['as'])} = {call};"])

    def _end(self, step: Json) -> list[str]:
        handle = self._variable(step["of"])
        data, metadata, time = self._given(step, "data", "metadata", "timestamp")
        kind = self._outline.kind_of(step["of"])
        if kind == "scope":
            call = self._call_of("popScope", handle, *self._given(step, "output"), time, metadata)
        elif kind == "llm":
            if step["annotation"] is not None or step["response_codec"] is not None:
                raise NoProgramError("llmCallEnd takes neither an annotation nor a codec")
            call = self._call_of("llmCallEnd", handle, self._value(step["output"]), data, metadata, time)
        else:
            result = self._value({"result": step["output"], "annotation": step["annotation"]})
            call = self._call_of("toolCallEnd", handle, result, data, metadata, time)
        return self._guarded(step, [f"{call};"])

    def _mark(self, step: Json) -> list[str]:
        parent = self._variable(step["parent"]) if step["parent"] is not None else "undefined"
        if step["measurements"] is not None:
            group = ", ".join(map(self._measurement, step["measurements"]))
            given = [text_of(step["name"]), f"[{group}]", parent, *self._given(step, "metadata", "timestamp")]
            return self._guarded(step, [f"{self._call_of('metric', *given)};"])
        severity = f"relay.LogSeverity.{step['severity'].capitalize()}" if step["severity"] else "undefined"
        data, metadata, time, schema = self._given(step, "data", "metadata", "timestamp", "data_schema")
        given = [text_of(step["name"]), parent, data, metadata, time, schema, severity]
        return self._guarded(step, [f"{self._call_of('event', *given)};"])

    def _measurement(self, one: Json) -> str:
        kind, value_type = capitals(one["kind"]), capitals(one["value_type"])
        given = {name: self._value(value) for name, value in one.items() if value is not None}
        given |= {"kind": f"relay.MetricKind.{kind}", "valueType": f"relay.MetricValueType.{value_type}"}
        members = ", ".join(f"{name}: {value}" for name, value in given.items() if name != "value_type")
        return f"{{ {members} }}"

    def _flush(self, step: Json) -> list[str]:
        return self._guarded(step, ["await relay.flushSubscribers();"])

    def _helper(self, step: Json) -> list[str]:
        name = text_of(step["name"])
        call = {
            "llm.request": lambda: f"await relay.llmRequestIntercepts({name}, {self._value(step['request'])})",
            "llm.conditional": lambda: f"(await relay.llmConditionalExecution({self._value(step['request'])})) ?? null",
            "tool.request": lambda: f"await relay.toolRequestIntercepts({name}, {self._value(step['args'])})",
            "tool.conditional": lambda: (
                f"(await relay.toolConditionalExecution({name}, {self._value(step['args'])})) ?? null"
            ),
        }[step["kind"]]()
        return self._shown(step, call)

    def _call(self, step: Json) -> list[str]:
        if step["kind"] == "llm_stream":
            return self._guarded(step, self._stream(step))
        provider = self._callback(f"{step['as']}.provider", f"{step['kind']}.provider", step["provider"], waits=True)
        tail = [*self._lead(step), *self._given(step, "metadata")]
        if step["kind"] == "tool":
            given = [text_of(step["name"]), self._value(step["args"]), provider, *tail]
            made = self._call_of("toolCallExecuteAsync", *given, *self._given(step, "tool_call_id"))
            call = f"resultOf(await {made})"
        else:
            given = [text_of(step["name"]), self._value(step["request"]), provider, *tail]
            more = [*self._given(step, "model"), *self._codecs(step)]
            call = f"await {self._call_of('llmCallExecuteAsync', *given, *more)}"
        if not step["background"]:
            return self._shown(step, call)
        function = self._names.of(f"{step['as']} beside")
        self._outline.failing.add(step["as"])
        self._function(f"async function {function}()", self._shown(step, call))
        return [f"await aside({function});"]

    def _codecs(self, step: Json) -> list[str]:
        codec, response = step["codec"], step.get("response_codec")
        read = f"reading(new relay.{CODECS[response]}())" if response else "undefined"
        if isinstance(codec, dict):
            return [*(self._callback(f"{step['as']}.{part}", part, codec[part]) for part in ("decode", "encode")), read]
        if codec == "none":
            return ["undefined", "undefined", read]
        return [f"...functionsOf(new relay.{CODECS[codec]}())", read]

    def _open(self, step: Json) -> list[str]:
        if step["latch"] in self._outline.held:
            return ["await openHeld();"]
        return [f"await openLatch({text_of(step['latch'])});"]

    def _install(self, step: Json) -> list[str]:
        function, who = self._names.of(f"{step['as']} registers"), text_of(step["as"])
        lines = [f'saw({who}, "is given", {{ plugin: name }});']
        if any(op["op"] == "each" for op in step["do"]):
            lines.append(f"const entry = enter({who});")
        lines += self._registrations(step, step["do"])
        self._function(f"function {function}(name, context)", lines)
        given = ", ".join([function, *map(text_of, step["plugins"])])
        return self._guarded(step, [f"{self._variable(step['as'])} = await install({given});"])

    def _in_turn(self, name: str, entries: list[list[str]]) -> list[str]:
        heads = [*(f"if (entry === {at}) " for at in range(1, len(entries))), ""]
        done: list[str] = []
        for head, lines in zip(heads, entries, strict=True):
            done += [f"{'} else ' if done else ''}{head}{{", *deeper(lines)]
        return [*done, "}"]

    def _registering(self, step: Json) -> str:
        given = ", ".join([text_of(step["name"]), *self._order(step), self._callee(step)])
        return f"context.register{_stem(step)}({given});"

    def _uninstall(self, step: Json) -> list[str]:
        return self._guarded(step, [f"await {self._variable(step['of'])}();"])


def _stem(step: Json) -> str:
    """Return what the functions that register a family end with."""
    return capitals(KINDS[step["family"]])
