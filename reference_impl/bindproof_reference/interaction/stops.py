"""What is allowed to be seen of a run that is stopped somewhere: calls and tools so far, and how it ends.

Enters: a complete scenario that is `of` a stop. Leaves: records in their order.
"""

from __future__ import annotations

from typing import Any, Final

from bindproof_reference.interaction.records import HELLO, called, refusal

Json = Any

BEFORE_THE_CALL: Final = ("step_started", "pre_llm", "policy", "asked", "llm_called")


def stopped(scenario: Json) -> list[Json]:
    """Return the records of one run."""
    log: list[Json] = []
    messages = [HELLO]
    for number, step in enumerate(scenario["steps"][: scenario["step"]], 1):
        here = number == scenario["step"]
        if here and scenario["at"] in BEFORE_THE_CALL:
            break
        log.append(called(number, messages))
        messages += [{"role": "assistant", "text": step["text"]}] if step["text"] else []
        messages.append({"role": "tool"})
        if not here or scenario["at"] == "tool":
            log.append({"fact": "used", "step": number})
    over = {"fact": "event", "state": "cancelled", "step": scenario["step"]}
    if scenario["how"] == "cancel":
        return [*log, {**over, "type": "run_cancelled"}, {"fact": "ended", "value": None}]
    return [*log, {**over, "type": "run_interrupted"}, {"fact": "ended", "error": refusal("interrupted")}]
