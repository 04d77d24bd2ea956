"""The suite `jmespath` as bindproof asks for it: official cases, a reference and a generator."""

from __future__ import annotations

from bindproof.suite_api import Json, Spec, Suite
from bindproof.suite_api.functions import FunctionSuite
from bindproof_jmespath.generator import generate
from bindproof_jmespath.reference import predict


def complete(scenario: Json) -> Json:
    """Return a scenario, which has all it needs; raises ValueError."""
    if scenario.keys() != {"expression", "given"} or not isinstance(scenario["expression"], str):
        raise ValueError('a scenario is {"expression": a text, "given": any value}')
    return scenario


def suite(spec: Spec) -> Suite:
    """Return the suite for its spec: the entry point."""
    return FunctionSuite(spec, predict=predict, generate=generate, complete=complete)
