"""The reference: says what the requirements allow to be seen. Standard library only; it runs as an adapter too."""

from __future__ import annotations

from typing import Any

Json = Any


def predict(scenario: Json, edition: str, dialect: Json) -> Json:
    """Return the records that are allowed, in lanes; this contract leaves nothing open, so there is one lane."""
    total = 0
    records = []
    for index, step in enumerate(scenario["steps"]):
        if step["step"] == "add":  # TAL-001
            total += step["number"]
        else:  # TAL-002
            total = max(0, total - step["number"])
        records.append({"fact": "done", "step": index, "total": total})
    return {"lanes": {"program": records}, "after": []}


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return one log that a prediction allows; where it left something open, the seed would choose."""
    records: list[Json] = prediction["lanes"]["program"]
    return records
