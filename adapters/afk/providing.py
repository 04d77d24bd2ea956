"""What all models of scenarios have in common: they are of one provider, and do nothing that they do not say.

Enters: what the tool does. Leaves: subclasses of AFK's `LLM`, the tool. Must not know scenarios.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from afk.llms import LLM
from afk.llms.types import LLMCapabilities, LLMRequest
from afk.tools import tool
from pydantic import BaseModel


class Provided(LLM):  # type: ignore[misc]
    """A model of the one provider, which neither answers nor streams nor embeds."""

    @property
    def provider_id(self) -> str:
        """The one provider."""
        return "scripted"

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> Any:
        raise NotImplementedError

    async def _chat_stream_core(self, req: LLMRequest, *, response_model: Any = None) -> Any:
        raise NotImplementedError

    async def _embed_core(self, req: Any) -> Any:
        raise NotImplementedError


class Calling(Provided):
    """A model that calls tools."""

    @property
    def capabilities(self) -> LLMCapabilities:
        """It calls tools."""
        return LLMCapabilities(tool_calling=True)


class NoArguments(BaseModel):
    """The tool takes nothing."""


def probe_that(acts: Callable[[], Awaitable[None]]) -> Any:
    """Return the tool, which answers when it has acted."""

    @tool(args_model=NoArguments, name="probe")  # type: ignore[untyped-decorator]
    async def probe(args: NoArguments) -> Any:
        await acts()
        return {"probed": True}

    return probe
