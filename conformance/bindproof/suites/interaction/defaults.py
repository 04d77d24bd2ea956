"""What holds where nobody sets anything: which settings are asked for, and what each is by its page.

Enters: a scenario that is `of` defaults, a log. Leaves: the complete scenario, an Unset. Must not know the
requirements, nor the reference.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.own_log import LogOfItsOwn

LIMITS: Final[Json] = {
    "llm_failure_policy": "retry_then_fail", "tool_failure_policy": "continue_with_error",
    "subagent_failure_policy": "continue", "approval_denial_policy": "skip_action", "max_steps": 20,
    "max_wall_time_s": 300.0, "max_llm_calls": 50, "max_tool_calls": 200, "max_parallel_tools": 16,
    "max_subagent_depth": 3, "max_subagent_fanout_per_step": 4, "max_total_cost_usd": None,
    "breaker_failure_threshold": 5, "breaker_cooldown_s": 30.0,
}  # fmt: skip
"""Of a run: the name in its configuration, and what that is by the reference of it."""

SETTINGS: Final[Json] = {
    "AFK_LLM_PROVIDER": "litellm", "AFK_LLM_MODEL": "gpt-5.2-mini", "AFK_EMBED_MODEL": None,
    "AFK_LLM_TIMEOUT_S": 30.0, "AFK_LLM_STREAM_IDLE_TIMEOUT_S": 45.0, "AFK_LLM_MAX_RETRIES": 3,
    "AFK_LLM_BACKOFF_BASE_S": 0.5, "AFK_LLM_BACKOFF_JITTER_S": 0.15, "AFK_LLM_JSON_MAX_RETRIES": 2,
    "AFK_LLM_MAX_INPUT_CHARS": 200_000,
}  # fmt: skip
"""Of the model layer: the name of a variable, and what is said to hold without it."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A setting that is asked for."""

    of: Literal[
        "llm_failure_policy",
        "tool_failure_policy",
        "subagent_failure_policy",
        "approval_denial_policy",
        "max_steps",
        "max_wall_time_s",
        "max_llm_calls",
        "max_tool_calls",
        "max_parallel_tools",
        "max_subagent_depth",
        "max_subagent_fanout_per_step",
        "max_total_cost_usd",
        "breaker_failure_threshold",
        "breaker_cooldown_s",
        "AFK_LLM_PROVIDER",
        "AFK_LLM_MODEL",
        "AFK_EMBED_MODEL",
        "AFK_LLM_TIMEOUT_S",
        "AFK_LLM_STREAM_IDLE_TIMEOUT_S",
        "AFK_LLM_MAX_RETRIES",
        "AFK_LLM_BACKOFF_BASE_S",
        "AFK_LLM_BACKOFF_JITTER_S",
        "AFK_LLM_JSON_MAX_RETRIES",
        "AFK_LLM_MAX_INPUT_CHARS",
    ]


class Defaults(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings, none of which is set."""

    of: Literal["defaults"]
    steps: Annotated[list[Asked], msgspec.Meta(min_length=1, max_length=24)]


class Unset(LogOfItsOwn, frozen=True):
    """A log of what holds."""

    def among(self, known: Json) -> list[tuple[int, Json]]:
        """Return the records of the settings that are among these, each with its place."""
        return [(at, one) for at, one in enumerate(self.log) if one["fact"] == "default" and one["name"] in known]


def unset(scenario: Json, log: list[Json]) -> Unset:
    """Read a log."""
    return Unset(scenario, log)
