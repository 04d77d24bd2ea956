"""A question has a time limit: the process that looks for the answer is killed, and the answer is that nobody knows."""

from __future__ import annotations

import pytest

from bindproof.evolve import bounded
from bindproof.evolve.answers import Answer
from bindproof.evolve.bounded import Patience, decisions
from tests.evolve.schemas_of import Json, side, word

pytestmark = pytest.mark.long

LONG = {"type": "string", "minLength": 40}
CATASTROPHE = {**LONG, "pattern": "^(a+)+$"}
"""Python's own `re` takes years to refuse a text of sixty letters; shorter ones, which it refuses, are no witness."""


def test_a_question_that_takes_too_long_is_unknown_and_the_next_is_answered() -> None:
    old = {"properties": {"a": LONG, "b": {"type": "string"}}, "type": "object"}
    new = {"properties": {"a": CATASTROPHE, "b": {"enum": ["x"], "type": "string"}}, "type": "object"}
    seeds: dict[str, list[Json]] = {"s.json": [{"a": "a" * 60 + "b"}]}
    found = list(decisions(side(s=old), side(s=new), lambda: seeds, Patience(1.5), tries=20))
    assert [one.difference and one.difference.kind for one in found] == ["pattern added", "enum added", None]
    assert found[0].old_to_new.grade == "UNKNOWN"
    assert "No answer within 1.5 seconds" in found[0].old_to_new.why
    assert found[1].old_to_new.grade == "WITNESS"
    assert word(found[1].new_to_old) == "safe"


@pytest.mark.parametrize(
    ("pattern", "other", "grade"),
    [(r"^\p{L}$", "^[A-Za-z]$", "UNKNOWN"), ("^[a&&b]$", "^[a]$", "WITNESS")],
)
def test_a_pattern_that_a_validator_does_not_know_is_answered_and_nothing_is_said_of_it(
    pattern: str, other: str, grade: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Python's `re` has no classes of letters, and warns of what it may read otherwise one day."""
    old, new = ({"type": "string", "pattern": text} for text in (pattern, other))
    one, _ = decisions(side(s=old), side(s=new), dict)
    assert one.old_to_new.grade == grade
    assert one.new_to_old.is_safe
    assert capfd.readouterr().err == ""


def test_what_is_left_when_all_have_taken_too_long_is_not_asked() -> None:
    """The first takes all that there is; the second would be answered in no time."""
    old = {"properties": {"a": LONG, "b": {"type": "string"}}, "type": "object"}
    new = {"properties": {"a": CATASTROPHE, "b": {"enum": ["x"], "type": "string"}}, "type": "object"}
    seeds: dict[str, list[Json]] = {"s.json": [{"a": "a" * 60 + "b"}]}
    found = list(decisions(side(s=old), side(s=new), lambda: seeds, Patience(60.0, 1.5), tries=20))
    answers = [answer for one in found for answer in (one.old_to_new, one.new_to_old)]
    assert len(found) == 3
    assert {answer.grade for answer in answers} == {"UNKNOWN"}
    assert {answer.why for answer in answers} == {"No answer within the 1.5 seconds that all questions together have."}


def test_an_answer_that_takes_all_the_memory_is_no_matter_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded._Worker, "answer", lambda *_: None)
    one, _ = decisions(side(s={"type": "string"}), side(s={"type": ["string", "null"]}), dict, Patience(60.0, 60.0))
    assert one.old_to_new == Answer("UNKNOWN", None, "No answer within 4 GiB of memory.")


def test_how_far_it_is_is_told_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "BETWEEN", 0.0)
    said: list[str] = []
    old = {"properties": {name: {"type": "string"} for name in "ab"}, "type": "object"}
    new = {"properties": {name: {"type": "string", "minLength": 1} for name in "ab"}, "type": "object"}
    assert len(list(decisions(side(s=old), side(s=new), dict, Patience(told=said.append)))) == 3
    assert [words.partition(",")[0] for words in said] == [f"{n} of 2 differences decided" for n in range(3)]


def test_no_process_is_left() -> None:
    worker = bounded._Worker(side(s={}), side(s={"type": "string"}), {}, 10)
    assert worker.answer((1, "old_to_new", {}), 30.0) is not None
    process = worker._process
    assert process is not None
    assert process.is_alive()
    worker.end()
    assert worker._process is None


def test_a_witness_is_kept_for_all_together_though_the_process_was_killed_in_between() -> None:
    """Of `b` the quick validator says no and the second never ends; that takes nothing from what is known of `a`."""
    old = {"properties": {"a": {}, "b": LONG}, "type": "object"}
    new = {"properties": {"a": {"not": {"const": "rare value"}}, "b": CATASTROPHE}, "type": "object"}
    seeds: dict[str, list[Json]] = {"s.json": [{"a": "rare value"}, {"b": "a" * 60 + "b"}]}
    first, second, together = decisions(side(s=old), side(s=new), lambda: seeds, Patience(1.5), tries=20)
    assert first.old_to_new.witness == {"a": "rare value"}
    assert second.old_to_new.grade == "UNKNOWN"
    assert together.old_to_new.witness == {"a": "rare value"}
