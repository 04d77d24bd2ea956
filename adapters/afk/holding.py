"""A handle of a stream of AFK's model layer: the script as a source, and what whoever acts, reads or waits is told.

Enters: a complete scenario that is `of` a stream. Leaves: its log. Nothing waits: after each step the loop turns until
nobody has anything to do, and who is told nothing in the end is stuck.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Any

from afk.llms.types import (
    LLMCapabilities,
    LLMRequest,
    LLMResponse,
    Message,
    StreamCompletedEvent,
    StreamErrorEvent,
    StreamTextDeltaEvent,
)
from idle import IdleLoop
from providing import Provided
from scripted import config_of

Json = Any

TURNS = 40
"""So many turns of the loop everything is over that waits for nothing but the loop."""


def held(scenario: Json) -> list[Json]:
    """Return the log of one handle."""
    log: list[Json] = []
    loop = IdleLoop()
    try:
        loop.run_until_complete(_hold(scenario, log))
    finally:
        loop.forget()
    return log


async def _hold(scenario: Json, log: list[Json]) -> None:
    source = Source(scenario["interrupts"])
    request = LLMRequest(model="m1", request_id="ask", messages=[Message(role="user", content="hello")])
    caller = Caller(await source.chat_stream_handle(request), log)
    for step in [*scenario["steps"], {"does": "ends"}]:
        if step["does"] in ("reads", "waits", "cancels", "interrupts"):
            await caller.act(step["does"])
        else:
            source.queue.put_nowait(step)
        await _settled()
    caller.stuck()


async def _settled() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


class Caller:
    """Whoever has the handle: those that act, read and wait."""

    def __init__(self, handle: Any, log: list[Json]) -> None:
        self._handle, self._log = handle, log
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._waiters = 0

    async def act(self, does: str) -> None:
        """Do something; one that does not come back is stuck in the end."""
        if does == "waits":
            self._waiters += 1
            self._log.append({"fact": "act", "act": does})
            self._begin(f"waiter {self._waiters}", self._wait(self._waiters))
        elif does == "reads":
            self._told(does, self._read)
        else:
            self._begin(does, self._stop(does))
            await _settled()

    def stuck(self) -> None:
        """Record who was told nothing."""
        self._log.extend({"fact": "stuck", "of": name} for name, task in self._tasks.items() if not task.done())

    def _begin(self, name: str, work: Any) -> None:
        self._tasks[name] = asyncio.ensure_future(work)

    def _told(self, does: str, act: Any) -> None:
        try:
            act()
        except Exception as error:
            self._log.append({"fact": "act", "act": does, "error": _error(error)})
        else:
            self._log.append({"fact": "act", "act": does})

    def _read(self) -> None:
        self._begin("reader", self._consume(self._handle.events))

    async def _consume(self, events: Any) -> None:
        try:
            async for event in events:
                self._log.append({"fact": "got", **_event(event)})
        except Exception as error:
            self._log.append({"fact": "closed", "error": _error(error)})
        else:
            self._log.append({"fact": "closed"})

    async def _wait(self, number: int) -> None:
        told = await _outcome(self._handle.await_result())
        self._log.append({"fact": "awaited", "waiter": number, **told})

    async def _stop(self, does: str) -> None:
        stop = self._handle.cancel if does == "cancels" else self._handle.interrupt
        told = await _outcome(stop())
        told.pop("value", None)
        self._log.append({"fact": "act", "act": does, **told})


async def _outcome(work: Awaitable[Any]) -> Json:
    try:
        result = await work
    except Exception as error:
        return {"error": _error(error)}
    return {"value": None if result is None else {"text": result.text}}


def _error(error: Exception) -> Json:
    return {"type": type(error).__name__, "message": str(error)}


def _event(event: Any) -> Json:
    match event:
        case StreamTextDeltaEvent():
            return {"what": "delta", "text": event.delta}
        case StreamErrorEvent():
            return {"what": "warns", "text": event.error}
        case StreamCompletedEvent():
            return {"what": "completes", "text": event.response.text}
    return {"what": event.type, "text": None}


class Source(Provided):  # type: ignore[misc]
    """A model whose stream is what the script sends."""

    def __init__(self, interrupts: bool) -> None:
        super().__init__(config=config_of("m1"))
        self._interrupts = interrupts
        self.queue: asyncio.Queue[Json] = asyncio.Queue()

    @property
    def capabilities(self) -> LLMCapabilities:
        """It streams."""
        return LLMCapabilities(streaming=True, interrupt=self._interrupts)

    async def _chat_stream_core(self, req: LLMRequest, *, response_model: Any = None) -> AsyncIterator[Any]:
        return self._stream(str(req.model))

    async def _stream(self, model: str) -> AsyncIterator[Any]:
        while (step := await self.queue.get())["does"] != "ends":
            match step["does"]:
                case "breaks":
                    raise RuntimeError(f"[{model} fails]")
                case "delta":
                    yield StreamTextDeltaEvent(delta=step["text"])
                case "warns":
                    yield StreamErrorEvent(error=step["text"])
                case "completes":
                    yield StreamCompletedEvent(response=LLMResponse(text=step["text"], model=model))

    async def _interrupt_request(self, req: LLMRequest) -> None:
        """Nothing has to be told to a provider."""
