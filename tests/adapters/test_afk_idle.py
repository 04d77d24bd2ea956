"""The loop of the adapter `afk`: nothing sleeps in it, and who waits for ever is found out."""

from __future__ import annotations

import asyncio
import importlib
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from bindproof.core.paths import adapters_root


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The adapter's module, which is in no package."""
    monkeypatch.syspath_prepend(str(adapters_root() / "afk"))
    module = importlib.import_module("idle")
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    yield module
    del sys.modules["idle"]


def test_time_moves_instead_of_passing(idle: Any) -> None:
    async def sleeper() -> float:
        await asyncio.sleep(300)
        return asyncio.get_running_loop().time()

    begun = time.monotonic()
    loop = idle.IdleLoop()
    assert loop.run_until_complete(sleeper()) == pytest.approx(300)
    loop.forget()
    assert time.monotonic() - begun < 5


def test_who_waits_for_ever_is_found_out(idle: Any) -> None:
    async def waiter() -> None:
        await asyncio.Event().wait()

    loop = idle.IdleLoop()
    with pytest.raises(idle.Idle):
        loop.run_until_complete(waiter())
    loop.forget()
    assert loop.is_closed()


def test_a_thread_is_waited_for(idle: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "PATIENCE", 10)

    async def threaded() -> str:
        return await asyncio.to_thread(lambda: time.sleep(0.02) or "done")  # type: ignore[func-returns-value]

    loop = idle.IdleLoop()
    assert loop.run_until_complete(threaded()) == "done"
    loop.forget()
