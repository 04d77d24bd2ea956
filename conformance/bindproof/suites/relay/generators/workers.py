"""Generated scenarios of a worker's boundary: calls whose worker answers with any bytes, and goes on or ends.

Enters: a source of choices. Leaves: a scenario of steps `worker`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from bindproof.core.model import Json
from bindproof.suites import Choices

SCHEMAS = (
    "nemo.relay.LlmRequestInterceptOutcome@1",
    "nemo.relay.LlmRequestInterceptOutcome@3",
    "nemo.relay.llmrequestinterceptoutcome@2",
    "nemo.relay.Json@1",
    " ",
    "",
)
"""Names of no outcome."""

REQUESTS: tuple[Json, ...] = (
    {"headers": {}, "content": {"messages": []}},
    {"headers": {"h": "1"}, "content": {"messages": [{"role": "user", "content": "ж"}], "model": "m"}},
    {"headers": {}, "content": [1, None]},
)
NOT_JSON: tuple[Json, ...] = (
    "",
    "{",
    "nul",
    '{"a":1}}',
    "NaN",
    {"bytes": "22ff22"},
    {"text": '{"request":', "bytes": "80"},
)
MISSHAPEN = (
    "3",
    "{}",
    '"text"',
    '{"request":null}',
    '{"request":{"headers":{}}}',
    '{"request":{"headers":[],"content":1}}',
)
MARKS: tuple[Json, ...] = (
    {"name": "m"},
    {"name": "", "category": "custom", "data": [1]},
    {"name": "m", "category": "custom", "category_profile": {"subtype": "a"}},
    {"name": "m", "x-own": 1},
)
UNLIKELY_MARKS: tuple[Json, ...] = (
    {"name": 1},
    {"name": "m", "category_profile": "a"},
    {"name": "m", "category": 1},
)
"""No marks, which a program can make all the same."""
BAD_MARKS: tuple[Json, ...] = ({}, 3, *UNLIKELY_MARKS)
RESULTS = ("envelope", "nothing", "empty", "json", "guardrail")
LARGE = 5 * 2**20


SAYABLE_PERCENT = 50
"""Of a hundred scenarios so many say what a program on a package can say, which writes the messages for it."""


def worker_scenario(choices: Choices) -> Json:
    """Return a scenario of steps `worker`."""
    step = _sayable_step if choices.chance(SAYABLE_PERCENT) else _step
    return {"steps": [step(choices, f"w{index}") for index in range(choices.integer(1, 4))]}


def _step(choices: Choices, name: str) -> Json:
    step: Json = {"step": "worker", "as": name}
    if choices.chance(5):
        return step | {"how": "ends"}
    if choices.chance(10):
        step["how"] = choices.pick(("twice", "never"))
    if choices.chance(8):
        return step | _error(choices)
    if choices.chance(8):
        return step | {"result": choices.pick(RESULTS)}
    if choices.chance(15):
        step["schema"] = choices.pick(SCHEMAS)
    return step | ({"outcome": outcome(choices)} if choices.chance(80) else {})


def _sayable_step(choices: Choices, name: str) -> Json:
    """Return a step whose answer is a value that a program returns, or an error that it raises."""
    step: Json = {"step": "worker", "as": name}
    if choices.chance(5):
        return step | {"how": choices.pick(("ends", "never"))}
    if choices.chance(10):
        return step | _error(choices)
    return step | {"outcome": json.dumps(_made(choices, (*MARKS, *UNLIKELY_MARKS)), ensure_ascii=choices.chance(50))}


def _error(choices: Choices) -> Json:
    return {"result": "error", "message": choices.pick(("boom-1!", "boom-2!"))}


def outcome(choices: Choices) -> Json:
    """Return the bytes of an outcome, or of none."""
    if choices.chance(10):
        return choices.pick(NOT_JSON)
    if choices.chance(10):
        return choices.pick(MISSHAPEN)
    text = json.dumps(_stated(choices), ensure_ascii=choices.chance(50))
    if choices.chance(2):
        return {"text": text, "pad": LARGE}
    return {"text": text, "pad": choices.integer(1, 9)} if choices.chance(10) else text


def _stated(choices: Choices) -> Json:
    outcome = _made(choices, MARKS)
    if "pending_marks" in outcome:
        outcome["pending_marks"] = _misshapen_marks(choices, outcome["pending_marks"])
    if choices.chance(15):
        outcome[choices.pick(("x-own", "pendingMarks", "annotated"))] = choices.pick((None, 1, {}))
    return outcome


def _made(choices: Choices, marks: Sequence[Json]) -> Json:
    outcome: Json = {"request": choices.pick(REQUESTS)}
    if choices.chance(30):
        outcome["annotated_request"] = choices.pick((None, {"messages": []}, 3))
    if choices.chance(60):
        outcome["pending_marks"] = [choices.pick(marks) for _ in range(choices.integer(0, 3))]
    return outcome


def _misshapen_marks(choices: Choices, marks: list[Json]) -> Json:
    if choices.chance(8):
        return choices.pick((None, {}, "m"))
    return [*marks, choices.pick(BAD_MARKS)] if choices.chance(10) else marks
