"""What the programs of all languages have alike: what writes which step and op, and how a program is put together.

Enters: steps and ops of an outline. Leaves: lines of source text. Must not know any language: its writer says how each
thing is written.
"""

from __future__ import annotations

from typing import ClassVar

from bindproof.core.model import Json
from bindproof.suites.relay.programs.outline import NoProgramError, Outline
from bindproof.suites.relay.programs.writing import Code, Names, Parts, Syntax, place
from bindproof.suites.relay.scenario.families import AROUND
from bindproof.suites.relay.scenario.no_json import MEANING

WIDEST = 115
"""The width of a heading."""


class Writer:
    """Writes one program; for each kind of step there is a method of its name that returns its lines."""

    language: ClassVar[str]
    """As readers call it."""
    syntax: ClassVar[Syntax]
    parts: Parts
    reserved: ClassVar[frozenset[str]]
    """Names that a program has, or the language itself."""
    comment: ClassVar[str]
    """What a comment begins with."""
    end: ClassVar[str]
    """What ends a statement."""
    gap: ClassVar[str]
    """What stands between the parts of a program."""
    measures: ClassVar[bool] = False
    """Whether its programs emit measurements."""
    finds: ClassVar[bool] = False
    """Whether its programs find in a listing what a plugin has registered."""
    holds_up: ClassVar[str] = "hold_up"
    """The function by which something stands at a latch when an event is published."""
    main: ClassVar[str]
    """What starts it."""
    deciding: ClassVar[tuple[str, str]]
    """A line of the parts, and what takes its place where it has to be decided which records had to come."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._names = Names(self.reserved | self.parts.names)
        self._functions: list[str] = []

    def _joined(self, program: str, expectation: str) -> str:
        """Return a program between the parts that it needs, with what it expects and what starts it."""
        decides = "Maybe(" in expectation
        parts = self.parts.needed("\n".join([program, expectation, self.main, "decide(" if decides else ""]))
        at = next(at for at, part in enumerate(parts) if part.startswith(f"{self.comment} -- what may be seen"))
        title = f"{self.comment} -- the program ".ljust(WIDEST, "-")
        source = self.gap.join([*parts[:at], title, program, *parts[at:-1], expectation, parts[-1], self.main.strip()])
        return source.replace(*self.deciding) if decides else source

    def _step(self, step: Json) -> list[str]:
        """Return the lines of a step of the program, or inside a callback."""
        if step.get("block") or (step["step"] == "end" and step.get("raises")):
            raise NoProgramError(f"no program in {self.language} says a block")
        if step.get("measurements") is not None and not self.measures:
            raise NoProgramError(f"no program in {self.language} emits measurements")
        if not self.finds and (step.get("plugin") is not None or (step["step"] == "list" and self._outline.plugins)):
            raise NoProgramError(f"no program in {self.language} asks what a plugin has registered")
        write = getattr(self, f"_{step['step']}", None)
        if write is None:
            raise NoProgramError(f"no program in {self.language} says the step {step['step']!r}")
        lines: list[str] = write(step)
        return lines

    def _inner(self, step: Json) -> list[str]:
        """Return the lines of a step inside a callback."""
        return self._step(step)

    def _deregister(self, step: Json) -> list[str]:
        if step["of"] not in self._outline.registered:
            raise NoProgramError("a program takes back only what it has registered itself")
        return self._shown(step, self._outline.registered[step["of"]])

    def _read(self, step: Json) -> list[str]:
        count = "" if step["n"] is None else f", {step['n']}"
        return self._shown(step, f"await read({self.syntax.text(step['as'])}, {self._variable(step['of'])}{count})")

    def _plugin(self, step: Json) -> str:
        """Return the name of the plugin that a step installs; raises NoProgramError where it installs several."""
        if len(step["plugins"]) > 1 or any(op["op"] == "each" for op in step["do"]):
            raise NoProgramError("a program installs one plugin at a time")
        return self.syntax.text(step["plugins"][0])

    def _registrations(self, step: Json, ops: list[Json]) -> list[str]:
        """Return the lines of what a plugin does by these ops when it is installed."""
        lines: list[str] = []
        for op in ops:
            if op["op"] == "each":
                lines += self._in_turn(step["as"], [self._registrations(step, entry) for entry in op["ops"]])
            elif op["op"] == "raise":
                lines += self._ops(step["as"], [op])
            elif op["step"]["step"] == "register":
                lines += self._guarded(op["step"], [self._registering(op["step"])])
            else:
                raise NoProgramError("a plugin of a program registers, and does nothing else")
        return lines

    def _callee(self, step: Json) -> str:
        """Write what a step registers; return its name."""
        family, name = step["family"], step["as"]
        if step["odd"]:
            return self._odd(step["odd"])
        if family == "subscriber":
            return self._subscriber(name, step["do"])
        if family == "llm.stream":
            return self._around_stream(name, step["do"])
        if family in AROUND:
            return self._around(name, family, step["do"])
        if "sanitize" in family:
            name = f"{name}.sanitize"
        elif family == "event.metadata":
            name = f"{name}.inject"
        waits = any(op["op"] == "wait" for op in step["do"])
        return self._callback(name, family, step["do"], asynchronous=step["async"], waits=waits)

    def _ops(self, name: str, ops: list[Json], *, tool: bool = False) -> list[str]:
        """Return the lines of what a callback does. tool: it is around a tool's execution."""
        text, lines = self.syntax.text, list[str]()
        for op in ops:
            match op["op"]:
                case "edit":
                    lines += self._edit(op, "reply")
                case "raise":
                    lines.append(self._raising(name, text(op["text"])))
                case "mutate":
                    lines.append(f"{self._mutated(op)} {self.comment} in place")
                case "step":
                    lines += self._inner(op["step"])
                case "wait":
                    stands = self._held_up if op["latch"] in self._outline.held else self._stood
                    lines.append(stands(name, op["latch"]))
                case "next":
                    lines += self._next(name, op, tool=tool)
                case "each":
                    lines += self._each(name, op["ops"], tool=tool)
                case kind:
                    raise NoProgramError(f"no program in {self.language} says the op {kind!r} there")
        return lines

    def _resolved(self, value: Json) -> Json:
        """Return a value in which what names another is code."""
        if isinstance(value, list):
            return [self._resolved(item) for item in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1 and "$none" in value:
            return self._undefined()
        if len(value) == 1 and "$get" in value:
            name, slash, rest = value["$get"].partition("/")
            base = {"given": "given", "next": "answers"}.get(name) or self._named(name)
            return self._copied(place(base, slash + rest, self.syntax.text))
        if not value.keys().isdisjoint(MEANING):
            ((word, told),) = value.items()
            return self._lacking(word, told)
        return {key: self._resolved(item) for key, item in value.items()}

    # what each language writes in its own way

    def _shown(self, step: Json, expression: str) -> list[str]:
        """Return the lines of a step whose value is shown."""
        raise NotImplementedError

    def _guarded(self, step: Json, lines: list[str]) -> list[str]:
        """Return lines that note an error, where the step has to fail, or is a call beside the program."""
        raise NotImplementedError

    def _registering(self, step: Json) -> str:
        """Return what registers something in a plugin."""
        raise NotImplementedError

    def _in_turn(self, name: str, entries: list[list[str]]) -> list[str]:
        """Return what plugins do that are installed one after the other, each by its lines; the last do alike."""
        raise NotImplementedError

    def _odd(self, kind: str) -> str:
        """Return what cannot be called as a callback is."""
        raise NotImplementedError

    def _subscriber(self, name: str, ops: list[Json]) -> str:
        """Write a subscriber; return its name. ops: what it raises, where the language has words for that."""
        raise NotImplementedError

    def _callback(
        self, name: str, family: str, ops: list[Json], *, asynchronous: bool = False, waits: bool = False
    ) -> str:
        """Write a callback; return its name. waits: it is one that may be waited for."""
        raise NotImplementedError

    def _around(self, name: str, family: str, ops: list[Json]) -> str:
        """Write what wraps an execution; return its name."""
        raise NotImplementedError

    def _around_stream(self, name: str, ops: list[Json]) -> str:
        """Write what wraps a stream; return its name."""
        raise NotImplementedError

    def _raising(self, name: str, text: str) -> str:
        """Return what raises. text: as the language writes it."""
        raise NotImplementedError

    def _next(self, name: str, op: Json, *, tool: bool) -> list[str]:
        """Return the lines that go on with what is wrapped."""
        raise NotImplementedError

    def _each(self, name: str, entries: list[list[Json]], *, tool: bool) -> list[str]:
        """Return the lines of a callback that does something else in each entry."""
        raise NotImplementedError

    def _edit(self, op: Json, base: str) -> list[str]:
        """Return the lines that change what a name has."""
        raise NotImplementedError

    def _variable(self, name: str) -> str:
        """Return the variable that has the value of a step."""
        raise NotImplementedError

    def _named(self, name: str) -> str:
        """Return the variable that has the value of a step which a value names."""
        return self._variable(name)

    def _copied(self, expression: str) -> Code:
        """Return a copy of what an expression gives."""
        raise NotImplementedError

    def _mutated(self, op: Json) -> str:
        """Return what changes in its place what a callback is given."""
        return f"{place('given', op['at'], self.syntax.text)} = {self.syntax.text(op['text'])}{self.end or ' '}"

    def _stood(self, name: str, latch: str) -> str:
        """Return what stands at a latch."""
        return f"await stand({self.syntax.text(name)}, {self.syntax.text(latch)}){self.end}"

    def _held_up(self, name: str, latch: str) -> str:
        """Return what stands at a latch when an event is published."""
        return f"await {self.holds_up}({', '.join(map(self.syntax.text, (name, latch)))}){self.end}"

    def _undefined(self) -> Code:
        """Return the value that is no value; raises NoProgramError where the language has none."""
        raise NotImplementedError

    def _lacking(self, word: str, told: Json) -> Code:
        """Return what JSON lacks, spelled by `word` and `told`; raises NoProgramError as `_undefined` does."""
        raise NoProgramError(f"what is handed over in {self.language} is JSON")


def flat(ops: list[Json]) -> list[Json]:
    """Return ops with those of each entry."""
    found = [op["ops"] if op["op"] == "each" else [[op]] for op in ops]
    return [inner for entries in found for entry in entries for inner in entry]
