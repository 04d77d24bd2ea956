"""How a run ends.

Enters: what is waited for. Leaves: a record. Must not know scenarios.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

Json = Any


async def ended(runner: Any, agent: Any, log: list[Json]) -> None:
    """Have an agent run to its end, of which nothing else is asked, and record that."""
    await record_end(_run(runner, agent), log)


async def _run(runner: Any, agent: Any) -> Any:
    return await (await runner.run_handle(agent, user_message="hello")).await_result()


async def record_end(waited: Awaitable[Any], log: list[Json]) -> None:
    """Wait for a run and record its result, which a cancelled one has none of, or the error that it ended with."""
    try:
        result = await waited
    except Exception as error:
        log.append({"fact": "ended", "error": {"type": type(error).__name__, "message": str(error)}})
    else:
        value = None if result is None else {"state": result.state, "text": result.final_text}
        log.append({"fact": "ended", "value": value})


async def settle() -> None:
    """Let what was begun and not awaited do what it still does."""
    for _ in range(20):
        await asyncio.sleep(0)
