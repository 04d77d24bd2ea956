"""What is allowed to be seen of a call for structured output: its request, its repairs, and what comes of it.

Enters: a complete scenario that is `of` an output. Leaves: records in their order.
"""

from __future__ import annotations

from typing import Any, Final

from bindproof_reference.interaction.records import HELLO, refusal

Json = Any

REQUEST: Final[Json] = {
    "fact": "called", "model": "m1", "run": None, "request": "ask", "key": "ask", "session": None, "checkpoint": None,
    "waited": 0,
}  # fmt: skip


def asked(scenario: Json) -> list[Json]:
    """Return the records of one call."""
    answers = [one["says"] for one in scenario["steps"]]
    log: list[Json] = [{**REQUEST, "messages": [HELLO], "tools": True, "choice": "auto"}]
    for nth in range(1, scenario["repairs"] + 2):
        says = answers[nth - 1] if nth <= len(answers) else "text"
        if says == "slow":
            return [*log, {"fact": "ended", "error": refusal("failed")}]
        if says in ("payload", "text", "fenced"):
            return [*log, {"fact": "ended", "value": {"output": {"name": f"[{nth}]", "count": nth}}}]
        if nth <= scenario["repairs"]:  # STC-008: the first request, and what was wrong last
            mend = {"role": "user", "text": {"$text": f"[{nth}]"}}
            log.append({**REQUEST, "messages": [HELLO, mend], "tools": False, "choice": None})
    return [*log, {"fact": "ended", "error": refusal("invalid")}]
