"""Programs in C, which drive the library of nemo-relay-ffi by its header.

Enters: an outline. Leaves: source text. Must not know how it is judged.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.c_boundary import Boundary
from bindproof.suites.relay.programs.c_words import PARTS, broken, deeper, pattern_of, text_of
from bindproof.suites.relay.programs.compiled import JSON, matching
from bindproof.suites.relay.programs.compiled_steps import UNDECLARED
from bindproof.suites.relay.programs.outline import NoProgramError, Outline
from bindproof.suites.relay.programs.python_words import KINDS
from bindproof.suites.relay.programs.writer import WIDEST
from bindproof.suites.relay.programs.writing import seen

MATCHERS = {
    "$any": "anything", "$one_of": "one_of", "$contains": "contains", "$unordered": "unordered",
    "$number_like": "number_like", "$text_with": "text_with", "$number": "number", "$counted": "counted",
    "$id_of": "id_of", "$trace_of": "trace_of", "$time": "is_time", "$failure": "failure",
}  # fmt: skip
"""What stands in an expected value → the function that accepts what may be there."""

_HEADERS = (
    "pthread",
    "regex",
    "stdarg",
    "stdatomic",
    "stdbool",
    "stdint",
    "stdio",
    "stdlib",
    "string",
    "time",
    "unistd",
)
"""What every program includes."""

_MEASURING = "malloc"
"""The header of a program that says how much the library holds."""

_DEFINED = """
#include "nemo_relay.h"

#define JSON(...) #__VA_ARGS__ // JSON as it stands, as a text of C
#define QUOTE '"'"""

_MAIN = """
int main(void) {
    on_own_stack();
    program();
    return report() > 0;
}
"""

_TYPES = {"scope": "struct FfiScopeHandle *", "llm": "struct FfiLLMHandle *", "tool": "struct FfiToolHandle *"}


class C(Boundary):
    """One program in C."""

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        self._undeclared: set[str] = set()

    def text(self) -> str:
        """Return the whole program."""
        outline = self._outline
        steps = [line for step in outline.steps for line in self._step(step)]
        if any(step.get("background") for step in outline.steps):
            steps.append("open_all();")
        if any(step["step"] == "raw" for step in outline.steps):
            steps = self._counted(steps)
        else:
            steps.append("check(nemo_relay_flush_subscribers());")
        outline.name_families(KINDS)
        lanes = _posix(matching(outline.expected))
        expectation = f"static const char expected[] = {self._literal(JSON.value(lanes))};"
        names = [name for name in MATCHERS if f"'{name}': [" in str(lanes)]
        chosen = [f'    if (strcmp(name, "{name}") == 0) return {MATCHERS[name]};' for name in names]
        matchers = "\n".join(["static matcher matcher_of(const char *name) {", *chosen, "    return NULL;", "}"])
        declared = [f"static {self._type_of(of)}{name};" for name, of in sorted(self._globals.items())]
        body = "\n".join(["static void program(void) {", *deeper(steps), "}"])
        program = "\n\n".join([*sorted(self._undeclared), *declared, *self._functions, body])
        program = "\n".join(part for line in program.split("\n") for part in broken(line))
        decides = "decide(" if '"$maybe"' in expectation else ""
        parts = PARTS.needed(f"{program}\n{matchers}\n{_MAIN}\n{decides}")
        at = next(at for at, part in enumerate(parts) if part.startswith("// -- what may be seen"))
        title = "// -- the program ".ljust(WIDEST, "-")
        headers = sorted([*_HEADERS, *([_MEASURING] if self._measured else [])])
        head = "\n".join(["#define _GNU_SOURCE", *(f"#include <{name}.h>" for name in headers), _DEFINED])
        source = "\n\n".join(
            [head, *parts[:at], title, program, *parts[at:-1], matchers, expectation, parts[-1], _MAIN.strip()]
        )
        if decides:
            source = source.replace(
                "    int differing = 0;\n    printf(",
                "    int differing = 0;\n    wanted = decide(wanted, got);\n    printf(",
            )
        return "\n".join(f"// {line}".rstrip() for line in seen(self._head()).split("\n")) + f"\n\n{source}\n"

    def _head(self) -> str:
        file = self._outline.file
        return self._outline.heading(
            f"cc -I$RELAY {file} -o {file.removesuffix('.c')} -L$RELAY -lnemo_relay_ffi -Wl,-rpath,$RELAY -pthread",
            f"./{file.removesuffix('.c')}",
            needs=f"It needs the C library of the crate {self._outline.target('@')}: nemo_relay.h and the library\n"
            "itself are in the folder $RELAY.",
        )

    def _type_of(self, name: str) -> str:
        step = self._outline.step(name)
        if step["step"] == "start":
            return _TYPES[step["kind"]]
        if step["step"] == "install":
            return "struct FfiPluginHostActivation *"
        return "struct FfiStream *" if step.get("kind") == "llm_stream" else "json *"

    # -- registrations -------------------------------------------------------------------------------------------------

    def _register(self, step: Json) -> list[str]:
        family, kind = step["family"], KINDS[step["family"]]
        level, given = self._registered(step)
        if family in UNDECLARED:
            named = ", ".join(["const char *"] * len(given))
            breaks = ", bool" if family == "tool.request" else ""
            self._undeclared.add(
                "// The library has these two, though its header does not declare them.\n"
                f"NemoRelayStatus nemo_relay_{level}register_{kind}({named}, int32_t{breaks}, NemoRelayToolSanitizeCb,"
                " void *, NemoRelayFreeFn);\n"
                f"NemoRelayStatus nemo_relay_{level}deregister_{kind}({named});"
            )
        given += [*self._order(step), self._callee(step), "NULL", "NULL"]
        return self._tried(step, f"nemo_relay_{level}register_{kind}({', '.join(given)})")

    def _registering(self, step: Json) -> str:
        given = ", ".join(["context", self._text(step["name"]), *self._order(step), self._callee(step), "NULL", "NULL"])
        return f"nemo_relay_plugin_context_register_{KINDS[step['family']]}({given})"

    def _guarded(self, step: Json, lines: list[str]) -> list[str]:
        """Return the lines of what a plugin registers: its error is the plugin's."""
        if self._outline.may_fail(step["as"]):
            return [f"noted({text_of(step['as'])}, {one});" for one in lines]
        return [f"if ({one} != NEMO_RELAY_STATUS_OK) return NEMO_RELAY_STATUS_INTERNAL;" for one in lines]

    def _install(self, step: Json) -> list[str]:
        function, who = self._installing(step), text_of(step["as"])
        outer, self._fails = self._fails, "return NEMO_RELAY_STATUS_INTERNAL;"
        given = f'object("plugin", string({self._plugin(step)}), NULL)'
        lines = [f'saw({who}, "is given", {given});', *self._registrations(step, step["do"])]
        self._fails = outer
        if not (step["do"] and step["do"][-1]["op"] == "raise"):
            lines.append("return NEMO_RELAY_STATUS_OK;")
        parameters = "void *data, const char *config, struct FfiPluginContext *context"
        self._function(f"NemoRelayStatus {function}({parameters})", lines)
        return self._tried(step, f"install({function}, &{self._variable(step['as'])})")

    def _uninstall(self, step: Json) -> list[str]:
        return self._tried(step, f"uninstall({self._variable(step['of'])})")

    # -- what a step says ----------------------------------------------------------------------------------------------

    def _tried(self, step: Json, call: str) -> list[str]:
        """Return the line of a call that answers with a status alone."""
        return [f"noted({text_of(step['as'])}, {call});" if self._outline.may_fail(step["as"]) else f"check({call});"]

    def _done(self, step: Json, call: str) -> list[str]:
        """Return the line of a call that gives nothing, which is shown."""
        name = text_of(step["as"])
        return [f"if (noted({name}, {call})) saw({name}, \"gives\", of_kind('n'));"]

    def _shown(self, step: Json, expression: str) -> list[str]:
        used = f"{self._variable(step['as'])} = " if self._outline.is_used(step["as"]) else ""
        return [f"{used}{expression};"]

    def _list(self, step: Json) -> list[str]:
        kinds = self._encoded([KINDS[step["only"]]]) if step["only"] else "NULL"
        listing = f"nemo_relay_list_runtime_registrations({kinds}, &out)"
        return self._shown(step, f"shown_registrations({text_of(step['as'])}, {listing})")

    def _current(self, step: Json) -> list[str]:
        return self._shown(step, f"shown_scope({text_of(step['as'])})")

    def _handle(self, step: Json) -> list[str]:
        who, told = text_of(step["as"]), f"{self._outline.kind_of(step['of'])}_json({self._variable(step['of'])})"
        if not self._outline.is_used(step["as"]):
            return [f'saw({who}, "gives", {told});']
        variable = self._variable(step["as"])
        return [f"{variable} = {told};", f'saw({who}, "gives", {variable});']

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _left(self, step: Json, function: str, given: list[str]) -> list[str]:
        shows = "shown_result" if step.get("kind") == "tool" else "shown"
        return self._shown(step, f"{shows}({text_of(step['as'])}, {function}({', '.join([*given, '&out'])}))")

    def _call(self, step: Json) -> list[str]:
        if step["kind"] == "llm_stream":
            return self._stream(step)
        provider = self._callback(f"{step['as']}.provider", f"{step['kind']}.provider", step["provider"], waits=True)
        value, last = self._value_of(step)
        given = [self._lent(step["name"]), value, provider, "NULL", "NULL", *self._managed(step, last)]
        if step["kind"] == "tool":
            lines = self._left(step, "nemo_relay_tool_call_execute_v2", given)
        else:
            lines = self._left(step, "nemo_relay_llm_call_execute", [*given, *self._codecs(step)])
        if not step["background"]:
            return lines
        function = self._names.of(f"{step['as']} beside")
        self._function(f"void {function}(void)", lines)
        return [f"aside({function});"]

    def _codecs(self, step: Json) -> list[str]:
        """Return what a call is given of its codecs."""
        return [*(self._codec(step) or ["NULL", "NULL"]), "NULL", "NULL", self._reading(step)]

    def _stream(self, step: Json) -> list[str]:
        if step["collector"]:
            raise NoProgramError("a collector answers nothing: it cannot fail")
        if self._outline.edition_at_least("0.11"):
            raise NoProgramError("programs open no streams of release 0.11 yet")
        name, variable = step["as"], self._variable(step["as"])
        value, last = self._value_of(step)
        given = [self._lent(step["name"]), value, self._source(f"{name}.source", step["provider"]), "NULL", "NULL"]
        given += [*self._ends(name, step["finalizer"]), *self._managed(step, last), *self._codecs(step)]
        call = f"llm_stream_call_execute({', '.join([*given, f'&{variable}'])})"
        read = [f"read_chunks({text_of(name)}, {variable}, -1, false);"] if step["drain"] else []
        (opened,) = self._tried(step, call)
        if self._outline.may_fail(name) and read:
            return ["finalizing = true;", f"if ({opened.removesuffix(';')}) {read[0]}"]
        return ["finalizing = true;", opened, *read]

    def _read(self, step: Json) -> list[str]:
        count = -1 if step["n"] is None else step["n"]
        return [f"read_chunks({text_of(step['as'])}, {self._variable(step['of'])}, {count}, true);"]

    def _close(self, step: Json) -> list[str]:
        variable = self._variable(step["of"])
        if step["how"] == "close":
            return [*self._tried(step, f"nemo_relay_stream_close({variable})"), "settle();"]
        return [f"nemo_relay_stream_free({variable});", "settle();"]

    def _open(self, step: Json) -> list[str]:
        if step["latch"] in self._outline.held:
            return ["open_held();"]
        return [f"open_latch({text_of(step['latch'])});"]


def _posix(value: Json) -> Json:
    """Return an expected value whose patterns are in the words of POSIX."""
    if isinstance(value, list):
        return [_posix(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: [pattern_of(item[0]), *item[1:]] if key == "$failure" else _posix(item) for key, item in value.items()}
