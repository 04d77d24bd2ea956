"""The fixture for scenarios of one's own."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.conftest import RunPytest
from tests.pytest_plugin.test_vectors import adapter
from tests.runner.test_execute import program

pytestmark = pytest.mark.long

SCENARIO = """
SUB = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
CALL = {"step": "call", "as": "c", "name": "gpt"}

def intercept(*ops):
    return {"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": list(ops)}

MARKS = intercept({"op": "edit", "append": {"/pending_marks": [{"name": "m1"}, {"name": "m2"}]}})
"""


def test_a_scenario_that_conforms_passes_and_shows_what_was_seen(run: RunPytest, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        SCENARIO
        + """
def test_two_marks(bindproof):
    (verdict,) = bindproof({"steps": [SUB, MARKS, CALL]}).values()
    marks = [one["event"]["name"] for one in verdict.observation if one.get("event", {}).get("kind") == "mark"]
    assert marks == ["m1", "m2"]
    assert "MRK-002" in verdict.held
"""
    )
    result = run(*adapter("reference"), "-m", "not bindproof_vector")
    assert result.parseoutcomes()["passed"] == 1
    result.stdout.fnmatch_lines(["collected * deselected / 1 selected"])


def test_one_that_does_not_fails_with_its_account(run: RunPytest, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        SCENARIO
        + f"""
import pytest

@pytest.mark.bindproof(adapter={"swaps_marks=" + program("swaps_marks")!r})
def test_two_marks(bindproof):
    bindproof({{"steps": [SUB, CALL]}})
    bindproof({{"steps": [SUB, MARKS, CALL]}})
"""
    )
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*file/test_two_marks-2.json on swaps_marks *: diverges", "*MRK-002*", "*replay*"])


def test_a_defect_is_refused_and_its_twin_is_not(run: RunPytest, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        SCENARIO
        + f"""
import pytest

@pytest.mark.bindproof({program("reference")!r})
def test_a_mark_needs_a_name(bindproof):
    at = "/steps/1/do/0/append/~1pending_marks/0/name"
    defect = {{"at": at, "cut": True, "breaks": "MRK-007", "kind": "outcome_malformed"}}
    assert len(bindproof({{"steps": [SUB, MARKS, CALL]}}, defect=defect)) == 1
"""
    )
    run().assert_outcomes(passed=1)


def test_without_an_adapter_or_a_scenario_it_says_what_to_do(run: RunPytest, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
import pytest

def test_nothing_given(bindproof):
    bindproof({{"steps": []}})

@pytest.mark.bindproof({program("reference")!r})
def test_no_scenario(bindproof):
    bindproof({{"steps": [{{"step": "wait"}}]}})
"""
    )
    result = run()
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*the fixture `bindproof` needs --bindproof-adapter CMD, or *", "*wait*$.steps?0?*"])
