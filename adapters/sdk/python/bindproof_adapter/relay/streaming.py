"""Stream calls: callbacks that hand over chunks, those that collect them, and the stream that is left to read.

Enters: ops, and what the binding gave, as JSON. Leaves: chunks for the binding, records of them. Must not know any
binding's types.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Sequence
from collections.abc import Callable as Function
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Protocol

from bindproof_adapter.relay import script, values
from bindproof_adapter.relay.callback import Callback
from bindproof_adapter.relay.recorder import Recorder
from bindproof_adapter.relay.script import ScriptedError
from bindproof_adapter.relay.values import copy
from bindproof_adapter.signals import AdapterFault, Stop

Json = Any
Proceed = Function[[Json], Awaitable[AsyncIterator[Json]]]

NATURAL = ({"op": "yield", "chunks": [{"i": 0}, {"i": 1}]},)
"""What a stream's provider hands over by itself."""

SETTLING_S = 1.0
"""How long nothing may come of a stream that has ended, or was dropped, until its callbacks count as ended too."""

LETTING_GO_S = 0.02
"""How long a binding is left alone with a stream that was closed or dropped: its end is told some time after its
finalizer came to an end, on a thread of the binding, and nothing says when."""

END = object()
"""What a reader gives where there is no further chunk."""


class Reader(Protocol):
    """A stream of a binding, as a program reads it."""

    async def next(self) -> Json:
        """Return the next chunk, or END."""

    async def close(self) -> None:
        """Close it."""

    def drop(self) -> None:
        """Forget it."""


@dataclass
class Flows:
    """How many streams of callbacks have begun and not ended."""

    running: int = 0


class Source(Callback):
    """A callback that hands over chunks: a stream's provider, or an intercept around it.

    The ops before the first `yield` are done when it is called, the others when its stream is read.
    """

    def __init__(
        self, name: str, ops: Sequence[Json], recorder: Recorder, act: Function[[Json], None], flows: Flows
    ) -> None:
        super().__init__(name, ops, recorder, act)
        first = next((at for at, op in enumerate(ops) if op["op"] in ("yield", "hang")), len(ops))
        self._eager, self._late, self._flows = ops[:first], ops[first:], flows

    def open(self, given: Json) -> AsyncIterator[Json]:
        """Play a provider: return its stream, or raise what it raises."""
        k = self.recorder.enter(self.name, given)
        known = {**self.recorder.values, "given": given}
        self._played(k, lambda: script.perform(self.name, self._eager, None, known, self._act))
        return self._flow(k, self._late or NATURAL, known, None, None)

    async def wrap(self, given: Json, argument: Json, proceed: Proceed) -> AsyncIterator[Json]:
        """Play an intercept. proceed: goes on with JSON; returns the stream that it wraps."""
        k = self.recorder.enter(self.name, given)
        known = {**self.recorder.values, "given": given}
        go_on = _Continuation(self, k, argument, proceed, known)
        eager, inner = [op for op in self._eager if op["op"] != "edit"], None
        if not any(op["op"] == "next" for op in (*self._eager, *self._late)):
            eager.insert(0, {"op": "next", "edits": [{}], "catch": False})
        try:
            for op in eager:
                if op["op"] == "next":
                    inner = await go_on(op)
                else:
                    script.apply(op, None, known, self._act, f"callback {self.name!r}")
        except Stop as stop:
            self.recorder.stop(stop)
            raise
        except BaseException as error:
            self.recorder.raising(self.name, k, error)
            raise
        self.recorder.leave(self.name, k, None)
        return self._flow(k, [op for op in self._late if op["op"] != "edit"], known, inner, go_on)

    def changed(self, chunk: Json, known: Json) -> Json:
        """Return a chunk of what is wrapped as the ops `edit` leave it."""
        for op in (*self._eager, *self._late):
            if op["op"] == "edit":
                chunk = script.edit(op, copy(chunk), known, f"callback {self.name!r}")
        return chunk

    def _played(self, k: int, play: Function[[], object]) -> None:
        try:
            play()
        except ScriptedError as error:
            self.recorder.raising(self.name, k, error)
            raise
        except Stop as stop:
            self.recorder.stop(stop)
            raise
        self.recorder.leave(self.name, k, None)

    async def _flow(
        self, k: int, ops: Sequence[Json], known: Json, inner: AsyncIterator[Json] | None, go_on: Any
    ) -> AsyncIterator[Json]:
        self._flows.running += 1
        try:
            async with aclosing(self._chunks(ops, known, inner, go_on)) as chunks:
                async for chunk in chunks:
                    self.recorder.chunk(self.name, k, chunk)
                    yield values.handed_back(chunk)
        except Stop as stop:
            self.recorder.stop(stop)
            raise
        except (GeneratorExit, asyncio.CancelledError):
            self.recorder.over(self.name, k, closed=True)
            raise
        except BaseException as error:
            self.recorder.over(self.name, k, error)
            raise
        else:
            self.recorder.over(self.name, k)
        finally:
            self._flows.running -= 1

    async def _chunks(
        self, ops: Sequence[Json], known: Json, inner: AsyncIterator[Json] | None, go_on: Any
    ) -> AsyncGenerator[Json]:
        if inner is not None:
            async for chunk in inner:
                yield chunk
        for op in ops:
            match op["op"]:
                case "yield":
                    for chunk in values.resolve(op["chunks"], known):
                        yield chunk
                case "next":
                    async for chunk in _asked(go_on, op):
                        yield chunk
                case "hang":
                    await asyncio.Event().wait()
                case "raise":
                    raise ScriptedError(op["text"])
                case kind:
                    raise AdapterFault(f"callback {self.name!r}: unknown op {kind!r} in a stream")


async def _asked(go_on: Any, op: Json) -> AsyncIterator[Json]:
    """Go on late: yield what that gives."""
    inner = await go_on(op)
    if inner is not None:
        async for chunk in inner:
            yield chunk


class _Continuation:
    """Goes on with what an intercept wraps, and passes its chunks on."""

    def __init__(self, source: Source, k: int, argument: Json, proceed: Proceed, known: Json) -> None:
        self._source, self._k, self._argument, self._proceed, self._known = source, k, argument, proceed, known

    async def __call__(self, op: Json) -> AsyncIterator[Json] | None:
        """Return the chunks as they are passed on; None where nothing is asked, or where a failure is caught."""
        name, recorder, k = self._source.name, self._source.recorder, self._k
        for change in op["edits"]:
            argument = script.edit(change, copy(self._argument), self._known, f"callback {name!r}")
            recorder.asking(name, k, argument)
            try:
                inner = await self._proceed(argument)
            except Stop:
                raise
            except Exception as error:
                recorder.unanswered(name, k, error)
                if not op["catch"]:
                    raise
                return None
            recorder.answered(name, k, None)
            return self._passed(inner, op["catch"])
        return None

    async def _passed(self, inner: AsyncIterator[Json], catch: bool) -> AsyncIterator[Json]:
        try:
            async for chunk in inner:
                yield self._source.changed(chunk, self._known)
        except Stop:
            raise
        except Exception:
            if not catch:
                raise


class Collector(Callback):
    """A stream's collector."""

    def take(self, chunk: Json) -> None:
        """Play the collector for one chunk."""
        self.play({"chunk": chunk}, None)


class Finalizer(Callback):
    """A stream's finalizer."""

    ran = False
    """It has come to its end; a binding may call it on a thread of its own."""

    def finish(self) -> Json:
        """Play the finalizer; return what it makes of the stream."""
        try:
            return self.play({}, {"done": True})
        finally:
            self.ran = True


@dataclass
class Parts:
    """The callbacks of one stream call. Without a codec, decode and encode are None."""

    source: Source
    collector: Collector
    finalizer: Finalizer
    decode: Callback | None = None
    encode: Callback | None = None


@dataclass
class OpenStream:
    """A stream that a program has opened."""

    reader: Reader
    finalizer: Finalizer
    flows: Flows
    recorder: Recorder
    flush: Function[[], Awaitable[None]]
    """Waits until every event so far is delivered."""
    ended: bool = field(default=False)

    async def read(self, step: str, n: int | None) -> Json:
        """Read `n` chunks, or all; record each. Raises what the binding gives its reader."""
        count = 0
        try:
            while not self.ended and (n is None or count < n):
                chunk = await self.reader.next()
                if chunk is END:
                    self.ended = True
                else:
                    self.recorder.read(step, chunk)
                    count += 1
        except BaseException:
            self.ended = True
            raise
        finally:
            if self.ended:
                await self._quiet()
                await self.flush()
        return {"ended": self.ended}

    async def close(self, how: str) -> None:
        """Close the stream, or drop it, and wait until its callbacks have ended."""
        self.ended = True
        try:
            if how == "close":
                await self.reader.close()
            else:
                self.reader.drop()
        finally:
            await self._quiet()
            await asyncio.sleep(LETTING_GO_S)
            await self.flush()

    async def _quiet(self) -> None:
        """Wait until the stream's callbacks have ended, or nothing has come of them for long enough."""
        deadline, seen = time.monotonic() + SETTLING_S, len(self.recorder.log)
        while (self.flows.running or not self.finalizer.ran) and time.monotonic() < deadline:
            await asyncio.sleep(0.001)
            if len(self.recorder.log) > seen:
                deadline, seen = time.monotonic() + SETTLING_S, len(self.recorder.log)
