"""How often each model of a step is tried, and how long the pauses are, by the scenario alone.

Enters: a complete scenario, one of its steps. Leaves: numbers. Must not know records, nor the reference.
"""

from __future__ import annotations

from typing import Final

from bindproof.suite_api import Json

PASSING: Final = ("408", "429", "500", "502", "503", "rate limit", "timeout", "connection", "slow")
"""Errors that may pass by themselves."""

LASTING: Final = ("400", "401", "403", "invalid")
"""Errors that stay: what was sent is wrong, or whoever sent it may not."""

TIMEOUT: Final = 30_000
"""So many milliseconds a call may take."""


def tries(scenario: Json, step: Json) -> int:
    """Return how often a model that fails in a step is called there at most."""
    again = scenario["idempotent"] and step["error"] in PASSING and not step["begun"]
    return scenario["retries"] + 1 if again else 1


def fails_at(step: Json, model: str, nth: int) -> bool:
    """Tell whether the nth call of a model in a step fails, counted from 1."""
    return model in step["fails"] and (step["times"] is None or nth <= step["times"])


def tried(scenario: Json, step: Json, model: str) -> tuple[int, bool]:
    """Return how often a model is called in a step, and whether it answers then."""
    most = tries(scenario, step)
    for nth in range(1, most + 1):
        if not fails_at(step, model, nth):
            return nth, True
    return most, False


def pause(scenario: Json, nth: int) -> tuple[int, int]:
    """Return the shortest and the longest pause before the nth call of a model, in milliseconds; of the first, none."""
    if nth == 1:
        return 0, 0
    shortest = scenario["base"] << (nth - 2)
    return shortest, shortest + scenario["jitter"]


def waits(scenario: Json, step: Json, count: int, answered: bool) -> int:
    """Return how many milliseconds pass at least while a model is called so often."""
    silent = (count - answered) * TIMEOUT if step["error"] == "slow" else 0
    return silent + sum(pause(scenario, nth)[0] for nth in range(1, count + 1))
