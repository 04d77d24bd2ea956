"""References lead to one of the files that are compared, or the comparison is refused; nothing is ever fetched."""

from __future__ import annotations

import pytest

from bindproof.evolve.compare import Comparison
from bindproof.spec.problem import SpecError
from tests.evolve.schemas_of import Json, side, together, word

STRING, NUMBER = {"type": "string"}, {"type": "number"}


@pytest.mark.parametrize(
    "reference",
    ["other.json", "other.json#", "https://a.example/schemas/other.json", "/schemas/other.json"],
)
def test_a_file_is_found_by_its_name_and_by_its_address(reference: str) -> None:
    def files(kind: Json) -> dict[str, Json]:
        return {
            "main": {"$id": "https://a.example/schemas/main.json", "properties": {"a": {"$ref": reference}}},
            "other": {"$id": "https://a.example/schemas/other.json", **kind},
        }

    asked = Comparison(side(**files(STRING)), side(**files(NUMBER)))
    found = asked.decision(0)
    assert found.old_to_new.grade == "WITNESS"
    assert found.old_to_new.entry == "other.json"


@pytest.mark.parametrize(
    "reference", ["https://a.example/else.json", "else.json", "#/$defs/else", "#else", "http://[", "file:///etc/passwd"]
)
def test_a_reference_that_leads_nowhere_is_refused_with_its_line(reference: str) -> None:
    with pytest.raises(SpecError, match=r"s\.json:2: \$ref .* leads to nothing in these files; nothing is fetched"):
        side(s={"$ref": reference})


@pytest.mark.parametrize("reference", ["#nowhere", "other.json#a", "https://a.example/#a", "#/$defs/none"])
def test_a_dynamic_reference_that_leads_nowhere_is_refused_with_its_line(reference: str) -> None:
    with pytest.raises(SpecError, match=r"s\.json:2: \$dynamicRef .* leads to nothing in these files: no schema there"):
        side(s={"$dynamicRef": reference})


@pytest.mark.parametrize("reference", ["#b", "#/$defs/b", "s.json#b"])
def test_a_dynamic_reference_to_what_has_no_dynamic_anchor_is_a_reference(reference: str) -> None:
    def of(kind: Json) -> Json:
        return {"properties": {"a": {"$dynamicRef": reference}}, "$defs": {"b": {"$anchor": "b", **kind}}}

    found = together(of(STRING), of(NUMBER))
    assert found.old_to_new.witness == {"a": "a"}
    assert word(together(of(STRING), of({"type": ["string", "null"]})).old_to_new) == "safe"


def test_a_name_inside_a_part_with_an_address_of_its_own_is_found() -> None:
    def of(kind: Json) -> Json:
        inner = {"$id": "https://a.example/inner", "$ref": "#/$defs/b", "$defs": {"b": kind}}
        return {"properties": {"a": {"$ref": "https://a.example/inner"}}, "$defs": {"a": inner}}

    assert word(together(of(STRING), of({"type": ["string", "null"]})).old_to_new) == "safe"
    assert word(together(of(STRING), of(NUMBER)).old_to_new) == "breaking"


def test_a_constant_with_a_key_like_a_reference_is_none() -> None:
    assert side(s={"const": {"$ref": "https://a.example/"}})


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "strin"}, "this is no JSON Schema 2020-12"),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, "schemas of 2020-12 and draft-07 are read"),
        ({"$schema": 3}, "schemas of 2020-12 and draft-07 are read"),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": 3}, "this is no JSON Schema draft-07"),
        (3, "it is neither an object nor true or false"),
        ({"items": {"$schema": "http://json-schema.org/draft-07/schema#"}}, "json:3: .*another draft than its file"),
        ({"$defs": {"a": {"$id": "a", "$schema": 7}}}, "is 7, another draft than its file"),
    ],
)
def test_what_is_no_schema_is_refused(schema: Json, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        side(s=schema)


def test_the_draft_of_a_file_may_stand_in_it_again_and_a_member_may_be_called_so() -> None:
    later = "https://json-schema.org/draft/2020-12/schema"
    assert side(s={"$schema": later, "items": {"$schema": later}, "properties": {"$schema": {"type": "string"}}})


def test_a_schema_that_is_its_own_part_is_told_to_be_unusable_or_unknown() -> None:
    found = together({"$ref": "#"}, {"$ref": "#", "type": "string"})
    assert found.old_to_new.grade == "UNKNOWN"
    assert found.old_to_new.why == "s.json asks itself, or too many schemas, of one value."
