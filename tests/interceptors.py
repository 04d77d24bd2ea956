"""The suite `interceptors` as the tests ask it."""

from __future__ import annotations

from typing import Any

from bindproof_reference.interceptors import resolve
from tests.one_setting import OneSetting, broken, through_json

__all__ = [
    "EDITION",
    "FLAGGED",
    "INTERCEPTORS",
    "SPEC",
    "SUITE",
    "VECTORS",
    "broken",
    "call",
    "full",
    "judged",
    "lawful",
    "prepare",
    "record",
    "retry",
    "run",
    "stack",
    "through_json",
]

Json = Any

INTERCEPTORS = OneSetting("interceptors", resolve)
SPEC, SUITE, EDITION, VECTORS = INTERCEPTORS.spec, INTERCEPTORS.suite, INTERCEPTORS.edition, INTERCEPTORS.vectors
prepare, lawful, judged = INTERCEPTORS.prepare, INTERCEPTORS.lawful, INTERCEPTORS.judged

FLAGGED: Json = {"error": {"kind": "http", "message": "scripted", "retryable": True}}


def stack(*layers: Json, domain: str = "llm") -> Json:
    """A step that builds the stack `s`."""
    return {"step": "stack", "as": "s", "domain": domain, "layers": list(layers)}


def call(*does: Json, **more: Json) -> Json:
    """A step that makes the call `c`, whose operation does this."""
    return {"step": "call", "as": "c", **({"does": list(does)} if does else {}), **more}


def record(name: str, **more: Json) -> Json:
    """A layer of the scenario."""
    return {"layer": "record", "as": name, **more}


def retry(attempts: int, initial: float, most: float, multiplier: Json) -> Json:
    """A retry with these numbers."""
    numbers = {"initial_delay": initial, "max_delay": most, "multiplier": multiplier}
    return {"layer": "retry", "max_attempts": attempts, **numbers}


def full(*steps: Json) -> Json:
    """The complete scenario of these steps."""
    return SUITE.complete({"steps": list(steps)})


def run(*steps: Json) -> list[Json]:
    """The log of one lawful run of these steps."""
    return lawful(prepare(*steps))
