"""Requests of AFK's model layer, one after the other: which of them reach the provider, and what comes of each.

Enters: a complete scenario that is `of` a request. Leaves: its log. Nothing waits, as in `running`.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from typing import Any

from afk.llms import LLMClient
from afk.llms.providers import ProviderSettingsSchema, register_llm_provider
from afk.llms.settings import LLMSettings
from afk.llms.types import LLMCapabilities, LLMRequest, LLMResponse, Message, StreamCompletedEvent
from asking import TOOL, Output
from idle import log_of
from providing import Provided
from scripted import TIMEOUT, failed, told

Json = Any

ABILITIES = {"chat": "chat", "streaming": "streaming", "tools": "tool_calling", "output": "structured_output"}


def requested(scenario: Json) -> list[Json]:
    """Return the log of all requests."""
    log: list[Json] = log_of(lambda kept: _request_all(scenario, kept))
    return log


async def _request_all(scenario: Json, log: list[Json]) -> None:
    script = Script(scenario, log)
    layer = _layer(scenario, script)
    for number, step in enumerate(scenario["steps"], 1):
        script.begin(number, step)
        try:
            text = await _request(layer, step)
        except Exception as error:
            log.append({"fact": "ended", "error": {"type": type(error).__name__, "message": str(error)}})
        else:
            log.append({"fact": "ended", "value": {"text": text}})


def _layer(scenario: Json, script: Script) -> Any:
    """Return what requests are made of: the layer, or a client whose provider has it, or has a transport of its own."""
    settings = LLMSettings(
        default_provider="scripted",
        default_model="m1",
        timeout_s=TIMEOUT,
        max_retries=scenario["retries"],
        backoff_base_s=0,
        backoff_jitter_s=0,
        max_input_chars=scenario["ceiling"],
    )
    if scenario["through"] == "layer":
        return Layer(settings, script)
    register_llm_provider(Provider(script, Bare if scenario["through"] == "bare client" else Layer), overwrite=True)
    return LLMClient(provider="scripted", settings=settings)


async def _request(layer: Any, step: Json) -> str | None:
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


class Script:
    """What the provider does with the request that is being made: it answers each with the request's number."""

    def __init__(self, scenario: Json, log: list[Json]) -> None:
        self._log = log
        able = {theirs: ours not in scenario["lacks"] for ours, theirs in ABILITIES.items()}
        self.capabilities = LLMCapabilities(idempotency=scenario["idempotent"], **able)
        self._number, self._step, self._calls = 0, None, 0

    def begin(self, number: int, step: Json) -> None:
        """Take the next request."""
        self._number, self._step, self._calls = number, step, 0

    async def answer(self, req: LLMRequest, response_model: Any) -> LLMResponse:
        """Answer, or fail as the request says."""
        self._log.append({"fact": "called", **told(req), "waited": 0})
        self._calls += 1
        step: Json = self._step
        if step["fails"] is not None and self._calls <= (step["times"] or math.inf):
            await failed(step["fails"], f"[{req.model} fails]")
        text = f"[{self._number}]"
        output = {"name": text, "count": self._number} if response_model else None
        return LLMResponse(text=text, model=req.model, structured_response=output)


class Layer(Provided):  # type: ignore[misc]
    """The layer, above the script."""

    def __init__(self, settings: LLMSettings, script: Script) -> None:
        super().__init__(config=settings.to_legacy_config())
        self._script = script

    @property
    def capabilities(self) -> LLMCapabilities:
        """What the script says."""
        return self._script.capabilities

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        return await self._script.answer(req, response_model)

    async def _chat_stream_core(self, req: LLMRequest, *, response_model: Any = None) -> AsyncIterator[Any]:
        return self._stream(await self._script.answer(req, response_model))

    async def _stream(self, response: LLMResponse) -> AsyncIterator[Any]:
        yield StreamCompletedEvent(response=response)


class Bare:
    """A transport of a provider's own, without the layer."""

    provider_id = "scripted"

    def __init__(self, settings: LLMSettings, script: Script) -> None:
        self.capabilities, self._script = script.capabilities, script

    async def chat(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        """Answer."""
        return await self._script.answer(req, response_model)


class Provider:
    """What a client asks for a transport."""

    provider_id = "scripted"
    settings_schema = ProviderSettingsSchema()

    def __init__(self, script: Script, transport: Any) -> None:
        self._script, self._transport = script, transport

    def create_transport(self, *, settings: LLMSettings, **_: Any) -> Any:
        """Return a transport of these settings."""
        return self._transport(settings, self._script)
