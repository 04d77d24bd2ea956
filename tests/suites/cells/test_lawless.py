"""Values that no host should give are judged, and are no mistake of the suite."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cells import EDITION, SUITE, VECTORS, broken, judged, lawful

Json = Any
SEVERAL = next(vector for vector in VECTORS if vector.id == "cells/observation/several")


@pytest.mark.parametrize("value", [[1], {"errors": ["x"]}, {"errors": None}, {"errors": 3}, "t", True, {"outcome": 3}])
def test_a_value_of_any_form_is_judged(value: Json) -> None:
    prepared = SUITE.prepare(SUITE.complete(SEVERAL.scenario), EDITION, "wire")
    log = [record | {"value": value} if record.get("step") == 5 else record for record in lawful(prepared)]
    assert set(broken(judged(prepared, log))) == {"OBS-006"}


@pytest.mark.parametrize(
    "outcome", [[], "x", None, {"type": []}, {"type": "completed", "content_items": [3], "error_text": []}]
)
def test_an_outcome_of_any_form_is_judged(outcome: Json) -> None:
    prepared = SUITE.prepare(SUITE.complete(SEVERAL.scenario), EDITION, "wire")
    log = [record | {"outcome": outcome} if record.get("outcome") else record for record in lawful(prepared)]
    assert "SHP-001" in broken(judged(prepared, log)) or "SHP-004" in broken(judged(prepared, log))
