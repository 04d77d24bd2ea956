"""How a run ends of which nothing but that is asked.

Enters: what starts it. Leaves: a record. Must not know scenarios.
"""

from __future__ import annotations

from typing import Any

Json = Any


async def ended(runner: Any, agent: Any, log: list[Json]) -> None:
    """Have an agent run to its end, and record its result, or the error that it ended with."""
    try:
        result = await (await runner.run_handle(agent, user_message="hello")).await_result()
    except Exception as error:
        log.append({"fact": "ended", "error": {"type": type(error).__name__, "message": str(error)}})
    else:
        log.append({"fact": "ended", "value": {"state": result.state, "text": result.final_text}})
