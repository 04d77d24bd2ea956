"""A call of AFK's model layer for structured output: the script as a transport, and what comes of it.

Enters: a complete scenario that is `of` an output. Leaves: its log. Nothing waits, as in `running`.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from afk.llms.types import LLMCapabilities, LLMRequest, LLMResponse, Message
from idle import log_of
from providing import Provided
from pydantic import BaseModel
from scripted import config_of, told

Json = Any

TOOL = {"type": "function", "function": {"name": "probe", "description": "", "parameters": {"type": "object"}}}


class Output(BaseModel):
    """What is asked for."""

    name: str
    count: int


def asked(scenario: Json) -> list[Json]:
    """Return the log of one call."""
    log: list[Json] = log_of(lambda kept: _ask(scenario, kept))
    return log


async def _ask(scenario: Json, log: list[Json]) -> None:
    request = LLMRequest(
        model="m1",
        request_id="ask",
        idempotency_key="ask",
        messages=[Message(role="user", content="hello")],
        tools=[TOOL],
        tool_choice="auto",
    )
    try:
        response = await Answering(scenario, log).chat(request, response_model=Output)
    except Exception as error:
        log.append({"fact": "ended", "error": {"type": type(error).__name__, "message": str(error)}})
        return
    log.append({"fact": "ended", "value": {"output": response.structured_response}})


class Answering(Provided):  # type: ignore[misc]
    """A model that answers as the script says."""

    def __init__(self, scenario: Json, log: list[Json]) -> None:
        super().__init__(config=config_of("m1", repairs=scenario["repairs"]))
        self._answers, self._log = [one["says"] for one in scenario["steps"]], log
        self._count = 0

    @property
    def capabilities(self) -> LLMCapabilities:
        """It calls tools and gives payloads."""
        return LLMCapabilities(tool_calling=True, structured_output=True)

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        self._count += 1
        self._log.append({"fact": "called", **told(req), "waited": 0})
        says = self._answers[self._count - 1] if self._count <= len(self._answers) else "text"
        if says == "slow":
            await asyncio.Event().wait()
        return LLMResponse(model=req.model, **_answer(says, self._count))


def _answer(says: str, nth: int) -> Json:
    """Return text and payload of an answer; the text of the nth one has `[n]` in it."""
    output = {"name": f"[{nth}]", "count": nth}
    whole = json.dumps(output)
    match says:
        case "payload":
            return {"text": f"[{nth}] words", "structured_response": output}
        case "bad payload":
            return {"text": whole, "structured_response": {"name": nth}}
        case "fenced":
            return {"text": f"Here it is:\n```json\n{whole}\n```"}
        case "bad text":
            return {"text": json.dumps({"name": f"[{nth}]"})}
        case "words":
            return {"text": f"[{nth}] words"}
    return {"text": whole}
