"""What a registry does with a call: it looks the tool up, validates, goes through the stack, runs the handler.

Enters: a registry's layers and tools, a call, the world. Leaves: the result of the call. Must not know steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bindproof_reference.interceptors.durations import jittered, tool_delay
from bindproof_reference.interceptors.layers import through
from bindproof_reference.interceptors.schemas import satisfies
from bindproof_reference.interceptors.values import SOME_TEXT, Json
from bindproof_reference.interceptors.world import World

RETRY = {"max_retries": 3, "initial_backoff": 100.0, "max_backoff": 5_000.0, "backoff_multiplier": 2.0, "jitter": 0.5}
"""The library's defaults (TRT-007)."""


@dataclass(frozen=True)
class Registry:
    """A registry: its stack, and its tools by name."""

    owner: str
    """The step that registered the tools."""
    layers: Sequence[Json]
    tools: dict[str, Json]

    def call(self, request: Json, world: World) -> Json:
        """Return what a call comes back with; it always does (REG-004). Texts that no document says are open."""
        tool = self.tools.get(request["name"])
        if tool is None:
            return self._result(request, {"content": SOME_TEXT, "is_error": True})  # REG-001
        if not satisfies(tool["schema"], request["arguments"]):
            return self._result(request, {"content": SOME_TEXT, "is_error": True})  # REG-002
        run = through(self.layers, "tool", world, lambda given: self._guarded(tool, given, world))
        return self._result(request, run(request))

    def _result(self, request: Json, response: Json) -> Json:
        return {"tool_call_id": request["call_id"], **response}

    def _guarded(self, tool: Json, request: Json, world: World) -> Json:
        if not satisfies(tool["schema"], request["arguments"]):  # REG-005: a layer may have changed them
            return {"content": SOME_TEXT, "is_error": True}
        return run_tool(f"{self.owner}.{tool['name']}", tool, request, world)


def run_tool(callback: str, tool: Json, request: Json, world: World) -> Json:
    """Run a tool's handler, again after an error as its own retry says."""
    retry = tool["retry"]
    config = RETRY if retry is None or retry["max_retries"] is None else retry
    number = 0
    while True:
        response = operate(callback, tool["does"], request["arguments"], world)
        number += 1
        if retry is None or not response["is_error"] or number > config["max_retries"]:
            return response
        if retry["only_if"] is not None and retry["only_if"] not in response["content"]:
            return response
        _back_off(number, config, world)


def _back_off(number: int, config: Json, world: World) -> None:
    initial, most, multiplier = (config[key] for key in ("initial_backoff", "max_backoff", "backoff_multiplier"))
    if config["jitter"] == 0:
        world.wait(tool_delay(number, initial, most, multiplier))
    else:
        world.wait_between(*jittered(number, initial, most, multiplier, config["jitter"]))


def operate(callback: str, does: Sequence[Json], given: Json, world: World) -> Json:
    """Run an operation: it takes its time, then gives its result."""
    count = world.enter(callback, given)
    act = does[min(count, len(does) - 1)]
    with world.inside(callback, count):
        world.wait(act["after"])
    return world.leave(callback, count, act["gives"])
