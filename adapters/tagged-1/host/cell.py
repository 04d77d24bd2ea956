"""A cell: its program, what it put out, who observes it, and its end.

Enters: a request that creates it, observations, a termination. Leaves: what its connection tells the client. Must not
know frames.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

Json = Any


class Cell:
    """One program. It runs from its creation on, whether or not anybody observes it."""

    def __init__(self, name: str, request: Json, session: Any, connection: Any) -> None:
        self.id = name
        self.session = session
        self.observer: int | None = None
        self._connection = connection
        self._program: list[Json] = json.loads(request["source"])
        self._tools = {tool["name"] for tool in request["enabled_tools"]}
        self._stored: dict[str, str] = dict(session.stored)  # as it is now: what others store later is not seen
        self._writes: dict[str, str] = {}
        self._items: list[Json] = []
        self._kept: list[Json] | None = None
        """What the first yield has shown that came before anybody observed."""
        self._was_observed = False
        self._over = False
        self._error: str | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def was_started(self) -> bool:
        """Tell whether the program runs, or ran."""
        return self._task is not None

    def start(self) -> None:
        """Let the program run."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """End the program without a word."""
        if self._task is not None:
            self._task.cancel()
        if self._deadline is not None:
            self._deadline.cancel()

    # -- operations

    def observe(self, number: int, within: int) -> None:
        """Begin to observe a cell that nobody observes."""
        self.observer, self._was_observed = number, True
        if self._kept is not None:
            shown, self._kept = self._kept, None
            self._tell({"type": "yielded", "cell_id": self.id, "content_items": shown})
        elif self._over:
            self._tell(self._end())
            self._connection.closed(self)
        else:
            self._deadline = asyncio.get_running_loop().call_later(within / 1000, self.interrupt, number, "yield")

    def interrupt(self, number: int, how: str) -> None:
        """Cancel an observation, or have it yield; nothing where it is over."""
        if self.observer != number:
            return
        if how == "yield":
            self._tell(self._outcome("yielded"))
        else:
            self._result({"Err": "the observation was cancelled"})

    def terminate(self, number: int | None) -> None:
        """End the cell for an operation, or for its session; an end that came first stays."""
        if self._kept is not None:
            self._items, self._kept = self._kept + self._items, None
        if self._over:
            outcome = self._end()
        else:
            self.stop()
            self._connection.cancel_calls(self)
            outcome = self._outcome("terminated")
            self._tell(outcome)
        if number is not None:
            self._connection.respond(number, {"Ok": outcome})
        self._connection.closed(self)

    # -- outcomes

    def _outcome(self, kind: str) -> Json:
        items, self._items = self._items, []
        return {"type": kind, "cell_id": self.id, "content_items": items}

    def _end(self) -> Json:
        return {**self._outcome("completed"), "error_text": self._error}

    def _tell(self, outcome: Json) -> None:
        self._result({"Ok": outcome})

    def _result(self, result: Json) -> None:
        """Answer who observes, if anybody does."""
        if self._deadline is not None:
            self._deadline.cancel()
        number, self.observer = self.observer, None
        if number is not None:
            self._connection.respond(number, result)

    # -- the program

    async def _run(self) -> None:
        try:
            for statement in self._program:
                await getattr(self, f"_do_{statement['do']}")(statement)
        except Exception as error:
            self._error = str(error)
        self._connection.cancel_calls(self)
        self.session.stored.update(self._writes)  # after an error too
        self._over = True
        if self.observer is not None:
            self._tell(self._end())
            self._connection.closed(self)

    async def _do_text(self, statement: Json) -> None:
        self._items.append({"type": "input_text", "text": statement["text"]})

    async def _do_image(self, statement: Json) -> None:
        detail = {} if statement["detail"] is None else {"detail": statement["detail"]}
        self._items.append({"type": "input_image", "image_url": statement["url"], **detail})

    async def _do_call(self, statement: Json) -> None:
        await self._do_text({"text": await self._called(statement["name"], statement["input"])})

    async def _do_latch(self, statement: Json) -> None:
        await self._called(statement["name"], None)

    async def _do_leave(self, statement: Json) -> None:
        self._called(statement["name"], None)

    async def _do_notify(self, statement: Json) -> None:
        self._connection.notify(self, statement["name"])

    async def _do_store(self, statement: Json) -> None:
        self._stored[statement["key"]] = self._writes[statement["key"]] = statement["value"]

    async def _do_load(self, statement: Json) -> None:
        await self._do_text({"text": self._stored.get(statement["key"], "(absent)")})

    async def _do_yield(self, _: Json) -> None:
        if self.observer is not None:
            self._tell(self._outcome("yielded"))
        elif not self._was_observed and self._kept is None:
            self._kept, self._items = self._items, []

    async def _do_throw(self, statement: Json) -> None:
        raise RuntimeError(statement["message"])

    async def _do_busy(self, _: Json) -> None:
        while True:
            await asyncio.sleep(0)

    def _called(self, name: str, given: Json) -> asyncio.Future[str]:
        """Call a tool; return what becomes its answer."""
        if name not in self._tools:
            raise RuntimeError(f"there is no tool {name}")
        answer: asyncio.Future[str] = self._connection.call(self, name, given)
        return answer
