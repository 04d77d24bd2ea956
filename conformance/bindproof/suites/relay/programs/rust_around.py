"""The callbacks of programs in Rust that wrap an execution.

Enters: registrations and ops. Leaves: functions of Rust, and what the crate is given of them. Must not know streams.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.compiled import NATURAL
from bindproof.suites.relay.programs.rust_callbacks import Callbacks, by_entry, mended, raised, reads
from bindproof.suites.relay.programs.rust_values import text_of


class Around(Callbacks):
    """What wraps executions in one program."""

    def _around(self, name: str, family: str, ops: list[Json]) -> str:
        function, tool = self._names.of(name), family == "tool.execution"
        lines = self._wrapping(name, ops, tool=tool)
        if tool:
            given = '{"name": context.tool_name(), "args": context.args(), "tool_call_id": context.tool_call_id()}'
            parameters, arguments = "context: ToolExecutionContext, next: ToolExecutionNextFn", "context, next"
            returns = "ToolExecutionInterceptOutcome"
        else:
            context, typed, told = self._of_context()
            given, returns = f'{{"name": name, "request": request{told}}}', "Value"
            parameters = f"name: String, request: LlmRequest, {typed}next: LlmExecutionNextFn"
            arguments = f"name.to_owned(), request, {context}next"
        lines = [*self._told(name, given, lines), *lines]
        if reads(lines, "entry"):
            lines.insert(0, f"let entry = enter({text_of(name)});")
        if not reads(lines, "next"):
            parameters = parameters.replace("next:", "_next:")
        self._function(f"async fn {function}({parameters}) -> Result<{returns}>", lines)
        made = self._handed(name, function, arguments, watched=True)
        return made if tool else made.replace("|name.to_owned(), ", "|name, ")

    def _of_context(self) -> tuple[str, str, str]:
        """Return how what wraps an LLM's execution has the context of codecs: its name, its type, what is noted."""
        if not self._outline.edition_at_least("0.10"):
            return "", "", ""
        return "context, ", "context: LlmExecutionContext, ", ', "codecs": codecs_json(&context)'

    def _wrapping(self, name: str, ops: list[Json], *, tool: bool) -> list[str]:
        """Return the lines of what wraps an execution, and its reply."""
        answers = self._outline.names_answers(name)
        lines = ["let mut answers = Vec::new();"] if answers else []
        entries = by_entry(ops)
        if entries:
            implicit = any(op["op"] == "next" for entry in entries for op in entry)
            return [*lines, *self._matched(entries, lambda one: self._passed(name, one, tool, implicit))]
        return [*lines, *self._passed(name, ops, tool, True)]

    def _passed(self, name: str, ops: list[Json], tool: bool, implicit: bool) -> list[str]:
        """Return the lines of ops around an execution. implicit: it goes on where no op says so."""
        if implicit and not any(op["op"] == "next" for op in ops):
            ops = [NATURAL, *ops]
        raises = raised(ops)
        if raises:
            inner = [
                (self._next(name, op, tool=tool) if op["op"] == "next" else self._ops(name, [op])) for op in raises[0]
            ]
            return [*(line for lines in inner for line in lines), raises[1]]
        nothing = 'json!({"result": null, "annotation": null, "pending_marks": []})' if tool else "Value::Null"
        made = 'typed("intercept outcome", reply)' if tool else "Ok(reply)"
        sure = [at for at, op in enumerate(ops) if _is_sure(op)]
        last = sure[-1] if sure else -1
        lines: list[str] = []
        is_there = False
        for at, op in enumerate(ops):
            match op["op"]:
                case "next" if at < last or (at == last and not op["edits"]):
                    lines += self._next(name, op, tool=tool)
                case "edit" if at < last:
                    continue
                case "next":
                    if at != last and not is_there:
                        lines.append(f"let mut reply = {nothing};")
                        is_there = True
                    lines += self._next(name, op, tool=tool, keeps="let mut reply = " if not is_there else "reply = ")
                    is_there = True
                case "edit":
                    lines += self._changed(op, "" if is_there else nothing, "")
                    is_there = True
                case _:
                    lines += self._ops(name, [op])
        if not is_there:
            lines.append(f"let mut reply = {nothing};")
        return mended(lines, made)

    def _next(self, name: str, op: Json, *, tool: bool, keeps: str = "") -> list[str]:
        """Return the lines that go on with what is wrapped. keeps: what the last answer is assigned to."""
        lines: list[str] = []
        counted = self._outline.names_answers(name)
        for at, edit in enumerate(op["edits"]):
            given = f'given["{"args" if tool else "request"}"].clone()'
            changes, argument = self._argument(edit, given)
            lines += changes
            asked = f"go_on{'_with_tool' if tool else ''}({text_of(name)}, &next, {argument}).await"
            keeping = keeps if at == len(op["edits"]) - 1 or op["catch"] else ""
            lines += _answered(asked, keeping, counted=counted, catch=op["catch"], tool=tool)
        return lines


def _answered(asked: str, keeps: str, *, counted: bool, catch: bool, tool: bool) -> list[str]:
    """Return the lines that take an answer."""
    if catch:
        lines = [f"let answer = {asked};"] if counted else []
        if keeps:
            answer = "outcome_of(answer)" if tool else "answer"
            source = "answer.clone()" if counted else asked
            lines += [f"if let Ok(answer) = {source} {{", f"    reply = {answer};", "}"]
        elif not counted:
            lines.append(f"{asked}.ok();")
        return [*lines, "answers.push(answer.unwrap_or_default());"] if counted else lines
    if counted:
        lines = [f"let answer = {asked}?;", "answers.push(answer.clone());"]
        return [*lines, f"{keeps}{'outcome_of(answer)' if tool else 'answer'};"] if keeps else lines
    if not keeps:
        return [f"{asked}?;"]
    return [f"{keeps}{f'outcome_of({asked}?)' if tool else f'{asked}?'};"]


def _is_sure(op: Json) -> bool:
    """Tell whether an op makes a reply of its own, whatever was before."""
    return bool((op["op"] == "next" and op["edits"] and not op["catch"]) or "" in op.get("set", {}))
