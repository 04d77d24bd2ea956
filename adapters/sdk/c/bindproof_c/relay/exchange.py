"""Raw steps: what crosses the boundary byte by byte, and the counts of what was handed over and freed.

Enters: raw steps, one after the other. Leaves: arguments, replies and outputs as C has them, and what was measured.
Must not know which functions the library has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable as Function
from dataclasses import dataclass
from typing import Any

from bindproof_adapter.relay import octets
from bindproof_c.library import Library
from bindproof_c.relay.memory import LARGE, Memory, large_texts

Json = Any
Pointer = Any

KINDS = ("texts", "events", "handles")
"""What is counted where it is large: replies given to the library, events and handles that it gave to a callback."""


@dataclass(frozen=True)
class Held:
    """What user data stands for: a raw step, and the part of it that the user data came with."""

    exchange: Exchange
    part: str


class Exchange:
    """One raw step: its arguments, the replies of its callbacks, and what is counted of it."""

    def __init__(self, exchanges: Exchanges, step: Json) -> None:
        self.step = step
        self.freed: dict[str, int] = {}
        self.inside: str | None = None
        self.undo: Function[[], object] | None = None
        self.entered = 0
        self.kept = 0
        self._exchanges, self._library = exchanges, exchanges.library
        self._output: str | None = None
        self._given: Counter[str] = Counter()

    # -- arguments ----------------------------------------------------------------------------------------------------

    def text(self, name: str, default: Any) -> Any:
        """Return an argument that is a text; what the step leaves out is `default`."""
        given = self.step["with"]
        found = octets(given[name]) if name in given else default
        return self._library.null if found is None else found

    def pointer(self, name: str, thing: Pointer) -> Pointer:
        """Return an argument that is a pointer: `thing`, unless the step says null."""
        return self._library.null if self.step["with"].get(name, "") is None else thing

    def hand(self, part: str) -> tuple[Pointer, Pointer]:
        """Return user data for a part of the step, and the `free_fn` that counts."""
        self.freed[part] = 0
        return self._exchanges.handle(Held(self, part)), self._exchanges.free

    def output(self, call: Function[[Pointer], int]) -> Json:
        """Make a call that puts a JSON text at a place; return the JSON, and note what stood there."""
        if self.step["with"].get("out", "") is None:
            self._library.check(call(self._library.null))
            return None
        untouched = self._exchanges.untouched
        out = self._library.ffi.new("char **", untouched)
        status = call(out)
        self._output = "untouched" if out[0] == untouched else "text" if out[0] else "null"
        self._library.check(status)
        value = self._library.own(out[0]) if self._output == "text" else None
        self.kept += large_texts(value)
        return value

    # -- callbacks ----------------------------------------------------------------------------------------------------

    def reply(self, name: str, natural: Function[[], bytes]) -> Pointer:
        """Return a callback's reply for the library to own: what the step says, or else the natural one, uncounted."""
        if name not in self.step["replies"]:
            return self._library.give(natural())
        text = octets(self.step["replies"][name])
        if text is None:
            return self._library.null
        self.count("texts", len(text))
        return self._library.give(text)

    def count(self, kind: str, size: int) -> None:
        """Count one of `kind` that crossed the boundary, where it is large."""
        self._given[kind] += size >= LARGE

    def measured(self, kept: int) -> Json:
        """Return what was counted; kept: how many large pieces of memory are still there."""
        counted = {kind: {"given": self._given[kind], "freed": max(0, self._given[kind] - kept)} for kind in KINDS}
        return {"output": self._output, "freed": self.freed, **counted, "inside": self.inside}


class Exchanges:
    """The raw steps of one scenario after the other. Handles are kept for good: some are freed late, some never."""

    def __init__(self, library: Library, free: str) -> None:
        self.library = library
        self.free = library.callback(free, self._freed)
        self.untouched = library.ffi.new("char[1]")
        self._memory = Memory(library.libc)
        self._handles: list[Pointer] = []
        self._steps: dict[str, Exchange] = {}

    def begin(self, step: Json) -> Exchange:
        """Begin a step."""
        if not self._steps:
            self._memory.begin()
        exchange = self._steps[step["as"]] = self.apart(step)
        return exchange

    def apart(self, step: Json) -> Exchange:
        """Return a step of our own, of which nothing is told."""
        return Exchange(self, step)

    def handle(self, held: Held) -> Pointer:
        """Return user data that stands for `held`."""
        self._handles.append(self.library.ffi.new_handle(held))
        return self._handles[-1]

    def measured(self) -> list[tuple[str, Json]]:
        """Return what was counted of each step, and begin anew."""
        kept = self._memory.kept() - sum(exchange.kept for exchange in self._steps.values())
        told = [(name, exchange.measured(kept)) for name, exchange in self._steps.items()]
        self._steps = {}
        return told

    def _freed(self, held: Held) -> None:
        held.exchange.freed[held.part] += 1
