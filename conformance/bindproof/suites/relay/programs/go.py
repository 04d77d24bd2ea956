"""Programs in Go, which drive the C library of nemo-relay-ffi through cgo.

Enters: an outline. Leaves: source text. Must not know how it is judged.
"""

from __future__ import annotations

import re
from pathlib import Path

from bindproof.core.model import Json
from bindproof.suites.relay.programs.compiled import JSON, matching
from bindproof.suites.relay.programs.compiled_steps import UNDECLARED
from bindproof.suites.relay.programs.go_callbacks import PACKAGES, PARTS, deeper, text_of
from bindproof.suites.relay.programs.go_streams import Streams
from bindproof.suites.relay.programs.outline import NoProgramError, Outline
from bindproof.suites.relay.programs.python_words import KINDS
from bindproof.suites.relay.programs.writer import WIDEST
from bindproof.suites.relay.programs.writing import Parts, seen

_DEFINES = re.compile(r"^(?:typedef [^(]*\(\*(?=\w)|(?:static inline|extern) [\w ]*[ *])(\w+)[()]")
SHIMS = Parts((Path(__file__).parent / "go_shims.txt").read_text(encoding="utf-8"), _DEFINES)
"""What a program may need in C: functions of the types that the library calls."""

ON = {
    "subscriber": "on_event", "llm.request": "on_llm_request", "llm.conditional": "on_request",
    "llm.execution": "on_llm_execution", "llm.stream": "on_llm_execution",
    "llm.sanitize_request": "on_sanitize_request", "llm.sanitize_response": "on_sanitize_response",
    "tool.request": "on_texts", "tool.conditional": "on_texts", "tool.execution": "on_tool_execution",
    "tool.sanitize_request": "on_texts", "tool.sanitize_response": "on_texts",
    "mark.sanitize": "on_event_fields", "start.sanitize": "on_event_fields", "end.sanitize": "on_event_fields",
    "event.metadata": "on_event_metadata",
}  # fmt: skip
"""Family → the function of C that the library calls."""

MATCHERS = {
    "$any": "anything", "$one_of": "oneOf", "$contains": "contains", "$unordered": "unordered",
    "$number_like": "numberLike", "$text_with": "textWith", "$number": "number", "$counted": "counted",
    "$id_of": "idOf", "$trace_of": "traceOf", "$time": "isTime", "$failure": "failure",
}  # fmt: skip
"""What stands in an expected value → the function that accepts what may be there."""

_MAIN = """
func main() {
	runtime.LockOSThread() // scopes and the text of an error belong to a thread
	onOwnStack()
	program()
	if report() > 0 {
		os.Exit(1)
	}
}
"""

_TYPES = {"scope": "*C.struct_FfiScopeHandle", "llm": "*C.struct_FfiLLMHandle", "tool": "*C.struct_FfiToolHandle"}


class Go(Streams):
    """One program for Go."""

    def text(self) -> str:
        """Return the whole program."""
        outline = self._outline
        steps = [line for step in outline.steps for line in self._step(step)]
        if any(step.get("background") for step in outline.steps):
            steps.append("openAll()")
        steps.append("check(failed(C.nemo_relay_flush_subscribers()))")
        outline.name_families(KINDS)
        lanes = matching(outline.expected)
        names = [name for name in MATCHERS if f"'{name}': [" in str(lanes)]
        width = max(map(len, names), default=0) + 4
        used = [f"\t\t{text_of(name) + ':':{width}}{MATCHERS[name]}," for name in names]
        expectation = f"const expected = {self._literal(JSON.value(lanes))}"
        matchers = "\n".join(
            [
                "// matchers accept what an expected value leaves open.",
                "var matchers map[string]matcher",
                "",
                "func init() {",
                *(
                    ["\tmatchers = map[string]matcher{", *used, "\t}"]
                    if used
                    else ["\tmatchers = map[string]matcher{}"]
                ),
                "}",
            ]
        )
        declared = [f"var {name} {self._type_of(of)}" for name, of in sorted(self._globals.items())]
        program = "\n\n".join([*declared, *self._functions, "\n".join(["func program() {", *deeper(steps), "}"])])
        wrappers = "\n\n".join(sorted(self._wrappers()))
        decides = "decide(" if '"$maybe"' in expectation else ""
        wanted = re.sub("`[^`]*`", "", f"{program}\n{matchers}\n{_MAIN}\n{decides}")
        shims = SHIMS.needed(f"{wrappers}\n{wanted}")
        parts = PARTS.needed("\n".join([wanted, *shims]))
        shims = SHIMS.needed("\n".join([wrappers, wanted, *parts]))
        parts = PARTS.needed("\n".join([wanted, *shims]))
        at = next(at for at, part in enumerate(parts) if part.startswith("// -- what may be seen"))
        title = "// -- the program ".ljust(WIDEST, "-")
        source = "\n\n".join(
            [*parts[:at], title, program, *parts[at:-1], matchers, expectation, parts[-1], _MAIN.strip()]
        )
        if decides:
            source = source.replace(
                "wanted, _ := lanes[lane].([]any)", "wanted, _ := lanes[lane].([]any)\n\t\twanted = decide(wanted, got)"
            )
        preamble = "\n\n".join([*shims, *([wrappers] if wrappers else [])])
        includes = "\n".join(
            f"#include {name}" for name in ("<stdbool.h>", "<stdint.h>", "<stdlib.h>", "<string.h>", '"nemo_relay.h"')
        )
        code = re.sub(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`|//.*', "", source)
        imports = sorted(path for name, path in PACKAGES.items() if re.search(rf"(?<![.\w]){name}\.", code))
        packages = "\n".join(["import (", *(f'\t"{path}"' for path in imports), ")"])
        body = f'package main\n\n/*\n{includes}\n\n{preamble}\n*/\nimport "C"\n\n{packages}\n\n{source}\n'
        return "\n".join(f"// {line}".rstrip() for line in seen(self._head()).split("\n")) + "\n\n" + body

    def _head(self) -> str:
        crate = self._outline.target("@").replace("/go", "")
        return self._outline.heading(
            'export CGO_CFLAGS="-I$RELAY" CGO_LDFLAGS="-L$RELAY -lnemo_relay_ffi -Wl,-rpath,$RELAY"',
            f"go run {self._outline.file}",
            needs=f"It needs Go 1.23 or newer, a C compiler, and the C library of the crate {crate}: nemo_relay.h and\n"
            "the library itself are in the folder $RELAY.",
        )

    def _type_of(self, name: str) -> str:
        step = self._outline.step(name)
        if step["step"] == "start":
            return _TYPES[step["kind"]]
        if step["step"] == "install":
            return "func() error"
        return "*C.struct_FfiStream" if step.get("kind") == "llm_stream" else "any"

    # -- registrations -------------------------------------------------------------------------------------------------

    def _wrappers(self) -> set[str]:
        return {_wrapper(self._on(family), family, level) for family, level in self._registering_by}

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        self._registering_by: set[tuple[str, str]] = set()

    def _on(self, family: str) -> str:
        unnamed = family in ("llm.execution", "llm.stream") and not self._outline.edition_at_least("0.10")
        return ON[family] + ("_unnamed" if unnamed else "")

    def _register(self, step: Json) -> list[str]:
        level, given = self._registered(step)
        self._registering_by.add((step["family"], level))
        given += [*self._order(step), self._callee(step)]
        return self._tried(step, f"C.{level}register_{KINDS[step['family']]}({', '.join(given)})")

    def _registering(self, step: Json) -> str:
        self._registering_by.add((step["family"], "plugin_context_"))
        given = ", ".join(["context", self._lent(step["name"]), *self._order(step), self._callee(step)])
        return f"C.plugin_context_register_{KINDS[step['family']]}({given})"

    def _install(self, step: Json) -> list[str]:
        function, who = self._installing(step), text_of(step["as"])
        lines = [
            f'saw({who}, "is given", object{{"plugin": {self._plugin(step)}}})',
            *self._registrations(step, step["do"]),
        ]
        if not (step["do"] and step["do"][-1]["op"] == "raise"):
            lines.append("return nil")
        lines = [line.replace("return nil, errors.New", "return errors.New") for line in lines]
        self._function(f"func {function}(context pluginContext) error", lines)
        variable = self._variable(step["as"])
        if not self._outline.may_fail(step["as"]):
            return [f"{variable} = must(install({function}))"]
        return [f"if _, err := install({function}); err != nil {{", f'\tsaw({who}, "fails", err)', "}"]

    def _guarded(self, step: Json, lines: list[str]) -> list[str]:
        """Return the lines of what a plugin registers: its error is the plugin's."""
        fails = f'saw({text_of(step["as"])}, "fails", err)'
        noted = [fails] if self._outline.may_fail(step["as"]) else ["return err"]
        return [line for one in lines for line in [f"if err := failed({one}); err != nil {{", *deeper(noted), "}"]]

    def _uninstall(self, step: Json) -> list[str]:
        return self._checked(step, f"{self._variable(step['of'])}()")

    # -- what a step says ----------------------------------------------------------------------------------------------

    def _tried(self, step: Json, call: str) -> list[str]:
        """Return the lines of a call that answers with a status alone."""
        return self._checked(step, f"failed({call})")

    def _checked(self, step: Json, error: str) -> list[str]:
        if not self._outline.may_fail(step["as"]):
            return [f"check({error})"]
        return [f"if err := {error}; err != nil {{", f'\tsaw({text_of(step["as"])}, "fails", err)', "}"]

    def _done(self, step: Json, call: str) -> list[str]:
        """Return the lines of a call that gives nothing, which is shown."""
        gives = f'saw({text_of(step["as"])}, "gives", nil)'
        if not self._outline.may_fail(step["as"]):
            return [f"check(failed({call}))", gives]
        lines = self._tried(step, call)
        return [*lines[:-1], "} else {", f"\t{gives}", "}"]

    def _shown(self, step: Json, expression: str) -> list[str]:
        name, used = text_of(step["as"]), self._outline.is_used(step["as"])
        variable = self._variable(step["as"]) if used else ""
        if not self._outline.may_fail(step["as"]):
            if not used:
                return f'saw({name}, "gives", must({expression}))'.split("\n")
            return [*f"{variable} = must({expression})".split("\n"), f'saw({name}, "gives", {variable})']
        kept = [f"\t{variable} = value"] if used else []
        first, *others = f"if value, err := {expression}; err != nil {{".split("\n")
        return [
            first,
            *others,
            f'\tsaw({name}, "fails", err)',
            "} else {",
            *kept,
            f'\tsaw({name}, "gives", value)',
            "}",
        ]

    def _answered(self, call: str, function: str = "answered") -> str:
        return f"{function}(func(out **C.char) C.NemoRelayStatus {{\n\treturn {call}\n}})"

    def _left(self, step: Json, function: str, given: list[str]) -> list[str]:
        return self._shown(step, self._answered(f"{function}({', '.join([*given, 'out'])})"))

    def _list(self, step: Json) -> list[str]:
        kinds = self._encoded([KINDS[step["only"]]]) if step["only"] else "nil"
        return self._shown(step, f"registered({kinds})")

    def _current(self, step: Json) -> list[str]:
        return self._shown(step, "currentScope()")

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _call(self, step: Json) -> list[str]:
        if step["kind"] == "llm_stream":
            if self._outline.edition_at_least("0.11"):
                raise NoProgramError("programs open no streams of release 0.11 yet")
            return self._stream(step)
        if step["background"]:
            self._outline.failing.add(step["as"])
        lines = self._managed_call(step)
        if not step["background"]:
            return lines
        function = self._names.of(f"{step['as']} beside")
        self._function(f"func {function}()", lines)
        return [f"aside({function})"]

    def _managed_call(self, step: Json) -> list[str]:
        provider = self._callback(f"{step['as']}.provider", f"{step['kind']}.provider", step["provider"], waits=True)
        value, last = self._value_of(step)
        given = [self._lent(step["name"]), value, provider, *self._managed(step, last)]
        if step["kind"] == "tool":
            call = f"C.tool_call_execute({', '.join([*given, 'out'])})"
            return self._shown(step, self._answered(call, "toolResult"))
        codec = self._codec(step)
        return self._left(step, f"C.llm_call_execute{'_with' if codec else ''}", [*given, *codec, self._reading(step)])

    def _open(self, step: Json) -> list[str]:
        if step["latch"] in self._outline.held:
            return ["openHeld()"]
        return [f"openLatch({text_of(step['latch'])})"]


def _wrapper(on: str, family: str, level: str) -> str:
    """Return a function of C that registers a callback of Go."""
    kind = KINDS[family]
    breaks = family in ("llm.request", "tool.request")
    names = {"scope_": ["scope"], "": [], "plugin_context_": ["context"]}[level] + ["name"]
    types = {"scope": "const char *scope", "context": "struct FfiPluginContext *context", "name": "const char *name"}
    order = [] if family == "subscriber" else ["priority", *(["break_chain"] if breaks else [])]
    types |= {"priority": "int32_t priority", "break_chain": "bool break_chain"}
    lines: list[str] = []
    if family in UNDECLARED and level != "plugin_context_":
        given = ", ".join(["const char *"] * len(names))
        more = f"int32_t{', bool' if breaks else ''}, NemoRelayToolSanitizeCb, void *, NemoRelayFreeFn"
        lines = [
            "// The library has these two, though its header does not declare them.",
            f"NemoRelayStatus nemo_relay_{level}register_{kind}({given}, {more});",
            f"NemoRelayStatus nemo_relay_{level}deregister_{kind}({given});",
        ]
    parameters = ", ".join([*(types[name] for name in [*names, *order]), "uintptr_t function"])
    handed = ", ".join([*names, *order, on, "(void *)function", "NULL"])
    return "\n".join(
        [
            *lines,
            f"static inline NemoRelayStatus {level}register_{kind}({parameters}) {{",
            f"    return nemo_relay_{level}register_{kind}({handed});",
            "}",
        ]
    )
