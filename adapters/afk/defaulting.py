"""What AFK's configuration says where nobody sets anything.

Enters: a complete scenario that is `of` defaults. Leaves: its log.
"""

from __future__ import annotations

import os
from typing import Any
from unittest import mock

from afk.agents import FailSafeConfig
from afk.llms.settings import LLMSettings

Json = Any

FIELDS = {
    "AFK_LLM_PROVIDER": "default_provider",
    "AFK_LLM_MODEL": "default_model",
    "AFK_EMBED_MODEL": "embedding_model",
}
"""Variables whose setting has a name of its own; the others have theirs in small letters."""


def unset(scenario: Json) -> list[Json]:
    """Return the log of the settings that are asked for."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("AFK_")}
    with mock.patch.dict(os.environ, bare, clear=True):
        settings = LLMSettings.from_env()
    limits = FailSafeConfig()
    return [
        {"fact": "default", "name": step["of"], "value": _value(limits, settings, step["of"])}
        for step in scenario["steps"]
    ]


def _value(limits: Any, settings: Any, name: str) -> Json:
    if not name.startswith("AFK_"):
        return getattr(limits, name)
    return getattr(settings, FIELDS.get(name, name.removeprefix("AFK_LLM_").lower()))
