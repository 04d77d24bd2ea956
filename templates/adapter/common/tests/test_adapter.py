"""Scenarios of your own, beside those of the suite: `pip install bindproof pytest`, then `pytest` in this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent.parent


@pytest.mark.bindproof(adapter=str(FOLDER))
def test_intercepts_run_by_priority_and_then_by_name(bindproof: Any) -> None:
    wanted = {"b": 1, "a": 1, "c": 0}
    registered = [
        {"step": "register", "family": "llm.request", "name": name, "priority": priority}
        for name, priority in wanted.items()
    ]
    bindproof({"steps": [*registered, {"step": "call", "name": "gpt"}]})
