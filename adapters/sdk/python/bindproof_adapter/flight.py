"""Calls in flight: they run beside the program, and stand still at latches until the program opens them.

Enters: calls, and callbacks that come to a latch. Leaves: records of who waits and goes on. One thing runs at a time:
whoever lets a call go on waits until it stands at a latch or is over. Must not know any binding.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from bindproof_adapter.recorder import Recorder
from bindproof_adapter.signals import AdapterFault


class Latches:
    """The latches of one scenario, and the calls that stand at them."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._open: set[str] = set()
        self._standing: list[tuple[str, asyncio.Future[None]]] = []
        self._running: asyncio.Future[None] | None = None
        self._calls: list[asyncio.Task[None]] = []

    async def start(self, call: Coroutine[Any, Any, None]) -> None:
        """Let a call run beside the program, until it stands at a latch or is over."""
        running = self._running = asyncio.get_running_loop().create_future()
        self._calls.append(asyncio.create_task(self._to_its_end(call)))
        await running

    async def open(self, latch: str) -> None:
        """Open a latch: who stands at it goes on, in order of arrival, one after the other."""
        self._open.add(latch)
        ready = [gate for name, gate in self._standing if name == latch]
        self._standing = [entry for entry in self._standing if entry[0] != latch]
        for gate in ready:
            running = self._running = asyncio.get_running_loop().create_future()
            gate.set_result(None)
            await running

    async def open_all(self) -> None:
        """Open what anyone stands at, until nobody does."""
        while self._standing:
            await self.open(self._standing[0][0])

    async def wait(self, callback: str, k: int, latch: str) -> None:
        """Stand at a latch that is closed; raises AdapterFault where the program itself would never go on."""
        if latch in self._open:
            return
        if self._running is None:
            raise AdapterFault(f"callback {callback!r} waits at {latch!r}, and the program waits for it")
        self._recorder.waiting(callback, k, latch)
        gate: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._standing.append((latch, gate))
        self._stands()
        await gate
        self._recorder.resumed(callback, k)

    async def _to_its_end(self, call: Coroutine[Any, Any, None]) -> None:
        try:
            await call
        finally:
            self._stands()

    def _stands(self) -> None:
        """Let the program go on."""
        if self._running is not None:
            self._running.set_result(None)
            self._running = None
