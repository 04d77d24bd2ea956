"""A binding whose deregistering does nothing breaks the rule about that; it is not its adapter that is at fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.relay import SUB, call, intercept, lawful, prepare
from tests.seen.conftest import Replays, scenario_file

pytestmark = pytest.mark.long

Json = Any

TAKEN_BACK: Json = {"step": "deregister", "as": "d", "of": "i"}
LEFT = [{"family": "llm.request", "name": "i"}, {"family": "subscriber", "name": "s"}]
"""What is still there when the adapter has deregistered all that the scenario registered."""


def test_deregistering_that_does_nothing_breaks_its_rule(replays: Replays, tmp_path: Path) -> None:
    log = lawful(prepare(SUB, intercept(), call()), 0, "wire")
    at = next(index for index, record in enumerate(log) if record["fact"] == "done" and record["step"] == "i")
    log.insert(at + 1, {"fact": "done", "step": "d", "value": True})
    told = replays(scenario_file(tmp_path, SUB, intercept(), TAKEN_BACK, call()), log, left=LEFT)
    assert (told.code, told.verdict["outcome"]) == (1, "diverges")
    assert "MID-007" in told.broken()
