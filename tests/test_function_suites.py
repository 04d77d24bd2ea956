"""Suites about a function: what comes of a record, and of as much of a suite as its author has."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import Expect
from bindproof.core.paths import templates_root
from bindproof.judge import judge
from bindproof.runner.claims import Claims
from bindproof.spec import Spec, load
from bindproof.suite_api import Divisible, ObservationError
from bindproof.suite_api.functions import FunctionSuite, Returned
from bindproof.suite_api.grammar import Grammar
from bindproof.suites.choices import SeededChoices
from bindproof_reference.functions import Refused, predicting
from tests.lengths import predict

Json = Any

SPEC = load(templates_root() / "function" / "bindproof_tally", "tally")


def seen(record: Json, dialect: str = "python") -> tuple[Json, Returned]:
    """The normalised record of a call, and what checks are given."""
    log, outcome = FunctionSuite(SPEC).prepare({"text": "1"}, "1", dialect).observe([record])
    return log[0], outcome


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (2.0, 2),
        (2.5, 2.5),
        ([1.0, {"a": -0.0}], [1, {"a": 0}]),
        (2.0**53, {"$integer": "9007199254740992"}),
        (-(2**53 - 1), 1 - 2**53),
        (True, True),
        (None, None),
    ],
)
def test_a_number_without_a_fraction_is_a_whole_one(value: Json, told: Json) -> None:
    record, outcome = seen({"fact": "result", "value": value})
    assert repr(record["value"]) == repr(outcome.value) == repr(told)


@pytest.mark.parametrize(
    ("expected", "value"),
    [(2.0, 2), (2, 2.0), ([{"$numeric": 2.0}], [2]), (2**53, 2.0**53), ({"$integer": str(2**53)}, 2.0**53)],
)
def test_what_is_expected_is_normalised_as_what_comes(expected: Json, value: Json) -> None:
    prepared = FunctionSuite(SPEC).prepare({"text": "1"}, "1", "python")
    log = [{"fact": "result", "value": value}]
    found = judge(prepared, log, {}, lambda record: "program", ("TAL-001", Expect(expected)))
    assert [one.holds for one in found] == [True]


@pytest.mark.parametrize(
    ("error", "dialect", "kind"),
    [
        ({"type": "ValueError", "message": "no number: 'a'"}, "python", "no_number"),
        ({"type": "RangeError", "message": "no number: a"}, "node", "no_number"),
        ({"type": "RangeError", "message": "no number: a"}, "python", "unknown"),
        ({}, "python", "unknown"),
    ],
)
def test_the_dialect_tells_the_kind_of_an_error(error: Json, dialect: str, kind: str) -> None:
    record, outcome = seen({"fact": "result", "error": error}, dialect)
    assert (record["error"]["kind"], outcome.kind) == (kind, kind)


@pytest.mark.parametrize(
    "log", [[], [{"fact": "result", "value": 1}] * 2, [{"fact": "result"}], [{"fact": "result", "error": "x"}], [1]]
)
def test_a_log_of_another_form_is_none(log: list[Json]) -> None:
    with pytest.raises(ObservationError):
        FunctionSuite(SPEC).prepare({"text": "1"}, "1", "python").observe(log)


def never_negative(outcome: Returned) -> list[Any] | None:
    """A check."""
    if outcome.kind is not None:
        return None
    return outcome.unlike(0, "it is negative") if outcome.value < 0 else []


def broken(suite: FunctionSuite, value: Json) -> list[str]:
    full = suite.complete({"text": "abc"})
    prepared = suite.prepare(full, "1", "python")
    found = judge(prepared, [{"fact": "result", "value": value}], suite.checks, suite.lanes(full))
    return [one.requirement for one in found if not one.holds]


def test_a_reference_and_checks_judge_as_in_any_suite() -> None:
    both = FunctionSuite(SPEC, predict=predict, checks={"TAL-001": never_negative})
    assert [broken(both, value) for value in (3, 4, -1)] == [[], ["REF-000"], ["TAL-001"]]
    assert [broken(FunctionSuite(SPEC), value) for value in (3, 4)] == [[], []]


def test_scenarios_are_generated_where_something_judges_them() -> None:
    with pytest.raises(UsageError, match="nothing would judge a generated scenario"):
        FunctionSuite(SPEC).generate(SeededChoices(0), None)
    checked = FunctionSuite(SPEC, checks={"TAL-001": never_negative})
    assert set(checked.generate(SeededChoices(0), None)) == {"text"}
    own = FunctionSuite(SPEC, predict=predict, generate=lambda choices: {"text": "a" * choices.integer(1, 3)})
    assert set(own.generate(SeededChoices(0), None)["text"]) == {"a"}


def copy(folder: Path) -> Spec:
    shutil.copytree(SPEC.folder, folder / "spec" / "tally")
    return load(folder, "tally")


def test_without_a_reference_a_vector_says_what_it_expects(tmp_path: Path) -> None:
    spec = copy(tmp_path)
    vector = tmp_path / "spec/tally/vectors/mine.json"
    vector.write_text('{"title": "t",\n"exercises": ["TAL-001"],\n"scenario": {"text": "1"}}', encoding="utf-8")
    (problem,) = Claims(spec, FunctionSuite(spec)).problems()
    assert (problem.line, problem.text) == (2, "nothing judges TAL-001 in it: say what it expects, or write a check")
    assert list(Claims(spec, FunctionSuite(spec, checks={"TAL-001": never_negative})).problems()) == []


def test_a_reference_is_held_against_what_vectors_expect(tmp_path: Path) -> None:
    file = copy(tmp_path).folder / "suite.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("\n\n", '\nreference = "tests.lengths"\n\n', 1), encoding="utf-8")
    spec = load(tmp_path, "tally")
    found = [problem.text for problem in Claims(spec, FunctionSuite(spec, predict=predict)).problems()]
    assert found
    assert all("what the reference does breaks TAL-00" in text for text in found)


def test_members_say_what_a_scenario_is() -> None:
    suite = FunctionSuite(SPEC, members={"text": str, "most": int, "given": object})
    whole = {"text": "a", "most": 1, "given": None}
    assert suite.complete(whole) == whole
    for wrong in ({"most": True}, {"text": 1}, {"more": 1}):
        with pytest.raises(ValueError, match=r'a scenario is \{"text": str, "most": int, "given": object\}'):
            suite.complete({**whole, **wrong})


def adds_up(scenario: Json, edition: str) -> Json:
    """A reference that adds up a text."""
    try:
        return sum(int(one) for one in scenario["text"].split("+"))
    except ValueError:
        raise Refused("no_number") from None


def refuses(scenario: Json, edition: str) -> Json:
    """A reference that refuses with a word of its own."""
    raise Refused("oops")


def test_a_kind_that_no_dialect_could_tell_is_the_references_mistake() -> None:
    suite = FunctionSuite(SPEC, predict=predicting(refuses))
    with pytest.raises(LookupError, match=r"'oops' is no error kind; suite\.toml has no_number"):
        suite.prepare({"text": "1"}, "1", "python")


def test_parts_are_those_of_which_the_reference_gives_a_value() -> None:
    suite = FunctionSuite(SPEC, predict=predicting(adds_up))
    assert isinstance(suite, Divisible)
    assert list(suite.parts({"text": "1 + 23"})) == [{"text": "1"}, {"text": "23"}]
    assert list(suite.parts({"text": "1+"})) == [], "what is refused has no parts"
    assert list(FunctionSuite(SPEC).parts({"text": "1+2"})) == [], "there is nobody to ask"
    assert list(FunctionSuite(SPEC, parts=lambda full: [{"text": "1"}]).parts({"text": "+"})) == [{"text": "1"}]


def test_a_grammar_says_which_smaller_scenarios_there_are() -> None:
    sums = Grammar({"sum": ("<digit>", "<sum>+<sum>"), "digit": ("1", "2")})
    suite = FunctionSuite(SPEC, grammar={"text": (sums, "sum")})
    assert list(suite.parts({"text": "1+2"})) == [{"text": "1"}, {"text": "2"}]
    assert list(suite.parts({"text": "1 + 2"})) == [], "without a reference, of texts of the grammar alone"
    assert {"text": "1+2"} in suite.smaller({"text": "1+2+2"})
    assert [list(suite.smaller(one)) for one in ({"text": "1+"}, {"text": 1}, {})] == [[], [], []]
    assert list(FunctionSuite(SPEC).smaller({"text": "1+2"})) == []
