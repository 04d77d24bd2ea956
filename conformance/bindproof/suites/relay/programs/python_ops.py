"""What a callback does, in Python: its ops, and the values in them.

Enters: ops. Leaves: lines of source text. Must not know which callback of which family it is.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.outline import NoProgramError, Outline
from bindproof.suites.relay.programs.python_editions import parts_of, require_words
from bindproof.suites.relay.programs.python_words import PARTS, RESERVED, SYNTAX, deeper, text_of
from bindproof.suites.relay.programs.writer import Writer
from bindproof.suites.relay.programs.writing import Code, place


class Ops(Writer):
    """The ops of one program's callbacks."""

    language = "Python"
    measures = finds = True
    syntax = SYNTAX
    parts = PARTS
    reserved = RESERVED
    comment = "#"
    end = ""

    def __init__(self, outline: Outline) -> None:
        self.parts = parts_of(outline)
        require_words(outline, outline.all_steps)
        super().__init__(outline)
        self._done: set[str] = set()
        self._globals: set[str] = set()
        self._depth = 0
        """In so many callbacks is what is being written."""

    def _inner(self, step: Json) -> list[str]:
        self._depth += 1
        lines = self._step(step)
        self._depth -= 1
        return lines

    def _shown(self, step: Json, expression: str) -> list[str]:
        name = text_of(step["as"])
        if self._outline.is_used(step["as"]):
            variable = self._variable(step["as"])
            lines = [f"{variable} = {expression}", f'saw({name}, "gives", {variable})']
        else:
            lines = [f'saw({name}, "gives", {expression})']
        return self._guarded(step, lines)

    def _guarded(self, step: Json, lines: list[str]) -> list[str]:
        if not self._outline.may_fail(step["as"]):
            return lines
        caught = "BaseException" if self._outline.cancels else "Exception"
        name = text_of(step["as"])
        return ["try:", *deeper(lines), f"except {caught} as error:", f'    saw({name}, "fails", error)']

    def _raising(self, name: str, text: str) -> str:
        return f"raise {f'Raised({text_of(name)}, {text})' if self._outline.names_raiser else f'RuntimeError({text})'}"

    def _next(self, name: str, op: Json, *, tool: bool) -> list[str]:
        lines: list[str] = []
        counted = self._outline.names_answers(name)
        for edit in op["edits"]:
            forms = "plain=result_json" if tool else "form=request_of"
            asked = f"await go_on({text_of(name)}, proceed, argument, {forms})"
            made = (
                [f"answer = {asked}"] if counted else [f"reply = tool_reply({asked})" if tool else f"reply = {asked}"]
            )
            if counted:
                made += [
                    "answers.append(answer)",
                    "reply = tool_reply(answer)" if tool else "reply = copy.deepcopy(answer)",
                ]
            lines += self._argument(edit, "args" if tool else "request")
            if op["catch"]:
                otherwise = "answers.append(None)" if counted else "pass"
                lines += ["try:", *deeper(made), "except Exception:", f"    {otherwise}"]
            else:
                lines += made
        return lines

    def _argument(self, edit: Json, member: str) -> list[str]:
        return [f'argument = copy.deepcopy(given["{member}"])', *self._edit(edit, "argument")]

    def _each(self, name: str, entries: list[list[Json]], *, tool: bool) -> list[str]:
        lines: list[str] = []
        implicit = self._next(name, {"edits": [{}], "catch": False}, tool=tool)
        around = self._outline.is_around(name) and any(op["op"] == "next" for entry in entries for op in entry)
        for at, ops in enumerate(entries):
            inner = self._ops(name, ops, tool=tool)
            if around and not any(op["op"] == "next" for op in ops):
                inner = [*implicit, *inner]
            if at < len(entries) - 1:
                lines.append(f"{'if' if at == 0 else 'elif'} entered[{text_of(name)}] == {at + 1}:")
            elif len(entries) > 1:
                if not inner:
                    break
                lines.append("else:")
            else:
                return inner
            lines += deeper(inner or ["pass"])
        return lines

    def _edit(self, op: Json, base: str) -> list[str]:
        lines: list[str] = []
        for pointer, value in op.get("set", {}).items():
            lines.append(f"{place(base, pointer, text_of)} = {self._value(value, 8)}")
        lines += [f"del {place(base, pointer, text_of)}" for pointer in op.get("remove", [])]
        for pointer, items in op.get("append", {}).items():
            lines.append(f"{place(base, pointer, text_of)} += {self._value(items, 8)}")
        return lines

    def _variable(self, name: str) -> str:
        found = self._names.of(f"{name} value")
        if self._depth:
            self._globals.add(found)
        return found

    def _value(self, value: Json, indent: int = 4) -> str:
        return SYNTAX.value(self._resolved(value), indent)

    def _undefined(self) -> Code:
        raise NoProgramError("Python has no undefined")

    def _lacking(self, word: str, told: Json) -> Code:
        return Code({"$function": "lambda: None", "$float": f'float("{told}")', "$integer": str(told)}[word])

    def _named(self, name: str) -> str:
        found = self._variable(name)
        self._globals.add(found)
        return found

    def _copied(self, expression: str) -> Code:
        return Code(f"copy.deepcopy({expression})")
