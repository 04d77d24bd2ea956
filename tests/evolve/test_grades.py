"""What an answer stands on: a proof, a witness that two validators hold, a rule, or nothing."""

from __future__ import annotations

import jsonschema
import jsonschema_rs
import pytest

from bindproof.evolve.answers import DIRECTIONS
from bindproof.evolve.compare import SMALL, Comparison
from tests.evolve.decisions import cases
from tests.evolve.schemas_of import Json, each, side, together, word

OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.long
def test_a_witness_is_taken_by_one_side_and_refused_by_the_other_in_both_validators() -> None:
    seen = 0
    for case in cases():
        found = together(case.old, case.new)
        for direction, (writer, reader) in zip(DIRECTIONS, ((case.old, case.new), (case.new, case.old)), strict=True):
            answer = found.answer(direction)
            if answer.grade != "WITNESS" or "#/" in answer.entry:
                continue
            seen += 1
            for schema, takes in ((writer, True), (reader, False)):
                assert jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(answer.witness) is takes
                kind = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
                second = kind(schema, format_checker=kind.FORMAT_CHECKER)
                assert second.is_valid(answer.witness) is takes
    assert seen > 120


@pytest.mark.parametrize(("limit", "reader"), [({}, "a reader that asserts formats"), ({"maxLength": 0}, "the reader")])
def test_only_a_refusal_that_stands_on_a_format_is_told_of_readers_that_assert_them(limit: Json, reader: str) -> None:
    beside = {"type": "string", "format": "date"}
    old = {"type": "object", "properties": {"a": {"type": "string"}, "b": beside}}
    new = {"type": "object", "properties": {"a": {**({} if limit else beside), **limit, "type": "string"}, "b": beside}}
    answer = together(old, new).old_to_new
    assert (answer.grade, answer.why) == ("WITNESS", f"Its writers may write this, and {reader} refuses it.")


def test_a_witness_is_small() -> None:
    wide = {"properties": {name: {"type": "string", "minLength": 3} for name in "abcdef"}, "type": "object"}
    narrow = {**wide, "required": ["a"]}
    assert together(wide, narrow).old_to_new.witness == {}


def test_a_witness_is_no_part_of_a_tree_that_shows_the_same_by_itself() -> None:
    tree = {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}}
    found = together(tree, {**tree, "maxProperties": 1}).old_to_new.witness
    assert (len(found), set(map(str, found.values()))) == (2, {"{}"})
    helped = Comparison(side(s=tree), side(s={**tree, "maxProperties": 1}), {"s.json": [{"a": {"a": {}, "b": {}}}]})
    assert helped.decision(0).old_to_new.witness == {"a": {}, "b": {}}


def test_two_differences_that_undo_each_other_are_safe_together() -> None:
    moved = {"allOf": [{"properties": {"a": {"type": "string"}}}], "type": "object"}
    assert not all(decision.is_safe for decision in each(OPEN, moved))
    assert together(OPEN, moved).is_safe


def test_a_part_below_not_is_turned_round() -> None:
    found = each({"not": {"type": "string"}}, {"not": {"type": ["string", "null"]}})
    assert [(word(one.old_to_new), word(one.new_to_old)) for one in found] == [("breaking", "safe")]


@pytest.mark.parametrize("around", ["oneOf", "anyOf", "allOf"])
def test_a_wider_part_of_oneof_is_not_taken_for_safe(around: str) -> None:
    old, new = ({around: [{"type": "integer"}, {"type": kind}]} for kind in ("string", "number"))
    assert word(together(old, new).old_to_new) == {"oneOf": "breaking", "anyOf": "breaking", "allOf": "safe"}[around]


def test_a_value_that_is_given_to_be_tried_is_found_where_no_proof_and_no_drawing_finds_one() -> None:
    old, new = ({"type": "string", "pattern": p} for p in ("^(?=.*needle)[a-z ]*$", "^(?=.*needle)[a-z ]*x$"))
    alone = Comparison(side(s=old), side(s=new), tries=0)
    assert alone.decision(0).old_to_new.grade == "UNKNOWN"
    helped = Comparison(side(s=old), side(s=new), {"s.json": ["the needle here"]}, tries=0)
    assert helped.decision(0).old_to_new.grade == "WITNESS"


def test_a_value_that_is_given_to_be_tried_refutes_a_proof_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bindproof.evolve.pairing.covers", lambda wide, narrow: True)
    old, new = ({"type": "string", "pattern": p} for p in ("^(?=.*needle)[a-z ]*$", "^(?=.*needle)[a-z ]*x$"))
    assert Comparison(side(s=old), side(s=new)).decision(1).old_to_new.is_safe
    helped = Comparison(side(s=old), side(s=new), {"s.json": ["a needle"]})
    assert [helped.decision(number).old_to_new.witness for number in (0, 1)] == ["needle", "needle"]


def test_a_format_is_proved_for_readers_that_assert_it_and_for_those_that_do_not() -> None:
    """Who asserts the format refuses a shorter text anyway; who does not takes what the bound stops."""
    old, new = {"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv4", "minLength": 7}
    assert not together(old, new).old_to_new.is_safe


def test_a_definition_to_which_something_refers_is_no_entry() -> None:
    old, new = (
        {"$defs": {"Call": {"properties": {"kind": {"$ref": "#/$defs/Kind"}}}, "Kind": {"enum": kinds}}}
        for kinds in (["a"], ["a", "b"])
    )
    found = together(old, new)
    assert word(found.old_to_new) == "safe"
    assert found.new_to_old.witness == {"kind": "b"}
    assert found.new_to_old.entry == "s.json#/$defs/Call"


def test_a_file_that_came_is_unreadable_for_old_readers() -> None:
    asked = Comparison(side(s={}), side(s={}, t={}))
    found = asked.decision(0)
    assert (found.old_to_new.grade, word(found.old_to_new)) == ("RULE", "safe")
    assert (found.new_to_old.grade, word(found.new_to_old)) == ("RULE", "breaking")


@pytest.mark.parametrize(
    "schema", [{"type": "array", "minItems": 2**30}, {"minimum": 10**18}, {"pattern": r"^\p{L}+$"}]
)
def test_nothing_changed_is_safe_whatever_the_schema(schema: Json) -> None:
    assert together(schema, {**schema, "title": "T"}).is_safe


@pytest.mark.parametrize(
    ("old", "new", "there"),
    [
        ({"type": "string"}, {"type": "string", "maxLength": 3}, True),
        ({"maximum": 1}, {"maximum": 2}, False),
        ({"minimum": 1}, {"minimum": 2}, True),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, False),
        ({"properties": {}}, {"properties": {"a": {"type": "string"}}}, True),
        (
            {"properties": {}, "additionalProperties": False},
            {"properties": {"a": {}}, "additionalProperties": False},
            False,
        ),
        ({"required": ["a", "b"]}, {"required": ["b", "a"]}, False),
        ({"const": 1}, {"const": 2}, True),
    ],
)
def test_one_looks_first_for_what_the_kinds_of_differences_lead_one_to_expect(
    old: Json, new: Json, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[bool] = []
    monkeypatch.setattr(Comparison, "_read_off", lambda *_: looked.append(True))
    asked = Comparison(side(s=old), side(s=new))
    asked.answer(len(asked) - 1, "old_to_new")
    first_by_proof = looked == []
    assert first_by_proof is not there


DEPENDING: Json = {"definitions": {"a": {"type": "object", "dependencies": {"x": ["y"]}}}}
"""What draft-07 asks here, 2020-12 does not."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("defining", "asking"),
    [
        (DEPENDING, {}),
        (DEPENDING, {"other": {"items": {"$ref": "s.json#/definitions/a"}}}),
        ({**DEPENDING, "type": ["object", "null"]}, {"other": {"items": {"$ref": "s.json#/definitions/a"}}}),
        ({**DEPENDING, "description": "d" * SMALL}, {}),
        ({"properties": {"p": DEPENDING["definitions"]["a"]}}, {}),
    ],
)
def test_another_draft_is_asked_of_every_schema_in_its_file(defining: Json, asking: dict[str, Json]) -> None:
    seven, later = (
        side(s={"$schema": draft, **defining}, **asking)
        for draft in ("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema")
    )
    asked = Comparison(seven, later)
    for number in range(len(asked)):
        decision = asked.decision(number)
        assert decision.old_to_new.breaks is False
        assert decision.new_to_old.breaks is not False
