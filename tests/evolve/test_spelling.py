"""Definitions that move from `definitions` to `$defs` stay the same ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bindproof.evolve.difference import differences
from bindproof.evolve.findings import Findings, compared
from bindproof.evolve.sides import two_sides
from bindproof.evolve.spelling import spelled_as
from tests.evolve.schemas_of import Json, side

SEVEN = "http://json-schema.org/draft-07/schema#"
LATER = "https://json-schema.org/draft/2020-12/schema"


def defining(key: str, draft: str, **more: Json) -> Json:
    leaf = {"type": "object", "required": ["x"], **more}
    return {"$schema": draft, key: {"leaf": leaf, "node": {"items": {"$ref": f"#/{key}/leaf"}}}}


def test_a_move_alone_is_no_difference() -> None:
    old = side(s=defining("definitions", LATER), other={"$ref": "s.json#/definitions/node"})
    new = side(s=defining("$defs", LATER), other={"$ref": "s.json#/$defs/node"})
    assert differences(spelled_as(old, new), new) == []
    assert differences(spelled_as(new, old), old) == []


def test_what_changes_besides_is_found_with_its_lines() -> None:
    old, new = side(s=defining("definitions", SEVEN, minProperties=1)), side(s=defining("$defs", SEVEN))
    (found,) = differences(spelled_as(old, new), new)
    before = old["s.json"].line(("definitions", "leaf", "minProperties"))
    assert (found.pointer, found.kind) == ("/$defs/leaf/minProperties", "minProperties removed")
    assert found.line == before
    assert before > 1


@pytest.mark.parametrize("more", [{"$defs": {}}, {"definitions": {"leaf": True}, "$defs": {}}])
def test_where_both_keys_are_in_use_they_stay_as_they_are(more: Json) -> None:
    old, new = side(s=defining("definitions", LATER) | more), side(s=defining("$defs", LATER))
    assert spelled_as(old, new) is old


def found_in(folder: Path, old: Json, new: Json) -> Findings:
    for name, value in (("old.json", old), ("new.json", new)):
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return compared(*two_sides(str(folder / "old.json"), str(folder / "new.json"), folder))


@pytest.mark.long
def test_whole_findings_hold_definitions_against_those_of_the_same_name(tmp_path: Path) -> None:
    moved = found_in(tmp_path, defining("definitions", SEVEN), defining("$defs", LATER))
    assert moved.outcome() == "compatible"
    asks_more = found_in(tmp_path, defining("definitions", SEVEN), defining("$defs", LATER, minProperties=2))
    assert asks_more.together is not None
    assert asks_more.together.old_to_new.witness == [{"x": 0}]
