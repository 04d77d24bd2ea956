"""What is allowed to be seen of requests of the model layer: which of them reach the provider, and what comes of them.

Enters: a complete scenario that is `of` a request. Leaves: records in their order.
"""

from __future__ import annotations

from typing import Any, Final

from bindproof_reference.interaction.records import ANY, RETRYABLE, refusal

Json = Any

NEEDS: Final = {"streams": "streaming", "tools": "tools", "output": "output"}
"""What a request asks for → what the provider has to support."""


def requested(scenario: Json) -> list[Json]:
    """Return the records of all requests."""
    return [record for number, step in enumerate(scenario["steps"], 1) for record in _request(scenario, step, number)]


def _request(scenario: Json, step: Json, number: int) -> list[Json]:
    if {"chat", *(need for asks, need in NEEDS.items() if step[asks])} & set(scenario["lacks"]):
        return [{"fact": "ended", "error": refusal("unsupported")}]
    if _is_malformed(step):
        return [{"fact": "ended", "error": refusal("malformed")}]
    call: Json = {
        "fact": "called", "model": step["model"], "run": None, "key": step["key"], "tools": step["tools"],
        "request": step["id"] if (step["id"] or "").strip() else ANY,
        "messages": [{"role": "user", "text": _cut(text, scenario["ceiling"])} for text in step["messages"]],
        "choice": None, "session": None, "checkpoint": None, "waited": 0,
    }  # fmt: skip
    again = scenario["idempotent"] and step["key"] is not None and step["fails"] in RETRYABLE
    most = scenario["retries"] + 1 if again else 1
    failures = 0 if step["fails"] is None else step["times"] or most
    if failures < most:
        return [*[call] * (failures + 1), {"fact": "ended", "value": {"text": f"[{number}]"}}]
    return [*[call] * most, {"fact": "ended", "error": refusal("failed")}]


def _is_malformed(step: Json) -> bool:
    """Tell whether something is wrong with a request by itself (REQ-004 to REQ-011)."""
    temperature, top_p = step["temperature"], step["top_p"]
    return (
        not step["model"].strip()
        or not step["messages"]
        or any(step[name] is not None and step[name] <= 0 for name in ("most_tokens", "timeout"))
        or (temperature is not None and not 0 <= temperature <= 2)
        or (top_p is not None and not 0 < top_p <= 1)
        or (step["key"] is not None and not step["key"].strip())
    )


def _cut(text: str, ceiling: int) -> Json:
    """Return a text, or the one of its ends that is left of it (REQ-012): of several messages none is too long."""
    return text if len(text) <= ceiling else {"$one_of": [text[:ceiling], text[-ceiling:]]}
