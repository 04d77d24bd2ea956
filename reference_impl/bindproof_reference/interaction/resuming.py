"""What is allowed to be seen of a run whose process dies: its calls and what
comes before them, by the first process and by the second.

Enters: a complete scenario that is `of` a resume. Leaves: records in their order.
"""

from __future__ import annotations

from typing import Any

from bindproof_reference.interaction.records import HELLO, NO_TOKENS, called

Json = Any


def resumed(scenario: Json) -> list[Json]:
    """Return the records of one run."""
    steps, fatal, dies = scenario["steps"], scenario["step"], scenario["dies"]
    log: list[Json] = []
    messages = [HELLO]
    tokens = NO_TOKENS
    for number, step in enumerate(steps, 1):
        kept, decided = _before(number)
        call = called(number, messages, tokens=tokens)
        if number == fatal and dies in ("pre_llm", "called"):
            log += [kept, decided, call] if dies == "called" else [kept]
            log.append({"fact": "died"})
        log += [kept, decided, call]
        if number == fatal and dies not in ("pre_llm", "called"):
            log.append({"fact": "died"})
        tokens = {name: step[name] or tokens[name] for name in tokens}
        messages += [{"role": "assistant", "text": step["text"]}] if step["text"] else []
        messages.append({"role": "tool"})
    return [*log, {"fact": "ended", "value": {"state": "completed", "text": steps[-1]["text"]}}]


def _before(number: int) -> list[Json]:
    """Return what a step keeps and tells before it calls."""
    decided = {"fact": "event", "type": "policy_decision", "state": "running", "step": number}
    return [{"fact": "checkpoint", "phase": "pre_llm", "step": number}, decided]
