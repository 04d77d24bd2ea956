"""What is allowed to be seen of a run with budgets of tools and of time: its calls, its tools, and its end.

Enters: a complete scenario that is `of` a budget. Leaves: records in their order. Time is a number.
"""

from __future__ import annotations

import math
from typing import Any, Final

from bindproof_reference.interaction.records import HELLO, called, refusal

Json = Any

MORE: Final[Json] = {"silent": 0, "tools": 0, "rests": 0, "text": "more"}
PATIENCE: Final = 30
"""So many seconds a call may take."""


def budgeted(scenario: Json) -> list[Json]:
    """Return the records of one run."""
    time = math.inf if scenario["most_time"] is None else scenario["most_time"]
    tools = math.inf if scenario["most_tools"] is None else scenario["most_tools"]
    log: list[Json] = []
    messages = [HELLO]
    for number, step in enumerate([*scenario["steps"], MORE], 1):
        for nth in range(1, step["silent"] + 1):
            log.append(called(number, messages, model=f"m{nth}"))
            time -= PATIENCE
            if time < 0:  # LIM-011
                return [*log, {"fact": "ended", "error": refusal("interrupted")}]
        log.append(called(number, messages, model=f"m{step['silent'] + 1}"))
        messages += [{"role": "assistant", "text": step["text"]}] if step["text"] else []
        if not step["tools"]:
            break
        tools -= step["tools"]
        if tools < 0:  # LIM-008
            return [*log, {"fact": "ended", "error": refusal("over_budget")}]
        log += [{"fact": "used", "step": number}] * step["tools"]
        messages += [{"role": "tool"}] * step["tools"]
        time -= step["rests"]
        if time < 0:  # LIM-011
            return [*log, {"fact": "ended", "error": refusal("interrupted")}]
    return [*log, {"fact": "ended", "value": {"state": "completed", "text": step["text"]}}]
