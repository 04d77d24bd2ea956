"""The suite `interceptors` as the tests ask it: scenarios prepared, run lawfully by the reference, judged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bindproof.core.model import Judgement
from bindproof.core.paths import data_root
from bindproof.judge import judge
from bindproof.spec import load, vectors
from bindproof.suites import Prepared
from bindproof.suites import load as load_suite
from bindproof_reference.interceptors import resolve

Json = Any

SPEC = load(data_root(), "interceptors")
SUITE = load_suite(SPEC)
EDITION = SPEC.edition_names[-1]
VECTORS = list(vectors(SPEC))

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


def prepare(*steps: Json) -> Prepared:
    """A scenario of these steps, completed and prepared."""
    return SUITE.prepare(full(*steps), EDITION, "wire")


def through_json(value: Json) -> Json:
    """What arrives of a value that is sent as JSON."""
    return json.loads(json.dumps(value))


def lawful(prepared: Prepared, seed: int = 0) -> list[Json]:
    """The log of one lawful run, as it arrives from an adapter."""
    log: list[Json] = through_json(resolve(through_json(prepared.prediction), seed, {}, prepared.spelled))
    return log


def run(*steps: Json) -> list[Json]:
    """The log of one lawful run of these steps."""
    return lawful(prepare(*steps))


def judged(prepared: Prepared, log: list[Json]) -> tuple[Judgement, ...]:
    """What the judge says of a log."""
    return judge(prepared, log, dict(SUITE.checks), SUITE.lanes({}))


def broken(judgements: Sequence[Judgement]) -> dict[str, str]:
    """Requirement → the first failure's text, of those that do not hold."""
    return {one.requirement: one.failures[0].text for one in judgements if not one.holds}
