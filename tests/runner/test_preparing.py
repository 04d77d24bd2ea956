"""Scenarios are made ready once for all who are judged in the same setting."""

from __future__ import annotations

import pytest

from bindproof.core.model import Plan
from bindproof.results import Line, VerdictLine
from bindproof.runner import RunRequest, execute
from bindproof.runner.preparing import Preparations, Ready
from tests.runner.test_execute import program

pytestmark = pytest.mark.long


def test_adapters_of_one_setting_share_what_is_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make = Preparations._make

    def counted(self: Preparations, plan: Plan, key: bytes) -> Ready:
        made.append(plan.id)
        return make(self, plan, key)

    monkeypatch.setattr(Preparations, "_make", counted)
    commands = (("one", program("reference")), ("two", program("reference")))
    lines: list[Line] = []
    execute(RunRequest(adapter_commands=commands, vectors=("relay/marks/*",)), lines.append, lambda _: None)
    verdicts = [line for line in lines if isinstance(line, VerdictLine)]

    assert {line.adapter for line in verdicts} == {"one", "two"}
    assert len(verdicts) == 2 * len({line.plan for line in verdicts})
    assert len(made) == len(set(made)) <= len({line.plan for line in verdicts})
