"""Each thing that has to hold is missed where it does not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bindproof.results import AdapterLine, Fold, Line, RunLine, Speaks, VerdictLine
from tests.chaos.harness import EndedRun
from tests.chaos.invariants import Seen, alike, as_text, kept, of_a_whole_run, of_any_run
from tests.chaos.stories import Story, story

VECTORS = ("relay/a", "relay/b")
SCENARIO = {"steps": [1]}


def told(**changed: Any) -> Story:
    script = {"seed": 1, "deeds": [{"deed": "ends", "scenario": [7]}]}
    usual = Story(1, "run", script, "nothing", VECTORS)
    return msgspec.structs.replace(usual, **changed)


def verdict(adapter: str, plan: str, outcome: Any = "conforms", **more: Any) -> VerdictLine:
    held = ("OUT-001",) if outcome == "conforms" else ()
    return VerdictLine(plan, "relay", adapter, outcome, held=held, scenario=SCENARIO, reason="so", **more)


def adapter(name: str, state: Any = "ready") -> AdapterLine:
    return AdapterLine(name, state, suites=(Speaks("relay", "0.10", "wire", 2),))


def lines(*verdicts: VerdictLine, wild: Any = "ready", run: RunLine) -> list[Line]:
    others = [verdict("healthy", plan) for plan in VECTORS]
    found: list[Line] = [run, adapter("wild", wild), adapter("healthy"), *verdicts, *others]
    return [*found, Fold.over(found).summary()]


CRASH = verdict("wild", "relay/a", "crash")
GOOD = verdict("wild", "relay/b")


def complaints(log: list[Line], code: int, hits: tuple[Any, ...] = (SCENARIO,), **changed: Any) -> list[str]:
    seen = Seen(log, {as_text(one) for one in hits})
    return list(of_a_whole_run(told(**changed), EndedRun(code, 1.0, None, "", "", []), seen))


def test_a_guilty_scenario_and_an_innocent_one_are_as_they_should_be(run_line: RunLine) -> None:
    assert complaints(lines(CRASH, GOOD, run=run_line), 4) == []


@pytest.mark.parametrize(
    ("verdicts", "code", "hits", "wrong"),
    [
        ((CRASH, GOOD), 1, (SCENARIO,), "exit 1, in the log 4, should be 4"),
        ((CRASH, CRASH, GOOD), 4, (SCENARIO,), "several verdicts for one scenario"),
        ((CRASH,), 4, (SCENARIO,), "wild: 2 selected, 1 verdicts"),
        ((CRASH, GOOD), 4, (), "an innocent scenario crash: relay/a"),
        ((verdict("wild", "relay/a", "timeout"), GOOD), 4, (SCENARIO,), "relay/a timeout, and may be ['crash']"),
        ((verdict("wild", "relay/a"), GOOD), 0, ({"steps": [2]},), "1 scenarios were not answered truly, and conform"),
        ((CRASH, verdict("wild", "relay/b", "not_run")), 4, (SCENARIO,), "relay/b was not run: so"),
        ((verdict("wild", "relay/a", "harness_error"), GOOD), 70, (SCENARIO,), "a harness_error: relay/a"),
    ],
)
def test_what_is_wrong_with_a_log_is_told(
    verdicts: tuple[VerdictLine, ...], code: int, hits: tuple[Any, ...], wrong: str, run_line: RunLine
) -> None:
    assert any(one.startswith(wrong) for one in complaints(lines(*verdicts, run=run_line), code, hits))


@pytest.mark.parametrize(("manner", "wrong"), [({}, ["relay/a timeout, and may be"]), ({"holders": 1}, [])])
def test_who_closes_its_output_and_lives_on_is_heard_of_where_nobody_else_holds_it(
    manner: dict[str, Any], wrong: list[str], run_line: RunLine
) -> None:
    script = {"seed": 1, "manner": manner, "deeds": [{"deed": "closes-all", "scenario": [7]}]}
    log = lines(verdict("wild", "relay/a", "timeout"), GOOD, run=run_line)

    assert [one.partition(" ['")[0] for one in complaints(log, 4, script=script)] == wrong


def test_an_adapter_that_is_blamed_for_its_scenarios_is_told(run_line: RunLine) -> None:
    assert any(
        one.startswith("the adapter was blamed, and scenarios did it")
        for one in complaints(lines(CRASH, GOOD, wild="failed", run=run_line), 4)
    )


@pytest.mark.parametrize(
    ("run", "wrong"),
    [
        (EndedRun(None, 99.0, None, "", "", []), "it hung: 99 s"),
        (EndedRun(70, 1.0, None, "", "Traceback", []), "it ended with 70"),
        (EndedRun(0, 1.0, None, "", "Traceback", []), "it speaks of a bug of its own:\nTraceback"),
        (EndedRun(0, 1.0, None, "", "", ["sleep"]), "still alive: ['sleep']"),
        (EndedRun(0, 1.0, 2 << 30, "", "", []), "it took 2048 MB"),
        (EndedRun(0, 1.0, None, "\x1b[2J", "", []), "the terminal was sent '\\x1b'"),
    ],
)
def test_what_is_wrong_with_an_end_is_told(run: EndedRun, wrong: str) -> None:
    assert wrong in list(of_any_run(run))


def test_a_finished_result_that_changes_and_a_log_that_is_another_are_told() -> None:
    other = msgspec.structs.replace(GOOD, held=("OUT-002",))
    assert list(kept([GOOD], [GOOD])) == list(alike([GOOD], [GOOD])) == []
    assert next(kept([GOOD], [other])).startswith("a finished result has changed")
    assert [one.partition(":")[0] for one in alike([GOOD], [other])] == ["only without disturbance", "only this time"]


def test_a_seed_is_one_story() -> None:
    names = [f"relay/{number}" for number in range(99)]
    assert [story(seed, names) for seed in range(50)] == [story(seed, names) for seed in range(50)]
    assert len({story(seed, names).words().partition("\n")[2] for seed in range(50)}) > 45
