"""What holds where nobody sets anything.

Enters: a complete scenario that is `of` defaults. Leaves: records in their order.
"""

from __future__ import annotations

from typing import Any, Final

Json = Any

LIMITS: Final[Json] = {
    "llm_failure_policy": "retry_then_fail", "tool_failure_policy": "continue_with_error",
    "subagent_failure_policy": "continue", "approval_denial_policy": "skip_action", "max_steps": 20,
    "max_wall_time_s": 300.0, "max_llm_calls": 50, "max_tool_calls": 200, "max_parallel_tools": 16,
    "max_subagent_depth": 3, "max_subagent_fanout_per_step": 4, "max_total_cost_usd": None,
    "breaker_failure_threshold": 5, "breaker_cooldown_s": 30.0,
}  # fmt: skip
"""Of a run (LIM-013)."""

SETTINGS: Final[Json] = {
    "AFK_LLM_PROVIDER": "litellm", "AFK_LLM_MODEL": "gpt-5.2-mini", "AFK_EMBED_MODEL": None,
    "AFK_LLM_TIMEOUT_S": 30.0, "AFK_LLM_STREAM_IDLE_TIMEOUT_S": 45.0, "AFK_LLM_MAX_RETRIES": 3,
    "AFK_LLM_BACKOFF_BASE_S": 0.5, "AFK_LLM_BACKOFF_JITTER_S": 0.15, "AFK_LLM_JSON_MAX_RETRIES": 2,
    "AFK_LLM_MAX_INPUT_CHARS": 200_000,
}  # fmt: skip
"""Of the model layer (REQ-020)."""


def unset(scenario: Json) -> list[Json]:
    """Return the records of the settings that are asked for."""
    known = LIMITS | SETTINGS
    return [{"fact": "default", "name": step["of"], "value": known[step["of"]]} for step in scenario["steps"]]
