"""A run of AFK's runner whose models all fail: which provider each name of its chain leads to, as records.

Enters: a complete scenario that is `of` names. Leaves: its log. The providers that AFK knows are scripted, and one of
its own beside them. Nothing waits, as in `running`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from afk.agents import Agent, FailSafeConfig
from afk.core.runner import Runner, RunnerConfig
from afk.llms.providers import ProviderSettingsSchema, register_llm_provider
from afk.llms.types import LLMCapabilities, LLMRequest
from afk.memory import InMemoryMemoryStore
from ending import ended
from idle import log_of

Json = Any

PROVIDERS = ("openai", "anthropic_agent", "litellm", "mine")
DEFAULT = "AFK_LLM_PROVIDER"


def resolved(scenario: Json) -> list[Json]:
    """Return the log of one run."""
    with _default(scenario["default"]):
        log: list[Json] = log_of(lambda kept: _run(scenario, kept))
        return log


@contextmanager
def _default(provider: str | None) -> Iterator[None]:
    """Have a provider be the default one meanwhile."""
    if provider is not None:
        os.environ[DEFAULT] = provider
    try:
        yield
    finally:
        os.environ.pop(DEFAULT, None)


async def _run(scenario: Json, log: list[Json]) -> None:
    for name in PROVIDERS:
        register_llm_provider(Provider(name, log), overwrite=True)
    first, *others = [one["name"] for one in scenario["steps"]]
    runner = Runner(
        memory_store=InMemoryMemoryStore(),
        config=RunnerConfig(checkpoint_async_writes=False, background_tools_enabled=False),
    )
    agent = Agent(
        name="agent",
        model=first,
        instructions="be scripted",
        fail_safe=FailSafeConfig(fallback_model_chain=others, breaker_failure_threshold=scenario["threshold"]),
        model_resolver=(lambda name: Failing("own", log, name)) if scenario["resolver"] else None,
    )
    await ended(runner, agent, log)


class Provider:
    """A provider whose models fail."""

    settings_schema = ProviderSettingsSchema()

    def __init__(self, name: str, log: list[Json]) -> None:
        self.provider_id, self._log = name, log

    def create_transport(self, **_: Any) -> Any:
        """Return a transport."""
        return Failing(self.provider_id, self._log)


class Failing:
    """A transport that says who was asked for which model, and fails. given: the name that a resolver was given."""

    capabilities = LLMCapabilities(tool_calling=True)

    def __init__(self, provider: str, log: list[Json], given: str | None = None) -> None:
        self.provider_id, self._log, self._given = provider, log, given

    async def chat(self, req: LLMRequest, **_: Any) -> Any:
        """Fail."""
        self._log.append({"fact": "tried", "provider": self.provider_id, "model": self._given or req.model})
        raise RuntimeError("[m1 fails]")
