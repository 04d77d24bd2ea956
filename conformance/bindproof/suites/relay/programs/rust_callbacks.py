"""The callbacks of programs in Rust, and what they do.

Enters: registrations, calls and ops. Leaves: functions of Rust, and what the crate is given of them. Must not know what
steps do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bindproof.core.model import Json
from bindproof.suites.relay.programs.outline import NoProgramError, Outline
from bindproof.suites.relay.programs.rust_values import deeper, expression, text_of
from bindproof.suites.relay.programs.rust_words import FAMILIES, PARTS, RESERVED, Family
from bindproof.suites.relay.programs.writer import Writer
from bindproof.suites.relay.programs.writing import Code, Names, Syntax, place
from bindproof.suites.relay.scenario.callbacks import latches

RUST = Syntax(
    null="Value::Null", true="true", false="false", spread="", text=text_of, key=text_of, pattern=text_of, step=4
)  # fmt: skip


def snake(words: str) -> str:
    """Return a name as Rust has it."""
    return words.lower()


def reads(lines: Sequence[str], name: str) -> bool:
    """Tell whether lines of code say a name."""
    return any(re.search(rf"(?<![\w.\"]){name}\b", re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)) for line in lines)


class Callbacks(Writer):
    """The callbacks of one program."""

    language = "Rust"
    syntax = RUST
    parts = PARTS
    reserved = RESERVED
    comment = "//"
    end = ";"

    _trying = "?"
    """What stands behind a call that has to succeed."""

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        self._names = Names(self.reserved | self.parts.names, snake)
        self._shared = set(_shared(outline.steps))
        self._statics: set[str] = set()

    # -- values --------------------------------------------------------------------------------------------------------

    def _value(self, value: Json, room: int = 90) -> str:
        """Return a value as an expression."""
        return expression(self._resolved(value), room)

    def _undefined(self) -> Code:
        raise NoProgramError("Rust has no undefined")

    def _copied(self, expression: str) -> Code:
        return Code(expression)

    def _named(self, name: str) -> str:
        return self._got(f"{name} value")

    def _variable(self, name: str) -> str:
        return self._got(name)

    def _got(self, key: str) -> str:
        """Return the expression of what a step has left. key: the step's id, or that and ` value`."""
        name = self._names.of(key)
        if key.removesuffix(" value") not in self._shared:
            return name
        self._statics.add(key)
        return f"{name.upper()}.get()"

    def _kept(self, key: str, made: str) -> str:
        """Return the statement that keeps what a step leaves."""
        name = self._names.of(key)
        if key.removesuffix(" value") not in self._shared:
            return f"let {name} = {made};"
        self._statics.add(key)
        return f"{name.upper()}.set({made});"

    # -- functions -----------------------------------------------------------------------------------------------------

    def _function(self, head: str, lines: Sequence[str]) -> None:
        self._functions.append("\n".join([f"{head} {{", *deeper(lines), "}"]))

    def _odd(self, kind: str) -> str:
        raise NoProgramError("the compiler takes a function of the right type alone")

    def _mutated(self, op: Json) -> str:
        raise NoProgramError("a callback owns what it is given: there is nothing to change in its place")

    def _subscriber(self, name: str, ops: list[Json]) -> str:
        function, who = self._names.of(name), text_of(name)
        lines = [f'saw_in({who}, {who}, "is told", event_json(event));']
        if self._outline.cancelled:
            called = ", ".join(text_of(one) for one in sorted(self._outline.cancelled))
            lane = f"lane_of({who}, &event, &[{called}])"
            lines = ["let event = event_json(event);", f'saw_in(&{lane}, {who}, "is told", event);']
        lines += [f"hold_up({who}, {text_of(f'{name}.told')}, {text_of(latch)});" for latch in latches(ops)]
        self._function(f"fn {function}(event: &Event)", lines)
        return f"Arc::new({function})"

    def _raising(self, name: str, text: str) -> str:
        return f"return Err(FlowError::Internal({text}.into()));"

    def _stood(self, name: str, latch: str) -> str:
        return f"stand({text_of(name)}, {text_of(latch)}).await;"

    def _held_up(self, name: str, latch: str) -> str:
        return f'hold_up("publication", {text_of(name)}, {text_of(latch)});'

    def _lane(self, name: str) -> str | None:
        """Return the lane of what a callback is given, None for the program's."""
        return '"publication"' if name.endswith((".sanitize", ".inject")) else None

    def _told(self, name: str, given: str, lines: Sequence[str], lane: str | None = None) -> list[str]:
        """Return the lines that note what a callback is given, and keep it where other lines read it."""
        who, lane = text_of(name), lane or self._lane(name)
        saw = f"saw_in({lane}, {who}, " if lane else f"saw({who}, "
        if reads(lines, "given"):
            return [f"let given = json!({given});", f'{saw}"is given", given.clone());']
        return [f'{saw}"is given", json!({given}));']

    def _callback(
        self, name: str, family: str, ops: list[Json], *, asynchronous: bool = False, waits: bool = False
    ) -> str:
        shape, function = FAMILIES[family], self._names.of(name)
        lines = self._body(name, family, shape, ops)
        self._function(f"async fn {function}({shape.parameters}) -> Result<{shape.returns}>", lines)
        return self._handed(name, function, _arguments(shape.parameters), watched=waits)

    def _handed(self, name: str, function: str, arguments: str, *, watched: bool) -> str:
        """Return what the crate is given of a function."""
        call = f"{function}({arguments})"
        if watched and self._outline.cancels:
            call = f"watched({text_of(name)}, {call})"
        return f"Arc::new(|{arguments}| Box::pin({call}))"

    def _body(self, name: str, family: str, shape: Family, ops: list[Json], lane: str | None = None) -> list[str]:
        """Return the lines of a callback."""
        lines = self._replying(name, family, shape, ops)
        if family == "decode":
            lane = "lane"
        head = self._told(name, shape.given, lines, lane)
        if reads(lines, "entry") or family == "decode":
            head.insert(0, f"let entry = enter({text_of(name)});")
        if family == "decode":
            head.insert(1, 'let lane = if entry > 1 { "publication" } else { "program" };')
        return [*head, *lines]

    def _replying(self, name: str, family: str, shape: Family, ops: list[Json]) -> list[str]:
        """Return the lines of ops, and the reply."""
        entries = by_entry(ops)
        if entries:
            return self._matched(entries, lambda one: self._replying(name, family, shape, one))
        raises = raised(ops)
        if raises:
            return [*(line for op in raises[0] for line in self._ops(name, [op])), raises[1]]
        lines: list[str] = []
        changes = 0
        last = next((at for at in reversed(range(len(ops))) if "" in ops[at].get("set", {})), -1)
        for at, op in enumerate(ops):
            match op["op"]:
                case "edit":
                    if at < last:  # nobody reads what it changes
                        continue
                    changes += 1
                    lines += self._changed(op, "" if changes > 1 else shape.base, family)
                case _:
                    lines += self._ops(name, [op])
        if not changes:
            return [*lines, shape.natural]
        return _said(mended(lines, shape.reply))

    def _matched(self, entries: list[list[Json]], body: Callable[[list[Json]], list[str]]) -> list[str]:
        """Return the lines of a callback that does something else in each entry."""
        lines = ["match entry {"]
        for at, ops in enumerate(entries):
            inner = body(ops)
            pattern = "_" if at == len(entries) - 1 else str(at + 1)
            if len(inner) == 1 and "\n" not in inner[0] and len(inner[0]) < 80:
                lines.append(f"    {pattern} => {inner[0]},")
            else:
                lines += [f"    {pattern} => {{", *deeper(deeper(inner)), "    }"]
        return [*lines, "}"]

    def _changed(self, op: Json, base: str, family: str) -> list[str]:
        """Return the lines of an edit of the reply. base: what it is until then, empty where the name has it."""
        sets = dict(op.get("set", {}))
        lines: list[str] = []
        if "" in sets:
            lines.append(f"reply = {self._value(sets.pop(''))};")
        elif base:
            lines.append(f"reply = {base};")
        if lines and base:
            lines = [f"let mut {lines[0]}"]
        return [*lines, *self._edit({**op, "set": sets}, "reply")]

    def _argument(self, edit: Json, given: str) -> tuple[list[str], str]:
        """Return the lines that change what a callback goes on with, and the expression of it then."""
        changes = self._edit(edit, "argument")
        if not changes:
            return [], given
        if changes[0].startswith("argument = "):
            changes[0] = f"let {'mut ' if len(changes) > 1 else ''}{changes[0]}"
            return changes, "argument"
        return [f"let mut argument = {given};", *changes], "argument"

    def _edit(self, op: Json, base: str) -> list[str]:
        lines: list[str] = []
        for pointer, value in op.get("set", {}).items():
            parent, _, token = pointer.rpartition("/")
            where = place(base, pointer, text_of)
            if not pointer:
                lines.append(f"{base} = {self._value(value)};")
            elif token.isdecimal():
                lines.append(f"put(&mut {place(base, parent, text_of)}, {token}, {self._value(value)});")
            else:
                lines.append(f"{where} = {self._value(value)};")
        for pointer in op.get("remove", []):
            parent, _, token = pointer.rpartition("/")
            where = place(base, parent, text_of)
            name = token.replace("~1", "/").replace("~0", "~")
            if token.isdecimal():
                lines.append(f"{where}.as_array_mut().unwrap().remove({token});")
            else:
                lines.append(f"{where}.as_object_mut().unwrap().remove({text_of(name)});")
        for pointer, items in op.get("append", {}).items():
            where = place(base, pointer, text_of)
            if isinstance(items, list):
                each = ", ".join(self._value(item) for item in items)
                lines.append(f"{where}.as_array_mut().unwrap().extend([{each}]);")
            else:
                lines.append(
                    f"{where}.as_array_mut().unwrap().extend({self._value(items)}.as_array().unwrap().clone());"
                )
        return lines


def mended(lines: list[str], made: str) -> list[str]:
    """Return lines that leave a reply, and what is made of it; nothing is mutable that does not change."""
    first = next((at for at, line in enumerate(lines) if line.startswith("let mut reply = ")), -1)
    if first < 0:
        return [*lines, made]
    if any(
        re.search(r"(?<!let mut )\breply(\[.*\] = | = |.*_mut\(\))|&mut reply", line) for line in lines[first + 1 :]
    ):
        return [*lines, made]
    value = lines[first].removeprefix("let mut reply = ").removesuffix(";")
    if first < len(lines) - 1:
        return [*lines[:first], f"let reply = {value};", *lines[first + 1 :], made]
    if made == "Ok(reply)" and value.endswith(".await?"):
        return [*lines[:first], value.removesuffix("?")]
    return [*lines[:first], made.replace("reply", value)]


def by_entry(ops: list[Json]) -> list[list[Json]]:
    """Return what a callback does in each entry, with what it does in all; nothing where all are alike."""
    at = next((at for at, op in enumerate(ops) if op["op"] == "each"), -1)
    return [] if at < 0 else [[*ops[:at], *entry, *ops[at + 1 :]] for entry in ops[at]["ops"]]


def raised(ops: list[Json]) -> tuple[list[Json], str] | None:
    """Return what is done before ops raise, but for edits that nobody reads, and the error; None where none raises."""
    first = next((at for at, op in enumerate(ops) if op["op"] == "raise"), None)
    if first is None:
        return None
    before = [op for op in ops[:first] if op["op"] != "edit"]
    return before, f"Err(FlowError::Internal({text_of(ops[first]['text'])}.into()))"


def _said(lines: list[str]) -> list[str]:
    """Return the lines of a callback, whose verdict is said in the crate's own type where it is known."""
    found = re.fullmatch(r'typed\("conditional", json!\(("(?:[^"\\]|\\.)*")\)\)', lines[-1])
    if found:
        return [*lines[:-1], f"Ok(Some({found[1]}.into()))"]
    return [*lines[:-1], "Ok(None)"] if lines[-1] == 'typed("conditional", Value::Null)' else lines


def _arguments(parameters: str) -> str:
    return ", ".join(part.split(":")[0] for part in re.split(r", (?=\w+:)", parameters))


def _shared(steps: list[Json]) -> list[str]:
    """Return the steps that callbacks name, or calls beside the program."""
    found: list[str] = []
    for step in steps:
        inner = step if step.get("background") else {
            name: step.get(name) for name in ("do", "provider", "collector", "finalizer", "codec")
        }  # fmt: skip
        _collect(inner, found)
    return found


def _collect(value: Json, found: list[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _collect(item, found)
    elif isinstance(value, dict):
        if len(value) == 1 and "$get" in value:
            found.append(str(value["$get"]).partition("/")[0])
        for name in ("parent", "of", "scope", "as"):
            if isinstance(value.get(name), str):
                found.append(value[name])
        for item in value.values():
            _collect(item, found)
