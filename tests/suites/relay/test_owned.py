"""What a scope owns and never runs is named by MID-004, also where nothing else says anything of that scope."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.relay.scenario.families import Family
from tests.relay import NEWEST, SUB, broken, call, judged, lawful, prepare

Json = Any


@pytest.mark.parametrize("flight", [False, True])
@pytest.mark.parametrize(("family", "kind"), [("end.sanitize", "llm"), ("tool.request", "tool")])
def test_what_never_runs_on_a_scope_that_stays_open_is_named(family: Family, kind: str, flight: bool) -> None:
    beside = [call("f", background=True)] if flight else []
    scope = {"step": "start", "as": "a", "name": "a"}
    owned = {"step": "register", "as": "r", "family": family, "name": "r", "scope": "a"}
    prepared = prepare(SUB, scope, *beside, owned, call("c", kind=kind))
    log = lawful(prepared, 0, "wire")
    assert broken(judged(prepared, log, NEWEST, "wire")) == {}
    silent = [record for record in log if not str(record.get("callback", "")).startswith("r")]
    assert len(silent) < len(log)
    assert "MID-004" in broken(judged(prepared, silent, NEWEST, "wire"))
