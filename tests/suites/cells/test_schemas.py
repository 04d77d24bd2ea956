"""The schemas of outcomes say what the checks say: what one takes the other takes."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suite_api import forms
from tests.cells import EDITION, SPEC, SUITE, VECTORS, judged, lawful

Json = Any
FORMS = forms(SPEC, EDITION)
ITEMS: Json = [{"type": "input_text", "text": "a"}]
LATCH: Json = {"do": "latch", "name": "l"}


def outcomes() -> list[tuple[str, Json]]:
    """What observations and terminations come back with in lawful runs of the vectors."""
    found = []
    for vector in VECTORS:
        if vector.defect is None:
            full = SUITE.complete(vector.scenario)
            prepared = SUITE.prepare(full, EDITION, "wire")
            observations = {at for at, ask in enumerate(full.get("asks", ())) if ask["ask"] == "observe"}
            for record in lawful(prepared, 1):
                value = record.get("value")
                if "outcome" in record:
                    found.append(("observe_outcome", record["outcome"]))
                elif isinstance(value, dict) and "outcome" in value:
                    observed = record.get("ask") in observations
                    found.append(("observe_outcome" if observed else "terminate_outcome", value["outcome"]))
    return found


def test_the_outcomes_of_lawful_runs_satisfy_their_schema() -> None:
    assert [(name, one) for name, one in outcomes() if not FORMS[name.replace("_", "-")].accepts(one)] == []


@pytest.mark.parametrize(
    ("spoiled", "requirement"),
    [
        ({"type": "yielded", "cell_id": "cell:a", "content_items": []}, "SHP-002"),
        ({"type": "terminated", "cell_id": "cell:a", "content_items": [], "error_text": None}, "SHP-003"),
        ({"type": "completed", "cell_id": "cell:a", "content_items": []}, "SHP-004"),
        ({"type": "missing", "cell_id": "cell:a", "content_items": []}, "SHP-005"),
        ({"type": "terminated", "cell_id": "cell:a", "content_items": [{"type": "input_audio"}]}, "SHP-007"),
        (
            {
                "type": "terminated",
                "cell_id": "cell:a",
                "content_items": [{"type": "input_image", "image_url": "x", "detail": None}],
            },
            "SHP-007",
        ),
    ],
)
def test_what_a_schema_refuses_breaks_a_requirement(spoiled: Json, requirement: str) -> None:
    steps = [
        {"step": "open"},
        {"step": "create", "as": "a", "program": [LATCH]},
        {"step": "reach", "cell": "a", "call": "l"},
        {"step": "yield", "of": "a"},
        {"step": "await", "of": "a"},
        {"step": "terminate", "cell": "a"},
    ]
    prepared = SUITE.prepare(SUITE.complete({"steps": steps}), EDITION, "wire")
    log = [
        record | {"value": {"outcome": spoiled}} if record.get("step") == 5 else record for record in lawful(prepared)
    ]
    assert not FORMS["terminate-outcome"].accepts(spoiled)
    assert requirement in {one.requirement for one in judged(prepared, log) if not one.holds}
