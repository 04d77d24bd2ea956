"""A reference that tests of function suites name: it gives the length of a text."""

from __future__ import annotations

from typing import Any

Json = Any


def predict(scenario: Json, edition: str, dialect: Json) -> Json:
    """Return the one record that is allowed."""
    return {"lanes": {"program": [{"fact": "result", "value": len(scenario["text"])}]}, "after": []}


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return the one run of a prediction."""
    records: list[Json] = prediction["lanes"]["program"]
    return records
