"""What is too much of a verdict is cut and said; a verdict of usual size is left as it is."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from bindproof.core.model import AdapterCommand, Evidence, Judgement, Plan, TargetInfo, Verdict
from bindproof.core.origins import FromVector
from bindproof.drive import Failed
from bindproof.results import encode, verdict_line
from bindproof.runner.adapter_lines import failed_line, ready_line
from bindproof.runner.budgets import FAILURES, OBSERVATION, VALUE, WORDS, within_budget

PLAN = Plan(FromVector("relay/x/y"), "relay", {"steps": []})


def verdict(*failures: Evidence, observation: Any = None, reason: str = "it differs") -> Verdict:
    judgements = (Judgement("OUT-001"), Judgement("MRK-002", failures))
    return Verdict(PLAN, "a", "diverges", judgements, reason, observation=observation or [{"fact": "settled"}])


def observed(value: Any) -> Evidence:
    return Evidence("s", "differs", 0, {"a": 1}, value)


def test_a_verdict_of_usual_size_is_the_same() -> None:
    usual = verdict(*[observed("x" * (VALUE - 2))] * FAILURES, observation=[{"value": "x" * (OBSERVATION - 100)}])
    assert within_budget(usual) is usual


def test_a_value_that_is_too_large_is_begun_with() -> None:
    kept = within_budget(verdict(observed(1), observed({"b": "y" * 184_000})))
    ((_, broken), cut) = kept.judgements, kept.cut
    assert [one.observed for one in broken.failures] == [1, '{"b":"' + "y" * (WORDS - 6) + "… (184008 bytes)"]
    assert [one.expected for one in broken.failures] == [{"a": 1}] * 2
    assert cut == "values of more than 16 KiB, of which the first 2000 characters are kept"


def test_of_many_failures_the_first_are_kept() -> None:
    kept = within_budget(verdict(*map(observed, range(FAILURES + 9))))
    assert [one.observed for one in kept.judgements[1].failures] == list(range(FAILURES))
    assert kept.cut == "209 failures of MRK-002, of which the first 200 are kept"


def test_of_a_long_observation_the_first_records_are_kept() -> None:
    records = [{"fact": "settled"}] * 200_000
    kept = within_budget(verdict(observation=records))
    assert kept.observation == records[: OBSERVATION // len('{"fact":"settled"}')]
    assert kept.cut == "an observation of 200000 records, of which the first 7281 are kept, those of 128 KiB"


def test_an_adapters_words_are_begun_with() -> None:
    kept = within_budget(replace(verdict(), reason="long " * 50_000))
    assert kept.reason == "long " * (WORDS // 5) + "… (250000 characters)"


def test_what_is_cut_once_is_not_cut_again() -> None:
    much = verdict(*map(observed, ["z" * 99_999] * 300), observation=[{}] * 99_999, reason="r" * 9999)
    once = within_budget(much)
    assert within_budget(once) is once
    assert len(encode(verdict_line(once))) < 3 * OBSERVATION + FAILURES * 2 * WORDS


def test_what_an_adapter_says_of_itself_is_begun_with() -> None:
    info = TargetInfo("a", "1", "t" * 10_000, "9" * 10_000, "l" * 10_000, "r" * 10_000, {})
    command = AdapterCommand("mine", ("x",), {}, ".")
    line = ready_line(command, info, (), ("n" * 10_000,))
    failed = failed_line(command, Failed("mine", "f" * 10_000), line)
    assert all(len(text) < WORDS + 30 for text in (line.target, line.version, line.language, line.runtime, *line.notes))
    assert (failed.version, len(failed.reason)) == (line.version, WORDS + len("… (10000 characters)"))
