"""The toy that adapters/sdk/cases speaks of, as a binding in Python: a few lines that do what its page says.

Enters: what a toy lacks. Leaves: a binding. Must not know the cases.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from inspect import isawaitable
from threading import get_ident
from typing import Any

from bindproof_adapter import Unsupported
from bindproof_adapter.relay import END, Around, Callback, Listed, Parts, Provider, SetUp, Sink, Source, at_once
from tests.adapters.bare import Bare

Json = Any

FAMILIES = ("subscriber", "llm.request", "llm.execution", "llm.stream")


class Core(Bare):
    """What every toy has: registrations, and calls that play them."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Any] = {}
        self.owners: dict[tuple[str, str], str] = {}
        """Whose plugin's it is that has been registered so."""
        self.plugins = 0
        """How many are installed."""
        self.stack = 0
        """The number of the scope stack."""

    def registered(self) -> list[tuple[str, str]]:
        return list(self.kept)

    def register(self, step: Json, callback: Callback | Sink) -> Callable[[], object]:
        if step["scope"] is not None:
            self.tell({"register": step["name"], "scope": step["scope"]})
        return self.put(step["family"], step["name"], callback)

    def put(self, family: str, name: str, callback: Callback | Sink) -> Callable[[], object]:
        key = (family, name)
        if family not in FAMILIES:
            raise Unsupported(family, "no toy")
        if key in self.kept:
            raise ValueError("taken")
        self.kept[key] = callback
        return lambda: name != "stuck" and self.kept.pop(key, None) is not None

    def of(self, family: str) -> list[Any]:
        return [callback for (kind, _), callback in self.kept.items() if kind == family]

    def tell(self, event: Json) -> None:
        for sink in self.of("subscriber"):
            with contextlib.suppress(Exception):
                sink.put(event)

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        request = step["request"]
        for intercept in self.of("llm.request"):
            reply = intercept.play({"request": request}, request)
            request = await reply if isawaitable(reply) else reply
        answer = await self.go_on(self.of("llm.execution"), request, provider)
        self.tell({"call": step["name"], "request": request})
        return answer

    async def go_on(self, around: list[Around], request: Json, provider: Provider) -> Json:
        if not around:
            return await provider.answer({"request": request}, {"ok": True})
        first, *rest = around
        go = lambda argument: self.go_on(rest, argument, provider)  # noqa: E731
        return await first.wrap({"request": request}, request, lambda answer: answer, go)

    async def helper(self, step: Json) -> Json: ...


class InFlight:
    """Calls at the same time."""

    in_flight = True


class Cancelling:
    """Calls that are cancelled with the task that awaits them."""

    cancels = True


class Streaming(Core):
    """Streams that read nothing ahead."""

    async def open_stream(self, step: Json, parts: Parts) -> Stream:
        async def go(around: list[Source], request: Json) -> AsyncIterator[Json]:
            if not around:
                return parts.source.open({"request": request})
            return await around[0].wrap({"request": request}, request, lambda argument: go(around[1:], argument))

        return Stream(await go(self.of("llm.stream"), step["request"]), parts)


class Stream:
    """Hands each chunk to the collector and then to its reader."""

    def __init__(self, chunks: AsyncIterator[Json], parts: Parts) -> None:
        self.chunks, self.parts = chunks, parts
        self.ended = False

    async def next(self) -> Json:
        try:
            chunk = await anext(self.chunks)
            self.parts.collector.take(chunk)
        except StopAsyncIteration:
            await self.close()
            return END
        except Exception:
            await self.close()
            raise
        return chunk

    async def close(self) -> None:
        if not self.ended:
            self.ended = True
            await self.chunks.aclose()  # type: ignore[attr-defined]
            self.parts.finalizer.finish()

    def drop(self) -> None:
        raise Unsupported("drop", "no toy")


class Installing(Core):
    """Plugins, whose registrations have names of their own."""

    async def install(self, plugins: Sequence[str], set_up: SetUp) -> Callable[[], Awaitable[None]]:
        undo: list[Callable[[], object]] = []

        def put(plugin: str, step: Json, callback: Callback | Sink) -> None:
            undo.append(self.put(step["family"], f"plugin.{step['name']}", callback))
            self.owners[step["family"], f"plugin.{step['name']}"] = plugin

        async def take_back() -> None:
            self.plugins -= 1
            for one in undo:
                one()

        self.plugins += 1
        try:
            for plugin in plugins:
                set_up(plugin, partial(put, plugin))
        except Exception as error:
            await take_back()
            raise RuntimeError(f"registration failed: {error}") from None
        return take_back


class Asked(Core):
    """It says what is registered, and what the current scope is."""

    def listed(self, family: str | None) -> list[Listed]:
        return [
            Listed(*key, key[1])
            if key not in self.owners
            else Listed(key[0], key[1].removeprefix("plugin."), key[1], self.owners[key])
            for key in self.kept
            if family in (None, key[0])
        ]

    def current(self) -> Json:
        return {"uuid": "u", "name": f"n {self.stack}" if self.stack else "n"}

    def context(self) -> tuple[contextvars.Context, Callable[[], object]]:
        around, self.stack = self.stack, self.stack + 1
        return contextvars.copy_context(), partial(setattr, self, "stack", around)

    def handle(self, step: Json) -> Json:
        return {"handle": step["of"], "kind": step["kind"]}


class Building:
    """Objects that a program builds."""

    def build(self, step: Json) -> Json:
        return {step["object"]: step["value"]}


class Coding:
    """Codecs that can be asked."""

    def decode(self, step: Json) -> Json:
        return {"decode": step["codec"], "side": step["side"], "payload": step["payload"]}

    def encode(self, step: Json) -> Json:
        return {"encode": step["codec"], "annotation": step["annotation"], "payload": step["payload"]}


class Awaiting:
    """Asynchronous callbacks."""

    awaits = True


class Untyped:
    """Anything that the language has."""

    takes_anything = True


class Handing:
    """Its own objects, handed to callbacks."""

    hands_objects = True


class Lifecycles(Core):
    """What a program starts and ends by itself."""

    async def call_tool(self, step: Json, provider: Provider) -> Json: ...

    def start(self, step: Json) -> str:
        if step["name"] == "refused":
            raise ValueError("no such start")
        said = {"said": [step["attributes"], step["timestamp"]]} if step.get("timestamp") else {}
        self.tell({"start": step["name"], "parent": step["parent"], "input": step["input"], **said})
        return f"handle of {step['name']}"

    def end(self, step: Json) -> None:
        self.tell({"end": step["of"], "output": step["output"]})

    def mark(self, step: Json) -> None:
        self.tell({"mark": step["name"], "parent": step["parent"]})


class Blocks(Core):
    """A toy whose calls and callbacks block."""

    blocks = True

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[int] = []
        self.brought: list[int] = []

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        self.threads.append(get_ident())
        return at_once(super().call_llm(step, provider, decode, encode))

    def same_scope(self) -> None:
        self.brought.append(get_ident())


PARTS: dict[str, type] = {
    "in_flight": InFlight,
    "cancelling": Cancelling,
    "streams": Streaming,
    "plugins": Installing,
    "asking": Asked,
    "objects": Building,
    "coding": Coding,
    "awaiting": Awaiting,
    "untyped": Untyped,
    "handing": Handing,
    "lifecycles": Lifecycles,
}
"""What a toy may lack, by the word for it in the cases."""


def toy(lacks: str | None = None, kind: type[Core] = Core) -> Any:
    """Return a toy that has every part but one."""
    parts = [part for word, part in PARTS.items() if word != lacks]
    return type("Toy", (*parts, kind) if kind is Core else (kind, *parts), {})()
