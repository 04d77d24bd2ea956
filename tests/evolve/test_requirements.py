"""What differs between requirements, and whom it binds."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.evolve.requirements import requirement_decisions
from bindproof.spec.models import Requirement
from tests.evolve.schemas_of import word


def rule(**changes: Any) -> Requirement:
    given = {
        "id": "MRK-001",
        "title": "Marks",
        "level": "MUST",
        "editions": "1–",
        "in_editions": ("1", "2"),
        "dialects": ("all",),
        "sources": (),
        "statement": "Marks keep their order.",
        "explanation": "",
        "untestable": None,
        "retired": None,
        "file": "spec/x/01-marks.md",
        "line": 3,
        "digest": "0" * 12,
    }
    return Requirement(**(given | changes))


OLD = rule()


@pytest.mark.parametrize(
    ("old", "new", "kind", "there", "back"),
    [
        (None, OLD, "requirement added", "breaking", "safe"),
        (OLD, None, "requirement removed", "safe", "breaking"),
        (None, rule(level="MAY"), "requirement added", "safe", "safe"),
        (rule(level="SHOULD"), OLD, "level raised", "breaking", "safe"),
        (OLD, rule(level="SHOULD"), "level lowered", "safe", "breaking"),
        (OLD, rule(statement="Marks keep their places."), "statement changed", "undecidable", "undecidable"),
        (OLD, rule(dialects=("python",)), "dialects changed", "safe", "breaking"),
        (rule(dialects=("python",)), rule(dialects=("node",)), "dialects changed", "breaking", "breaking"),
        (OLD, rule(in_editions=("2",)), "editions changed", "safe", "breaking"),
    ],
)
def test_a_difference_is_graded(
    old: Requirement | None, new: Requirement | None, kind: str, there: str, back: str
) -> None:
    before, after = ({one.id: one} if one else {} for one in (old, new))
    (found,) = requirement_decisions(before, after, frozenset({"1", "2"}))
    assert found.difference is not None
    assert (found.difference.kind, word(found.old_to_new), word(found.new_to_old)) == (kind, there, back)
    assert found.difference.line == 3


def test_a_title_and_an_explanation_differ_in_nothing() -> None:
    assert requirement_decisions({"MRK-001": OLD}, {"MRK-001": rule(title="Other", explanation="More.")}) == []


def test_an_edition_that_one_side_does_not_know_makes_no_difference() -> None:
    more = rule(in_editions=("1", "2", "3"))
    assert requirement_decisions({"MRK-001": OLD}, {"MRK-001": more}, frozenset({"1", "2"})) == []
