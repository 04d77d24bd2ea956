"""A reference that tests of function suites name: whatever it predicts is what is seen."""

from __future__ import annotations

from typing import Any

Json = Any


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return the one run of a prediction."""
    records: list[Json] = prediction["lanes"]["program"]
    return records
