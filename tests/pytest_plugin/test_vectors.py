"""Vectors as test items: their ids, their outcomes, and what they cost where nobody asked for them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from bindproof.core.visible import visible
from tests.conftest import REPOSITORY
from tests.new_adapters import new_adapter
from tests.pytest_plugin.conftest import RunPytest
from tests.runner.test_execute import expectations, program

pytestmark = pytest.mark.long

MARKS = ("--bindproof-vector", "relay/marks/*")
TWO = ("--bindproof-vector", "relay/marks/two-in-order")


def adapter(fake: str) -> tuple[str, str]:
    return "--bindproof-adapter", f"{fake}={program(fake)}"


def test_each_vector_is_a_test_with_an_id_that_stays(run: RunPytest) -> None:
    first = run(*adapter("reference"), *MARKS, "--collect-only", "-q").outlines
    assert "bindproof::relay/marks/two-in-order[reference]" in first
    assert "bindproof::relay/marks/name-missing+twin[reference]" in first or any("+twin" in line for line in first)
    again = run(*adapter("reference"), *MARKS, "--collect-only", "-q").outlines
    assert [line for line in again if "::" in line] == [line for line in first if "::" in line]


def test_a_lawful_adapter_passes(run: RunPytest) -> None:
    result = run(*adapter("reference"), *MARKS)
    assert result.ret == 0
    outcomes = result.parseoutcomes()
    assert set(outcomes) == {"passed"}
    assert outcomes["passed"] > 30


def test_a_command_needs_no_name(run: RunPytest) -> None:
    result = run("--bindproof-adapter", program("reference"), *TWO, "-v")
    result.stdout.fnmatch_lines(["bindproof::relay/marks/two-in-order*adapter* PASSED*"])


def test_an_adapter_of_ours_is_named(run: RunPytest) -> None:
    result = run("--bindproof-adapter", "reference", "--bindproof-adapter", "reference:0.9", *TWO, "-v")
    result.assert_outcomes(passed=2)


def test_an_adapter_in_a_folder_is_named_by_its_path(run: RunPytest, pytester: pytest.Pytester) -> None:
    new_adapter(pytester.path, "python")
    named = ("--bindproof-adapter", "./gull", "--bindproof-vector", "relay/lifecycle/no*", "-m", "bindproof_vector")
    run(*named).assert_outcomes(passed=2, deselected=1)


def test_a_divergence_fails_with_its_account(run: RunPytest) -> None:
    result = run(*adapter("swaps_marks"), *MARKS, "-k", "two-in-order or none")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "relay/marks/two-in-order on swaps_marks *: diverges",
            "*broken  MRK-002  *",
            "*marks come in the outcomes' order*",
            "*reproduced*always*",
            "*bindproof replay relay/marks/two-in-order --adapter-command *",
        ]
    )
    result.stdout.no_fnmatch_line("*judging.py*")


def test_a_known_divergence_is_an_xfail_with_its_reason(run: RunPytest, tmp_path: Path) -> None:
    known = expectations(tmp_path, requirement="MRK-002")
    result = run(*adapter("swaps_marks"), *TWO, "--bindproof-expectations", known, "-rx")
    assert result.ret == 0
    result.assert_outcomes(xfailed=1)
    result.stdout.fnmatch_lines(["XFAIL *bindproof::relay/marks/two-in-order*MRK-002: it is a fake*"])


def test_a_known_divergence_has_to_occur(run: RunPytest, tmp_path: Path) -> None:
    known = expectations(tmp_path, requirement="MRK-002")
    result = run(*adapter("reference"), *TWO, "--bindproof-expectations", known)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["?XPASS(strict)? MRK-002 was expected to be broken, and is not: remove *known.toml:1"])


def test_runxfail_shows_known_divergences(run: RunPytest, tmp_path: Path) -> None:
    known = expectations(tmp_path, requirement="MRK-002")
    result = run(*adapter("swaps_marks"), *TWO, "--bindproof-expectations", known, "--runxfail")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*known because: it is a fake*"])


def test_what_the_language_cannot_say_is_skipped(run: RunPytest) -> None:
    result = run("--bindproof-adapter", "reference@python", "--bindproof-vector", "relay/dialects/undefined", "-rs")
    assert result.parseoutcomes() in ({"skipped": 1}, {})


def test_a_crash_fails_with_its_evidence(run: RunPytest) -> None:
    result = run("--bindproof-adapter", f"x={program('reference')} --no-such-option", *TWO)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: adapter x failed: its output ended before it answered initialize*"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bindproof-adapter", "pyton"), "cannot start pyton"),
        ((*adapter("reference"), "--bindproof-vector", "relay/no"), "*'relay/no' matches no vector*"),
        ((*adapter("reference"), "--bindproof-expectations", "no.toml"), "*no.toml: there is no such file"),
        (("--bindproof-adapter", "x y", "--bindproof-adapter", "x z"), "*two adapters are called 'adapter'; *"),
    ],
)
def test_what_cannot_be_done_is_said(run: RunPytest, words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{said}*"])


@pytest.mark.long
def test_it_works_under_xdist(run: RunPytest, tmp_path: Path) -> None:
    known = expectations(tmp_path, requirement="MRK-002")
    words = (*adapter("swaps_marks"), *MARKS, "--bindproof-expectations", known)
    alone, shared = (run(*words, *more).parseoutcomes() for more in ((), ("-n", "2")))
    assert alone == {name: count for name, count in shared.items() if name not in {"workers", "worker"}}
    assert alone["xfailed"] >= 1


def test_own_tests_and_vectors_run_together(run: RunPytest, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_mine(): pass")
    run(*adapter("reference"), *TWO).assert_outcomes(passed=2)
    run(*adapter("reference"), *TWO, "-m", "bindproof_vector").assert_outcomes(passed=1, deselected=1)


def test_it_costs_nothing_where_nobody_asks_for_it(pytester: pytest.Pytester, plugin: tuple[str, ...]) -> None:
    """pytest imports the plugin's module in every run; it may bring nothing with it, not even our own modules."""
    pytester.makepyfile(
        """
        import json, sys

        def test_mine():
            ours = sorted(name for name in sys.modules if name.split(".")[0] in {"bindproof", "bindproof_reference"})
            slow = sorted({"msgspec", "jsonschema_rs", "rich", "distributed", "hypothesis"} & sys.modules.keys())
            open("seen.json", "w").write(json.dumps([ours, slow]))
        """
    )
    path = os.pathsep.join(map(str, (REPOSITORY / "conformance", REPOSITORY / "reference_impl")))
    pytester._monkeypatch.setenv("PYTHONPATH", path)
    result = pytester.runpytest_subprocess(*plugin, "-p", "no:hypothesispytest", "-p", "no:randomly")
    result.assert_outcomes(passed=1)
    ours, slow = json.loads((pytester.path / "seen.json").read_text(encoding="utf-8"))
    assert ours == ["bindproof", "bindproof.pytest_plugin"]
    assert slow == []
    assert sys.version_info >= (3, 11)


def test_an_account_obeys_no_adapter(run: RunPytest) -> None:
    result = run(*adapter("tells_what_is_not_seen"), *MARKS)
    assert result.ret == 1
    assert "\\u202egnitset" in str(result.stdout)
    assert visible(str(result.stdout)) == str(result.stdout)
