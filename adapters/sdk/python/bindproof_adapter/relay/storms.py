"""Programs of one scenario that begin at the same moment, on threads or as tasks, each on a scope stack of its own.

Enters: a binding, programs, how one flushes. Leaves: nothing; who acts a step records it, and what a flush raises is
raised. Must not know logs.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable as Function
from collections.abc import Coroutine, Sequence
from threading import Barrier, Thread
from typing import Any

from bindproof_adapter.relay.binding import Binding, Blocking, Storming
from bindproof_adapter.relay.flight import at_once
from bindproof_adapter.signals import Inexpressible, Unsupported

Json = Any
Act = Function[[Json], Coroutine[Any, Any, None]]
Flush = Function[[], Coroutine[Any, Any, None]]


async def storm(binding: Binding, step: Json, act: Act, flush: Flush) -> None:
    """Act the programs of a step as it says, until all are over; raises a Stop where none are acted so.

    Raises besides what the flush of a program raised, once all are over.
    """
    if isinstance(binding, Blocking) and step["on"] == "tasks":
        raise Inexpressible("tasks", "a call blocks its thread until it is over")
    if not isinstance(binding, Storming) or step["on"] not in binding.storms:
        raise Unsupported("storm", f"programs that run at once, {step['on']} here, are not built yet")
    if step["on"] == "tasks":
        await _as_tasks(binding, step["programs"], act)
    else:
        await _on_threads(binding, step["programs"], act, flush)


async def _as_tasks(binding: Storming, programs: Sequence[Sequence[Json]], act: Act) -> None:
    loop, begin = asyncio.get_running_loop(), asyncio.Event()

    async def program(steps: Sequence[Json]) -> None:
        binding.own_scope()
        await begin.wait()
        await _all(steps, act)

    tasks = [loop.create_task(program(steps), context=contextvars.Context()) for steps in programs]
    begin.set()
    await asyncio.gather(*tasks)


async def _on_threads(binding: Storming, programs: Sequence[Sequence[Json]], act: Act, flush: Flush) -> None:
    """Act each program on a thread, with an event loop of its own where the binding's calls are awaited.

    Such a program flushes before its loop is closed, as any has to: what is called at publication may run on that loop.
    """
    together, failures = Barrier(len(programs)), list[Exception]()

    async def whole(steps: Sequence[Json]) -> None:
        binding.own_scope()
        together.wait()
        await _all(steps, act)

    async def flushed(steps: Sequence[Json]) -> None:
        await whole(steps)
        try:
            await flush()
        except Exception as error:
            failures.append(error)

    def program(steps: Sequence[Json]) -> None:
        if isinstance(binding, Blocking):
            at_once(whole(steps))
        else:
            asyncio.run(flushed(steps))

    threads = [Thread(target=program, args=(steps,), daemon=True) for steps in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    for failure in failures:
        raise failure


async def _all(steps: Sequence[Json], act: Act) -> None:
    for step in steps:
        await act(step)
