"""Whole campaigns with the reference's own program, and with adapters that have one fault each."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.campaign import CampaignRequest, campaign
from bindproof.errors import UsageError
from bindproof.log import AdapterLine, Fold, Line, RunLine, VerdictLine
from bindproof.run import RunRequest
from tests.run.test_execute import program

Json = Any


def run(*fakes: str, **more: Json) -> list[Line]:
    lines: list[Line] = []
    request = RunRequest(adapter_commands=tuple((fake, program(fake)) for fake in fakes))
    campaign(CampaignRequest(request, **more), lines.append, lambda words: None)
    return lines


def verdicts(lines: list[Line], adapter: str = "reference") -> list[VerdictLine]:
    return [line for line in lines if isinstance(line, VerdictLine) and line.adapter == adapter]


def test_the_reference_conforms_and_every_scenario_has_its_verdict() -> None:
    lines = run("reference", seed=5, examples=60)
    found = verdicts(lines)
    assert {line.outcome for line in found} <= {"conforms", "inexpressible"}
    assert {line.plan for line in found} == {f"generated/5/{number}" for number in range(60)}
    assert isinstance(lines[0], RunLine)
    assert lines[0].seed == 5
    assert Fold.over(lines).summary().exit == 0


def test_a_campaign_goes_on_where_another_ended() -> None:
    plans = [line.plan for line in verdicts(run("reference", first=30, examples=3))]
    assert sorted(plans) == ["generated/0/30", "generated/0/31", "generated/0/32"]


def test_the_time_ends_a_campaign_and_the_log_says_how_many_were_sent() -> None:
    lines = run("reference", seconds=0.5)
    fold = Fold.over(lines)
    assert fold.mismatch is None
    assert verdicts(lines)
    last = [line for line in lines if isinstance(line, AdapterLine)][-1]
    assert last.suites[0].selected == len(verdicts(lines))
    assert fold.summary().exit == 0


def test_several_faults_are_found_at_once() -> None:
    lines = run("reference", examples=200, faults=("swap_marks", "drop_end"))
    broken = {one.requirement for line in verdicts(lines) for one in line.broken}
    assert broken == {"MRK-002", "LIF-001"}
    assert Fold.over(lines).summary().exit == 1


def test_an_unknown_fault_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="swap_marks"):
        run("reference", faults=("no_such",))


def test_an_adapter_that_fails_leaves_no_scenario_without_a_verdict() -> None:
    lines = run("refuses_to_initialize", examples=5)
    assert Fold.over(lines).mismatch is None
    assert Fold.over(lines).summary().exit == 4
