"""Acts one scenario after the other through a binding, on a clean slate each time.

Enters: a complete scenario in the binding's own spelling. Leaves: the observation. Must not know the protocol, nor any
binding beyond the `Binding` interface.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import Counter
from collections.abc import Callable as Function
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from bindproof_adapter import pointer, values
from bindproof_adapter.callback import Callback, Sink
from bindproof_adapter.recorder import Recorder
from bindproof_adapter.signals import AdapterFault, Stop, Unsupported

Json = Any
Undo = Function[[], object]


class Binding(Protocol):
    """The API calls of one binding of the `relay` suite. Whatever it raises is what the binding gave its caller."""

    def describe(self) -> Json:
        """Return `target` and `suites` of the answer to `initialize`."""

    def fresh_scope(self) -> None:
        """Begin on a new scope stack; called in the scenario's own context."""

    def registered(self) -> Sequence[tuple[str, str]]:
        """Return (family, name) of everything registered now, from the binding's own listing."""

    async def flush(self) -> None:
        """Wait until every event so far is delivered."""

    def register_subscriber(self, step: Json, sink: Sink) -> Undo:
        """Register a subscriber that puts every event into `sink`; return what deregisters it."""

    def register_llm_request(self, step: Json, callback: Callback) -> Undo:
        """Register an LLM request intercept that plays `callback`; return what deregisters it."""

    async def call_llm(self, step: Json, provider: Callback, decode: Callback | None, encode: Callback | None) -> Json:
        """Make a managed LLM call; return what the caller gets. Without a codec, decode and encode are None."""

    async def helper_llm_request(self, step: Json) -> Json:
        """Run the standalone helper; return its outcome as JSON."""


@runtime_checkable
class Boundary(Protocol):
    """What a binding has besides whose functions can be called with any bytes."""

    def raw(self, step: Json) -> tuple[Json, Undo | None]:
        """Act a raw step; return its value, and what undoes it."""

    def measured(self) -> Sequence[tuple[str, Json]]:
        """Return what was counted of each raw step since this was last asked; empty where there was none."""


class Actor:
    """A target of `serve` that acts scenarios out with a binding, one at a time, on one event loop."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._loop = asyncio.new_event_loop()
        self._strays: list[Json] = []

    def describe(self) -> Json:
        """Return what the binding says of its target."""
        return self._binding.describe()

    def run(self, suite: str, scenario: Json) -> Json:
        """Act `scenario` in a context of its own; return its observation, or raise a Stop."""
        task = self._loop.create_task(self._observe(scenario), context=contextvars.Context())
        return self._loop.run_until_complete(task)

    def close(self) -> None:
        """Close the event loop; a process that ends anyway need not."""
        self._loop.close()

    async def _observe(self, scenario: Json) -> Json:
        recorder = Recorder(self._strays)
        performance = Performance(self._binding, recorder)
        before = Counter(self._binding.registered())
        try:
            self._binding.fresh_scope()
            await performance.act_all(scenario["steps"])
        finally:
            await performance.clear_up()
        left = Counter(self._binding.registered()) - before
        if recorder.stopped is not None:
            raise recorder.stopped
        stray, self._strays[:] = list(self._strays), []
        named = [{"family": family, "name": name} for family, name in left.elements()]
        return {"log": recorder.log, "left": named, "stray": stray}


class Performance:
    """One scenario while it runs: its steps, its callbacks, and what must be undone after it."""

    def __init__(self, binding: Binding, recorder: Recorder) -> None:
        self._binding = binding
        self._recorder = recorder
        self._undo: list[Undo] = []
        self._boundary: Boundary | None = None

    async def act_all(self, steps: Sequence[Json]) -> None:
        """Act the steps in order until they end or something stops the scenario."""
        for step in steps:
            if self._recorder.stopped is not None:
                return
            if step["step"] == "register":
                self._register(step)
            else:
                await self._await(step)

    async def clear_up(self) -> None:
        """Flush, close the log, deregister in reverse, flush again; what cannot be undone shows in `left`."""
        try:
            await self._binding.flush()
            if self._boundary is not None:
                await self._measure(self._boundary)
        finally:
            self._recorder.settle()
            self._undo_all()
            await self._binding.flush()

    async def _measure(self, boundary: Boundary) -> None:
        self._undo_all()
        await self._binding.flush()
        for name, value in boundary.measured():
            self._recorder.measure(name, value)

    def _undo_all(self) -> None:
        while self._undo:
            _quietly(self._undo.pop())

    def _register(self, step: Json) -> None:
        try:
            self._undo.append(self._registration(step))
        except Stop as stop:
            self._recorder.stop(stop)
        except Exception as error:
            self._recorder.failed(step["as"], error)
        else:
            self._recorder.done(step["as"], None)

    def _registration(self, step: Json) -> Undo:
        if step["scope"] != "global":
            raise Unsupported("scope_local", "registrations on a scope are not built yet")
        if step["family"] == "subscriber":
            return self._binding.register_subscriber(step, Sink(step["as"], self._recorder))
        if step["family"] == "llm.request":
            return self._binding.register_llm_request(step, self._callback(step["as"], step["do"]))
        raise Unsupported(step["family"], "this family is not built yet")

    async def _await(self, step: Json) -> None:
        try:
            value = await self._outcome(step)
        except Stop as stop:
            self._recorder.stop(stop)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of a native binding is not an Exception
            self._recorder.failed(step["as"], error)
        else:
            self._recorder.done(step["as"], value)

    async def _outcome(self, step: Json) -> Json:
        kind = step["step"]
        if kind == "raw":
            return self._raw_step(step)
        if kind == "flush":
            return await self._binding.flush()
        if kind == "helper" and step["kind"] == "llm.request":
            return await self._binding.helper_llm_request(self._with_request(step))
        if kind == "call" and step["kind"] == "llm":
            return await self._call(self._with_request(step))
        raise Unsupported(f"{kind} {step.get('kind', '')}".strip(), "this step is not built yet")

    def _raw_step(self, step: Json) -> Json:
        if not isinstance(self._binding, Boundary):
            raise Unsupported("raw", "this step is not built yet")
        self._boundary = self._binding
        value, undo = self._binding.raw(step)
        if undo is not None:
            self._undo.append(undo)
        return value

    async def _call(self, step: Json) -> Json:
        codec = step["codec"]
        if codec != "none" and not isinstance(codec, dict):
            raise Unsupported("codec", f"the built-in codec {codec!r} is not built yet")
        provider = self._callback(f"{step['as']}.provider", step["provider"])
        if codec == "none":
            return await self._binding.call_llm(step, provider, None, None)
        decode = self._callback(f"{step['as']}.decode", codec["decode"])
        encode = self._callback(f"{step['as']}.encode", codec["encode"])
        return await self._binding.call_llm(step, provider, decode, encode)

    def _with_request(self, step: Json) -> Json:
        try:
            return {**step, "request": values.resolve(step["request"], self._recorder.values)}
        except pointer.PlaceError as missing:
            raise AdapterFault(f"step {step['as']!r}: {missing}") from None

    def _callback(self, name: str, ops: Sequence[Json]) -> Callback:
        return Callback(name, ops, self._recorder, self._act_inside)

    def _act_inside(self, step: Json) -> None:
        if step["step"] != "register":
            raise Unsupported("reentrant", f"the step {step['step']!r} inside a callback")
        self._register(step)
        if self._recorder.stopped is not None:
            raise self._recorder.stopped


def _quietly(undo: Undo) -> None:
    try:
        undo()
    except Exception:
        return
