"""The callbacks of programs in Python: one function for each.

Enters: registrations and calls. Leaves: functions, and their names. Must not know what steps do.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.python_ops import Ops
from bindproof.suites.relay.programs.python_words import CALLBACKS, SYNTAX, deeper, text_of
from bindproof.suites.relay.programs.writer import flat


class Callbacks(Ops):
    """The callbacks of one program."""

    def _odd(self, kind: str) -> str:
        return '"no function"' if kind == "no_function" else "lambda: None"

    def _subscriber(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        if self._outline.cancelled:
            lines = [
                f"def {function}(event):",
                "    event = event_json(event)",
                f'    saw({who}, "is told", event, lane=lane_of({who}, event, {sorted(self._outline.cancelled)!r}))',
            ]
        else:
            lines = [f"def {function}(event):", f'    saw({who}, "is told", event_json(event), lane={who})']
        if any(op["op"] == "each" for op in ops):
            lines.append(f"    entered[{who}] += 1")
        for op in ops:
            stands = op["op"] == "wait"
            held = [f"hold_up_thread({who}, {text_of(op['latch'])})"] if stands else self._ops(name, [op])
            lines += deeper(held)
        self._functions.append("\n".join(lines))
        return function

    def _callback(
        self, name: str, family: str, ops: list[Json], *, asynchronous: bool = False, waits: bool = False
    ) -> str:
        parameters, given, natural, build = CALLBACKS[family]
        function, who = self._names.of(name), text_of(name)
        if name in self._done:
            return function
        self._done.add(name)
        if not self._outline.edition_at_least("0.7"):  # what is told of codecs
            parameters, given = parameters.removesuffix(", context"), {k: v for k, v in given.items() if k != "codec"}
        told = ", ".join(f"{text_of(key)}: {value}" for key, value in given.items())
        counted = family == "decode" or any(op["op"] == "each" for op in ops)
        lines = [f"given = {{{told}}}"] if given else []
        if counted:
            lines.append(f"entered[{who}] += 1")
        lines.append(f'saw({who}, "is given", {"given" if given else "{}"}{self._lane(name, family)})')
        if asynchronous:
            lines.append("await asyncio.sleep(0)")
        work = [*self._replying(name, ops, natural), *self._returning(name, ops, natural, build)]
        if waits and self._outline.cancels:
            work = [f"with in_call({text_of(name.split('.')[0])}, {who}):", *deeper(work)]
        if family == "finalizer":
            work = ["try:", *deeper(work), "finally:", f"    going.discard({who})"]
        rest = ", *more" if parameters and family not in ("collector", "llm.provider", "tool.provider") else ""
        kind = "async def" if asynchronous or waits else "def"
        self._functions.append("\n".join([f"{kind} {function}({parameters}{rest}):", *deeper([*lines, *work])]))
        return function

    def _lane(self, name: str, family: str) -> str:
        if family == "decode":
            return f', lane="publication" if entered[{text_of(name)}] > 1 else "program"'
        if name.endswith((".sanitize", ".inject")):
            return ', lane="publication"'
        if family in ("collector", "finalizer"):
            return f", lane={text_of(name.rpartition('.')[0] + '.collector')}"
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
        if not self._outline.is_refused(name):
            return [f"return {made}"]
        return ["try:", f"    return {made}", "except Exception as error:", "    raise refused(error)"]

    def _around(self, name: str, family: str, ops: list[Json]) -> str:
        function, who, tool = self._names.of(name), text_of(name), family == "tool.execution"
        if tool:
            told = '{"name": context.tool_name, "args": context.args, "tool_call_id": context.tool_call_id}'
            handed = "context, proceed" if self._outline.edition_at_least("0.9") else "name, args, proceed"
            told = told if self._outline.edition_at_least("0.9") else '{"name": name, "args": args}'
        elif self._outline.edition_at_least("0.10"):
            told = '{"name": name, "request": request_json(request), "codecs": codecs_json(context)}'
            handed = "name, request, context, proceed"
        else:
            told, handed = '{"name": name, "request": request_json(request)}', "name, request, proceed"
        lines = [f"given = {told}"]
        if any(op["op"] == "each" for op in ops):
            lines.append(f"entered[{who}] += 1")
        lines.append(f'saw({who}, "is given", given)')
        work: list[str] = []
        if "next/" in str(ops):
            work.append("answers = []")
        explicit = any(op["op"] == "next" for op in flat(ops))
        if explicit:
            work.append("reply = tool_reply()" if tool else "reply = None")
        else:
            work += self._next(name, {"edits": [{}], "catch": False}, tool=tool)
        work += self._ops(name, ops, tool=tool)
        if not (ops and ops[-1]["op"] == "raise"):
            build = "tool_outcome_of" if tool else ""
            work += self._returning(name, [{"op": "edit"}], "", build)
        if self._outline.cancels:
            work = [f"with in_call({text_of(name)}, {who}):", *deeper(work)]
        self._functions.append("\n".join([f"async def {function}({handed}):", *deeper([*lines, *work])]))
        return function

    def _source(self, name: str, ops: list[Json]) -> str:
        """Write the provider of a stream; return its name."""
        function, who = self._names.of(name), text_of(name)
        eager, late = _split(ops)
        lines = [
            f"def {function}(request):",
            '    given = {"request": request_json(request)}',
            f'    saw({who}, "is given", given, lane={who})',
            *deeper(self._ops(name, eager)),
            "",
            "    async def chunks():",
            *deeper(self._late(name, late or [{"op": "yield", "chunks": [{"i": 0}, {"i": 1}]}]), 2),
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
        return f"inner = await go_on_streaming({text_of(name)}, proceed, argument)"

    def _caught(self, op: Json, lines: list[str]) -> list[str]:
        return ["try:", *deeper(lines), "except Exception:", "    pass"] if op["catch"] else lines

    def _passed(self, edits: list[Json]) -> list[str]:
        changes = [line for edit in edits for line in self._edit(edit, "chunk")]
        return ["async for chunk in inner:", *deeper(changes), "    yield chunk"]

    def _around_stream(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
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
                    before += ["try:", *deeper(asked), "except Exception:", "    inner = None"]
                    passed = ["if inner is not None:", *deeper(self._caught(op, self._passed(edits)))]
                else:
                    before += asked
                    passed = self._passed(edits)
        handed, given = "request, proceed", '{"request": request_json(request)}'
        if self._outline.edition_at_least("0.10"):
            handed = "name, request, context, proceed"
            given = '{"request": request_json(request), "codecs": codecs_json(context)}'
        lines = [
            f"async def {function}({handed}):",
            f"    given = {given}",
            f'    saw({who}, "is given", given)',
            *deeper(before),
            "",
            "    async def chunks():",
            *deeper([*passed, *self._late(name, late, edits)], 2),
            "",
            f"    return told({who}, chunks(), lane={text_of(name + '.stream')})",
        ]
        self._functions.append("\n".join(lines))
        return function

    def _order(self, step: Json) -> list[str]:
        if step["family"] == "subscriber":
            return []
        breaks = step["family"] in ("llm.request", "tool.request")
        return [str(step["priority"]), *([SYNTAX.value(step["break_chain"])] if breaks else [])]


def _split(ops: list[Json]) -> tuple[list[Json], list[Json]]:
    """Return what a callback of a stream does when it is called, and what when its stream is read."""
    first = next((at for at, op in enumerate(ops) if op["op"] in ("yield", "hang")), len(ops))
    return ops[:first], ops[first:]


def _sets_all(op: Json) -> bool:
    return op["op"] == "edit" and next(iter(op.get("set", {})), None) == ""
