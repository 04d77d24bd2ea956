"""Requests of AFK's model layer, one after the other: which of them reach the provider, and what comes of each.

Enters: a complete scenario that is `of` a request. Leaves: its log. Nothing waits, as in `running`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from afk.llms import LLM
from afk.llms.types import LLMCapabilities, LLMRequest, LLMResponse, Message, StreamCompletedEvent
from asking import TOOL, Output
from idle import Idle, IdleLoop
from scripted import config_of, told

Json = Any


def requested(scenario: Json) -> list[Json]:
    """Return the log of all requests."""
    log: list[Json] = []
    loop = IdleLoop()
    try:
        loop.run_until_complete(_request_all(scenario, log))
    except Idle:
        log.append({"fact": "hangs"})
    finally:
        loop.forget()
    return log


async def _request_all(scenario: Json, log: list[Json]) -> None:
    layer = Layer(scenario, log)
    for number, step in enumerate(scenario["steps"], 1):
        layer.number = number
        try:
            text = await _request(layer, step)
        except Exception as error:
            log.append({"fact": "ended", "error": {"type": type(error).__name__, "message": str(error)}})
        else:
            log.append({"fact": "ended", "value": {"text": text}})


async def _request(layer: Layer, step: Json) -> str | None:
    """Return the text of the answer."""
    request = LLMRequest(
        model=step["model"],
        messages=[Message(role="user", content=text) for text in step["messages"]],
        request_id=step["id"],
        idempotency_key=step["key"],
        max_tokens=step["most_tokens"],
        timeout_s=step["timeout"],
        temperature=step["temperature"],
        top_p=step["top_p"],
        tools=[TOOL] if step["tools"] else None,
    )
    form = Output if step["output"] else None
    if not step["streams"]:
        return str((await layer.chat(request, response_model=form)).text)
    text = None
    async for event in await layer.chat_stream(request, response_model=form):
        text = event.response.text if isinstance(event, StreamCompletedEvent) else text
    return text


class Layer(LLM):  # type: ignore[misc]
    """A model that answers each request with the request's number."""

    number = 0

    def __init__(self, scenario: Json, log: list[Json]) -> None:
        super().__init__(config=config_of("m1", most_chars=scenario["ceiling"]))
        self._lacks, self._log = scenario["lacks"], log

    @property
    def provider_id(self) -> str:
        """The one provider."""
        return "scripted"

    @property
    def capabilities(self) -> LLMCapabilities:
        """It supports all but what the scenario says."""
        names = {"chat": "chat", "streaming": "streaming", "tools": "tool_calling", "output": "structured_output"}
        return LLMCapabilities(**{theirs: ours not in self._lacks for ours, theirs in names.items()})

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        self._log.append({"fact": "called", **told(req), "waited": 0})
        output = {"name": f"[{self.number}]", "count": self.number}
        return LLMResponse(
            text=f"[{self.number}]", model=req.model, structured_response=output if response_model else None
        )

    async def _chat_stream_core(self, req: LLMRequest, *, response_model: Any = None) -> AsyncIterator[Any]:
        return self._stream(await self._chat_core(req, response_model=response_model))

    async def _stream(self, response: LLMResponse) -> AsyncIterator[Any]:
        yield StreamCompletedEvent(response=response)

    async def _embed_core(self, req: Any) -> Any:
        raise NotImplementedError
