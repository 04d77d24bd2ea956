"""Raw steps in programs in C: functions of the library called byte by byte, and counts of what it frees.

Enters: raw steps. Leaves: lines of source text, functions, and what is done when all steps are over. Must not know how
it is judged.
"""

from __future__ import annotations

import json

from bindproof.core.model import Json
from bindproof.suites.relay.programs.c_callbacks import Callbacks
from bindproof.suites.relay.programs.c_words import text_of
from bindproof.suites.relay.programs.outline import Outline

SECONDS = 10
"""A program whose callback calls the library may hang, and ends then."""

_REQUEST = 'JSON({"headers": {}, "content": {"messages": []}})'
_NO_CODEC = ["NULL"] * 4


class Boundary(Callbacks):
    """The raw steps of one program."""

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        self._large: list[str] = []
        self._undone: list[str] = []
        self._measured: list[str] = []

    def _counted(self, lines: list[str]) -> list[str]:
        """Return the lines of raw steps between those that begin to count and those that tell what was counted."""
        may_hang = any(step["inside"] for step in self._outline.steps)
        flush = "check(nemo_relay_flush_subscribers());"
        return [
            *([f"alarm({SECONDS}); // what is called in a callback may never come back"] if may_hang else []),
            *self._large,
            "begin_counting();",
            *lines,
            "",
            flush,
            *([*reversed(self._undone), flush] if self._undone else []),
            *self._measured,
        ]

    def _raw(self, step: Json) -> list[str]:
        call = getattr(self, f"_raw_{step['function']}")
        parts = {"call": ["provider"], "register_intercept": ["callback"], "register_subscriber": ["callback"]}
        freed = list(parts.get(step["function"], []))
        if "decode" in step["replies"]:
            freed.append("codec")
        tally = self._names.of(f"{step['as']} counts")
        self._functions.append(f"static tally {tally};")
        lines: list[str] = call(step, tally)
        numbers = "".join(f"{text_of(part)}, integer({tally}.{part}), " for part in freed)
        told = f"object({numbers}NULL)" if freed else "of_kind('{')"
        self._measured.append(f'saw({text_of(step["as"])}, "is measured", measured(&{tally}, {told}));')
        return lines

    # -- functions -----------------------------------------------------------------------------------------------------

    def _raw_call(self, step: Json, tally: str) -> list[str]:
        provider = self._replying(step, "provider", 'JSON({"ok": true})', "const char *request")
        codec = _NO_CODEC
        if "decode" in step["replies"]:
            request = "const struct FfiLLMRequest *request"
            handle = [f"count_handle(&{tally}, request);"]
            decode = self._replying(step, "decode", 'JSON({"messages": []})', request, handle)
            encode = self._replying(step, "encode", "JSON({})", f"const char *annotated, {request}", handle)
            codec = [decode, encode, f"&{tally}.codec", "count_freed"]
        given = [self._argument_of(step, "name", '"gpt"'), self._argument_of(step, "request", _REQUEST)]
        given += [self._pointer(step, "provider", provider), f"&{tally}.provider", "count_freed"]
        given += ["NULL", "0", "NULL", "NULL", self._argument_of(step, "model", "NULL"), *codec, "NULL"]
        return self._answered(step, tally, "nemo_relay_llm_call_execute", given)

    def _raw_helper(self, step: Json, tally: str) -> list[str]:
        given = [self._argument_of(step, "name", '"gpt"'), self._argument_of(step, "request", _REQUEST)]
        return self._answered(step, tally, "nemo_relay_llm_request_intercepts", given)

    def _raw_outcome(self, step: Json, tally: str) -> list[str]:
        request = self._names.of(f"{step['as']} request")
        new = 'struct FfiLLMRequest *{} = nemo_relay_llm_request_new("{{}}", JSON({{"messages": []}}));'
        given = [self._pointer(step, "handle", request)]
        given += [self._argument_of(step, name, "NULL") for name in ("annotated_request", "pending_marks")]
        lines = self._answered(step, tally, "nemo_relay_llm_request_intercept_outcome_json_new", given)
        return [new.format(request), *lines, f"nemo_relay_llm_request_free({request});"]

    def _raw_register_intercept(self, step: Json, tally: str) -> list[str]:
        function, replies = self._names.of(step["as"]), step["replies"]
        lines = [f"count_handle(&{tally}, request);"]
        if step["inside"]:
            lines.append(f"if ({tally}.entered++ == 0) {tally}.inside = name_of({self._inner_call(step)});")
        lines.append(f"*outcome = {self._reply(replies, 'outcome', tally, 'passed_on(request, annotated)')};")
        status = replies.get("status", "OK")
        lines += ['nemo_relay_set_last_error_message("said to fail");'] if status != "OK" else []
        lines.append(f"return NEMO_RELAY_STATUS_{status};")
        parameters = "void *data, const char *name, const struct FfiLLMRequest *request, const char *annotated"
        self._function(f"NemoRelayStatus {function}({parameters}, char **outcome)", lines)
        return self._registered_as(step, "llm_request_intercept", ["0", "false"], function, tally)

    def _raw_register_subscriber(self, step: Json, tally: str) -> list[str]:
        function = self._names.of(step["as"])
        self._function(f"void {function}(void *data, const struct FfiEvent *event)", [f"count_event(&{tally}, event);"])
        return self._registered_as(step, "subscriber", [], function, tally)

    def _raw_last_error(self, step: Json, _tally: str) -> list[str]:
        own = step["with"].get("thread", "own") == "own"
        message = "string(nemo_relay_last_error())" if own else "last_error_of_another_thread()"
        return [f'saw({text_of(step["as"])}, "gives", {message});']

    # -- what functions are given --------------------------------------------------------------------------------------

    def _answered(self, step: Json, tally: str, function: str, given: list[str]) -> list[str]:
        """Return the lines of a call that leaves its output at a place, if it is given one."""
        who, given = text_of(step["as"]), [*given, self._pointer(step, "out", "&out")]
        call = f"{function}({', '.join(given)})"
        if given[-1] == "NULL":
            return [f"succeeded({who}, {call});"]
        return ["out = untouched;", f"answered({who}, &{tally}, {call});"]

    def _registered_as(self, step: Json, kind: str, order: list[str], function: str, tally: str) -> list[str]:
        name = self._argument_of(step, "name", text_of(step["as"]))
        given = [name, *order, self._pointer(step, "callback", function), f"&{tally}.callback", "count_freed"]
        if not self._outline.may_fail(step["as"]):
            self._undone.append(f"nemo_relay_deregister_{kind}({name});")
        return [f"succeeded({text_of(step['as'])}, nemo_relay_register_{kind}({', '.join(given)}));"]

    def _pointer(self, step: Json, name: str, thing: str) -> str:
        return "NULL" if step["with"].get(name, "") is None else thing

    def _argument_of(self, step: Json, name: str, natural: str) -> str:
        if name not in step["with"]:
            return natural
        cell = step["with"][name]
        if not isinstance(cell, dict) or not cell["pad"]:
            return _text(cell)
        variable = self._names.of(f"{step['as']} {name}")
        self._large.append(f"char *{variable} = {_text(cell)};")
        return variable

    def _reply(self, replies: Json, name: str, tally: str, natural: str) -> str:
        """Return what a callback answers, which the library frees."""
        if name not in replies:
            return natural
        cell = replies[name]
        if isinstance(cell, dict) and cell["pad"]:
            return f"counted_text(&{tally}, {_text(cell)})"
        return "NULL" if cell is None else f"strdup({_text(cell)})"

    def _replying(self, step: Json, part: str, natural: str, parameters: str, before: list[str] | None = None) -> str:
        """Write a callback that answers with a text; return its name."""
        tally = self._names.of(f"{step['as']} counts")
        lines = list(before or [])
        if part == "provider" and step["inside"]:
            lines.append(f"{tally}.inside = name_of(nemo_relay_flush_subscribers());")
        lines.append(f"return {self._reply(step['replies'], part, tally, f'strdup({natural})')};")
        function = self._names.of(f"{step['as']} {part}")
        self._function(f"char *{function}(void *data, {parameters})", lines)
        return function

    def _inner_call(self, step: Json) -> str:
        """Return the call that an intercept's callback makes."""
        if step["inside"] == "helper":
            return f'nemo_relay_llm_request_intercepts("inner", {_REQUEST}, &out)'
        function = self._names.of(f"{step['as']} inner provider")
        self._function(f"char *{function}(void *data, const char *request)", ['return strdup(JSON({"ok": true}));'])
        nothing = ", ".join(["NULL", "NULL", "NULL", "0", *["NULL"] * 3, *_NO_CODEC, "NULL"])
        return f'nemo_relay_llm_call_execute("inner", {_REQUEST}, {function}, {nothing}, &out)'


def _text(cell: Json) -> str:
    """Return a text that a step states as C has it: a literal, a call that makes it, or the null pointer."""
    if cell is None:
        return "NULL"
    if isinstance(cell, str):
        return f"JSON({cell})" if _is_plain(cell) else text_of(cell)
    text = text_of(cell["text"])[:-1] + "".join(f"\\{byte:03o}" for byte in bytes.fromhex(cell["bytes"]))
    if not cell["pad"]:
        return text + text_of(cell["end"])[1:]
    return f'padded({text}", {cell["pad"]}, {text_of(cell["end"])})'


def _is_plain(text: str) -> bool:
    """Tell whether a text is JSON that stays the same where C makes a text of it."""
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return isinstance(value, dict | list) and text.isprintable() and json.dumps(value, separators=(",", ":")) == text
