"""What is allowed to be seen of a run whose models all fail: which provider is asked for which model.

Enters: a complete scenario that is `of` names. Leaves: records in their order.
"""

from __future__ import annotations

from typing import Any, Final

from bindproof_reference.interaction.records import refusal

Json = Any

STRIPPED: Final = {"openai": "openai", "anthropic": "anthropic_agent", "claude": "anthropic_agent", "mine": "mine"}
"""A prefix that is left out → its provider."""

KEPT: Final = ("litellm", "ollama", "ollama_chat")
"""Prefixes that LiteLLM reads by itself."""


def resolved(scenario: Json) -> list[Json]:
    """Return the records of one run."""
    pairs = [_pair(scenario, step["name"].strip()) for step in scenario["steps"]]
    tried = [{"fact": "tried", "provider": provider, "model": model} for provider, model in dict.fromkeys(pairs)]
    return [*tried, {"fact": "ended", "error": refusal("failed", "[m1 fails]")}]


def _pair(scenario: Json, name: str) -> tuple[str, str]:
    """Return the provider and the model that a name leads to."""
    if scenario["resolver"]:
        return "own", name
    prefix, slash, rest = name.partition("/")
    if slash and prefix.lower() in STRIPPED:
        return STRIPPED[prefix.lower()], rest
    if slash and prefix.lower() in KEPT:
        return "litellm", name
    lowered = name.lower()
    if not slash and lowered.startswith("gpt"):
        return "openai", name
    if not slash and lowered.startswith("claude"):
        return "anthropic_agent", name
    return scenario["default"] or "litellm", name
