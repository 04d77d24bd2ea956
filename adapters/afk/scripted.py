"""The scripted model: a transport of AFK that answers as the scenario says, and records how it was called.

Enters: requests. Leaves: answers, errors, or nothing until it is stopped.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from afk.llms.config import LLMConfig
from afk.llms.types import (
    LLMCapabilities,
    LLMRequest,
    LLMResponse,
    StreamCompletedEvent,
    StreamTextDeltaEvent,
    ToolCall,
)
from providing import Provided

Json = Any

TIMEOUT = 30.0
"""So many seconds of the loop's clock a call may take."""


class Scripted(Provided):  # type: ignore[misc]
    """All models of a scenario, which are told apart by their names."""

    handle: Any = None
    """The run that it may have to stop."""

    rests = 0
    """So many seconds the tool takes that was called last."""

    def __init__(self, scenario: Json, script: Any, log: list[Json]) -> None:
        super().__init__(config=config_of(*(scenario[name] for name in ("model", "retries", "base", "jitter"))))
        self._streams, self._script, self._log = scenario["streams"], script, log
        self._idempotent = scenario["idempotent"]
        self._stops: set[Any] = set()
        self._tried: Counter[tuple[str | None, str | None]] = Counter()
        self._free = asyncio.get_running_loop().time()

    @property
    def capabilities(self) -> LLMCapabilities:
        """It calls tools, and is interrupted where the scenario has it stream."""
        return LLMCapabilities(
            tool_calling=True, streaming=self._streams, interrupt=self._streams, idempotency=self._idempotent
        )

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        step = self._called(req)
        try:
            await self._failed(req, step)
            return await self._answer(req, step)
        finally:
            self._over()

    async def _chat_stream_core(self, req: LLMRequest, *, response_model: Any = None) -> AsyncIterator[Any]:
        step = self._called(req)
        try:
            if not step["begun"]:
                await self._failed(req, step)
        finally:
            self._over()
        return self._stream(req, step)

    async def _stream(self, req: LLMRequest, step: Json) -> AsyncIterator[Any]:
        try:
            if step["begun"]:
                yield StreamTextDeltaEvent(delta="begun")
                await self._failed(req, step)
            yield StreamCompletedEvent(response=await self._answer(req, step))
        finally:
            self._over()

    async def _interrupt_request(self, req: LLMRequest) -> None:
        """Nothing has to be told to a provider: the task that waits is cancelled."""

    def _called(self, req: LLMRequest) -> Json:
        """Record a call; return its step."""
        waited = round((asyncio.get_running_loop().time() - self._free) * 1000)
        self._log.append({"fact": "called", **told(req), "waited": waited, "metadata": about(req)})
        self._tried[req.request_id, req.model] += 1
        return self._script.at(step_of(req))

    def _over(self) -> None:
        """Note when a call came to its end."""
        self._free = asyncio.get_running_loop().time()

    async def _failed(self, req: LLMRequest, step: Json) -> None:
        """Fail, where the script says so of this call of the model."""
        if req.model in step["fails"] and self._tried[req.request_id, req.model] <= (step["times"] or math.inf):
            await failed(step["error"], f"[{req.model} fails]")

    async def _answer(self, req: LLMRequest, step: Json) -> LLMResponse:
        if step["stop"] is not None:
            self._stops.add(asyncio.ensure_future(getattr(self.handle, step["stop"])()))
            await asyncio.Event().wait()
        self.rests = step["rests"]
        calls = [ToolCall(id=f"call-{req.request_id}", tool_name="probe", arguments={})] if step["tool"] else []
        return LLMResponse(
            text=step["text"],
            tool_calls=calls,
            model=req.model,
            raw={"total_cost_usd": float(step["cost"])},
            session_token=step.get("session"),
            checkpoint_token=step.get("checkpoint"),
        )


def config_of(
    model: str, retries: int = 0, base: int = 0, jitter: int = 0, repairs: int = 2, most_chars: int = 200_000
) -> LLMConfig:
    """Return the settings of the model layer; base, jitter: of the back-off, in milliseconds."""
    return LLMConfig(
        default_model=model,
        embedding_model=None,
        timeout_s=TIMEOUT,
        max_retries=retries,
        backoff_base_s=base / 1000,
        backoff_jitter_s=jitter / 1000,
        json_max_retries=repairs,
        max_input_chars=most_chars,
    )


class StatusError(Exception):
    """What clients of providers raise for an answer with a status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status_code = status


async def failed(error: str, message: str) -> None:
    """Fail as a provider does, or give no answer."""
    match error:
        case "slow":
            await asyncio.Event().wait()
        case "timeout":
            raise TimeoutError(message)
        case "connection":
            raise ConnectionError(message)
        case "rate limit":
            raise RuntimeError(f"{message} Rate limit exceeded")
        case "invalid":
            raise RuntimeError(f"{message} invalid request: at most 4500 tokens")
        case "plain":
            raise RuntimeError(message)
    raise StatusError(int(error), message)


def step_of(req: LLMRequest) -> int:
    """Return the number of the step that a request is of, as its id has it."""
    return int(str(req.request_id).rpartition(":")[2])


def told(req: LLMRequest) -> Json:
    """Return what a request is recorded with."""
    messages = [{"role": one.role, "text": one.content} for one in req.messages if one.role != "system"]
    return {
        "model": req.model,
        "run": req.metadata.get("run_id"),
        "request": req.request_id,
        "key": req.idempotency_key,
        "messages": [one if one["role"] != "tool" else {"role": "tool"} for one in messages],
        "tools": bool(req.tools),
        "choice": req.tool_choice,
        "session": req.session_token,
        "checkpoint": req.checkpoint_token,
    }


def about(req: LLMRequest) -> Json:
    """Return what the metadata of a request says of where it comes from."""
    names = {
        "thread": "thread_id",
        "agent": "agent_name",
        "channels": "content_channels",
        "sanitized": "tool_output_sanitized",
    }
    return {name: req.metadata.get(key) for name, key in names.items()}
