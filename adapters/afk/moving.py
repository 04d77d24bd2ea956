"""Changes of a run's state, asked of what AFK's runner asks too.

Enters: a complete scenario that is `of` states. Leaves: its log.
"""

from __future__ import annotations

from typing import Any

from afk.agents.errors import AgentExecutionError
from afk.agents.lifecycle import validate_state_transition

Json = Any


def moved(scenario: Json) -> list[Json]:
    """Return the log of the changes."""
    return [{"fact": "moved", **step, "allowed": _allowed(step)} for step in scenario["steps"]]


def _allowed(step: Json) -> bool:
    try:
        return bool(validate_state_transition(step["from"], step["to"]) == step["to"])
    except AgentExecutionError:
        return False
