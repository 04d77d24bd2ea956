"""One scenario while it runs: its steps, its callbacks, and what must be undone after it.

Enters: steps, a binding, a recorder. Leaves: records. Must not know the protocol, nor any binding beyond `binding`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from collections.abc import Callable as Function
from contextlib import suppress
from typing import Any, TypeVar

from bindproof_adapter.relay import asking, coding, listing, pointer, values
from bindproof_adapter.relay.binding import (
    Binding,
    Blocking,
    Boundary,
    BuiltInCodecs,
    Cancelling,
    Handing,
    InFlight,
    Lifecycles,
    Put,
    ResponseCodecs,
    Telling,
    Undo,
    Untyped,
)
from bindproof_adapter.relay.blocks import Blocks
from bindproof_adapter.relay.callback import Callback, Provider
from bindproof_adapter.relay.callees import Callees, streaming
from bindproof_adapter.relay.contexts import TURNS, Contexts
from bindproof_adapter.relay.flight import Latches, Tasks, Threads
from bindproof_adapter.relay.flushing import Flushes
from bindproof_adapter.relay.gates import Gates, taken_back
from bindproof_adapter.relay.held import Held
from bindproof_adapter.relay.lent import Lent
from bindproof_adapter.relay.marks import emit
from bindproof_adapter.relay.plugins import Plugins
from bindproof_adapter.relay.recorder import Recorder
from bindproof_adapter.relay.script import goes_on_at_once, mutates
from bindproof_adapter.relay.storms import storm
from bindproof_adapter.relay.streaming import Collector, Finalizer, Flows, OpenStream, Parts, Source
from bindproof_adapter.signals import AdapterFault, Inexpressible, Stop, Unsupported

Json = Any
T = TypeVar("T")

PUTTING = ("install", "uninstall")
WAITING = ("call", "go_on", "open", "cancel", "read", "close", "helper", "flush", *PUTTING, "storm", *TURNS)
"""Steps that a program waits for, and that no callback can do."""

LINGERING = ("open", "cancel", "install", "storm")
"""Steps that may leave something at work when the program is over; so may what is in the background, and a block."""

RESOLVED = ("request", "args", "input", "output")
"""Members of a step in which `$get` may stand."""


class Performance:
    """Acts the steps of one scenario."""

    def __init__(self, binding: Binding, recorder: Recorder) -> None:
        self._binding = binding
        self._recorder = recorder
        self._undo: list[Undo] = []
        self._registered: dict[str, Undo] = {}
        self.flushes = Flushes(binding)
        self._plugins, self._gates = Plugins(binding), Gates(binding)
        self._started: dict[str, tuple[str, Any]] = {}
        self._failed: set[str] = set()
        self._blocks = Blocks(binding, ())
        self._contexts = Contexts(binding)
        self._captured: dict[str, Json] = {}
        self._boundary: Boundary | None = None
        self._streams: dict[str, OpenStream] = {}
        self._lent = Lent(binding)
        self._flows = Flows()
        self._lingers = True
        beside = Threads() if isinstance(binding, Blocking) else Tasks()
        self._latches, self._held = Latches(recorder, beside), Held(recorder, beside)

    async def act_all(self, steps: Sequence[Json]) -> None:
        """Act the steps in order until they end or something stops the scenario."""
        self._blocks = Blocks(self._binding, steps)
        self._lingers = any(map(_lingers, steps))
        in_flight = any(step["step"] == "open" or step.get("background") for step in steps)
        if in_flight and not isinstance(self._binding, InFlight):
            self._recorder.stop(Unsupported("in_flight", "calls in flight at the same time are not built yet"))
        if any(mutates(step) for step in steps) and not isinstance(self._binding, Handing):
            self._recorder.stop(Unsupported("mutate", "what a callback is given here is the adapter's own"))
        if any(map(goes_on_at_once, steps)) and isinstance(self._binding, Blocking):
            self._recorder.stop(Inexpressible("at_once", "going on is a call that blocks until the answer is there"))
        if any(map(values.lacks_json, steps)):
            if not isinstance(self._binding, Untyped):
                self._recorder.stop(Inexpressible("no_json", "what is handed over here is JSON"))
            steps = list(map(values.handed_over, steps))
        for step in steps:
            if self._recorder.stopped is not None:
                return
            if step.get("background"):
                await self._latches.start(step["as"], self._act(step))
            else:
                await self._contexts.do(self._act(step))

    async def _act(self, step: Json) -> None:
        try:
            value = await self._outcome(step) if step["step"] in WAITING else self._now(step)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of a native binding is not an Exception
            self._ended(step, error)
        else:
            self._recorder.done(step["as"], value)

    async def clear_up(self) -> None:
        """Flush, close the log, undo everything in reverse; what cannot be undone shows in `left`.

        Where something may be at work still it flushes again, so that it is told before the next scenario.
        """
        over = False
        try:
            self._contexts.leave_all()
            self._held.open_all()
            await self._latches.open_all()
            await self.flushes.besides()
            if self._boundary is not None:
                await self._measure(self._boundary)
            over = not self._lingers and self._recorder.stopped is None
        finally:
            self._recorder.settle()
            await self._plugins.uninstall_all()
            _quietly(self._blocks.end_all)
            self._undo_all()
            if not over:
                await self.flushes.besides()

    async def _measure(self, boundary: Boundary) -> None:
        self._undo_all()
        await self.flushes.besides()
        for name, value in boundary.measured():
            self._recorder.measure(name, value)

    def _undo_all(self) -> None:
        while self._undo:
            _quietly(self._undo.pop())

    def _ended(self, step: Json, error: BaseException) -> None:
        if isinstance(error, Stop):
            self._recorder.stop(error)
        else:
            self._failed.add(step["as"])
            self._recorder.failed(step["as"], error)

    # -- steps that can also be done inside a callback -------------------------------------------------------------

    def _now(self, step: Json) -> Json:
        match step["step"]:
            case "register":
                return self._register(step)
            case "deregister":
                return self._found(self._registered, step, "of", "registered nothing")()
            case "gate":
                self._undo.append(self._gates.register(step))
            case "ungate":
                return taken_back(self._found(self._gates.registered, step, "of", "registered nothing"))
            case "list" | "current" | "handle" | "build" | "decode" | "encode" | "capture":
                return self._asked(step)
            case "start":
                self._started[step["as"]] = (step["kind"], self._start(step))
            case "end":
                self._end(step)
            case "mark":
                emit(self._lifecycles(), self._resolved(step))
            case "raw":
                return self._raw_step(step)
            case kind:
                raise Unsupported(f"{kind} {step.get('kind', '')}".strip(), "this step is not built yet")
        return None

    def _register(self, step: Json) -> None:
        if step.get("odd") and not isinstance(self._binding, Untyped):
            raise Inexpressible("odd", "what is registered is a function of the right type")
        self._held.expect(step)
        undo = self._binding.register(self._resolved(step), self._callees.of(step))
        self._registered[step["as"]] = undo
        self._undo.append(undo)

    @property
    def _callees(self) -> Callees:
        """Nothing that is kept: it holds its performance, whose values would stay until somebody collects them."""
        return Callees(
            self._binding, self._recorder, self._act_inside, self._latches, self._held, self._lent, self._flows
        )

    def _start(self, step: Json) -> Any:
        if step.get("block"):
            return self._blocks.begin(self._resolved(step))
        return self._lifecycles().start(self._resolved(step))

    def _end(self, step: Json) -> None:
        if not self._blocks.end(step):
            kind = self._started[step["of"]][0] if step["of"] in self._started else ""
            self._lifecycles().end({**self._resolved(step), "kind": kind})

    def _asked(self, step: Json) -> Json:
        match step["step"]:
            case "list":
                return listing.told(self._binding, step["only"])
            case "current":
                return asking.current(self._binding)
            case "handle":
                return self._told(step)
            case "build":
                return asking.built(self._binding, step)
            case "capture":
                root = step["root"] and self._found(self._started, step, "root", "started nothing")[1]
                found = self._captured[step["as"]] = self._contexts.capture({**step, "root": root})
                return found
            case _:
                return coding.answered(self._binding, step)

    def _turn(self, step: Json) -> None:
        if step["step"] == "back" and step["of"] in self._failed:
            raise LookupError(f"step {step['as']!r}: {step['of']!r} has failed")
        made = step.get("from") is not None
        self._contexts.act(
            step["step"], self._found(self._captured, step, "from", "captured nothing") if made else None
        )

    def _told(self, step: Json) -> Json:
        if not isinstance(self._binding, Telling):
            raise Unsupported("handle", "a program cannot ask a handle what it says")
        kind, handle = self._found(self._started, step, "of", "started nothing")
        return self._binding.handle({**step, "kind": kind, "of": handle})

    def _lifecycles(self) -> Lifecycles:
        if not isinstance(self._binding, Lifecycles):
            raise Unsupported("lifecycles", "tools, scopes and the manual API are not built yet")
        return self._binding

    # -- steps of the program alone --------------------------------------------------------------------------------

    def _opened(self, latch: str) -> Awaitable[None]:
        return self._held.open(latch) if latch in self._held.latches else self._latches.open(latch)

    async def _outcome(self, step: Json) -> Json:
        if step["step"] not in ("call", "helper"):
            return await self._other(step)
        step = self._resolved(step)
        if step.get("background") and isinstance(self._binding, Blocking):
            self._binding.same_scope()
        if step["step"] == "helper":
            return await self._binding.helper(step)
        if step["kind"] == "llm_stream":
            return await self._stream(step)
        if step["kind"] == "tool":
            return await self._lifecycles().call_tool(step, self._provider(step))
        return await self._call(step)

    async def _other(self, step: Json) -> Json:
        if step["step"] in TURNS:
            return self._turn(step)
        doing: dict[str, Function[[], Awaitable[Json]]] = {
            "flush": lambda: self.flushes.step(),
            "open": lambda: self._opened(step["latch"]),
            "cancel": lambda: self._cancel(step["of"]),
            "go_on": lambda: self._lent.go_on(step["of"]),
            "install": lambda: self._install(step),
            "uninstall": lambda: self._uninstall(step),
            "storm": lambda: storm(self._binding, step, self._act, self.flushes.step),
        }
        return await doing.get(step["step"], lambda: self._use(step))()

    async def _install(self, step: Json) -> None:
        def set_up(plugin: str, put: Put) -> None:
            def register(inner: Json) -> None:
                put(self._resolved(inner), self._callees.of(inner))

            callback = Callback(step["as"], step["do"], self._recorder, lambda inner: self._inside(inner, register))
            callback.play({"plugin": plugin}, None)

        await self._plugins.install(step["as"], step["plugins"], set_up)

    async def _uninstall(self, step: Json) -> None:
        self._found(self._plugins.installed, step, "of", "installed nothing")
        await self._plugins.uninstall(step["of"])

    async def _cancel(self, call: str) -> None:
        if isinstance(self._binding, Blocking):
            raise Inexpressible("cancel", "a call blocks its thread until it is over")
        if not (isinstance(self._binding, Cancelling) and self._binding.cancels):
            raise Unsupported("cancel", "a call in flight cannot be cancelled")
        await self._latches.cancel(call)

    def _raw_step(self, step: Json) -> Json:
        if not isinstance(self._binding, Boundary):
            raise Unsupported("raw", "this step is not built yet")
        self._boundary = self._binding
        value, undo = self._binding.raw(step)
        self._undo += [] if undo is None else [undo]
        return value

    async def _call(self, step: Json) -> Json:
        self._require_response_codec(step)
        return await self._binding.call_llm(step, self._provider(step), *self._codec(step))

    def _require_response_codec(self, step: Json) -> None:
        name = step.get("response_codec")
        if name is not None and not (
            isinstance(self._binding, ResponseCodecs) and name in self._binding.response_codecs()
        ):
            raise Unsupported("codec.response", f"there is no built-in codec {name!r} for a response")

    def _provider(self, step: Json) -> Provider:
        return Provider(f"{step['as']}.provider", step["provider"], self._recorder, self._act_inside, self._latches)

    def _codec(self, step: Json) -> tuple[Callback, Callback] | tuple[None, None]:
        name, codec = step["as"], step["codec"]
        if codec == "none":
            return None, None
        if isinstance(codec, str):
            if not isinstance(self._binding, BuiltInCodecs) or codec not in self._binding.codecs():
                raise Unsupported("codec.builtin", f"there is no built-in codec {codec!r} to be had")
            return None, None
        return self._callback(f"{name}.decode", codec["decode"]), self._callback(f"{name}.encode", codec["encode"])

    async def _stream(self, step: Json) -> None:
        binding, name, common = streaming(self._binding), step["as"], (self._recorder, self._act_inside)
        self._require_response_codec(step)
        parts = Parts(
            Source(f"{name}.source", step["provider"], *common, self._flows),
            Collector(f"{name}.collector", step["collector"], *common),
            Finalizer(f"{name}.finalizer", step["finalizer"], *common),
            *self._codec(step),
        )
        reader = await binding.open_stream(step, parts)
        stream = OpenStream(reader, parts.finalizer, self._flows, self._recorder, self.flushes.besides)
        self._streams[name] = stream
        if step["drain"]:
            await stream.read(name, None)

    async def _use(self, step: Json) -> Json:
        stream = self._found(self._streams, step, "of", "opened no stream")
        reads = step["step"] == "read"
        return await (stream.read(step["as"], step["n"]) if reads else stream.close(step["how"]))

    def _resolved(self, step: Json) -> Json:
        """Return the step with what it refers to: values of finished steps, handles of what was started."""
        try:
            found = {key: values.resolve(step[key], self._recorder.values) for key in RESOLVED if key in step}
        except pointer.PlaceError as missing:
            raise AdapterFault(f"step {step['as']!r}: {missing}") from None
        if "scope" in step:
            found["scope"] = None if step["scope"] == "global" else self._handle(step, "scope")
        if step.get("parent") is not None:
            found["parent"] = self._handle(step, "parent")
        if step["step"] == "end":
            found["of"] = self._handle(step, "of")
        return {**step, **found}

    def _handle(self, step: Json, key: str) -> Any:
        return self._found(self._started, step, key, "started nothing")[1]

    def _found(self, made: dict[str, T], step: Json, key: str, did: str) -> T:
        """Return what an earlier step made; where the binding failed that, what needs it fails too."""
        if step[key] in self._failed:
            raise LookupError(f"step {step['as']!r}: {step[key]!r} has failed")
        if step[key] not in made:
            raise AdapterFault(f"step {step['as']!r}: {step[key]!r} has {did} yet")
        return made[step[key]]

    def _callback(self, name: str, ops: Sequence[Json]) -> Callback:
        return Callback(name, ops, self._recorder, self._act_inside)

    def _act_inside(self, step: Json) -> None:
        self._inside(step, self._now)

    def _inside(self, step: Json, act: Function[[Json], Json]) -> None:
        if step["step"] in WAITING:
            raise Unsupported("reentrant", f"the step {step['step']!r} inside a callback")
        try:
            value = act(step)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self._ended(step, error)
        else:
            self._recorder.done(step["as"], value)
        if self._recorder.stopped is not None:
            raise self._recorder.stopped


def _lingers(step: Json) -> bool:
    return step["step"] in LINGERING or bool(step.get("background") or step.get("block"))


def _quietly(undo: Undo) -> None:
    with suppress(Exception):
        undo()
