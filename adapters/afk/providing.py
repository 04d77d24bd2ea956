"""What all models of scenarios have in common: they are of one provider, and do nothing that they do not say.

Enters: nothing. Leaves: a subclass of AFK's `LLM`. Must not know scenarios.
"""

from __future__ import annotations

from typing import Any

from afk.llms import LLM
from afk.llms.types import LLMRequest


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
