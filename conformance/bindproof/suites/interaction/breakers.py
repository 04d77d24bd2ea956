"""The breakers of a run: which models are not called for a while, because they failed too often in a row.

Enters: failures and answers of models, with the time in milliseconds. Leaves: how the breaker of a model stands.
"""

from __future__ import annotations

from typing import Final, Literal

from bindproof.suite_api import Json

Standing = Literal["shut", "near", "cooled", "outlasted"]
"""Calls are rejected; one more failure would have it so; they are let through again; and that although some were
rejected meanwhile."""

SECOND: Final = 1000


class OpenQuestionError(ValueError):
    """No document says what a breaker does there; the message says where."""


class Breakers:
    """One for each model of a run."""

    def __init__(self, scenario: Json) -> None:
        self._threshold, self._cooldown = scenario["threshold"], scenario["cooldown"] * SECOND
        self._repeats = scenario["idempotent"]
        self._failures: dict[str, int] = {}
        self._shut_at: dict[str, int] = {}
        self._rejected: set[str] = set()

    def asked(self, model: str, now: int) -> Standing | None:
        """Return how the breaker stands of a model that is wanted; raises OpenQuestionError."""
        if model in self._shut_at:
            since = now - self._shut_at[model]
            if since == self._cooldown:
                raise OpenQuestionError(f"{model} is wanted in the very moment in which its cooldown ends")
            if since < self._cooldown:
                self._rejected.add(model)
                return "shut"
            return "outlasted" if model in self._rejected else "cooled"
        count = self._failures.get(model, 0)
        return "near" if 0 < count == self._threshold - 1 else None

    def failed(self, model: str, now: int) -> None:
        """Count a failure; raises OpenQuestionError."""
        if model in self._shut_at:
            raise OpenQuestionError(f"{model} fails after its cooldown, and nothing says whether that shuts it at once")
        self._failures[model] = self._failures.get(model, 0) + 1
        if self._failures[model] < self._threshold:
            return
        if self._repeats:
            raise OpenQuestionError(f"the breaker of {model} opens, and nothing says whether repetitions count")
        self._shut_at[model] = now

    def answered(self, model: str) -> None:
        """Forget the failures of a model."""
        self._failures.pop(model, None)
        self._shut_at.pop(model, None)
        self._rejected.discard(model)
