"""Whole campaigns with the reference's own program, and with adapters that have one fault each."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.request import Campaign
from bindproof.results import AdapterLine, FindingLine, Fold, Line, RunLine, VerdictLine
from bindproof.runner import RunRequest, execute
from bindproof.runner.campaign import generated
from tests.runner.test_execute import program

pytestmark = pytest.mark.long

Json = Any

BROKEN_WITHOUT_ENDS = ("LIF-001", "FLT-002", "FLT-011", "STR-005")
"""What the fault `drop_end` names, and may break besides."""

QUICK = 7
"""A seed whose findings beside a lost end are soon small."""

SUBSCRIBER = {"step": "register", "family": "subscriber", "name": "a"}
KNOWN = """
[[divergence]]
requirement = "LIF-001"
observed_matches = "."
target = "bindproof-reference"
vectors = ["relay/lifecycle/one-call"]
reason = "ends are dropped"
source = "planted"
{generated}
"""


def run(*fakes: str, **more: Json) -> list[Line]:
    lines: list[Line] = []
    asked = {name: more.pop(name) for name in ("fault", "expectations", "processes") if name in more}
    commands = tuple((fake, program(fake)) for fake in fakes)
    execute(RunRequest(adapter_commands=commands, campaign=Campaign(**more), **asked), lines.append, lambda words: None)
    return lines


def verdicts(lines: list[Line], adapter: str = "reference") -> list[VerdictLine]:
    return [line for line in lines if isinstance(line, VerdictLine) and line.adapter == adapter]


def test_the_reference_conforms_and_every_scenario_has_its_verdict() -> None:
    lines = run("reference", seed=5, examples=60)
    found = verdicts(lines)
    assert {line.outcome for line in found} <= {"conforms", "inexpressible"}
    assert {line.plan for line in found} == {f"generated/5/{number}" for number in range(60)}
    assert isinstance(lines[0], RunLine)
    assert lines[0].request.campaign == Campaign(seed=5, examples=60)
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


def test_an_adapter_that_failed_has_failed_also_where_the_time_ends_the_campaign() -> None:
    lines = run("greets_behind_its_answer_to_initialize", seconds=60.0)
    fold = Fold.over(lines)
    last = [line for line in lines if isinstance(line, AdapterLine)][-1]

    assert (last.state, last.evidence) == ("failed", "hello")
    assert fold.mismatch is None
    assert fold.summary().exit == 4


def test_an_adapter_that_hangs_does_not_outlast_the_time_of_a_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "GRACE", 0.1)
    began = time.monotonic()
    lines = run("hangs_on_every_scenario", "reference", seconds=1.0)
    fold = Fold.over(lines)
    adapters = {line.name: line for line in lines if isinstance(line, AdapterLine)}

    assert time.monotonic() - began < 10.0  # the time that one scenario may take
    assert fold.mismatch is None
    assert verdicts(lines)
    assert {line.outcome for line in verdicts(lines, "hangs_on_every_scenario")} <= {"inexpressible"}
    assert adapters["hangs_on_every_scenario"].reason == "it answered none of 8 scenarios before the time was up"
    assert fold.summary().exit == 4


def test_what_has_no_answer_when_the_time_is_up_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "GRACE", 0.0)
    lines = run("takes_its_time", seconds=2.0)
    fold = Fold.over(lines)
    last = [line for line in lines if isinstance(line, AdapterLine)][-1]

    assert fold.mismatch is None
    assert last.suites[0].selected == len(verdicts(lines, "takes_its_time")) > 0
    assert last.notes[-1].endswith("had no answer 0 s after the time was up; they do not count")
    assert fold.summary().exit == 0


def findings(lines: list[Line]) -> dict[str, FindingLine]:
    return {line.breaks or line.outcome: line for line in lines if isinstance(line, FindingLine)}


@pytest.mark.long
def test_several_faults_are_found_at_once_each_with_its_smallest_scenario(tmp_path: Path) -> None:
    lines = run("reference", seed=QUICK, examples=12, fault="deaf_subscriber+drop_end", save=str(tmp_path))
    found = findings(lines)
    assert {"LIF-008", "LIF-001"} <= set(found)
    end = found["LIF-001"]
    assert end.scenario == {"steps": [SUBSCRIBER, {"step": "call", "name": "a"}]}
    assert (end.reproduced, end.observation is not None, end.prediction is not None) == ("always", True, True)
    shown = [line for line in verdicts(lines) if end.id in line.found]
    assert all("LIF-001" in [one.requirement for one in line.broken] for line in shown)
    unexplained = [line for line in verdicts(lines) if line.unexpected and not line.found]
    assert unexplained == []
    assert Fold.over(lines).summary().exit == 1


@pytest.mark.long
def test_a_saved_finding_is_a_vector_that_shows_the_same(tmp_path: Path) -> None:
    found = findings(run("reference", seed=QUICK, examples=10, fault="drop_end", save=str(tmp_path)))["LIF-001"]
    assert found.file is not None
    assert found.id == f"relay/found/{Path(found.file).stem}"
    lines: list[Line] = []
    commands = (("reference", program("reference")),)
    execute(RunRequest(adapter_commands=commands, files=(found.file,), fault="drop_end"), lines.append, lambda _: None)
    (verdict,) = verdicts(lines)
    assert [one.requirement for one in verdict.broken] == ["LIF-001"]


@pytest.fixture(scope="module")
def leaky() -> list[Line]:
    """The lines of a campaign on an adapter that leaves something behind, and says so."""
    return run("leaves_marks_registered", seed=6, examples=16)


@pytest.mark.long
def test_a_fault_of_the_adapter_is_made_smaller_too(leaky: list[Line]) -> None:
    found = findings(leaky)["adapter_error"]
    assert len(found.scenario["steps"]) == 1
    assert {line.outcome for line in verdicts(leaky, "leaves_marks_registered") if found.id in line.found} == {
        "adapter_error"
    }


@pytest.mark.long
def test_what_one_scenario_leaves_behind_blames_no_other(leaky: list[Line]) -> None:
    guilty = [line for line in verdicts(leaky, "leaves_marks_registered") if line.outcome == "adapter_error"]
    others = [line for line in verdicts(leaky, "leaves_marks_registered") if line not in guilty]
    assert guilty
    assert {line.outcome for line in others} <= {"conforms", "inexpressible"}
    assert all("pending_marks" in str(line.scenario) for line in guilty)


def test_a_race_is_told_from_a_divergence_once(tmp_path: Path) -> None:
    lines: list[Line] = []
    commands = (("racy", f"{program('swaps_marks_every_other_time')} {tmp_path / 'count'}"),)
    request = RunRequest(adapter_commands=commands, campaign=Campaign(seed=12, examples=40))
    execute(request, lines.append, lambda words: None)
    found = [line for line in lines if isinstance(line, FindingLine)]
    assert "MRK-002" in [line.breaks for line in found]
    assert len({line.breaks for line in found}) == len(found)
    assert all(str(line.reproduced).startswith("sometimes") and line.acted == 0 for line in found)


@pytest.mark.long
def test_a_leak_that_an_adapter_does_not_admit_is_told_as_one() -> None:
    lines = run("forgets_to_deregister", examples=25)
    found = findings(lines).values()
    assert {(one.reproduced, one.acted) for one in found} == {("in_company", 0)}
    assert len(found) < len([line for line in verdicts(lines, "forgets_to_deregister") if line.unexpected])


@pytest.mark.long
def test_an_expectation_states_the_condition_for_scenarios_that_are_no_vectors(tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    known.write_text(KNOWN.format(generated='generated = "subscriber"'))
    lines = run("reference", seed=QUICK, examples=12, fault="deaf_subscriber+drop_end", expectations=str(known))
    assert "LIF-008" in findings(lines)
    assert "LIF-001" not in findings(lines)
    known.write_text(KNOWN.format(generated=""))
    lines = run("reference", seed=QUICK, examples=10, fault="drop_end", expectations=str(known))
    assert "LIF-001" in findings(lines)


def test_interrupted_what_was_found_is_there_and_the_log_is_whole() -> None:
    lines: list[Line] = []

    def tell(words: str) -> None:
        if "smaller" in words:
            raise KeyboardInterrupt

    commands = (("reference", program("reference")),)
    request = RunRequest(adapter_commands=commands, fault="drop_end", campaign=Campaign(examples=50))
    with pytest.raises(KeyboardInterrupt):
        execute(request, lines.append, tell)
    (found,) = findings(lines).values()
    assert (found.breaks in BROKEN_WITHOUT_ENDS, found.reproduced) == (True, "always")
    assert [line for line in verdicts(lines) if line.plan == found.plan]
    assert Fold.over(lines).summary(interrupted=True).exit == 130


def test_an_unknown_fault_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="spec list --faults"):
        run("reference", fault="swap_marks+no_such")


def test_an_adapter_that_fails_leaves_no_scenario_without_a_verdict() -> None:
    lines = run("refuses_to_initialize", examples=5)
    assert Fold.over(lines).mismatch is None
    assert Fold.over(lines).summary().exit == 4
