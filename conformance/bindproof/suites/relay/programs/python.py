"""Programs in Python, which drive the package nemo-relay.

Enters: an outline. Leaves: source text. Must not know how it is judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bindproof.core.model import Json
from bindproof.suites.relay.programs.outline import NoProgramError
from bindproof.suites.relay.programs.python_codecs import Coding
from bindproof.suites.relay.programs.python_editions import in_words_of
from bindproof.suites.relay.programs.python_words import (
    BUILT,
    CAPTURING,
    CODECS,
    IMPORTS,
    KINDS,
    SYNTAX,
    deeper,
    text_of,
)
from bindproof.suites.relay.programs.writing import capitals, seen

_MAIN = """
if __name__ == "__main__":
    try:
        asyncio.run(program())
    except BaseException as error:
        print(f"the program ended early: {type(error).__name__}: {error}")
        report()
        code = 1
    else:
        code = 1 if report() else 0
    sys.stdout.flush()
    os._exit(code)  # threads of the package may be at work still, and do not outlive the interpreter's own end well
"""


class Python(Coding):
    """One program in Python."""

    gap = "\n\n\n"
    main = _MAIN
    deciding = (
        "wanted, got = EXPECTED.get(lane, []), seen[lane]",
        "got, wanted = seen[lane], decide(EXPECTED.get(lane, []), seen[lane])",
    )

    def text(self) -> str:
        """Return the whole program."""
        outline = self._outline
        body = ["async def program():"]
        steps = self._sequence(outline.steps)
        beside = any(step.get("background") for step in outline.steps)
        if beside or not outline.edition_at_least("0.8"):
            steps.insert(0, "relay.get_scope_stack()  # of the program and its calls alike")
        if beside:
            steps.append("await open_all()")
        shared = sorted(name for name in self._globals if any(_assigns(line, name) for line in steps))
        if shared:
            body.append(f"    global {', '.join(shared)}")
        body += [f"    {line}" if line else "" for line in [*steps, "await relay.subscribers.flush_async()"]]
        outline.name_families(KINDS)
        same, lanes = outline.common()
        expectation = f"EXPECTED = {SYNTAX.value(lanes)}"
        if same:
            expectation = f"SAME = {SYNTAX.value(same)}  # of all events\n\n{expectation}"
        source = in_words_of(outline, self._joined("\n\n\n".join([*self._functions, "\n".join(body)]), expectation))
        used = [line for name, line in IMPORTS.items() if _uses(source, name)]
        standard = [line for line in used if "nemo_relay" not in line]
        package = [line for line in used if "nemo_relay" in line]
        heading = outline.heading(f"pip install {outline.target('==')}", f"python {outline.file}")
        head = f'"""{_documentation(heading)}\n"""'
        return "\n\n".join([head, "\n".join(standard), "\n".join(package) + f"\n\n{source}"]) + "\n"

    def _sequence(self, steps: Sequence[Json]) -> list[str]:
        """Return the lines of steps, those of a block or a context inside it."""
        lines: list[str] = []
        at = 0
        while at < len(steps):
            step, at = steps[at], at + 1
            if step["step"] == "context":
                back = next(n for n in range(at, len(steps)) if steps[n].get("of") == step["as"])
                lines += self._apart(step, self._sequence(steps[at:back]))
                at = back + 1
                continue
            if not step.get("block"):
                lines += self._step(step)
                continue
            end = next((n for n in range(at, len(steps)) if steps[n].get("of") == step["as"] and _ends(steps[n])), None)
            if end is None or self._outline.may_fail(step["as"]) or self._outline.may_fail(steps[end]["as"]):
                raise NoProgramError("a block of a program begins and ends")
            lines += self._block(step, steps[end], self._sequence(steps[at:end]))
            at = end + 1
        return lines

    def _block(self, step: Json, end: Json, inner: list[str]) -> list[str]:
        options = [*self._options(step, "input", "data", "metadata", "parent"), *_attributes(step), *self._time(step)]
        if end["timestamp"] is not None:
            options.append(f"end_timestamp=moment({end['timestamp']})")
        kind = f"relay.ScopeType.{step['type'].capitalize()}"
        scope = f"relay.scope.scope({', '.join([text_of(step['name']), kind, *options])})"
        head = f"with {scope} as {self._variable(step['as'])}:"
        if end.get("raises") is None:
            return [head, *deeper(inner or ["pass"])]
        lines = [head, *deeper([*inner, f"raise RuntimeError({text_of(end['raises'])})"])]
        stays = f'saw({text_of(end["as"])}, "gives", "the error stays in the block")'
        return ["try:", *deeper(lines), "except RuntimeError:", "    pass", "else:", f"    {stays}"]

    def _apart(self, step: Json, inner: list[str]) -> list[str]:
        """Return the lines of a context: a task that has it. Whatever they assign is there for all."""
        name = self._names.of(f"in {step['as']}")
        self._globals.update(found.group(1) for line in inner if (found := _ASSIGNED.match(line)))
        shared = sorted(name for name in self._globals if any(_assigns(line, name) for line in inner))
        inner = [f"global {', '.join(shared)}", *inner] if shared else inner
        if step["from"] is not None:
            stack = f"relay.create_scope_stack_from_propagation(CAPTURED[{text_of(step['from'])}])"
            inner = [f"with relay.use_scope_stack({stack}):", *deeper(inner or ["pass"])]
        task = f"await asyncio.create_task({name}(), context=contextvars.Context())"
        return [f"async def {name}():", *deeper(inner or ["pass"]), "", task]

    def _register(self, step: Json) -> list[str]:
        family, name = step["family"], text_of(step["name"])
        stem, _, sort = KINDS[family].rpartition("_")
        local = step["scope"] != "global"
        if sort in ("intercept", "guardrail"):
            module, suffix = ("scope_local" if local else f"{sort}s"), f"_{stem}"
        elif local:
            module, suffix = "scope_local", f"_{KINDS[family]}"
        else:
            module, suffix = ("subscribers", "") if family == "subscriber" else ("event_metadata", "_injector")
        named = [self._variable(step["scope"]), name] if local else [name]
        call = f"relay.{module}.register{suffix}({', '.join([*named, *self._order(step), self._callee(step)])})"
        self._outline.registered[step["as"]] = f"relay.{module}.deregister{suffix}({', '.join(named)})"
        return self._guarded(step, [call])

    def _list(self, step: Json) -> list[str]:
        given = [text_of(KINDS[step["only"]])] if step["only"] else []
        return self._shown(step, f"registered({', '.join(given)})")

    def _gate(self, step: Json) -> list[str]:
        families = SYNTAX.value({KINDS[family]: family for family in step["families"]})
        given = [text_of(step["name"]), families, text_of(step["target"])]
        named = {**step, "plugin_name": step["plugin"]}
        given += [
            f"{key}={text_of(named[key])}" for key in ("reason", "raises", "plugin_name") if named[key] is not None
        ]
        return self._guarded(step, [f"{self._variable(step['as'])} = gate({', '.join(given)})"])

    def _ungate(self, step: Json) -> list[str]:
        return self._shown(step, f"{self._variable(step['of'])}()")

    def _current(self, step: Json) -> list[str]:
        return self._shown(step, "scope_json(relay.scope.get_handle())")

    def _handle(self, step: Json) -> list[str]:
        return self._shown(step, f"handle_json({self._variable(step['of'])})")

    def _capture(self, step: Json) -> list[str]:
        root = f"{self._variable(step['root'])}.uuid" if step["root"] else ""
        return self._shown(step, f"captured_json({text_of(step['as'])}, relay.{CAPTURING[step['what']]}({root}))")

    def _build(self, step: Json) -> list[str]:
        make, read = BUILT[step["object"]]
        return self._shown(step, f"{read}({make}({self._value(step['value'])}))")

    def _start(self, step: Json) -> list[str]:
        name, more = text_of(step["name"]), [*_attributes(step), *self._time(step)]
        if step["kind"] == "scope":
            options = [*self._options(step, "input", "data", "metadata", "parent"), *more]
            kind = f"relay.ScopeType.{step['type'].capitalize()}"
            call = f"relay.scope.push({', '.join([name, kind, *options])})"
        elif step["kind"] == "llm":
            options = [*self._options(step, "model", "data", "metadata", "parent"), *more]
            call = f"relay.llm.call({', '.join([name, self._request(step), *options])})"
        else:
            options = [*self._options(step, "tool_call_id", "data", "metadata", "parent"), *more]
            call = f"relay.tools.call({', '.join([name, self._value(step['args']), *options])})"
        return self._guarded(step, [f"{self._variable(step['as'])} = {call}"])

    def _end(self, step: Json) -> list[str]:
        handle = self._variable(step["of"])
        options = [*self._options(step, "data", "metadata"), *self._time(step)]
        kind = self._outline.kind_of(step["of"])
        if kind == "scope":
            call = f"relay.scope.pop({', '.join([handle, *options, *self._options(step, 'output')])})"
        elif kind == "llm":
            if step["annotation"] is not None:
                options.append(f"annotated_response={self._value(step['annotation'])}")
            if step["response_codec"] is not None:
                options.append(f"response_codec=codecs.{CODECS[step['response_codec']]}()")
            call = f"relay.llm.call_end({', '.join([handle, self._value(step['output']), *options])})"
        else:
            output, annotation = self._value(step["output"]), self._value(step["annotation"])
            made = f"relay.ToolExecutionResult(result={output}, annotation={annotation})"
            result = made if self._outline.edition_at_least("0.8") else output
            call = f"relay.tools.call_end({', '.join([handle, result, *options])})"
        return self._guarded(step, [call])

    def _mark(self, step: Json) -> list[str]:
        if step["measurements"] is not None:
            return self._measured(step)
        options = [*self._options(step, "data", "metadata", "data_schema", "parent"), *self._time(step)]
        if step["severity"] is not None:
            options.append(f"severity=relay.LogSeverity.{step['severity'].capitalize()}")
        return self._guarded(step, [f"relay.scope.event({', '.join([text_of(step['name']), *options])})"])

    def _measured(self, step: Json) -> list[str]:
        group = ", ".join(map(self._measurement, step["measurements"]))
        options = [*self._options(step, "metadata", "parent"), *self._time(step)]
        return self._guarded(
            step, [f"relay.scope.metric({', '.join([text_of(step['name']), f'[{group}]', *options])})"]
        )

    def _measurement(self, one: Json) -> str:
        kind, value_type = capitals(one["kind"]), capitals(one["value_type"])
        given = [
            text_of(one["name"]),
            f"relay.MetricKind.{kind}",
            f"relay.MetricValueType.{value_type}",
            SYNTAX.value(one["value"]),
            *self._options(one, "unit", "description", "attributes", "boundaries"),
        ]
        return f"relay.MetricMeasurement({', '.join(given)})"

    def _flush(self, step: Json) -> list[str]:
        return self._guarded(step, ["await relay.subscribers.flush_async()"])

    def _helper(self, step: Json) -> list[str]:
        name = text_of(step["name"])
        call = {
            "llm.request": lambda: f"outcome_json(await relay.llm.request_intercepts({name}, {self._request(step)}))",
            "llm.conditional": lambda: f"await relay.llm.conditional_execution({self._request(step)})",
            "tool.request": lambda: f"await relay.tools.request_intercepts({name}, {self._value(step['args'])})",
            "tool.conditional": lambda: f"await relay.tools.conditional_execution({name}, {self._value(step['args'])})",
        }[step["kind"]]()
        return self._shown(step, call if self._outline.edition_at_least("0.7") else call.replace("await ", "", 1))

    def _call(self, step: Json) -> list[str]:
        if step["kind"] == "llm_stream":
            return self._stream(step)
        provider = self._callback(f"{step['as']}.provider", f"{step['kind']}.provider", step["provider"], waits=True)
        name = text_of(step["name"])
        if step["kind"] == "tool":
            options = [*self._options(step, "tool_call_id", "data", "metadata", "parent"), *_attributes(step)]
            given = [name, self._value(step["args"]), provider, *options]
            call = f"result_json(await relay.tools.execute({', '.join(given)}))"
        else:
            given = [name, self._request(step), provider, *self._llm_options(step)]
            call = f"await relay.llm.execute({', '.join(given)})"
        if not step["background"]:
            return self._shown(step, call)
        function = self._names.of(f"{step['as']} beside")
        self._outline.failing.add(step["as"])
        lines = self._shown(step, call)
        if self._outline.is_used(step["as"]):
            lines.insert(0, f"global {self._variable(step['as'])}")
        self._functions.append("\n".join([f"async def {function}():", *deeper(lines)]))
        return [f"{self._variable(step['as'] + ' task')} = await aside({function}())"]

    def _open(self, step: Json) -> list[str]:
        if step["latch"] in self._outline.held:
            return ["await open_held()"]
        return [f"await open_latch({text_of(step['latch'])})"]

    def _cancel(self, step: Json) -> list[str]:
        return self._guarded(step, [f"await cancel({text_of(step['of'])}, {self._variable(step['of'] + ' task')})"])

    def _llm_options(self, step: Json) -> list[str]:
        options = [*self._options(step, "model", "data", "metadata", "parent"), *_attributes(step)]
        codec = step["codec"]
        if isinstance(codec, dict):
            made = [self._callback(f"{step['as']}.{part}", part, codec[part]) for part in ("decode", "encode")]
            options.append(f"codec=Codec({', '.join(made)})")
        elif codec != "none":
            options.append(f"codec=codecs.{CODECS[codec]}()")
        if step.get("response_codec"):
            options.append(f"response_codec=codecs.{CODECS[step['response_codec']]}()")
        return options

    def _time(self, step: Json) -> list[str]:
        return [] if step["timestamp"] is None else [f"timestamp=moment({step['timestamp']})"]

    def _options(self, step: Json, *names: str) -> list[str]:
        keywords = {"model": "model_name", "parent": "handle"}
        return [
            f"{keywords.get(name, name)}={self._variable(step[name]) if name == 'parent' else self._value(step[name])}"
            for name in names
            if step[name] is not None
        ]

    def _request(self, step: Json) -> str:
        headers, content = (self._value(step["request"][name]) for name in ("headers", "content"))
        return f"relay.LLMRequest({headers}, {content})"

    def _stream(self, step: Json) -> list[str]:
        name = step["as"]
        parts = [
            self._source(f"{name}.source", step["provider"]),
            self._callback(f"{name}.collector", "collector", step["collector"]),
            self._callback(f"{name}.finalizer", "finalizer", step["finalizer"]),
        ]
        given = [text_of(step["name"]), self._request(step), *parts, *self._llm_options(step)]
        variable = self._variable(name)
        lines = [
            f"going.add({text_of(name + '.finalizer')})",
            f"{variable} = await relay.llm.stream_execute({', '.join(given)})",
        ]
        if step["drain"]:
            lines.append(f"await read({text_of(name)}, {variable})")
        return self._guarded(step, lines)

    def _close(self, step: Json) -> list[str]:
        variable = self._variable(step["of"])
        let_go = [f"await {variable}.aclose()"] if step["how"] == "close" else [f"{variable} = None", "gc.collect()"]
        return self._guarded(step, [*let_go, "await settle()"])

    def _install(self, step: Json) -> list[str]:
        function, who = self._names.of(f"{step['as']} registers"), text_of(step["as"])
        lines = [f'saw({who}, "is given", {{"plugin": name}})']
        if any(op["op"] == "each" for op in step["do"]):
            lines.append(f"entered[{who}] += 1")
        lines += self._registrations(step, step["do"])
        self._functions.append("\n".join([f"def {function}(name, context):", *deeper(lines)]))
        given = ", ".join([function, *map(text_of, step["plugins"])])
        return self._guarded(step, [f"{self._variable(step['as'])} = await install({given})"])

    def _in_turn(self, name: str, entries: list[list[str]]) -> list[str]:
        done = [lines or ["pass"] for lines in entries]
        if len(done) == 1:
            return done[0]
        tried = [f"if entered[{text_of(name)}] == {at}:" for at in range(1, len(done))]
        heads = [tried[0], *(f"el{head}" for head in tried[1:]), "else:"]
        return [line for head, body in zip(heads, done, strict=True) for line in (head, *deeper(body))]

    def _registering(self, step: Json) -> str:
        given = [text_of(step["name"]), *self._order(step), self._callee(step)]
        return f"context.register_{KINDS[step['family']]}({', '.join(given)})"

    def _uninstall(self, step: Json) -> list[str]:
        return self._guarded(step, [f"await {self._variable(step['of'])}()"])


_ASSIGNED = re.compile(r"\s*(?:with .* as )?(\w+)(?: = |:$)")
"""A line that gives a variable a value."""


def _assigns(line: str, name: str) -> bool:
    return line.lstrip().startswith(f"{name} = ") or line.endswith(f" as {name}:")


def _ends(step: Json) -> bool:
    return bool(step["step"] == "end")


def _uses(source: str, name: str) -> bool:
    return re.search(rf"(?<![\w.\"]){name}\.", source) is not None


def _documentation(text: str) -> str:
    """Return a text as it stands between three quotes; what cannot be seen is escaped."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"') if '"""' in text or "\\" in text else text
    return seen(plain)


FLAGS = {"scope": "ScopeAttributes", "llm": "LLMAttributes", "llm_stream": "LLMAttributes", "tool": "ToolAttributes"}
"""Kind of a step → the package's class of its attributes."""


def _attributes(step: Json) -> list[str]:
    """Return the keyword that hands attributes over, where there are some."""
    if not step["attributes"]:
        return []
    flags = f"relay.{FLAGS[step['kind']]}"
    return [f"attributes={flags}({' | '.join(f'{flags}.{name.upper()}' for name in step['attributes'])})"]
