"""Managed calls of a host, and what is counted of each; the notes that a plugin writes of them.

Enters: the package, the name of a call. Leaves: its record, and the counts. Must not know what the plugin answers.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from bindproof_adapter import AdapterFault
from bindproof_adapter.relay.recorder import Recorder

Json = Any

CONTENT: Json = {"messages": []}
"""The content of every request."""

MARK = ("name", "category", "category_profile", "data")
"""What is measured of a mark."""


def imported() -> Any:
    """Return the package nemo-relay; raise AdapterFault with the reason where it cannot be imported."""
    try:
        import nemo_relay
    except ImportError as error:
        raise AdapterFault(f"the package nemo-relay cannot be imported: {error}") from None
    return nemo_relay


async def counted_call(relay: Any, name: str, recorder: Recorder, told: list[Json]) -> Json:
    """Make the call of a step, and record it; return what is counted of it. told: the events that come meanwhile."""
    sent: list[Json] = []

    async def provider(request: Any) -> Json:
        sent.append(request.content)
        return {"ok": True}

    request = relay.LLMRequest({}, CONTENT)
    try:
        recorder.done(name, await relay.llm.execute(name, request, provider))
    except (Exception, asyncio.CancelledError) as error:
        recorder.failed(name, error)
    await _flush(relay.subscribers)
    events, told[:] = list(told), []
    marks = [{key: event.get(key) for key in MARK} for event in events if event["kind"] == "mark"]
    return {
        "sent": sent,
        "events": [event.get("scope_category") or event["kind"] for event in events],
        "marks": marks,
    }


def lines(file: Path) -> list[str]:
    """Return the lines that a plugin wrote into one of its notes."""
    return file.read_text("utf-8").splitlines() if file.exists() else []


async def _flush(subscribers: Any) -> None:
    if hasattr(subscribers, "flush_async"):
        await subscribers.flush_async()
    else:
        await asyncio.to_thread(subscribers.flush)
