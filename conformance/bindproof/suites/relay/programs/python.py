"""Programs in Python, which drive the package nemo-relay.

Enters: a prepared scenario. Leaves: source text. Must not know how it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from bindproof.core.model import Json
from bindproof.suites.relay.programs.expected import Call
from bindproof.suites.relay.programs.story import NoProgramError, Story
from bindproof.suites.relay.programs.writing import Code, Names, Parts, Spread, Syntax, place, unseen
from bindproof.suites.relay.scenario.families import AROUND

KINDS = {
    "subscriber": "subscriber",
    "llm.request": "llm_request_intercept",
    "llm.execution": "llm_execution_intercept",
    "llm.stream": "llm_stream_execution_intercept",
    "llm.conditional": "llm_conditional_execution_guardrail",
    "llm.sanitize_request": "llm_sanitize_request_guardrail",
    "llm.sanitize_response": "llm_sanitize_response_guardrail",
    "tool.request": "tool_request_intercept",
    "tool.execution": "tool_execution_intercept",
    "tool.conditional": "tool_conditional_execution_guardrail",
    "tool.sanitize_request": "tool_sanitize_request_guardrail",
    "tool.sanitize_response": "tool_sanitize_response_guardrail",
    "mark.sanitize": "mark_sanitize_guardrail",
    "start.sanitize": "scope_sanitize_start_guardrail",
    "end.sanitize": "scope_sanitize_end_guardrail",
    "event.metadata": "event_metadata_injector",
}
"""Family → what the package calls it."""

# Family → parameters, what of them is told by which name, the natural reply, what makes the package's object of it.
CALLBACKS: Mapping[str, tuple[str, Mapping[str, str], str, str]] = {
    "llm.request": (
        "name, request, annotated_request",
        {"name": "name", "request": "request_json(request)", "annotated_request": "annotation_json(annotated_request)"},
        '{"request": given["request"], "annotated_request": given["annotated_request"], "pending_marks": []}',
        "outcome_of",
    ),
    "llm.conditional": ("request", {"request": "request_json(request)"}, "None", ""),
    "llm.sanitize_request": (
        "request, context",
        {"request": "request_json(request)", "codec": "codec_json(context)"},
        'given["request"]',
        "request_of",
    ),
    "llm.sanitize_response": (
        "response, context",
        {"response": "response", "codec": "codec_json(context)"},
        'given["response"]',
        "",
    ),
    "tool.request": ("name, args", {"name": "name", "args": "args"}, 'given["args"]', ""),
    "tool.conditional": ("name, args", {"name": "name", "args": "args"}, "None", ""),
    "tool.sanitize_request": ("name, args", {"name": "name", "args": "args"}, 'given["args"]', ""),
    "tool.sanitize_response": ("name, result", {"name": "name", "result": "result"}, 'given["result"]', ""),
    "mark.sanitize": ("event, fields", {"event": "event_json(event)", "fields": "dict(fields)"}, 'given["fields"]', ""),
    "start.sanitize": ("event, fields", {"event": "event_json(event)", "fields": "dict(fields)"}, 'given["fields"]', ""),
    "end.sanitize": ("event, fields", {"event": "event_json(event)", "fields": "dict(fields)"}, 'given["fields"]', ""),
    "event.metadata": ("event", {"event": "event_json(event)"}, "{}", ""),
    "llm.provider": ("request", {"request": "request_json(request)"}, '{"ok": True}', ""),
    "tool.provider": ("args", {"args": "args"}, '{"result": {"ok": True}, "annotation": None}', "result_of"),
    "decode": ("request", {"request": "request_json(request)"}, 'decoded(given["request"])', "annotation_of"),
    "encode": (
        "annotated_request, original",
        {"annotated_request": "annotation_json(annotated_request)", "original": "request_json(original)"},
        'encoded(given["annotated_request"], given["original"])',
        "request_of",
    ),
    "collector": ("chunk", {"chunk": "chunk"}, "None", ""),
    "finalizer": ("", {}, '{"done": True}', ""),
}

BUILT = {
    "request": ("request_of", "request_json"),
    "mark": ("mark_of", "mark_json"),
    "outcome": ("outcome_of", "outcome_json"),
    "tool_result": ("result_of", "result_json"),
    "tool_outcome": ("tool_outcome_of", "tool_outcome_json"),
}

CODECS = {
    "openai_chat": "OpenAIChatCodec",
    "openai_responses": "OpenAIResponsesCodec",
    "anthropic_messages": "AnthropicMessagesCodec",
}

RESERVED = {"given", "reply", "argument", "answers", "chunks", "inner", "program", "main", "EXPECTED", "SAME", "error",
            "relay", "asyncio", "collections", "contextlib", "copy", "gc", "json", "re", "sys", "datetime", "codecs",
            "plugin", "runtime_registrations", "name", "request", "args", "event", "context", "proceed", "chunk",
            "print", "dict", "list", "map", "len", "type", "range", "any", "all", "str", "int", "float", "call"}  # fmt: skip

IMPORTS = {
    "asyncio": "import asyncio", "collections": "import collections", "contextlib": "import contextlib",
    "copy": "import copy", "gc": "import gc", "json": "import json", "re": "import re", "sys": "import sys",
    "datetime": "from datetime import datetime",
    "relay": "import nemo_relay as relay", "codecs": "from nemo_relay import codecs",
    "plugin": "from nemo_relay import plugin", "runtime_registrations": "from nemo_relay import runtime_registrations",
}  # fmt: skip


def _text(text: str) -> str:
    return unseen(text, lambda char: f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}")


def _pattern(pattern: str) -> str:
    return f'r"{pattern}"' if '"' not in pattern and not pattern.endswith("\\") else _text(pattern)


SYNTAX = Syntax(
    null="None", true="True", false="False", spread="**", text=_text, key=_text, function=str, pattern=_pattern, step=4
)  # fmt: skip

_parts = Parts((Path(__file__).parent / "python_parts.txt").read_text(encoding="utf-8"))


class Python:
    """One program in Python."""

    def __init__(self, story: Story) -> None:
        if story.edition_at_least("0.8") is False:
            raise NoProgramError("programs in Python are written for releases of edition 0.8 and later")
        self._story = story
        self._names = Names(RESERVED | _parts.names)
        self._functions: list[str] = []
        self._done: set[str] = set()
        self._globals: set[str] = set()

    def text(self) -> str:
        """Return the whole program."""
        story = self._story
        body = ["async def program():"]
        steps = [line for step in story.steps for line in self._step(step)]
        if any(step.get("background") for step in story.steps):
            steps.insert(0, "relay.get_scope_stack()  # of the program and its calls alike")
            steps.append("await open_all()")
        shared = sorted(name for name in self._globals if any(_assigns(line, name) for line in steps))
        if shared:
            body.append(f"    global {', '.join(shared)}")
        body += [f"    {line}" if line else "" for line in [*steps, "await relay.subscribers.flush_async()"]]
        same, lanes = story.common()
        expectation = f"EXPECTED = {SYNTAX.value(lanes)}"
        if same:
            expectation = f"SAME = {SYNTAX.value(same)}  # of all events\n\n{expectation}"
        program = "\n\n\n".join([*self._functions, "\n".join(body)])
        deciding = "Maybe(" in expectation
        parts = _parts.needed("\n".join([program, expectation, _MAIN, "decide(" if deciding else ""]))
        at = next(at for at, part in enumerate(parts) if part.startswith("# -- what may be seen"))
        source = "\n\n\n".join(
            [*parts[:at], f"# -- the program {'-' * 98}", program, *parts[at:-1], expectation, parts[-1], _MAIN.strip()]
        )
        if deciding:
            source = source.replace(_TAKEN, _DECIDED)
        used = [line for name, line in IMPORTS.items() if _uses(source, name)]
        standard = [line for line in used if "nemo_relay" not in line]
        package = [line for line in used if "nemo_relay" in line]
        head = f'"""{story.heading("pip install", "python", "==")}\n"""'
        return "\n\n".join([head, "\n".join(standard), "\n".join(package) + f"\n\n{source}"]) + "\n"

    # -- steps ---------------------------------------------------------------------------------------------------------

    def _step(self, step: Json) -> list[str]:
        """Return the lines of a step of the program, or inside a callback."""
        write = getattr(self, f"_{step['step']}", None)
        if write is None:
            raise NoProgramError(f"no program in Python says the step {step['step']!r}")
        lines: list[str] = write(step)
        return lines

    def _shown(self, step: Json, expression: str) -> list[str]:
        """Return the lines of a step whose value is shown."""
        name = self._text(step["as"])
        if self._story.is_used(step["as"]):
            variable = self._variable(step["as"])
            lines = [f"{variable} = {expression}", f'saw({name}, "gives", {variable})']
        else:
            lines = [f'saw({name}, "gives", {expression})']
        return self._guarded(step, lines)

    def _plain(self, step: Json, lines: list[str]) -> list[str]:
        """Return the lines of a step without a value."""
        return self._guarded(step, lines)

    def _guarded(self, step: Json, lines: list[str]) -> list[str]:
        """Return lines that note an error, where the step has to fail, or is a call beside the program."""
        if not self._story.may_fail(step["as"]):
            return lines
        caught = "BaseException" if self._story.cancels else "Exception"
        name = self._text(step["as"])
        return ["try:", *_deeper(lines), f"except {caught} as error:", f'    saw({name}, "fails", error)']

    def _register(self, step: Json) -> list[str]:
        family, name = step["family"], self._text(step["name"])
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
        self._story.registered[step["as"]] = f"relay.{module}.deregister{suffix}({', '.join(named)})"
        return self._plain(step, [call])

    def _order(self, step: Json) -> list[str]:
        if step["family"] == "subscriber":
            return []
        breaks = step["family"] in ("llm.request", "tool.request")
        return [str(step["priority"]), *([SYNTAX.value(step["break_chain"])] if breaks else [])]

    def _deregister(self, step: Json) -> list[str]:
        if step["of"] not in self._story.registered:
            raise NoProgramError("a program takes back only what it has registered itself")
        return self._shown(step, self._story.registered[step["of"]])

    def _list(self, step: Json) -> list[str]:
        return self._shown(step, f"registered({self._text(KINDS[step['only']])})" if step["only"] else "registered()")

    def _current(self, step: Json) -> list[str]:
        return self._shown(step, "scope_json(relay.scope.get_handle())")

    def _build(self, step: Json) -> list[str]:
        make, read = BUILT[step["object"]]
        return self._shown(step, f"{read}({make}({self._value(step['value'])}))")

    def _start(self, step: Json) -> list[str]:
        name = self._text(step["name"])
        if step["kind"] == "scope":
            options = self._options(step, "input", "metadata", "parent")
            kind = f"relay.ScopeType.{step['type'].capitalize()}"
            call = f"relay.scope.push({', '.join([name, kind, *options])})"
        elif step["kind"] == "llm":
            options = self._options(step, "model", "metadata", "parent")
            call = f"relay.llm.call({', '.join([name, self._request(step), *options])})"
        else:
            options = self._options(step, "tool_call_id", "metadata", "parent")
            call = f"relay.tools.call({', '.join([name, self._value(step['args']), *options])})"
        return self._plain(step, [f"{self._variable(step['as'])} = {call}"])

    def _end(self, step: Json) -> list[str]:
        handle, options = self._variable(step["of"]), self._options(step, "metadata")
        kind = self._story.kind_of(step["of"])
        if kind == "scope":
            call = f"relay.scope.pop({', '.join([handle, *options, *self._options(step, 'output')])})"
        elif kind == "llm":
            call = f"relay.llm.call_end({', '.join([handle, self._value(step['output']), *options])})"
        else:
            output, annotation = self._value(step["output"]), self._value(step["annotation"])
            result = f"relay.ToolExecutionResult(result={output}, annotation={annotation})"
            call = f"relay.tools.call_end({', '.join([handle, result, *options])})"
        return self._plain(step, [call])

    def _mark(self, step: Json) -> list[str]:
        options = self._options(step, "data", "metadata", "data_schema", "parent")
        if step["severity"] is not None:
            options.append(f"severity=relay.LogSeverity.{step['severity'].capitalize()}")
        return self._plain(step, [f"relay.scope.event({', '.join([self._text(step['name']), *options])})"])

    def _flush(self, step: Json) -> list[str]:
        return self._plain(step, ["await relay.subscribers.flush_async()"])

    def _helper(self, step: Json) -> list[str]:
        name = self._text(step["name"])
        call = {
            "llm.request": lambda: f"outcome_json(await relay.llm.request_intercepts({name}, {self._request(step)}))",
            "llm.conditional": lambda: f"await relay.llm.conditional_execution({self._request(step)})",
            "tool.request": lambda: f"await relay.tools.request_intercepts({name}, {self._value(step['args'])})",
            "tool.conditional": lambda: f"await relay.tools.conditional_execution({name}, {self._value(step['args'])})",
        }[step["kind"]]()
        return self._shown(step, call)

    def _call(self, step: Json) -> list[str]:
        if step["kind"] == "llm_stream":
            return self._stream(step)
        provider = self._callback(f"{step['as']}.provider", f"{step['kind']}.provider", step["provider"], waits=True)
        name = self._text(step["name"])
        if step["kind"] == "tool":
            options = self._options(step, "tool_call_id", "data", "metadata", "parent")
            given = [name, self._value(step["args"]), provider, *options]
            call = f"result_json(await relay.tools.execute({', '.join(given)}))"
        else:
            given = [name, self._request(step), provider, *self._llm_options(step)]
            call = f"await relay.llm.execute({', '.join(given)})"
        if not step["background"]:
            return self._shown(step, call)
        function = self._names.of(f"{step['as']} beside")
        self._story.failing.add(step["as"])
        lines = self._shown(step, call)
        self._functions.append("\n".join([f"async def {function}():", *_deeper(lines)]))
        return [f"{self._variable(step['as'] + ' task')} = await aside({function}())"]

    def _open(self, step: Json) -> list[str]:
        return [f"await open_latch({self._text(step['latch'])})"]

    def _cancel(self, step: Json) -> list[str]:
        return self._plain(step, [f"await cancel({self._text(step['of'])}, {self._variable(step['of'] + ' task')})"])

    def _llm_options(self, step: Json) -> list[str]:
        options = self._options(step, "model", "data", "metadata", "parent")
        codec = step["codec"]
        if isinstance(codec, dict):
            made = [self._callback(f"{step['as']}.{part}", part, codec[part]) for part in ("decode", "encode")]
            options.append(f"codec=Codec({', '.join(made)})")
        elif codec != "none":
            options.append(f"codec=codecs.{CODECS[codec]}()")
        if step.get("response_codec"):
            options.append(f"response_codec=codecs.{CODECS[step['response_codec']]}()")
        return options

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

    # -- streams -------------------------------------------------------------------------------------------------------

    def _stream(self, step: Json) -> list[str]:
        name = step["as"]
        parts = [
            self._source(f"{name}.source", step["provider"]),
            self._callback(f"{name}.collector", "collector", step["collector"]),
            self._callback(f"{name}.finalizer", "finalizer", step["finalizer"]),
        ]
        given = [self._text(step["name"]), self._request(step), *parts, *self._llm_options(step)]
        variable = self._variable(name)
        lines = [
            f'going.add({self._text(name + ".finalizer")})',
            f"{variable} = await relay.llm.stream_execute({', '.join(given)})",
        ]
        if step["drain"]:
            lines.append(f"await read({self._text(name)}, {variable})")
        return self._plain(step, lines)

    def _read(self, step: Json) -> list[str]:
        count = "" if step["n"] is None else f", {step['n']}"
        return self._shown(step, f"await read({self._text(step['as'])}, {self._variable(step['of'])}{count})")

    def _close(self, step: Json) -> list[str]:
        variable = self._variable(step["of"])
        let_go = [f"await {variable}.aclose()"] if step["how"] == "close" else [f"{variable} = None", "gc.collect()"]
        return self._plain(step, [*let_go, "await settle()"])

    def _source(self, name: str, ops: list[Json]) -> str:
        """Write the provider of a stream; return its name."""
        function, who = self._names.of(name), self._text(name)
        eager, late = _split(ops)
        lines = [
            f"def {function}(request):",
            '    given = {"request": request_json(request)}',
            f'    saw({who}, "is given", given, lane={who})',
            *_deeper(self._ops(name, eager)),
            "",
            "    async def chunks():",
            *_deeper(self._late(name, late or [{"op": "yield", "chunks": [{"i": 0}, {"i": 1}]}]), 2),
            "",
            f"    return told({who}, chunks(), lane={who})",
        ]
        self._functions.append("\n".join(lines))
        return function

    def _late(self, name: str, ops: list[Json], edits: list[Json] | None = None) -> list[str]:
        lines: list[str] = []
        for op in ops:
            match op["op"]:
                case "yield":
                    lines += [f"for chunk in {self._value(op['chunks'])}:", "    yield chunk"]
                case "hang":
                    lines.append("await asyncio.Event().wait()")
                case "next":
                    for edit in op["edits"][:1]:
                        asked = [*self._argument(edit, "request"), self._asks_stream(name)]
                        lines += self._caught(op, [*asked, *self._passed(edits or [])])
                case _:
                    lines += self._ops(name, [op])
        if not any(line.lstrip().startswith("yield") for line in lines):
            lines += ["return", "yield"] if lines and lines[-1].startswith("raise") else ["if False:", "    yield"]
        return lines

    def _asks_stream(self, name: str) -> str:
        return f"inner = await go_on_streaming({self._text(name)}, proceed, argument)"

    def _caught(self, op: Json, lines: list[str]) -> list[str]:
        return ["try:", *_deeper(lines), "except Exception:", "    pass"] if op["catch"] else lines

    def _passed(self, edits: list[Json]) -> list[str]:
        changes = [line for edit in edits for line in self._edit(edit, "chunk")]
        return ["async for chunk in inner:", *_deeper(changes), "    yield chunk"]

    def _stream_intercept(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), self._text(name)
        eager, late = _split(ops)
        edits = [op for op in ops if op["op"] == "edit"]
        late = [op for op in late if op["op"] != "edit"]
        eager = [op for op in eager if op["op"] != "edit"]
        if not any(op["op"] == "next" for op in ops):
            eager.insert(0, {"op": "next", "edits": [{}], "catch": False})
        before: list[str] = []
        passed: list[str] = []
        for op in eager:
            if op["op"] != "next":
                before += self._ops(name, [op])
                continue
            for edit in op["edits"][:1]:
                asked = [*self._argument(edit, "request"), self._asks_stream(name)]
                if op["catch"]:
                    before += ["try:", *_deeper(asked), "except Exception:", "    inner = None"]
                    passed = ["if inner is not None:", *_deeper(self._caught(op, self._passed(edits)))]
                else:
                    before += asked
                    passed = self._passed(edits)
        handed = "name, request, context, proceed" if self._story.edition_at_least("0.10") else "request, proceed"
        lines = [
            f"async def {function}({handed}):",
            '    given = {"request": request_json(request)}',
            f'    saw({who}, "is given", given)',
            *_deeper(before),
            "",
            "    async def chunks():",
            *_deeper([*passed, *self._late(name, late, edits)], 2),
            "",
            f"    return told({who}, chunks(), lane={self._text(name + '.stream')})",
        ]
        self._functions.append("\n".join(lines))
        return function

    # -- plugins -------------------------------------------------------------------------------------------------------

    def _install(self, step: Json) -> list[str]:
        function, who = self._names.of(f"{step['as']} registers"), self._text(step["as"])
        lines = [f"def {function}(context):", f'    saw({who}, "is given", {{}})']
        for op in step["do"]:
            if op["op"] == "raise":
                lines += _deeper(self._ops(step["as"], [op]))
                continue
            inner = op["step"]
            if inner["step"] != "register":
                raise NoProgramError("a plugin of a program registers, and does nothing else")
            given = [self._text(inner["name"]), *self._order(inner), self._callee(inner)]
            lines += _deeper(self._plain(inner, [f"context.register_{KINDS[inner['family']]}({', '.join(given)})"]))
        self._functions.append("\n".join(lines))
        return self._plain(step, [f"{self._variable(step['as'])} = await install({function})"])

    def _uninstall(self, step: Json) -> list[str]:
        return self._plain(step, [f"await {self._variable(step['of'])}()"])

    # -- callbacks -----------------------------------------------------------------------------------------------------

    def _callee(self, step: Json) -> str:
        """Write what a step registers; return its name."""
        family, name = step["family"], step["as"]
        if step["odd"]:
            return '"no function"' if step["odd"] == "no_function" else "lambda: None"
        if family == "subscriber":
            return self._subscriber(name)
        if family == "llm.stream":
            return self._stream_intercept(name, step["do"])
        if family in AROUND:
            return self._around(name, family, step["do"])
        if "sanitize" in family:
            name = f"{name}.sanitize"
        elif family == "event.metadata":
            name = f"{name}.inject"
        return self._callback(name, family, step["do"], asynchronous=step["async"])

    def _subscriber(self, name: str) -> str:
        function, who = self._names.of(name), self._text(name)
        if self._story.cancelled:
            lines = [
                f"def {function}(event):",
                "    event = event_json(event)",
                f'    saw({who}, "is told", event, lane=lane_of({who}, event, {sorted(self._story.cancelled)!r}))',
            ]
        else:
            lines = [f"def {function}(event):", f'    saw({who}, "is told", event_json(event), lane={who})']
        self._functions.append("\n".join(lines))
        return function

    def _callback(
        self, name: str, family: str, ops: list[Json], *, asynchronous: bool = False, waits: bool = False
    ) -> str:
        """Write a callback; return its name."""
        parameters, given, natural, build = CALLBACKS[family]
        function, who = self._names.of(name), self._text(name)
        if name in self._done:
            return function
        self._done.add(name)
        told = ", ".join(f"{self._text(key)}: {value}" for key, value in given.items())
        counted = family == "decode" or any(op["op"] == "each" for op in ops)
        lines = [f"given = {{{told}}}"] if given else []
        if counted:
            lines.append(f"entered[{who}] += 1")
        lines.append(f'saw({who}, "is given", {"given" if given else "{}"}{self._lane(name, family)})')
        if asynchronous:
            lines.append("await asyncio.sleep(0)")
        work = [*self._replying(name, ops, natural), *self._returning(name, ops, natural, build)]
        if waits and self._story.cancels:
            work = [f"with in_call({self._text(name.split('.')[0])}, {who}):", *_deeper(work)]
        if family == "finalizer":
            work = ["try:", *_deeper(work), "finally:", f"    going.discard({who})"]
        rest = ", *more" if parameters and family not in ("collector", "llm.provider", "tool.provider") else ""
        kind = "async def" if asynchronous or waits else "def"
        self._functions.append("\n".join([f"{kind} {function}({parameters}{rest}):", *_deeper([*lines, *work])]))
        return function

    def _lane(self, name: str, family: str) -> str:
        if family == "decode":
            return f', lane="publication" if entered[{self._text(name)}] > 1 else "program"'
        if name.endswith((".sanitize", ".inject")):
            return ', lane="publication"'
        if family in ("collector", "finalizer"):
            return f", lane={self._text(name.rpartition('.')[0] + '.collector')}"
        return ""

    def _replying(self, name: str, ops: list[Json], natural: str) -> list[str]:
        """Return the lines that make a reply."""
        if not ops:
            return []
        if any(op["op"] == "each" for op in ops) or not _sets_all(ops[0]):
            first = [f"reply = {natural if natural[0] in 'N' else f'copy.deepcopy({natural})'}"]
        else:
            first = []
        return [*first, *self._ops(name, ops)]

    def _returning(self, name: str, ops: list[Json], natural: str, build: str) -> list[str]:
        if ops and ops[-1]["op"] == "raise":
            return []
        reply = "reply" if ops else natural
        made = f"{build}({reply})" if build else reply
        if not self._story.is_refused(name):
            return [f"return {made}"]
        return ["try:", f"    return {made}", "except Exception as error:", "    raise refused(error)"]

    def _around(self, name: str, family: str, ops: list[Json]) -> str:
        function, who, tool = self._names.of(name), self._text(name), family == "tool.execution"
        if tool:
            told = '{"name": context.tool_name, "args": context.args, "tool_call_id": context.tool_call_id}'
            handed = "context, proceed" if self._story.edition_at_least("0.9") else "name, args, proceed"
            told = told if self._story.edition_at_least("0.9") else '{"name": name, "args": args}'
        else:
            told = '{"name": name, "request": request_json(request)}'
            handed = "name, request, context, proceed" if self._story.edition_at_least("0.10") else "name, request, proceed"
        lines = [f"given = {told}"]
        if any(op["op"] == "each" for op in ops):
            lines.append(f"entered[{who}] += 1")
        lines.append(f'saw({who}, "is given", given)')
        work: list[str] = []
        if "next/" in str(ops):
            work.append("answers = []")
        explicit = any(op["op"] == "next" for op in _flat(ops))
        if explicit:
            work.append("reply = tool_reply()" if tool else "reply = None")
        else:
            work += self._next(name, {"edits": [{}], "catch": False}, tool=tool)
        work += self._ops(name, ops, tool=tool)
        if not (ops and ops[-1]["op"] == "raise"):
            build = "tool_outcome_of" if tool else ""
            work += self._returning(name, [{"op": "edit"}], "", build)
        if self._story.cancels:
            work = [f"with in_call({self._text(name)}, {who}):", *_deeper(work)]
        self._functions.append("\n".join([f"async def {function}({handed}):", *_deeper([*lines, *work])]))
        return function

    def _next(self, name: str, op: Json, *, tool: bool) -> list[str]:
        lines: list[str] = []
        counted = self._story.names_answers(name)
        for edit in op["edits"]:
            forms = "plain=result_json" if tool else "form=request_of"
            asked = f"await go_on({self._text(name)}, proceed, argument, {forms})"
            made = [f"answer = {asked}"] if counted else [f"reply = tool_reply({asked})" if tool else f"reply = {asked}"]
            if counted:
                made += ["answers.append(answer)", "reply = tool_reply(answer)" if tool else "reply = copy.deepcopy(answer)"]
            lines += self._argument(edit, "args" if tool else "request")
            if op["catch"]:
                otherwise = "answers.append(None)" if counted else "pass"
                lines += ["try:", *_deeper(made), "except Exception:", f"    {otherwise}"]
            else:
                lines += made
        return lines

    def _argument(self, edit: Json, member: str) -> list[str]:
        return [f'argument = copy.deepcopy(given["{member}"])', *self._edit(edit, "argument")]

    # -- ops -----------------------------------------------------------------------------------------------------------

    def _ops(self, name: str, ops: list[Json], *, tool: bool = False) -> list[str]:
        lines: list[str] = []
        for op in ops:
            match op["op"]:
                case "edit":
                    lines += self._edit(op, "reply")
                case "raise":
                    raised = f"Raised({self._text(name)}, {self._text(op['text'])})"
                    lines.append(f"raise {raised}" if self._story.names_raiser else f"raise RuntimeError({self._text(op['text'])})")
                case "mutate":
                    lines.append(f"{place('given', op['at'], self._text)} = {self._text(op['text'])}  # in place")
                case "step":
                    self._share(op["step"])
                    lines += self._step(op["step"])
                case "wait":
                    lines.append(f"await stand({self._text(name)}, {self._text(op['latch'])})")
                case "next":
                    lines += self._next(name, op, tool=tool)
                case "each":
                    lines += self._each(name, op["ops"], tool=tool)
                case kind:
                    raise NoProgramError(f"no program in Python says the op {kind!r} there")
        return lines

    def _each(self, name: str, entries: list[list[Json]], *, tool: bool) -> list[str]:
        lines: list[str] = []
        implicit = self._next(name, {"edits": [{}], "catch": False}, tool=tool)
        around = self._story.is_around(name) and any(op["op"] == "next" for entry in entries for op in entry)
        for at, ops in enumerate(entries):
            inner = self._ops(name, ops, tool=tool)
            if around and not any(op["op"] == "next" for op in ops):
                inner = [*implicit, *inner]
            if at < len(entries) - 1:
                lines.append(f"{'if' if at == 0 else 'elif'} entered[{self._text(name)}] == {at + 1}:")
            elif len(entries) > 1:
                if not inner:
                    break
                lines.append("else:")
            else:
                return inner
            lines += _deeper(inner or ["pass"])
        return lines

    def _edit(self, op: Json, base: str) -> list[str]:
        lines: list[str] = []
        for pointer, value in op.get("set", {}).items():
            lines.append(f"{place(base, pointer, self._text)} = {self._value(value, 8)}")
        lines += [f"del {place(base, pointer, self._text)}" for pointer in op.get("remove", [])]
        for pointer, items in op.get("append", {}).items():
            lines.append(f"{place(base, pointer, self._text)} += {self._value(items, 8)}")
        return lines

    def _share(self, step: Json) -> None:
        """Have what a step inside a callback makes known to the whole program."""

    # -- values --------------------------------------------------------------------------------------------------------

    def _text(self, text: str) -> str:
        return _text(text)

    def _variable(self, name: str) -> str:
        return self._names.of(f"{name} value")

    def _value(self, value: Json, indent: int = 4) -> str:
        return SYNTAX.value(self._resolved(value), indent)

    def _resolved(self, value: Json) -> Json:
        if isinstance(value, list):
            return [self._resolved(item) for item in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1 and "$none" in value:
            raise NoProgramError("Python has no undefined")
        if len(value) == 1 and "$get" in value:
            return Code(self._got(value["$get"]))
        return {key: self._resolved(item) for key, item in value.items()}

    def _got(self, path: str) -> str:
        name, slash, rest = path.partition("/")
        base = {"given": "given", "next": "answers"}.get(name)
        if base is None:
            base = self._variable(name)
            self._globals.add(base)
        return f"copy.deepcopy({place(base, slash + rest, self._text)})"


def _assigns(line: str, name: str) -> bool:
    return line.lstrip().startswith(f"{name} = ")


def _uses(source: str, name: str) -> bool:
    from re import search

    return search(rf"(?<![\w.\"]){name}\.", source) is not None


def _flat(ops: list[Json]) -> list[Json]:
    return [inner for op in ops for inner in ([o for entry in op["ops"] for o in entry] if op["op"] == "each" else [op])]


def _split(ops: list[Json]) -> tuple[list[Json], list[Json]]:
    """Return what a callback of a stream does when it is called, and what when its stream is read."""
    first = next((at for at, op in enumerate(ops) if op["op"] in ("yield", "hang")), len(ops))
    return ops[:first], ops[first:]


def _sets_all(op: Json) -> bool:
    return op["op"] == "edit" and next(iter(op.get("set", {})), None) == ""


def _deeper(lines: list[str], levels: int = 1) -> list[str]:
    margin = "    " * levels
    return [f"{margin}{line}" if line else "" for line in lines]


_TAKEN = "wanted, got = EXPECTED.get(lane, []), seen[lane]"
_DECIDED = "got, wanted = seen[lane], decide(EXPECTED.get(lane, []), seen[lane])"

_MAIN = """
if __name__ == "__main__":
    try:
        asyncio.run(program())
    except BaseException as error:
        print(f"the program ended early: {type(error).__name__}: {error}")
        report()
        sys.exit(1)
    sys.exit(1 if report() else 0)
"""
